//! A document in the making: what is known before a run, and what is filled in as it goes on and ends.

use super::document::{
    CustomStatusFacts, FORMAT, LoadReceipt, OperationCounts, PacingCounts, ResultDocument, Times, VERSION,
};
use super::facts;
use super::measured::{causes_of, measurements_of};
use super::process::{Calibration, ClientCost, ClockFacts, IntervalFacts, ProcessFacts, ProgramFacts};
use crate::base::local_time::epoch_ms_now;
use crate::base::os::monotonic_ns;
use crate::binding::Binding;
use crate::config::Redactor;
use crate::engine::{PhaseResult, StopCause};
use crate::measure::{ErrorExamples, MachineFacts, ProcessExtremes, Series, Snapshot};
use crate::plan::{RunPlan, Settled};
use crate::workload::Phase;
use std::collections::BTreeMap;
use ycsb_plugin_abi::status;

/// What is known of a run before it begins.
#[derive(Clone, Debug)]
pub struct Draft {
    document: ResultDocument,
    redactor: Redactor,
    /// Time of day at which CLOCK_MONOTONIC was 0.
    clock_zero_epoch_ms: i64,
}

/// What has been measured up to a moment.
#[derive(Debug)]
pub(super) struct Seen<'a> {
    /// From when operations were recorded (CLOCK_MONOTONIC).
    pub(super) measured_from_ns: u64,
    /// The moment.
    pub(super) now_ns: u64,
    /// Operations that succeeded.
    pub(super) successful: u64,
    /// Operations that failed.
    pub(super) failed: u64,
    /// Everything recorded.
    pub(super) snapshot: &'a Snapshot,
    /// Why operations failed.
    pub(super) examples: &'a ErrorExamples,
    /// The intervals so far.
    pub(super) intervals: Vec<IntervalFacts>,
    /// What the process took.
    pub(super) cost: ClientCost,
}

/// What is known once a run has ended.
#[derive(Debug)]
pub struct Ending<'a> {
    /// What happened.
    pub result: &'a PhaseResult,
    /// Everything recorded.
    pub snapshot: &'a Snapshot,
    /// Why operations failed.
    pub examples: &'a ErrorExamples,
    /// Failures that were not expected.
    pub unexpected_failures: u64,
    /// Whether there are more of them than allowed.
    pub too_many_failures: bool,
    /// Records of a load that were neither inserted nor counted as failures.
    pub missing_records: u64,
    /// The intervals of the run.
    pub intervals: Vec<IntervalFacts>,
    /// What the process took.
    pub cost: ClientCost,
    /// Extremes of the process, where they were sampled.
    pub extremes: Option<ProcessExtremes>,
    /// What the host itself costs.
    pub calibration: Option<Calibration>,
}

impl Draft {
    /// Everything that is known before the first operation. `command_line` is shown as it is.
    pub fn new(settled: &Settled, plan: &RunPlan, binding: &Binding, command_line: &str) -> Self {
        let redactor = settled.redactor.clone();
        let process = ProcessFacts {
            program: ProgramFacts {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                command_line: redactor.text(command_line),
            },
            plan: facts::plan(settled, plan),
            plugin: facts::plugin(settled, binding, &redactor),
            set_up_ns: 0,
            stop_cause: stop_word(StopCause::None).to_owned(),
            failure: None,
            intervals: Vec::new(),
            digests: Vec::new(),
            dataset: plan.workload.dataset(),
            clock: ClockFacts::default(),
            host: MachineFacts::read(),
            client_cost: ClientCost::default(),
            extremes: None,
            calibration: None,
        };
        let custom_statuses = settled.info().statuses.iter().map(|status| CustomStatusFacts {
            name: status.name.to_owned(),
            success: status.success,
            text: status.text.to_owned(),
        });
        let document = ResultDocument {
            format: FORMAT.to_owned(),
            version: VERSION,
            complete: false,
            phase: facts::phase_word(plan.phase).to_owned(),
            workload: settled.catalog.workload().class().to_owned(),
            binding: settled.info().name.to_owned(),
            times: Times::default(),
            operations: OperationCounts { planned: plan.total, ..OperationCounts::default() },
            measurements: Vec::new(),
            schedule_lag: crate::measure::Histogram::default(),
            pacing: PacingCounts::default(),
            causes: Vec::new(),
            failures_of_other_causes: 0,
            load: None,
            custom_statuses: custom_statuses.collect(),
            processes: vec![process],
            verdict: None,
            exit_code: None,
        };
        Draft { document, redactor, clock_zero_epoch_ms: clock_zero_epoch_ms() }
    }

    /// The document of a run that goes on.
    pub(super) fn so_far(&self, seen: Seen<'_>) -> ResultDocument {
        let mut document = self.document.clone();
        let zero_us = u64::try_from(self.clock_zero_epoch_ms.saturating_mul(1000)).unwrap_or(0);
        document.times = Times {
            measured_from_epoch_us: zero_us + seen.measured_from_ns / 1000,
            run_time_ns: seen.now_ns.saturating_sub(seen.measured_from_ns),
        };
        document.operations.successful = seen.successful;
        document.operations.failed = seen.failed;
        document.operations.unexpected_failures = seen.failed;
        document.operations.mismatches = seen.snapshot.failures(Series::Verify);
        document.operations.set_rates(document.times.run_time_ns);
        document.measurements = measurements_of(seen.snapshot);
        document.schedule_lag = seen.snapshot.schedule_lag.clone();
        let examples = seen.examples.clone().rewritten(|text| self.redactor.text(text));
        document.causes = causes_of(&examples, seen.snapshot.statuses());
        document.failures_of_other_causes = examples.other();
        let process = &mut document.processes[0];
        process.intervals = seen.intervals;
        process.client_cost = seen.cost;
        document
    }

    /// The document of a run that has ended, without verdict and exit code.
    pub fn ended(&self, ending: Ending<'_>) -> ResultDocument {
        let result = ending.result;
        let begun_ns = result.measured_from_ns.or(result.started_ns).unwrap_or(result.ended_ns);
        let mut document = self.so_far(Seen {
            measured_from_ns: begun_ns,
            now_ns: result.ended_ns,
            successful: result.done,
            failed: result.failed,
            snapshot: ending.snapshot,
            examples: ending.examples,
            intervals: ending.intervals,
            cost: ending.cost,
        });
        document.complete = true;
        let operations = &mut document.operations;
        operations.unexpected_failures = ending.unexpected_failures;
        operations.too_many_failures = ending.too_many_failures;
        operations.failed_goodbyes = ending.snapshot.failures(Series::Cleanup);
        let named = |calls: &BTreeMap<Series, u64>| {
            calls.iter().map(|(series, count)| (series.name().to_owned(), *count)).collect()
        };
        operations.abandoned_at_stop = named(&result.abandoned.at_stop);
        operations.abandoned_overdue = named(&result.abandoned.overdue);
        operations.slowed_down_ns = result.slowed_down_ns;
        operations.not_done = result
            .total
            .map(|total| total.saturating_sub(result.done + result.failed + result.abandoned.calls()));
        document.pacing = PacingCounts {
            late: result.tally.late,
            dropped: result.tally.dropped,
            held_back: result.tally.held_back,
        };
        if document.phase == facts::phase_word(Phase::Load) {
            let duplicates = ending.snapshot.outcomes(Series::Insert, status::DUPLICATE);
            document.load = Some(LoadReceipt {
                loaded: result.done,
                planned: result.total,
                missing: ending.missing_records,
                duplicates: duplicates.map_or(0, crate::measure::Outcomes::count),
                retries: result.retries,
            });
        }
        let process = &mut document.processes[0];
        process.set_up_ns = result.set_up_ns;
        process.stop_cause = stop_word(result.stop_cause).to_owned();
        process.failure = self.failure(result);
        process.digests =
            result.digests.iter().map(|digest| digest.map(|value| format!("{value:016x}"))).collect();
        if let (Some(dataset), Some(load)) = (&mut process.dataset, &document.load) {
            dataset.loaded = Some(load.loaded);
        }
        process.clock = ClockFacts {
            largest_offset_ns: result.clock_check.largest_offset_ns,
            unreliable: result.clock_check.unreliable,
            time_of_day_step_ms: clock_zero_epoch_ms() - self.clock_zero_epoch_ms,
        };
        process.extremes = ending.extremes;
        process.calibration = ending.calibration;
        document
    }

    fn failure(&self, result: &PhaseResult) -> Option<String> {
        let of_plugin = result.run_failure.as_ref().map(|failure| &failure.detail);
        let text = result.broken.as_ref().or(of_plugin)?;
        Some(self.redactor.text(text))
    }
}

/// Time of day at which CLOCK_MONOTONIC was 0: constant but for steps of the time of day.
fn clock_zero_epoch_ms() -> i64 {
    epoch_ms_now() - (monotonic_ns() / 1_000_000) as i64
}

fn stop_word(cause: StopCause) -> &'static str {
    match cause {
        StopCause::None => "none",
        StopCause::TimeLimit => "time-limit",
        StopCause::Interrupt => "interrupt",
        StopCause::Terminate => "terminate",
        StopCause::LoadErrors => "load-errors",
        StopCause::OpenFailed => "open-failed",
        StopCause::Broken => "broken",
        StopCause::OutputClosed => "output-closed",
    }
}
