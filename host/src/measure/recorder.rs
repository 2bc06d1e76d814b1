//! Recorders: where the clients of one thread put their samples, and how others read them at any moment.

use super::aggregates::{Kept, LiveAggregates};
use super::append_log::AppendLog;
use super::error_examples::ErrorExamples;
use super::histogram::{LiveHistogram, add};
use super::plan::{FailureNames, Form, MeasurePlan};
use super::raw_samples::{RawSample, RawSamples, RawSlot};
use super::series::Series;
use super::snapshot::{Outcomes, Snapshot};
use super::statuses::StatusTable;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Raw samples are kept in chunks of this many.
const RAW_CHUNK: usize = 4096;

/// When an operation was due, sent and done, in nanoseconds of CLOCK_MONOTONIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpTiming {
    /// When it had to be sent; `None` in a closed loop.
    pub due_ns: Option<u64>,
    /// When it was sent.
    pub sent_ns: u64,
    /// When it ended.
    pub done_ns: u64,
}

/// The recorders of one phase: hands them out and reads them all.
#[derive(Clone, Debug)]
pub struct RecorderSet {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    statuses: Arc<StatusTable>,
    failures: FailureNames,
    kept: Kept,
    raw: bool,
    next_use: AtomicU64,
    /// Time of the first sample of each measurement, by series and suffix of failures.
    origins: Mutex<BTreeMap<(Series, String), u64>>,
    books: Mutex<Vec<Arc<Book>>>,
}

/// What one thread has recorded.
#[derive(Debug)]
struct Book {
    successful_operations: AtomicU64,
    failed_operations: AtomicU64,
    /// By series and place of the status.
    ledgers: Box<[OnceLock<Box<Ledger>>]>,
    schedule_lag: OnceLock<LiveHistogram>,
    examples: Mutex<ErrorExamples>,
}

/// Samples of one series and status.
#[derive(Debug)]
struct Ledger {
    first_use: u64,
    service: LiveHistogram,
    response: OnceLock<LiveHistogram>,
    wait: OnceLock<LiveHistogram>,
    /// Of service times and of response times.
    aggregates: Option<[LiveAggregates; 2]>,
    raw: Option<AppendLog<RawSlot>>,
}

impl RecorderSet {
    /// No recorders yet, for samples as the plan wants them kept.
    pub fn new(plan: &MeasurePlan, statuses: StatusTable) -> Self {
        RecorderSet {
            shared: Arc::new(Shared {
                statuses: Arc::new(statuses),
                failures: plan.failures.clone(),
                kept: Kept::by(plan),
                raw: plan.measurement_type.has(Form::Raw),
                next_use: AtomicU64::new(0),
                origins: Mutex::default(),
                books: Mutex::default(),
            }),
        }
    }

    /// A recorder for one thread.
    pub fn recorder(&self) -> Recorder {
        let shared = Arc::clone(&self.shared);
        let places = shared.statuses.len();
        let book = Arc::new(Book {
            successful_operations: AtomicU64::new(0),
            failed_operations: AtomicU64::new(0),
            ledgers: (0..Series::ALL.len() * places).map(|_| OnceLock::new()).collect(),
            schedule_lag: OnceLock::new(),
            examples: Mutex::default(),
        });
        lock(&shared.books).push(Arc::clone(&book));
        Recorder { shared, book, places, one_thread: PhantomData }
    }

    /// The statuses of this run.
    pub fn statuses(&self) -> &StatusTable {
        &self.shared.statuses
    }

    /// What all recorders hold at this moment, added up. May be called from any thread at any time.
    pub fn snapshot(&self) -> Snapshot {
        let mut total = Snapshot::new(Arc::clone(&self.shared.statuses));
        for book in self.books() {
            total.successful_operations += book.successful_operations.load(Ordering::Relaxed);
            total.failed_operations += book.failed_operations.load(Ordering::Relaxed);
            if let Some(lag) = book.schedule_lag.get() {
                total.schedule_lag.merge(&lag.read());
            }
            for (series, place, ledger) in self.ledgers(&book) {
                total.add(series, place, &ledger.read());
            }
        }
        total
    }

    /// Operations that succeeded and that failed so far: two numbers per recorder, nothing copied.
    pub fn operations(&self) -> (u64, u64) {
        self.books().iter().fold((0, 0), |(successful, failed), book| {
            (
                successful + book.successful_operations.load(Ordering::Relaxed),
                failed + book.failed_operations.load(Ordering::Relaxed),
            )
        })
    }

    /// Causes of all failures so far.
    pub fn error_examples(&self) -> ErrorExamples {
        let mut total = ErrorExamples::default();
        for book in self.books() {
            total.merge(&lock(&book.examples));
        }
        total
    }

    /// All raw samples so far; none unless the measurement type keeps them.
    pub fn raw_samples(&self) -> RawSamples {
        let mut samples = RawSamples::default();
        for book in self.books() {
            for (series, place, ledger) in self.ledgers(&book) {
                let kept = ledger.raw.iter().flat_map(AppendLog::iter).map(RawSlot::read);
                samples.extend(series, self.shared.statuses.at(place).number, kept);
            }
        }
        samples.sort();
        samples
    }

    fn books(&self) -> Vec<Arc<Book>> {
        lock(&self.shared.books).clone()
    }

    fn ledgers<'a>(&self, book: &'a Book) -> impl Iterator<Item = (Series, usize, &'a Ledger)> + use<'a> {
        let places = self.shared.statuses.len();
        book.ledgers.iter().enumerate().filter_map(move |(position, ledger)| {
            Some((Series::ALL[position / places], position % places, ledger.get()?.as_ref()))
        })
    }
}

/// Where the clients of one thread put their samples. It may move to another thread, but not be shared.
///
/// Recording locks nothing, and allocates only when a series ends with a status for the first time.
#[derive(Debug)]
pub struct Recorder {
    shared: Arc<Shared>,
    book: Arc<Book>,
    places: usize,
    one_thread: PhantomData<Cell<()>>,
}

impl Recorder {
    /// Records one call of a binding: its service time and, if it was due, its response time and its wait.
    ///
    /// A status number that nobody declared is recorded as ERROR.
    #[inline]
    pub fn operation(&self, series: Series, status: u32, timing: OpTiming) {
        let position = series.index() * self.places + self.shared.statuses.place(status);
        match self.book.ledgers[position].get() {
            Some(ledger) => ledger.record(timing),
            None => self.first_use(series, status, position, timing).record(timing),
        }
    }

    /// Records a figure that is no latency, as thread counts: reports show it in the place of microseconds.
    pub fn value(&self, series: Series, value: u64, at_ns: u64) {
        let sent_ns = at_ns.saturating_sub(value.saturating_mul(1000));
        let done_ns = sent_ns + value.saturating_mul(1000);
        self.operation(series, 0, OpTiming { due_ns: None, sent_ns, done_ns });
    }

    /// Counts one turn of a client's loop: an operation, a row of a batch, or a whole read-modify-write, which
    /// succeeded if both halves did.
    #[inline]
    pub fn finished(&self, success: bool) {
        let counter = if success { &self.book.successful_operations } else { &self.book.failed_operations };
        add(counter, 1);
    }

    /// Records how late an operation was sent although its client was free when it was due.
    #[inline]
    pub fn schedule_lag(&self, lag_ns: u64) {
        self.book.schedule_lag.get_or_init(LiveHistogram::default).record(lag_ns);
    }

    /// Keeps the cause of a failure. Called for failed operations only.
    pub fn failure_cause(&self, series: Series, status: u32, backend_code: i64, detail: &str) {
        lock(&self.book.examples).note(series, status, backend_code, detail);
    }

    #[cold]
    fn first_use(&self, series: Series, status: u32, position: usize, timing: OpTiming) -> &Ledger {
        let shared = &self.shared;
        self.book.ledgers[position].get_or_init(|| {
            let tables = || shared.kept.tables(|| shared.origin_ns(series, status, timing));
            Box::new(Ledger {
                first_use: shared.next_use.fetch_add(1, Ordering::Relaxed),
                service: LiveHistogram::default(),
                response: OnceLock::new(),
                wait: OnceLock::new(),
                aggregates: tables().zip(tables()).map(Into::into),
                raw: shared.raw.then(|| AppendLog::new(RAW_CHUNK)),
            })
        })
    }
}

impl Shared {
    /// When the measurement that shows this series and status had its first sample.
    fn origin_ns(&self, series: Series, status: u32, timing: OpTiming) -> u64 {
        let info = self.statuses.info(status);
        let apart = series.is_operation() && !info.success;
        let suffix = if apart { self.failures.suffix(info).to_owned() } else { String::new() };
        *lock(&self.origins).entry((series, suffix)).or_insert(timing.done_ns)
    }
}

impl Ledger {
    #[inline]
    fn record(&self, timing: OpTiming) {
        let OpTiming { due_ns, sent_ns, done_ns } = timing;
        let service_ns = done_ns.saturating_sub(sent_ns);
        self.service.record(service_ns);
        let response_ns = match due_ns {
            Some(due_ns) => {
                let response_ns = done_ns.saturating_sub(due_ns);
                self.response.get_or_init(LiveHistogram::default).record(response_ns);
                self.wait.get_or_init(LiveHistogram::default).record(sent_ns.saturating_sub(due_ns));
                response_ns
            }
            None => service_ns,
        };
        if let Some([service, response]) = &self.aggregates {
            service.record(done_ns, service_ns / 1000);
            response.record(done_ns, response_ns / 1000);
        }
        if let Some(raw) = &self.raw {
            let sample =
                RawSample { done_ns, service_us: service_ns / 1000, response_us: response_ns / 1000 };
            raw.push(|slot| slot.write(sample));
        }
    }

    fn read(&self) -> Outcomes {
        let histogram =
            |lazy: &OnceLock<LiveHistogram>| lazy.get().map(LiveHistogram::read).unwrap_or_default();
        let [service_aggregates, response_aggregates] = self
            .aggregates
            .as_ref()
            .map(|both| both.each_ref().map(LiveAggregates::read))
            .unwrap_or_default();
        Outcomes {
            first_use: self.first_use,
            service: self.service.read(),
            response: histogram(&self.response),
            wait: histogram(&self.wait),
            service_aggregates,
            response_aggregates,
        }
    }
}

/// The lock, also after a thread panicked while it held it: what it guards is counts and texts, whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
mod tests;
