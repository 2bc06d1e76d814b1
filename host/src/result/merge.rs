//! Several processes of one run as one document. Merging is algebra: counts and histograms add, in any order.

use super::document::{LoadReceipt, OperationCounts, PacingCounts, ResultDocument, Times};
use super::measured::{causes_of, examples_of, measurements_of, snapshot_of};
use std::collections::BTreeMap;

/// Why documents cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// They are not of one run.
    #[error("{what} differs, \"{left}\" and \"{right}\": only processes of one run can be merged")]
    Different {
        /// What differs.
        what: &'static str,
        /// In the first.
        left: String,
        /// In the second.
        right: String,
    },
}

/// Adds two documents of processes that worked side by side. The result has neither verdict nor exit code.
///
/// # Errors
/// Documents of different phases, workloads or bindings.
pub fn merge(left: &ResultDocument, right: &ResultDocument) -> Result<ResultDocument, MergeError> {
    same("phase", &left.phase, &right.phase)?;
    same("workload", &left.workload, &right.workload)?;
    same("binding", &left.binding, &right.binding)?;
    let statuses = |one: &ResultDocument| {
        one.custom_statuses.iter().map(|status| status.name.clone()).collect::<Vec<_>>().join(", ")
    };
    same("list of the binding's statuses", &statuses(left), &statuses(right))?;

    let times = times(left.times, right.times);
    let mut measured = snapshot_of(&left.measurements, &left.custom_statuses);
    measured.merge(&snapshot_of(&right.measurements, &right.custom_statuses));
    let mut examples = examples_of(&left.causes, left.failures_of_other_causes);
    examples.merge(&examples_of(&right.causes, right.failures_of_other_causes));
    let mut schedule_lag = left.schedule_lag.clone();
    schedule_lag.merge(&right.schedule_lag);
    let mut processes = [left.processes.clone(), right.processes.clone()].concat();
    // By content, so that the order in which documents are merged does not show.
    processes.sort_by_cached_key(|process| serde_json::to_string(process).unwrap_or_default());
    let mut operations = operations(&left.operations, &right.operations);
    operations.set_rates(times.run_time_ns);
    Ok(ResultDocument {
        format: left.format.clone(),
        version: left.version,
        complete: left.complete && right.complete,
        phase: left.phase.clone(),
        workload: left.workload.clone(),
        binding: left.binding.clone(),
        times,
        operations,
        measurements: measurements_of(&measured),
        schedule_lag,
        pacing: PacingCounts {
            late: left.pacing.late + right.pacing.late,
            dropped: left.pacing.dropped + right.pacing.dropped,
            held_back: left.pacing.held_back + right.pacing.held_back,
        },
        causes: causes_of(&examples, measured.statuses()),
        failures_of_other_causes: examples.other(),
        load: match (left.load, right.load) {
            (Some(left), Some(right)) => Some(receipt(left, right)),
            (one, other) => one.or(other),
        },
        custom_statuses: left.custom_statuses.clone(),
        processes,
        verdict: None,
        exit_code: None,
    })
}

fn same(what: &'static str, left: &str, right: &str) -> Result<(), MergeError> {
    if left == right {
        return Ok(());
    }
    Err(MergeError::Different { what, left: left.to_owned(), right: right.to_owned() })
}

/// From the first beginning to the last end.
fn times(left: Times, right: Times) -> Times {
    let end_ns =
        |times: Times| u128::from(times.measured_from_epoch_us) * 1000 + u128::from(times.run_time_ns);
    let from_us = left.measured_from_epoch_us.min(right.measured_from_epoch_us);
    let run_time_ns = end_ns(left).max(end_ns(right)) - u128::from(from_us) * 1000;
    Times { measured_from_epoch_us: from_us, run_time_ns: u64::try_from(run_time_ns).unwrap_or(u64::MAX) }
}

/// The sum of two numbers, absent where one of them is: no limit and a limit have no sum.
fn both(left: Option<u64>, right: Option<u64>) -> Option<u64> {
    left.zip(right).map(|(left, right)| left + right)
}

fn operations(left: &OperationCounts, right: &OperationCounts) -> OperationCounts {
    let calls = |left: &BTreeMap<String, u64>, right: &BTreeMap<String, u64>| {
        let mut sum = left.clone();
        for (series, count) in right {
            *sum.entry(series.clone()).or_default() += count;
        }
        sum
    };
    OperationCounts {
        successful: left.successful + right.successful,
        failed: left.failed + right.failed,
        unexpected_failures: left.unexpected_failures + right.unexpected_failures,
        too_many_failures: left.too_many_failures || right.too_many_failures,
        mismatches: left.mismatches + right.mismatches,
        failed_goodbyes: left.failed_goodbyes + right.failed_goodbyes,
        planned: both(left.planned, right.planned),
        not_done: both(left.not_done, right.not_done),
        abandoned_at_stop: calls(&left.abandoned_at_stop, &right.abandoned_at_stop),
        abandoned_overdue: calls(&left.abandoned_overdue, &right.abandoned_overdue),
        slowed_down_ns: left.slowed_down_ns + right.slowed_down_ns,
        throughput_per_sec: None,
        failures_per_sec: None,
    }
}

fn receipt(left: LoadReceipt, right: LoadReceipt) -> LoadReceipt {
    LoadReceipt {
        loaded: left.loaded + right.loaded,
        planned: both(left.planned, right.planned),
        missing: left.missing + right.missing,
        duplicates: left.duplicates + right.duplicates,
        retries: left.retries + right.retries,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::testing::document;

    #[test]
    fn merging_adds_and_the_order_does_not_show() {
        let parts = [document(1), document(2), document(3)];
        let left = merge(&merge(&parts[0], &parts[1]).unwrap(), &parts[2]).unwrap();
        let right = merge(&parts[2], &merge(&parts[1], &parts[0]).unwrap()).unwrap();
        assert_eq!(left, right);
        assert_eq!(
            left.operations.successful,
            parts.iter().map(|one| one.operations.successful).sum::<u64>()
        );
        assert_eq!(left.processes.len(), 3);
        let counts = |one: &ResultDocument| one.measurements.iter().map(|m| m.service.count()).sum::<u64>();
        assert_eq!(counts(&left), parts.iter().map(counts).sum::<u64>());
        assert_eq!(left.causes[0].count, parts.iter().map(|one| one.causes[0].count).sum::<u64>());
    }

    #[test]
    fn the_run_lasts_from_the_first_beginning_to_the_last_end() {
        let at = |measured_from_epoch_us, run_time_ns| Times { measured_from_epoch_us, run_time_ns };
        assert_eq!(times(at(1_000, 5_000_000), at(2_000, 5_000_000)), at(1_000, 6_000_000));
        assert_eq!(times(at(2_000, 1_000), at(1_000, 9_000_000)), at(1_000, 9_000_000));
    }

    #[test]
    fn documents_of_different_runs_are_refused() {
        let mut other = document(2);
        other.phase = "load".to_owned();
        let error = merge(&document(1), &other).unwrap_err();
        assert!(error.to_string().contains("phase differs"), "{error}");
    }

    #[test]
    fn a_limit_and_no_limit_have_no_sum() {
        let mut endless = document(2);
        endless.operations.planned = None;
        assert_eq!(merge(&document(1), &endless).unwrap().operations.planned, None);
    }
}
