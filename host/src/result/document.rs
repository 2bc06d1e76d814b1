//! The result document: everything that is known about a run, in one versioned JSON form.
//!
//! What adds up over processes stands at the top; what describes one process stands in [`ProcessFacts`], of which a
//! document that was merged holds several. `docs/result-document.md` describes the form for people.

use super::process::ProcessFacts;
use crate::measure::{Aggregates, Histogram};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the first field of every document says.
pub const FORMAT: &str = "ycsb-host result";
/// Version of the form. Fields may be added without a new one; readers ignore what they do not know.
pub const VERSION: u32 = 1;

/// A run, or several processes of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultDocument {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// Whether the run had ended. A document without its end covers the run up to the last time it was written.
    pub complete: bool,
    /// `load` or `run`.
    pub phase: String,
    /// Class of the workload.
    pub workload: String,
    /// Name of the binding.
    pub binding: String,
    /// When the figures begin and end.
    pub times: Times,
    /// What was done, and how fast.
    pub operations: OperationCounts,
    /// Histograms by series and status.
    pub measurements: Vec<Measurement>,
    /// How late operations were sent although their client was free, nanoseconds.
    pub schedule_lag: Histogram,
    /// What pacing did.
    pub pacing: PacingCounts,
    /// Why operations failed, most frequent first.
    pub causes: Vec<CauseFacts>,
    /// Failures whose cause found no place among them.
    pub failures_of_other_causes: u64,
    /// What a load left behind; absent for runs.
    pub load: Option<LoadReceipt>,
    /// Statuses that the binding declares itself: the i-th has the number 1000 + i.
    pub custom_statuses: Vec<CustomStatusFacts>,
    /// Each process that took part.
    pub processes: Vec<ProcessFacts>,
    /// What is to be thought of the figures; absent while the run goes on.
    pub verdict: Option<Verdict>,
    /// Exit code of the process; absent while the run goes on and in merged documents.
    pub exit_code: Option<i32>,
}

/// When the figures begin and end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// From when operations were recorded: microseconds since 1970, UTC.
    pub measured_from_epoch_us: u64,
    /// From then to the end of the last client.
    pub run_time_ns: u64,
}

/// What was done, and how fast. A read-modify-write is one operation, a row of a batch is one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OperationCounts {
    /// Operations that succeeded.
    pub successful: u64,
    /// Operations that failed, whatever was expected.
    pub failed: u64,
    /// Failed operations whose statuses `errors.expected` does not name.
    pub unexpected_failures: u64,
    /// Whether there are more of them than `errors.allowed`.
    pub too_many_failures: bool,
    /// Values that came back different from what was written, or did not come back.
    pub mismatches: u64,
    /// Sessions whose end failed.
    pub failed_goodbyes: u64,
    /// Operations that were to be done; absent without a limit.
    pub planned: Option<u64>,
    /// Planned operations that neither ended nor were given up.
    pub not_done: Option<u64>,
    /// Calls in flight at the end that did not return, by series. They are in no figure.
    pub abandoned_at_stop: BTreeMap<String, u64>,
    /// Calls that never returned although their time-out was over, by series. They are in no figure.
    pub abandoned_overdue: BTreeMap<String, u64>,
    /// Time for which failures in a row slowed clients down, all clients together.
    pub slowed_down_ns: u64,
    /// Successful operations per second of run time; absent without run time.
    pub throughput_per_sec: Option<f64>,
    /// Failed operations per second of run time; absent without run time.
    pub failures_per_sec: Option<f64>,
}

impl OperationCounts {
    /// Operations that ended.
    pub fn ended(&self) -> u64 {
        self.successful + self.failed
    }

    /// Calls that never returned.
    pub fn abandoned(&self) -> u64 {
        self.abandoned_at_stop.values().chain(self.abandoned_overdue.values()).sum()
    }

    /// Works out the rates.
    pub(super) fn set_rates(&mut self, run_time_ns: u64) {
        let per_sec = |count: u64| (run_time_ns > 0).then(|| count as f64 * 1e9 / run_time_ns as f64);
        self.throughput_per_sec = per_sec(self.successful);
        self.failures_per_sec = per_sec(self.failed);
    }
}

/// Latencies of one series that ended with one status, nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Series, as in `READ`.
    pub name: String,
    /// Our name of the status.
    pub status: String,
    /// Its number.
    pub status_number: u32,
    /// Whether it counts as a success.
    pub success: bool,
    /// Place in the order of first samples.
    pub first_use: u64,
    /// Service times: from sent to done.
    pub service: Histogram,
    /// Response times, from due to done, of operations that were due.
    pub response: Histogram,
    /// Waits, from due to sent, of operations that were due.
    pub wait: Histogram,
    /// Sums that only some measurement types keep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_aggregates: Option<Aggregates>,
    /// The same of response times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_aggregates: Option<Aggregates>,
}

/// What pacing did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacingCounts {
    /// Arrivals that were due before a client was free for them.
    pub late: u64,
    /// Arrivals that were left out.
    pub dropped: u64,
    /// Overdue arrivals that were held back.
    pub held_back: u64,
}

/// Failures of one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CauseFacts {
    /// What was attempted, as in `READ`.
    pub name: String,
    /// Our name of the status.
    pub status: String,
    /// The number as it was returned, also one that nobody declared.
    pub status_number: u32,
    /// Code of the driver or server; 0 = none.
    pub backend_code: i64,
    /// How many.
    pub count: u64,
    /// The text of the first.
    pub example: String,
}

/// What a load left behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadReceipt {
    /// Records that were inserted and acknowledged.
    pub loaded: u64,
    /// Records that were to be loaded; absent without an end.
    pub planned: Option<u64>,
    /// Records neither inserted nor counted as failures.
    pub missing: u64,
    /// Inserts that found their key in use.
    pub duplicates: u64,
    /// Inserts that were sent again after a failure.
    pub retries: u64,
}

/// A status that the binding declares itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomStatusFacts {
    /// Name, as in `CONFLICT`.
    pub name: String,
    /// Whether it counts as a success.
    pub success: bool,
    /// One sentence.
    pub text: String,
}

/// How far figures can be trusted, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Judgement {
    /// Nothing speaks against them.
    Valid,
    /// Something may have bent them.
    Suspect,
    /// They do not say what they seem to say.
    Invalid,
}

impl Judgement {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::Valid => "VALID",
            Judgement::Suspect => "SUSPECT",
            Judgement::Invalid => "INVALID",
        }
    }
}

/// What is to be thought of the figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The worst of the reasons; VALID without any.
    pub judgement: Judgement,
    /// Worst first.
    pub reasons: Vec<Reason>,
}

/// Why figures are doubted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// A short name that does not change, as in `not-steady`.
    pub code: String,
    /// What this alone makes of the figures.
    pub judgement: Judgement,
    /// One sentence with the numbers.
    pub text: String,
}
