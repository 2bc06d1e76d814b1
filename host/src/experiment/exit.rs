//! From what happened to the exit code.

use crate::engine::{PhaseResult, StopCause};
use crate::measure::{Series, Snapshot};
use crate::plan::RunPlan;
use crate::workload::Phase;

/// It finished but failed.
pub const EXIT_FAILED: i32 = 1;
/// Usage or configuration.
pub const EXIT_USAGE: i32 = 2;
/// A plugin that could not be loaded, a database that could not be opened.
pub const EXIT_CANNOT_OPEN: i32 = 3;
/// Calls never returned.
pub(super) const EXIT_CUT_OFF: i32 = 124;
/// SIGINT.
pub(super) const EXIT_INTERRUPTED: i32 = 130;
/// SIGTERM.
pub(super) const EXIT_TERMINATED: i32 = 143;

/// What makes a run unsound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shortfall {
    /// Failed operations whose statuses were not expected.
    pub failures: u64,
    /// Whether there are more of them than allowed.
    pub too_many_failures: bool,
    /// Records of a load that were neither inserted nor counted as failures.
    pub missing_records: u64,
    /// Returned values that differed from what was written, or did not come back.
    pub mismatches: u64,
    /// Sessions whose end failed.
    pub failed_goodbyes: u64,
}

impl Shortfall {
    /// Compares what happened with what the plan tolerates.
    pub(super) fn of(plan: &RunPlan, result: &PhaseResult, snapshot: &Snapshot) -> Self {
        let failures = unexpected_failures(plan, result, snapshot);
        let missing = match (plan.phase, result.total) {
            (Phase::Load, Some(total)) => total.saturating_sub(result.done + result.failed),
            _ => 0,
        };
        Shortfall {
            failures,
            too_many_failures: plan.errors_allowed.exceeded(failures, result.done + result.failed),
            missing_records: missing,
            mismatches: snapshot.failures(Series::Verify),
            failed_goodbyes: snapshot.failures(Series::Cleanup),
        }
    }

    /// Whether anything is wrong.
    pub(super) fn is_unsound(&self) -> bool {
        self.too_many_failures || self.missing_records > 0 || self.mismatches > 0 || self.failed_goodbyes > 0
    }
}

/// Failed operations, less those that ended with a status that the workload expects.
fn unexpected_failures(plan: &RunPlan, result: &PhaseResult, snapshot: &Snapshot) -> u64 {
    if plan.errors_expected.is_empty() {
        return result.failed;
    }
    let unexpected: u64 = snapshot
        .iter()
        .filter(|(series, status, _)| {
            series.is_operation() && *series != Series::InsertBatch && !status.success
        })
        .filter(|(_, status, _)| !plan.errors_expected.contains(&status.number))
        .map(|(_, _, outcomes)| outcomes.count())
        .sum();
    unexpected.min(result.failed)
}

/// The exit code of a phase that was begun; the first that applies.
pub(super) fn exit_code(
    result: &PhaseResult,
    shortfall: &Shortfall,
    report_failed: bool,
    verdict_failed: bool,
) -> i32 {
    if result.open_failure.is_some() {
        return EXIT_CANNOT_OPEN;
    }
    match result.stop_cause {
        StopCause::Interrupt => return EXIT_INTERRUPTED,
        StopCause::Terminate => return EXIT_TERMINATED,
        _ => {}
    }
    if result.abandoned.calls() > 0 || result.abandoned.stuck {
        return EXIT_CUT_OFF;
    }
    let failed = result.stop_cause == StopCause::OutputClosed
        || result.broken.is_some()
        || result.run_failure.is_some()
        || shortfall.is_unsound()
        || report_failed
        || verdict_failed;
    if failed { EXIT_FAILED } else { 0 }
}
