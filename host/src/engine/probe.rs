//! Finds out which records of a run's inserts the database already holds, with a few reads.
//!
//! Inserts of the run phase take consecutive numbers, so what is there is a prefix: doubling steps find a
//! number that is absent, and halving steps find the first one that is.

use super::flight::RunNames;
use crate::base::clock::{Clock, HostClock};
use crate::binding::{Binding, ClientCell, Ended, OpBuilder, OpenFailure, Turn, Turns};
use crate::workload::{RunInserts, Workload};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;
use ycsb_plugin_abi::{kind, status};

/// What a probe found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probed {
    /// How many of the run's insert numbers are in the database.
    pub present: u64,
    /// Reads that this took.
    pub reads: u64,
}

/// Asks the database. The answer of every read is bounded by `timeout_ns`, as is the whole.
///
/// # Errors
/// A session that cannot be opened, a read that fails otherwise than with NOT_FOUND, no answer in time.
pub fn probe_inserts(
    binding: &Arc<Binding>,
    workload: &dyn Workload,
    inserts: RunInserts,
    timeout_ns: u64,
) -> Result<Probed, OpenFailure> {
    let names = RunNames::new(workload.table(), workload.field_names());
    let deadline_ns = HostClock::new().now_ns().saturating_add(timeout_ns);
    let prefix = {
        let mut key = String::new();
        workload.write_key(inserts.number(0), &mut key);
        key
    };
    // The keys are made by the thread that asks, and written by the workload, which only this thread has.
    let (numbers, wanted) = channel::<u64>();
    let (keys, key) = channel::<String>();
    let (results, result) = channel();
    let prober = Prober {
        search: Search::new(),
        numbers,
        key,
        first_key: Some(prefix),
        state: State::Unopened,
        deadline_ns,
        results,
    };
    let cell = ClientCell::new(prober, Question::default(), 0, 1, names.table, names.border_fields);
    let binding = Arc::clone(binding);
    let spawned = std::thread::Builder::new().name("probe".to_owned()).spawn(move || {
        if binding.is_async() {
            let _ = binding.run_clients(vec![cell]);
        } else {
            let _ = binding.run_client(cell);
        }
    });
    if let Err(error) = spawned {
        return Err(OpenFailure { status: status::ERROR, detail: format!("no thread to probe: {error}") });
    }
    let late = || OpenFailure {
        status: status::TIMEOUT,
        detail: "did not answer the reads that look for the last inserted record; \
                 set insertstart.run to skip them"
            .to_owned(),
    };
    loop {
        let left_ns = (deadline_ns + 1_000_000_000).saturating_sub(HostClock::new().now_ns());
        // Ends with the prober, which drops its end of the channel.
        match wanted.recv_timeout(Duration::from_nanos(left_ns)) {
            Ok(index) => {
                let mut text = String::new();
                workload.write_key(inserts.number(index), &mut text);
                let _ = keys.send(text);
            }
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => return Err(late()),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    result.recv().unwrap_or_else(|_| Err(late()))
}

/// The search for the first absent number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Search {
    /// All numbers below are present.
    present: u64,
    /// This number is absent, if any is known to be.
    absent: Option<u64>,
    reads: u64,
}

impl Search {
    fn new() -> Self {
        Search { present: 0, absent: None, reads: 0 }
    }

    /// The number to ask for, or `None` when the answer is known.
    fn question(&self) -> Option<u64> {
        match self.absent {
            // 0, 2, 6, 14, ...
            None => Some(self.present * 2),
            Some(absent) if absent > self.present => Some(self.present + (absent - self.present) / 2),
            Some(_) => None,
        }
    }

    fn answer(&mut self, number: u64, is_present: bool) {
        self.reads += 1;
        if is_present {
            self.present = number + 1;
        } else {
            self.absent = Some(number);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unopened,
    Opening,
    Asking(u64),
    Ending,
}

struct Prober {
    search: Search,
    numbers: std::sync::mpsc::Sender<u64>,
    key: std::sync::mpsc::Receiver<String>,
    first_key: Option<String>,
    state: State,
    deadline_ns: u64,
    results: std::sync::mpsc::Sender<Result<Probed, OpenFailure>>,
}

#[derive(Default)]
struct Question {
    key: String,
    is_end: bool,
    deadline_ns: u64,
}

impl Prober {
    fn ask(&mut self, question: &mut Question) -> Turn {
        question.deadline_ns = self.deadline_ns;
        let Some(number) = self.search.question() else {
            let found = Probed { present: self.search.present, reads: self.search.reads };
            return self.end(question, Ok(found));
        };
        let key = match self.first_key.take_if(|_| number == 0) {
            Some(key) => key,
            None if self.numbers.send(number).is_ok() => self.key.recv().unwrap_or_default(),
            None => return Turn::Stop,
        };
        question.key = key;
        self.state = State::Asking(number);
        Turn::Run
    }

    fn end(&mut self, question: &mut Question, result: Result<Probed, OpenFailure>) -> Turn {
        let _ = self.results.send(result);
        question.is_end = true;
        self.state = State::Ending;
        Turn::Run
    }
}

impl Turns for Prober {
    type Data = Question;

    fn next(&mut self, question: &mut Question, ended: Ended<'_>) -> Turn {
        let failure =
            || OpenFailure { status: ended.status, detail: ended.outcome.detail_text().into_owned() };
        match (self.state, ended.status) {
            (State::Unopened, _) => {
                self.state = State::Opening;
                Turn::Open
            }
            (State::Opening, status::OK) => self.ask(question),
            (State::Opening, _) => {
                let _ = self.results.send(Err(failure()));
                Turn::Stop
            }
            (State::Asking(number), status::OK | status::NOT_FOUND) => {
                self.search.answer(number, ended.status == status::OK);
                self.ask(question)
            }
            (State::Asking(_), _) => self.end(question, Err(failure())),
            (State::Ending, _) => Turn::Stop,
        }
    }

    fn fill<'a>(question: &'a Question, op: &mut OpBuilder<'_, 'a>) {
        let number = if question.is_end { kind::END } else { kind::READ };
        op.begin(number, &question.key, question.deadline_ns);
    }

    fn sent(&mut self) {}
    fn row(&mut self, _key: &[u8]) {}
    fn field(&mut self, _name: &[u8], _value: &[u8]) {}
    fn wait(&mut self, _until_ns: u64) {}
    fn broken(&mut self, _message: &str) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_finds_the_first_absent_number_with_few_questions() {
        for present in [0, 1, 2, 3, 50, 51, 1_000, 123_456_789] {
            let mut search = Search::new();
            while let Some(number) = search.question() {
                search.answer(number, number < present);
            }
            assert_eq!(search.present, present);
            let bits = u64::from(64 - present.leading_zeros());
            assert!(search.reads <= 2 * bits + 1, "{present}: {} reads", search.reads);
        }
    }
}
