//! Layer 6: the result document, from the first figures of a run to files that are read and merged again.

mod build;
mod document;
mod facts;
mod file;
mod intervals;
mod journal;
mod measured;
mod merge;
mod process;

pub use build::{Draft, Ending};
pub use document::{
    CauseFacts, CustomStatusFacts, FORMAT, Judgement, LoadReceipt, Measurement, OperationCounts,
    PacingCounts, Reason, ResultDocument, Times, VERSION, Verdict,
};
pub use file::{ResultFileError, check_writable, read_document, write_replacing};
pub use intervals::IntervalSeries;
pub use journal::{Journal, JournalEnd};
pub use measured::{causes_of, examples_of, measurements_of, snapshot_of};
pub use merge::{MergeError, merge};
pub use process::{
    Calibration, ClientCost, ClockFacts, IntervalFacts, IntervalMeasurement, LatencyFigures, OverriddenFacts,
    PlanFacts, PluginFacts, ProcessFacts, ProgramFacts, PropertyFacts,
};

#[cfg(test)]
pub(crate) mod testing;
