use super::*;
use crate::measure::MeasurementType;
use proptest::prelude::*;
use ycsb_plugin_abi::status;

fn set() -> RecorderSet {
    RecorderSet::new(&MeasurePlan::default(), StatusTable::default())
}

fn closed(service_ns: u64) -> OpTiming {
    OpTiming { due_ns: None, sent_ns: 1_000, done_ns: 1_000 + service_ns }
}

#[test]
fn service_response_and_wait_are_three_histograms() {
    let set = set();
    let recorder = set.recorder();
    recorder.operation(Series::Read, status::OK, OpTiming { due_ns: Some(100), sent_ns: 160, done_ns: 400 });
    let snapshot = set.snapshot();
    let read = snapshot.outcomes(Series::Read, status::OK).unwrap();
    assert_eq!(
        (read.service.max_ns(), read.response.max_ns(), read.wait.max_ns()),
        (Some(240), Some(300), Some(60))
    );
}

#[test]
fn a_closed_loop_has_service_times_only() {
    let set = set();
    set.recorder().operation(Series::Read, status::OK, closed(5));
    let snapshot = set.snapshot();
    let read = snapshot.outcomes(Series::Read, status::OK).unwrap();
    assert!(read.response.is_empty() && read.wait.is_empty());
    assert_eq!(read.response_or_service().max_ns(), Some(5));
}

#[test]
fn statuses_are_counted_apart_and_unknown_numbers_are_errors() {
    let set = set();
    let recorder = set.recorder();
    for status in [status::OK, status::UNACKNOWLEDGED, status::NOT_FOUND, status::ERROR, 777, 1000] {
        recorder.operation(Series::Update, status, closed(1));
    }
    let snapshot = set.snapshot();
    let count = |status| snapshot.outcomes(Series::Update, status).map_or(0, Outcomes::count);
    assert_eq!(
        [status::OK, status::UNACKNOWLEDGED, status::NOT_FOUND, status::ERROR].map(count),
        [1, 1, 1, 3]
    );
    assert_eq!((snapshot.successes(Series::Update), snapshot.failures(Series::Update)), (2, 4));
    assert_eq!(snapshot.successes(Series::Read), 0);
}

#[test]
fn a_done_before_sent_counts_as_zero() {
    let set = set();
    set.recorder().operation(Series::Read, status::OK, OpTiming { due_ns: Some(9), sent_ns: 8, done_ns: 7 });
    let snapshot = set.snapshot();
    let read = snapshot.outcomes(Series::Read, status::OK).unwrap();
    assert_eq!(
        (read.service.max_ns(), read.response.max_ns(), read.wait.max_ns()),
        (Some(0), Some(0), Some(0))
    );
}

#[test]
fn first_use_grows_over_all_recorders() {
    let set = set();
    let (one, other) = (set.recorder(), set.recorder());
    one.operation(Series::Scan, status::OK, closed(1));
    other.operation(Series::Read, status::OK, closed(1));
    other.operation(Series::Scan, status::OK, closed(1));
    one.operation(Series::Insert, status::OK, closed(1));
    let snapshot = set.snapshot();
    let first_use = |series| snapshot.outcomes(series, status::OK).unwrap().first_use;
    assert!(first_use(Series::Scan) < first_use(Series::Read));
    assert!(first_use(Series::Read) < first_use(Series::Insert));
}

#[test]
fn samples_are_readable_while_a_thread_still_writes() {
    let set = set();
    let (done, finished) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let recorder = set.recorder();
        scope.spawn(move || {
            for latency_ns in 0..200_000 {
                recorder.operation(Series::Read, status::OK, closed(latency_ns));
                recorder.finished(true);
            }
            drop(done);
        });
        let mut last = 0;
        while finished.try_recv() != Err(std::sync::mpsc::TryRecvError::Disconnected) {
            let count = set.snapshot().successes(Series::Read);
            assert!(count >= last);
            last = count;
        }
    });
    assert_eq!(set.snapshot().successes(Series::Read), 200_000);
    assert_eq!(set.operations(), (200_000, 0));
}

#[test]
fn values_are_kept_as_microseconds() {
    let set = set();
    set.recorder().value(Series::ThreadCount, 7, 5);
    let snapshot = set.snapshot();
    assert_eq!(snapshot.outcomes(Series::ThreadCount, 0).unwrap().service.max_ns(), Some(7_000));
}

#[test]
fn units_of_all_threads_count_from_the_first_sample_of_their_measurement() {
    let plan = MeasurePlan {
        measurement_type: MeasurementType::TimeSeries,
        granularity_ms: 1,
        ..MeasurePlan::default()
    };
    let set = RecorderSet::new(&plan, StatusTable::default());
    let (one, other) = (set.recorder(), set.recorder());
    let at = |done_ns: u64| OpTiming { due_ns: None, sent_ns: done_ns - 2_000, done_ns };
    one.operation(Series::Read, status::OK, at(10_000_000));
    other.operation(Series::Read, status::OK, at(12_500_000));
    other.operation(Series::Read, status::NOT_FOUND, at(20_000_000));
    one.operation(Series::Read, status::TIMEOUT, at(21_000_000));
    let snapshot = set.snapshot();
    let units = |status| {
        let outcomes = snapshot.outcomes(Series::Read, status).unwrap();
        outcomes.service_aggregates.units.keys().copied().collect::<Vec<u64>>()
    };
    assert_eq!(units(status::OK), [0, 2]);
    assert_eq!(units(status::NOT_FOUND), [0]);
    assert_eq!(units(status::TIMEOUT), [1], "both failures belong to READ-FAILED, which began at 20 ms");
}

#[test]
fn raw_samples_of_all_threads_stand_in_the_order_in_which_they_ended() {
    let plan = MeasurePlan { measurement_type: MeasurementType::HdrAndRaw, ..MeasurePlan::default() };
    let set = RecorderSet::new(&plan, StatusTable::default());
    let (one, other) = (set.recorder(), set.recorder());
    for n in 0..10_000_u64 {
        let recorder = if n % 3 == 0 { &one } else { &other };
        let timing = OpTiming { due_ns: Some(n), sent_ns: n + 1_000, done_ns: n + 3_000 };
        recorder.operation(Series::Read, if n % 2 == 0 { status::OK } else { status::BATCHED_OK }, timing);
    }
    let samples = set.raw_samples().of(Series::Read, &[status::OK, status::BATCHED_OK]);
    let expected = |n: u64| RawSample { done_ns: n + 3_000, service_us: 2, response_us: 3 };
    assert_eq!(samples, (0..10_000).map(expected).collect::<Vec<_>>());
}

#[test]
fn causes_of_all_threads_are_added_up() {
    let set = set();
    for recorder in [set.recorder(), set.recorder()] {
        recorder.failure_cause(Series::Read, status::ERROR, 5, "broken pipe");
    }
    let examples = set.error_examples();
    assert_eq!(examples.causes()[0].1.count, 2);
}

fn operations() -> impl Strategy<Value = Vec<(usize, u32, Option<u64>, u64)>> {
    let status = prop_oneof![Just(0_u32), Just(10), Just(22), Just(2)];
    proptest::collection::vec(
        (0..5_usize, status, proptest::option::of(0..1_000_000_u64), 0..9_000_000_u64),
        0..40,
    )
}

fn fed(set: &RecorderSet, recorder: &Recorder, operations: &[(usize, u32, Option<u64>, u64)]) -> Snapshot {
    for &(series, status, wait_ns, service_ns) in operations {
        let due_ns = wait_ns.map(|wait_ns| 5_000_000 - wait_ns);
        let timing = OpTiming { due_ns, sent_ns: 5_000_000, done_ns: 5_000_000 + service_ns };
        recorder.operation(Series::ALL[series], status, timing);
        recorder.finished(set.statuses().info(status).success);
    }
    set.snapshot()
}

proptest! {
    #[test]
    fn snapshots_of_parts_merged_equal_the_snapshot_of_the_whole(left in operations(), right in operations()) {
        let whole = set();
        let together = whole.recorder();
        fed(&whole, &together, &left);
        let whole = fed(&whole, &together, &right);
        let (one, other) = (set(), set());
        let mut merged = fed(&one, &one.recorder(), &left);
        merged.merge(&fed(&other, &other.recorder(), &right));
        prop_assert_eq!(merged.operations(), whole.operations());
        for (series, status, outcomes) in whole.iter() {
            let sum = merged.outcomes(series, status.number).unwrap();
            prop_assert_eq!(&sum.service, &outcomes.service);
            prop_assert_eq!(&sum.response, &outcomes.response);
            prop_assert_eq!(&sum.wait, &outcomes.wait);
        }
        prop_assert_eq!(merged.iter().count(), whole.iter().count());
    }

    #[test]
    fn windows_in_a_row_add_up_to_the_run(first in operations(), second in operations(), third in operations()) {
        let set = set();
        let recorder = set.recorder();
        let start = set.snapshot();
        let one = fed(&set, &recorder, &first);
        let two = fed(&set, &recorder, &second);
        let end = fed(&set, &recorder, &third);
        let mut sum = one.since(&start);
        sum.merge(&two.since(&one));
        sum.merge(&end.since(&two));
        prop_assert_eq!(sum.operations(), end.operations());
        for (series, status, outcomes) in end.iter() {
            let part = sum.outcomes(series, status.number).unwrap();
            prop_assert_eq!(part.service.buckets(), outcomes.service.buckets());
            prop_assert_eq!(part.wait.mean_ns(), outcomes.wait.mean_ns());
        }
    }
}
