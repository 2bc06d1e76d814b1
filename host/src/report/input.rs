//! What a report is made from.

use crate::measure::{
    Block, ErrorExamples, Form, MeasurePlan, ProcessExtremes, RawSamples, Snapshot, blocks,
};
use crate::result::ResultDocument;

/// Everything that a report shows.
#[derive(Clone, Debug)]
pub struct ReportInput<'a> {
    /// From the moment all clients were open to the end of the last one, nanoseconds.
    pub runtime_ns: u64,
    /// What was measured.
    pub snapshot: &'a Snapshot,
    /// How it is shown.
    pub plan: &'a MeasurePlan,
    /// Raw samples, where the measurement type keeps them.
    pub raw: Option<&'a RawSamples>,
    /// Extremes of the host process, with `measurement.trackjvm` and status lines.
    pub process: Option<ProcessExtremes>,
    /// Why operations failed.
    pub examples: &'a ErrorExamples,
    /// Milliseconds since 1970 at which CLOCK_MONOTONIC was 0: turns times of samples into dates.
    pub clock_zero_epoch_ms: i64,
    /// Everything that is known about the run, where that was put together.
    pub document: Option<&'a ResultDocument>,
}

impl ReportInput<'_> {
    /// Duration of the run in whole milliseconds, as YCSB shows it.
    pub fn runtime_ms(&self) -> u64 {
        self.runtime_ns / 1_000_000
    }

    /// Successful operations per second: over the milliseconds that the report shows, as in YCSB, and over
    /// nanoseconds where those are 0, so that a short run has a finite figure.
    pub fn throughput_per_sec(&self) -> f64 {
        let operations = self.snapshot.successful_operations as f64;
        match self.runtime_ms() {
            0 => operations * 1e9 / self.runtime_ns as f64,
            runtime_ms => operations * 1000.0 / runtime_ms as f64,
        }
    }

    /// The measurements in order.
    pub fn blocks(&self) -> Vec<Block> {
        blocks(self.snapshot, self.plan, self.raw.filter(|_| self.plan.measurement_type.has(Form::Raw)))
    }
}
