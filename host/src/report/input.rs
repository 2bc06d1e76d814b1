//! What a report is made from.

use crate::measure::{
    Block, ErrorExamples, Form, MeasurePlan, ProcessExtremes, RawSamples, Snapshot, blocks,
};

/// Everything that a report shows.
#[derive(Clone, Debug)]
pub struct ReportInput<'a> {
    /// From the moment all clients were open to the end of the last one, milliseconds.
    pub runtime_ms: u64,
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
}

impl ReportInput<'_> {
    /// The measurements in order.
    pub fn blocks(&self) -> Vec<Block> {
        blocks(self.snapshot, self.plan, self.raw.filter(|_| self.plan.measurement_type.has(Form::Raw)))
    }
}
