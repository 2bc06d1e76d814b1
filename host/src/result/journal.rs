//! The document while the run goes on: intervals are cut, the process is watched, and now and then everything known
//! is written, so that a process that is killed leaves a document behind.

use super::build::{Draft, Seen};
use super::document::ResultDocument;
use super::file::{ResultFileError, write_replacing};
use super::intervals::IntervalSeries;
use super::process::{ClientCost, IntervalFacts};
use crate::base::os::monotonic_ns;
use crate::base::units::{NS_PER_MS, NS_PER_S};
use crate::engine::{Observer, RunView};
use crate::measure::{ProcessUsage, Snapshot, ThreadUsage};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

/// How often is looked whether the figures have begun.
const BEGIN_POLL_NS: u64 = 2 * NS_PER_MS;
/// Between two writes at least this, a share of the run so far, and a multiple of what the last one cost.
const WRITE_NS: u64 = NS_PER_S;
const WRITE_SHARE: u64 = 50;
const WRITE_COST_FACTOR: u64 = 100;
/// Between two writes at most this, whatever the run's length.
const LONGEST_WRITE_NS: u64 = 60 * NS_PER_S;
/// A file that is not written by then is given up: the report must not wait for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Observes a run for its document.
pub struct Journal<'a> {
    draft: &'a Draft,
    writer: Option<Writer>,
    intervals: Option<IntervalSeries>,
    base: ProcessUsage,
    base_ns: u64,
    next_ns: u64,
    next_write_ns: u64,
    last: ProcessUsage,
    last_ns: u64,
}

/// What the journal hands over at the end.
pub struct JournalEnd {
    /// The intervals of the run.
    pub intervals: Vec<IntervalFacts>,
    base: ProcessUsage,
    last: ProcessUsage,
    wall_ns: u64,
    writer: Option<Writer>,
}

impl<'a> Journal<'a> {
    /// For a run that is about to begin. Without a file nothing is written.
    pub fn new(draft: &'a Draft, file: Option<&Path>) -> Self {
        Journal {
            draft,
            writer: file.and_then(|path| Writer::new(path).ok()),
            intervals: None,
            base: ProcessUsage::default(),
            base_ns: 0,
            next_ns: 0,
            next_write_ns: 0,
            last: ProcessUsage::default(),
            last_ns: 0,
        }
    }

    /// What is known at the end.
    pub fn leave(self) -> JournalEnd {
        JournalEnd {
            intervals: self.intervals.as_ref().map(IntervalSeries::facts).unwrap_or_default(),
            base: self.base,
            last: self.last,
            wall_ns: self.last_ns.saturating_sub(self.base_ns),
            writer: self.writer,
        }
    }

    fn begin_figures(&mut self, measured_from_ns: u64, view: &RunView<'_>) {
        self.base = ProcessUsage::read();
        self.base_ns = view.now_ns;
        let nothing = Snapshot::new(Arc::new(view.recorders.statuses().clone()));
        let intervals = IntervalSeries::new(measured_from_ns, nothing);
        self.next_ns = intervals.next_ns();
        self.next_write_ns = self.next_ns;
        self.intervals = Some(intervals);
    }

    fn write(&mut self, measured_from_ns: u64, view: &RunView<'_>, snapshot: &Snapshot) {
        let (Some(writer), Some(intervals)) = (&self.writer, &self.intervals) else { return };
        if view.now_ns < self.next_write_ns {
            return;
        }
        let begun_ns = monotonic_ns();
        let usage = ProcessUsage::read();
        let document = self.draft.so_far(Seen {
            measured_from_ns,
            now_ns: view.now_ns,
            successful: view.done,
            failed: view.failed,
            snapshot,
            examples: &view.recorders.error_examples(),
            intervals: intervals.facts(),
            cost: cost(&self.base, &usage, view.now_ns.saturating_sub(self.base_ns)),
        });
        writer.write(document);
        let cost_ns = monotonic_ns().saturating_sub(begun_ns);
        let share_ns = view.now_ns.saturating_sub(measured_from_ns) / WRITE_SHARE;
        let pause_ns = WRITE_NS.max(share_ns).max(cost_ns.saturating_mul(WRITE_COST_FACTOR));
        self.next_write_ns = view.now_ns + pause_ns.min(LONGEST_WRITE_NS);
    }
}

impl Observer for Journal<'_> {
    fn begin(&mut self, view: &RunView<'_>) {
        self.base = ProcessUsage::read();
        self.base_ns = view.now_ns;
        self.next_ns = view.now_ns + BEGIN_POLL_NS;
    }

    fn next_look_ns(&self) -> u64 {
        self.next_ns
    }

    fn look(&mut self, view: &RunView<'_>) {
        let Some(measured_from_ns) = view.measured_from_ns.filter(|from_ns| *from_ns <= view.now_ns) else {
            let known = view.measured_from_ns.unwrap_or(0);
            self.next_ns = known.max(view.now_ns + BEGIN_POLL_NS);
            return;
        };
        if self.intervals.is_none() {
            return self.begin_figures(measured_from_ns, view);
        }
        let begun_ns = monotonic_ns();
        let snapshot = view.snapshot();
        if let Some(intervals) = &mut self.intervals {
            intervals.cut(view.now_ns, snapshot.clone());
            intervals.look_took(monotonic_ns().saturating_sub(begun_ns));
            self.next_ns = intervals.next_ns();
        }
        self.write(measured_from_ns, view, &snapshot);
    }

    fn end(&mut self, view: &RunView<'_>) {
        self.last = ProcessUsage::read();
        self.last_ns = view.now_ns;
        let Some(measured_from_ns) = view.measured_from_ns else { return };
        let nothing = || Snapshot::new(Arc::new(view.recorders.statuses().clone()));
        self.intervals
            .get_or_insert_with(|| IntervalSeries::new(measured_from_ns, nothing()))
            .cut(view.now_ns, view.snapshot());
    }
}

impl JournalEnd {
    /// What the process took. Threads of clients end before anybody can look: `clients` is what each of them took,
    /// by the kernel's number.
    pub fn cost(&self, clients: &[(i32, ThreadUsage)]) -> ClientCost {
        let mut last = self.last.clone();
        last.threads.extend(clients.iter().cloned());
        cost(&self.base, &last, self.wall_ns)
    }

    /// Writes the whole document, in bounded time.
    ///
    /// # Errors
    /// A file that cannot be written, or not in time.
    pub fn write(self, file: &Path, document: ResultDocument) -> Result<(), ResultFileError> {
        match self.writer.map_or_else(|| Writer::new(file), Ok) {
            Ok(writer) => writer.finish(document),
            Err(source) => Err(ResultFileError::Unwritable { path: file.to_owned(), source }),
        }
    }
}

fn cost(base: &ProcessUsage, last: &ProcessUsage, wall_ns: u64) -> ClientCost {
    let taken = last.since(base);
    let sum = |of: fn(&ThreadUsage) -> u64| taken.threads.values().map(of).sum();
    let mut threads: Vec<ThreadUsage> = taken.threads.values().cloned().collect();
    threads.sort_by_key(|thread| std::cmp::Reverse(thread.cpu_ns));
    ClientCost {
        wall_ns,
        cpu_ns: taken.cpu_ns,
        run_queue_delay_ns: taken.run_queue_delay_ns(),
        voluntary_switches: sum(|thread| thread.voluntary_switches),
        involuntary_switches: sum(|thread| thread.involuntary_switches),
        peak_memory_bytes: taken.peak_memory_bytes,
        threads,
    }
}

/// A thread that writes documents: a disk that does not answer holds up nobody else.
struct Writer {
    path: PathBuf,
    documents: SyncSender<Box<ResultDocument>>,
    outcome: Receiver<Result<(), ResultFileError>>,
}

impl Writer {
    fn new(path: &Path) -> io::Result<Self> {
        let (documents, incoming) = sync_channel::<Box<ResultDocument>>(1);
        let (outcomes, outcome) = sync_channel(1);
        let file = path.to_owned();
        std::thread::Builder::new().name("result".to_owned()).spawn(move || {
            let mut last = Ok(());
            for document in incoming {
                // A pipe gets the whole document once, not one after the other.
                let is_file = file.metadata().is_ok_and(|found| found.is_file()) || !file.exists();
                if document.complete || is_file {
                    last = write_replacing(&file, &document);
                }
            }
            // Nobody waits for it after its patience has run out.
            let _ = outcomes.send(last);
        })?;
        Ok(Writer { path: path.to_owned(), documents, outcome })
    }

    /// Writes a document soon; leaves it out if the last one is not written yet.
    fn write(&self, document: ResultDocument) {
        let _ = self.documents.try_send(Box::new(document));
    }

    fn finish(self, document: ResultDocument) -> Result<(), ResultFileError> {
        let late = |path| ResultFileError::Unwritable { path, source: io::ErrorKind::TimedOut.into() };
        let mut waiting = Box::new(document);
        let until_ns = monotonic_ns() + PATIENCE.as_nanos() as u64;
        while let Err(refused) = self.documents.try_send(waiting) {
            waiting = match refused {
                TrySendError::Full(document) if monotonic_ns() < until_ns => document,
                _ => return Err(late(self.path)),
            };
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(self.documents);
        self.outcome.recv_timeout(PATIENCE).unwrap_or_else(|_| Err(late(self.path)))
    }
}
