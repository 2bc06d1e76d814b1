//! Layer 3: what to do next. A workload says which operation each client sends; it knows nothing of time,
//! of threads or of plugins.

mod class;
pub mod constant_occupancy;
pub mod core;
mod core_load;
mod core_run;
mod dataset;
pub mod digest;
pub mod inserts;
pub mod integrity;
pub mod key_chooser;
pub mod keyspace;
pub mod operation_mix;
mod random;
pub mod record;
pub mod records;
mod request;
pub mod request_distribution;
pub mod scan_length;
mod stream;
#[cfg(test)]
mod testing;
pub mod timeseries;

pub use self::core::CoreWorkload;
pub use self::timeseries::TimeSeriesWorkload;
pub use class::{WORKLOAD, WorkloadClass};
pub use dataset::Dataset;
pub use request::{FieldRange, OperationKind, Request, Select};
pub use stream::{Client, Next, OperationStream, Verified, share_of};

/// The phase that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The records are inserted.
    Load,
    /// The operation mix is carried out on records that were loaded before.
    Run,
}

/// What the clients of one process do in one phase. Shared by all of them, read-only but for counters.
pub trait Workload: Send + Sync {
    /// Name of the table.
    fn table(&self) -> &str;

    /// Names of a record's fields; [`FieldRange::field`] and [`Select::One`] are indices into it.
    fn field_names(&self) -> &[String];

    /// Records that the database holds after the load, of all processes together, for tables that are laid
    /// out in advance; `None` if it was not stated.
    fn expected_records(&self) -> Option<u64>;

    /// Bytes of the longest value that is written, for bindings whose store has a limit; `None` if that is not
    /// known beforehand.
    fn largest_value_bytes(&self) -> Option<u64> {
        None
    }

    /// Operations of this phase in this process; `None` means no limit.
    fn operation_count(&self) -> Option<u64>;

    /// Kinds of operation that the streams of this phase can send, for checks against a binding.
    fn operation_kinds(&self) -> Vec<OperationKind>;

    /// Whether returned values are checked (the VERIFY measurement exists).
    fn verifies(&self) -> bool;

    /// What is done with a failed insert of the load phase.
    fn insert_retry(&self) -> InsertRetry;

    /// The record numbers that inserts of the run phase take, if the engine has to find out how many of them
    /// the database already holds; `None` if there is nothing to find out.
    fn run_inserts(&self) -> Option<RunInserts> {
        None
    }

    /// Says that the first `present` numbers of [`run_inserts`](Self::run_inserts) are in the database: inserts
    /// go on after them, and reads may draw them. Has to come before the first stream.
    fn resume_inserts(&self, present: u64) {
        let _ = present;
    }

    /// Appends the key text of a record number.
    fn write_key(&self, number: i64, key: &mut String);

    /// The stream of one client.
    fn stream(&self, client: Client) -> Box<dyn OperationStream>;

    /// What the database holds after the load, or is taken to hold before the run; `None` where records have no
    /// numbers. Whoever ran the load adds how many were inserted.
    fn dataset(&self) -> Option<Dataset> {
        None
    }

    /// Remarks for the user, one sentence each: what was overridden or assumed.
    fn notes(&self) -> &[String] {
        &[]
    }
}

/// The record numbers `first`, `first + stride`, ... that inserts of the run phase take, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunInserts {
    /// First number.
    pub first: i64,
    /// Distance from one to the next: the number of parallel processes.
    pub stride: i64,
}

impl RunInserts {
    /// The number with this index, from 0.
    pub fn number(&self, index: u64) -> i64 {
        self.first.wrapping_add(self.stride.wrapping_mul(index as i64))
    }
}

/// What is done with a failed insert of the load phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InsertRetry {
    /// Attempts after the first.
    pub limit: u64,
    /// Mean wait before each of them in seconds; each wait is uniform in 0.8 to 1.2 times this.
    pub interval_s: f64,
    /// Whether a record that could not be inserted is counted as done and the load goes on.
    pub keep_going: bool,
}
