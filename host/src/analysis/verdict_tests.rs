//! Documents with given numbers, and what is said of them.

use super::*;
use crate::measure::{MeasurePlan, OpTiming, RecorderSet, StatusTable};
use crate::result::{Calibration, IntervalFacts, IntervalMeasurement, LatencyFigures, testing};
use crate::result::{OperationCounts, PacingCounts, measurements_of};
use ycsb_plugin_abi::status;

const MS: u64 = 1_000_000;
const S: u64 = 1_000 * MS;

/// A run without blemish: 2,000 reads of 1 ms in 2 s by one client, at a target of 1,000 per second.
fn sound() -> ResultDocument {
    let mut document = testing::document(1);
    let set = RecorderSet::new(&MeasurePlan::default(), StatusTable::default());
    let recorder = set.recorder();
    for _ in 0..2_000 {
        let timing = OpTiming { due_ns: Some(MS), sent_ns: MS, done_ns: 2 * MS };
        recorder.operation(crate::measure::Series::Read, status::OK, timing);
        recorder.schedule_lag(5_000);
    }
    document.measurements = measurements_of(&set.snapshot());
    document.schedule_lag = set.snapshot().schedule_lag;
    document.operations = OperationCounts { successful: 2_000, ..OperationCounts::default() };
    document.pacing = PacingCounts::default();
    document.causes.clear();
    document.times.run_time_ns = 2 * S;
    let cost = &mut document.processes[0].client_cost;
    cost.wall_ns = 2 * S;
    cost.cpu_ns = S / 10;
    document
}

fn judged(change: impl FnOnce(&mut ResultDocument)) -> (Judgement, Vec<String>) {
    let mut document = sound();
    change(&mut document);
    let verdict = verdict(&document);
    (verdict.judgement, verdict.reasons.into_iter().map(|reason| reason.code).collect())
}

fn intervals(rates: impl IntoIterator<Item = u64>, response_ms: impl Fn(usize) -> f64) -> Vec<IntervalFacts> {
    let interval = |(i, successful): (usize, u64)| {
        let mean_ns = response_ms(i) * MS as f64;
        let figures = LatencyFigures { mean_ns, p50_ns: 0, p95_ns: 0, p99_ns: 0, max_ns: 0 };
        IntervalFacts {
            from_ns: i as u64 * S,
            to_ns: (i as u64 + 1) * S,
            successful,
            failed: 0,
            measurements: vec![IntervalMeasurement {
                name: "READ".into(),
                status: "OK".into(),
                success: true,
                count: successful,
                service: figures,
                response: Some(figures),
            }],
        }
    };
    rates.into_iter().enumerate().map(interval).collect()
}

#[test]
fn a_run_without_blemish_is_valid() {
    assert_eq!(judged(|_| {}), (Judgement::Valid, vec![]));
    let steady = |document: &mut ResultDocument| {
        document.processes[0].intervals = intervals([1_000; 30], |_| 1.0);
    };
    assert_eq!(judged(steady), (Judgement::Valid, vec![]));
}

#[test]
fn failures_and_lost_calls_make_a_run_invalid() {
    let invalid = |code: &str| (Judgement::Invalid, vec![code.to_owned()]);
    assert_eq!(judged(|d| d.operations.too_many_failures = true), invalid("errors"));
    assert_eq!(judged(|d| d.operations.mismatches = 1), invalid("mismatches"));
    assert_eq!(
        judged(|d| {
            d.operations.abandoned_overdue.insert("READ".into(), 1);
        }),
        invalid("abandoned")
    );
    assert_eq!(judged(|d| d.processes[0].clock.unreliable = true), invalid("clock-unreliable"));
    assert_eq!(judged(|d| d.processes[0].failure = Some("x".into())), invalid("broken"));
    assert_eq!(judged(|d| d.operations.successful = 0).0, Judgement::Invalid);
    let missing = crate::result::LoadReceipt { missing: 3, ..Default::default() };
    assert_eq!(judged(|d| d.load = Some(missing)), invalid("records-missing"));
}

#[test]
fn failures_that_are_allowed_make_a_run_suspect() {
    let suspect = (Judgement::Suspect, vec!["errors".to_owned()]);
    assert_eq!(judged(|d| d.operations.unexpected_failures = 3), suspect);
}

#[test]
fn the_worst_reason_decides_and_stands_first() {
    let both = judged(|document| {
        document.operations.too_many_failures = true;
        document.pacing.dropped = 1;
    });
    assert_eq!(both, (Judgement::Invalid, vec!["errors".into(), "arrivals-dropped".into()]));
}

#[test]
fn a_client_that_fills_its_machine_is_suspect() {
    let suspect = |code: &str| (Judgement::Suspect, vec![code.to_owned()]);
    // Two processors for two seconds: 3.6 s are the limit.
    assert_eq!(judged(|d| d.processes[0].client_cost.cpu_ns = 3_599 * MS).0, Judgement::Valid);
    assert_eq!(judged(|d| d.processes[0].client_cost.cpu_ns = 3_601 * MS), suspect("client-bound"));
    // Half a processor by a quota: 0.9 s are the limit.
    let quota = judged(|d| {
        d.processes[0].host.core_quota = Some(0.5);
        d.processes[0].client_cost.cpu_ns = 901 * MS;
    });
    assert_eq!(quota, suspect("client-bound"));
    // 2,000 calls of 1 ms are 2 s: a tenth of that is 200 ms.
    assert_eq!(judged(|d| d.processes[0].client_cost.run_queue_delay_ns = 199 * MS).0, Judgement::Valid);
    assert_eq!(judged(|d| d.processes[0].client_cost.run_queue_delay_ns = 201 * MS), suspect("run-queue"));
    let host_share = |share_of_run| {
        judged(|d| {
            d.processes[0].calibration = Some(Calibration {
                threads: 1,
                operations: 1,
                cpu_ns: 100,
                host_ns_per_operation: 100.0,
                share_of_run,
            });
        })
    };
    assert_eq!(host_share(0.19).0, Judgement::Valid);
    assert_eq!(host_share(0.21), suspect("host-cost"));
}

#[test]
fn ten_samples_have_to_lie_beyond_the_highest_percentile_shown() {
    // 2,000 samples: 20 lie beyond the 99th, 2 beyond 99.9, 10 beyond 99.5.
    let shown = |highest: f64| judged(|d| d.processes[0].plan.percentiles = vec![50.0, highest]);
    assert_eq!(shown(99.0).0, Judgement::Valid);
    assert_eq!(shown(99.5).0, Judgement::Valid);
    assert_eq!(shown(99.9), (Judgement::Suspect, vec!["too-short".into()]));
    assert_eq!(shown(100.0).0, Judgement::Valid);
}

#[test]
fn lag_counts_against_response_times() {
    let with_lag = |lag_ns: u64| {
        judged(|document| {
            document.schedule_lag = Histogram::default();
            document.schedule_lag.record(lag_ns);
        })
    };
    // The 99th percentile of responses is 1 ms.
    assert_eq!(with_lag(90_000).0, Judgement::Valid);
    assert_eq!(with_lag(120_000), (Judgement::Suspect, vec!["schedule-lag".into()]));
}

#[test]
fn a_target_that_was_not_reached_is_said() {
    let (judgement, codes) = judged(|d| d.processes[0].plan.target_per_sec = Some(1_100.0));
    assert_eq!((judgement, codes), (Judgement::Suspect, vec!["target-missed".into()]));
    assert_eq!(judged(|d| d.processes[0].plan.target_per_sec = None).0, Judgement::Valid);
}

#[test]
fn trends_variation_and_growing_responses_are_not_steady() {
    let unsteady = (Judgement::Suspect, vec!["not-steady".to_owned()]);
    let with = |intervals: Vec<IntervalFacts>| judged(|d| d.processes[0].intervals = intervals);
    assert_eq!(with(intervals((0..20).map(|i| 1_000 - 20 * i), |_| 1.0)), unsteady);
    assert_eq!(with(intervals((0..20).map(|i| if i % 4 < 2 { 400 } else { 1_600 }), |_| 1.0)), unsteady);
    assert_eq!(with(intervals([1_000; 20], |i| 1.0 + i as f64)), unsteady);
    assert_eq!(with(intervals([1_000, 10, 2_000], |_| 1.0)).0, Judgement::Valid);
}

#[test]
fn clocks_and_early_ends_are_suspect() {
    let suspect = |code: &str| (Judgement::Suspect, vec![code.to_owned()]);
    assert_eq!(judged(|d| d.processes[0].clock.largest_offset_ns = 2 * MS), suspect("clock-offset"));
    assert_eq!(judged(|d| d.processes[0].clock.time_of_day_step_ms = -3_600_000), suspect("clock-step"));
    assert_eq!(judged(|d| d.processes[0].stop_cause = "interrupt".into()), suspect("stopped"));
    assert_eq!(judged(|d| d.processes[0].stop_cause = "time-limit".into()).0, Judgement::Valid);
    assert_eq!(judged(|d| d.operations.slowed_down_ns = 5), suspect("slowed-down"));
}
