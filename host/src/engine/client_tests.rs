//! The client's state machine: right values by arithmetic.

use super::bench::{MS, Setup};
use super::*;
use crate::base::clock::FakeClock;
use crate::engine::{Stage, StopCause};
use crate::measure::Series;
use crate::schedule::Policy;
use crate::workload::OperationKind;
use ycsb_plugin_abi::status;

#[test]
fn a_client_does_its_share_and_says_goodbye() {
    let mut bench = Setup::default().bench();
    bench.run(|_| (status::OK, MS, 1));
    assert_eq!(bench.successes(Series::Read), 10);
    assert_eq!(bench.successes(Series::Cleanup), 1);
    assert_eq!(bench.recorders.operations(), (10, 0));
    assert_eq!(bench.control.clients()[0].stage(), Stage::Ended);
    assert_eq!(bench.control.finished(), 1);
}

#[test]
fn the_first_operation_counts_although_the_run_starts_while_the_turn_is_made() {
    for batch_size in [1, 5] {
        let clock = FakeClock::stepping(1_000 * MS, 10);
        let mut bench = Setup { batch_size, clock, ..load(10) }.bench();
        bench.run(|_| (status::OK, MS, 1));
        assert_eq!(bench.recorders.operations(), (10, 0));
        assert_eq!(bench.successes(Series::Insert), 10);
    }
}

#[test]
fn failed_operations_are_no_throughput() {
    let mut bench = Setup::default().bench();
    bench.run(|call| (if call % 5 == 0 { status::NOT_FOUND } else { status::OK }, MS, 1));
    assert_eq!(bench.recorders.operations(), (8, 2));
    assert_eq!((bench.successes(Series::Read), bench.failures(Series::Read)), (8, 2));
}

/// At 1,000 operations per second and 0.1 ms of service a stall of 1 s delays 1,000 operations: they wait
/// 1000, 999.1, 998.2 ... ms, and the backlog is worked off at 10,000 per second, within 1,110 operations.
#[test]
fn a_stall_shows_in_response_times_and_not_in_service_times() {
    let mut bench = Setup { total: 10_000, rate_per_sec: 1000.0, ..Setup::default() }.bench();
    bench.run(|call| (status::OK, if call == 5_000 { 1_000 * MS } else { MS / 10 }, 1));
    let snapshot = bench.recorders.snapshot();
    let outcomes = snapshot.outcomes(Series::Read, status::OK).unwrap();
    let near = |got_ns: u64, want_ns: f64| {
        assert!((got_ns as f64 - want_ns).abs() <= 0.02 * want_ns, "{got_ns} is not about {want_ns}");
    };
    near(outcomes.service.quantile_ns(0.99).unwrap(), 100_000.0);
    near(outcomes.service.max_ns().unwrap(), 1e9);
    // Operation 5000 + j is answered at 1 s + j * 0.1 ms after the stall began and was due at j ms: its
    // response time is 1000 - 0.9 j ms. The largest 1 % are the first 100, the largest 5 % the first 500.
    near(outcomes.response.quantile_ns(0.99).unwrap(), (1000.0 - 0.9 * 100.0) * 1e6);
    near(outcomes.response.quantile_ns(0.95).unwrap(), (1000.0 - 0.9 * 500.0) * 1e6);
    near(outcomes.response.quantile_ns(0.50).unwrap(), 100_000.0);
    assert_eq!(bench.client.tally().late, 1110);
}

/// 1,000 arrivals per second, calls of 10 us, one call that takes a second: of 4,000 arrivals k = 1, 2, ... ms after
/// the stall's begin are overdue. Caught up back to back they respond in 1,000 - 0.99 k ms, spread at twice the
/// rate in 1,000 - 0.5 k ms; the share p of the samples lies above k = 4,000 (1 - p).
#[test]
fn a_stall_of_known_length_gives_known_percentiles_under_each_policy() {
    let snapshot = |policy| {
        let mut bench = Setup { policy, rate_per_sec: 1_000.0, total: 4_000, ..Setup::default() }.bench();
        bench.run(|call| (status::OK, if call == 500 { 1_000 * MS } else { MS / 100 }, 1));
        (bench.recorders.snapshot(), bench.client.tally())
    };
    let percentile_ms = |snapshot: &crate::measure::Snapshot, share| {
        let response = &snapshot.outcomes(Series::Read, status::OK).unwrap().response;
        response.quantile_ns(share).unwrap() as f64 / MS as f64
    };
    for (policy, slope) in [(Policy::CatchUp, 0.99), (Policy::Spread, 0.5)] {
        let (measured, tally) = snapshot(policy);
        for share in [0.99, 0.95, 0.9, 0.8] {
            let expected_ms = 1_000.0 - slope * 4_000.0 * (1.0 - share);
            let found_ms = percentile_ms(&measured, share);
            assert!(
                (found_ms / expected_ms - 1.0).abs() < 0.02,
                "{policy:?} {share}: {found_ms} {expected_ms}"
            );
        }
        assert_eq!(tally.dropped, 0);
        assert!(tally.late >= 1_000, "{tally:?}");
    }
    let (measured, tally) = snapshot(Policy::Drop);
    assert!((998..=1_000).contains(&tally.dropped), "{tally:?}");
    assert!(percentile_ms(&measured, 0.999) < 2.1 && percentile_ms(&measured, 1.0) >= 1_000.0);
    assert_eq!(measured.successful_operations, 4_000);
}

#[test]
fn the_timetable_starts_when_all_clients_are_open() {
    let mut bench = Setup { total: 3, rate_per_sec: 10.0, ..Setup::default() }.bench();
    bench.run(|_| (status::OK, MS, 1));
    assert_eq!(bench.calls.iter().map(|call| call.0 / MS).collect::<Vec<_>>(), [0, 100, 200]);
}

#[test]
fn a_read_modify_write_is_one_operation_and_three_samples() {
    let mut bench = Setup { modifies: true, total: 4, ..Setup::default() }.bench();
    bench.run(|call| (if call == 1 { status::ERROR } else { status::OK }, 2 * MS, 1));
    assert_eq!(bench.recorders.operations(), (3, 1));
    assert_eq!(bench.successes(Series::Read), 4);
    assert_eq!((bench.successes(Series::Update), bench.failures(Series::Update)), (3, 1));
    let snapshot = bench.recorders.snapshot();
    let both = snapshot.outcomes(Series::ReadModifyWrite, status::OK).unwrap();
    assert_eq!((both.service.count(), both.service.sum_us()), (4, 16_000));
}

#[test]
fn an_empty_scan_succeeds_and_has_no_latency_per_record() {
    let mut bench = Setup { kind: OperationKind::Scan, total: 3, ..Setup::default() }.bench();
    bench.run(|call| (status::OK, 10 * MS, [0, 5, 10][call]));
    assert_eq!(bench.successes(Series::Scan), 3);
    let snapshot = bench.recorders.snapshot();
    let per_record = snapshot.outcomes(Series::ScanLatencyPerRecord, status::OK).unwrap();
    assert_eq!((per_record.service.count(), per_record.service.sum_us()), (2, 3_000));
}

fn load(total: u64) -> Setup {
    Setup { phase: Phase::Load, kind: OperationKind::Insert, total, ..Setup::default() }
}

#[test]
fn the_last_partial_batch_is_sent_and_every_row_counts() {
    let mut bench = Setup { batch_size: 100, ..load(1_003) }.bench();
    bench.run(|_| (status::OK, MS, 100));
    assert_eq!(bench.successes(Series::Insert), 1_003);
    assert_eq!(bench.successes(Series::InsertBatch), 11);
    assert_eq!(bench.calls.last().unwrap().1, 3);
    assert_eq!(bench.recorders.operations(), (1_003, 0));
}

#[test]
fn rows_of_a_batch_respond_from_their_own_due_times() {
    let mut bench = Setup { batch_size: 10, rate_per_sec: 1000.0, ..load(10) }.bench();
    bench.run(|_| (status::OK, MS, 10));
    let snapshot = bench.recorders.snapshot();
    let rows = snapshot.outcomes(Series::Insert, status::OK).unwrap();
    // Due at 0..9 ms, all answered at 10 ms.
    assert_eq!((rows.response.min_ns(), rows.response.max_ns()).1.unwrap() / MS, 10);
    assert_eq!(rows.response.sum_us(), 55_000);
    assert_eq!(rows.service.sum_us(), 10_000);
}

#[test]
fn a_failed_insert_is_sent_again_as_often_as_allowed_and_then_stops_the_load() {
    let mut bench = Setup { retries: 2, ..load(5) }.bench();
    bench.run(|call| (if call >= 2 { status::ERROR } else { status::OK }, MS, 1));
    // Two records, then three attempts at the third.
    assert_eq!(bench.calls.len(), 5);
    assert_eq!((bench.successes(Series::Insert), bench.failures(Series::Insert)), (2, 3));
    assert_eq!(bench.recorders.operations(), (2, 1));
    assert_eq!(*bench.ended.lock().unwrap(), [(5, true), (4, true), (3, false)]);
    assert_eq!(bench.control.stop_cause(), StopCause::LoadErrors);
    for wait_ns in &bench.waits {
        assert!((2_400 * MS..=3_600 * MS).contains(wait_ns), "{wait_ns}");
    }
    assert_eq!(bench.waits.len(), 2);
}

#[test]
fn a_load_that_keeps_going_does_every_record() {
    let mut bench = Setup { keep_going: true, ..load(5) }.bench();
    bench.run(|call| (if call == 2 { status::DUPLICATE } else { status::OK }, MS, 1));
    assert_eq!(bench.recorders.operations(), (4, 1));
    assert_eq!(bench.control.stop_cause(), StopCause::None);
}

#[test]
fn failed_rows_of_a_batch_are_tried_again_in_the_next_one() {
    let mut bench = Setup { batch_size: 4, retries: 1, ..load(6) }.bench();
    bench.run(|call| (if call == 0 { status::SERVICE_UNAVAILABLE } else { status::OK }, MS, 1));
    assert_eq!(bench.calls.iter().map(|call| call.1).collect::<Vec<_>>(), [4, 4, 2]);
    assert_eq!((bench.successes(Series::Insert), bench.failures(Series::Insert)), (6, 4));
    assert_eq!(bench.recorders.operations(), (6, 0));
}

#[test]
fn refused_connections_in_a_row_slow_the_client_down() {
    let mut bench = Setup { total: 30, ..Setup::default() }.bench();
    bench.run(|_| (status::SERVICE_UNAVAILABLE, MS / 100, 0));
    assert_eq!(bench.failures(Series::Read), 30);
    assert_eq!(bench.waits[..6], [1, 2, 4, 8, 16, 20].map(|ms| ms * MS));
    assert_eq!(bench.client.slowed_down_ns(), bench.waits.iter().sum::<u64>());
}

#[test]
fn operations_of_the_warm_up_come_on_top_and_are_not_recorded() {
    for (warm_up, calls) in [(WarmUp::Operations(7), 17), (WarmUp::Time(5 * MS), 15)] {
        let mut bench = Setup { warm_up, ..Setup::default() }.bench();
        bench.run(|_| (status::OK, MS, 1));
        assert_eq!(bench.calls.len(), calls, "{warm_up:?}");
        assert_eq!(bench.successes(Series::Read), 10);
    }
}

#[test]
fn a_stop_ends_the_client_after_its_call() {
    let mut bench = Setup::default().bench();
    let control = Arc::clone(&bench.control);
    bench.run(|call| {
        if call == 3 {
            control.stop(StopCause::TimeLimit);
        }
        (status::OK, MS, 1)
    });
    assert_eq!(bench.successes(Series::Read), 4);
    assert_eq!(bench.successes(Series::Cleanup), 1);
}

#[test]
fn a_session_that_panicked_is_opened_again() {
    let mut bench = Setup::default().bench();
    bench.run(|call| (if call == 2 { status::PANIC } else { status::OK }, MS, 1));
    assert_eq!(bench.recorders.operations(), (9, 1));
    assert_eq!(bench.successes(Series::Cleanup), 1);
}
