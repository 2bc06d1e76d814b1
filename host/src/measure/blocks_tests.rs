use super::*;
use crate::measure::{CustomStatus, FailureNames, OpTiming, Recorder, RecorderSet, StatusTable};
use serde_json::Value;

fn timing(service_us: u64) -> OpTiming {
    let sent_ns = 10_000_000;
    OpTiming { due_ns: Some(sent_ns - 1_000_000), sent_ns, done_ns: sent_ns + service_us * 1000 }
}

fn plan(interval: Interval) -> MeasurePlan {
    MeasurePlan { interval, ..MeasurePlan::default() }
}

fn measured(plan: &MeasurePlan, feed: impl FnOnce(&Recorder)) -> Vec<Block> {
    let set = RecorderSet::new(plan, StatusTable::default());
    feed(&set.recorder());
    blocks(&set.snapshot(), plan, None)
}

fn names(blocks: &[Block]) -> Vec<&str> {
    blocks.iter().map(|block| block.name.as_str()).collect()
}

fn returns(block: &Block) -> Vec<(&str, u64)> {
    block.returns.iter().map(|(name, count)| (name.as_str(), *count)).collect()
}

#[test]
fn failures_have_a_block_of_their_own_and_return_lines_with_their_operation() {
    let plan = plan(Interval::Op);
    let blocks = measured(&plan, |recorder| {
        recorder.operation(Series::Read, status::NOT_FOUND, timing(7));
        recorder.operation(Series::Read, status::TIMEOUT, timing(9));
        recorder.operation(Series::Read, status::DUPLICATE, timing(9));
    });
    assert_eq!(names(&blocks), ["READ", "READ-FAILED"]);
    assert_eq!(blocks[0].latencies.count(), 0);
    assert_eq!(returns(&blocks[0]), [("NOT_FOUND", 1), ("ERROR", 2)]);
    assert_eq!(blocks[1].latencies.count(), 3);
    assert_eq!(returns(&blocks[1]), []);
}

#[test]
fn successes_that_ycsb_does_not_tell_apart_are_one_return_line() {
    let plan = plan(Interval::Op);
    let blocks = measured(&plan, |recorder| {
        for status in [status::OK, status::UNACKNOWLEDGED, status::BATCHED_OK, status::OK] {
            recorder.operation(Series::Insert, status, timing(1));
        }
    });
    assert_eq!(names(&blocks), ["INSERT"]);
    assert_eq!(blocks[0].latencies.count(), 4);
    assert_eq!(returns(&blocks[0]), [("OK", 3), ("BATCHED_OK", 1)]);
}

#[test]
fn dropped_operations_are_in_no_block() {
    let blocks = measured(&plan(Interval::Op), |recorder| {
        recorder.operation(Series::Read, status::CANCELLED, timing(1));
    });
    assert_eq!(blocks, []);
}

#[test]
fn intended_shows_response_times_under_plain_names_and_drops_what_has_none() {
    let blocks = measured(&plan(Interval::Intended), |recorder| {
        recorder.operation(Series::Read, status::OK, timing(5));
        recorder.operation(Series::Verify, status::OK, timing(3));
        recorder.operation(Series::ScanLatencyPerRecord, status::OK, timing(3));
        recorder.value(Series::ThreadCount, 3, 1);
        recorder.operation(
            Series::Cleanup,
            status::OK,
            OpTiming { due_ns: None, sent_ns: 0, done_ns: 4_000 },
        );
    });
    assert_eq!(names(&blocks), ["READ", "CLEANUP", "VERIFY"]);
    let max_ns: Vec<Option<u64>> = blocks.iter().map(|block| block.latencies.max_ns()).collect();
    assert_eq!(max_ns, [Some(1_005_000), Some(4_000), None]);
    assert_eq!(returns(&blocks[2]), [("OK", 1)]);
}

#[test]
fn both_shows_all_service_times_first_and_response_times_without_returns() {
    let blocks = measured(&plan(Interval::Both), |recorder| {
        recorder.operation(Series::Read, status::OK, timing(5));
        recorder.operation(Series::ReadModifyWrite, status::OK, timing(6));
        recorder.operation(Series::Update, status::ERROR, timing(7));
        recorder.operation(Series::Verify, status::UNEXPECTED_STATE, timing(3));
    });
    assert_eq!(
        names(&blocks),
        [
            "READ",
            "UPDATE-FAILED",
            "READ-MODIFY-WRITE",
            "UPDATE",
            "VERIFY",
            "Intended-READ",
            "Intended-UPDATE-FAILED",
            "Intended-READ-MODIFY-WRITE"
        ]
    );
    assert_eq!(returns(&blocks[4]), [("UNEXPECTED_STATE", 1)]);
    assert!(blocks[5..].iter().all(|block| block.returns.is_empty()));
    assert_eq!(blocks[5].latencies.max_ns(), Some(1_005_000));
}

#[test]
fn a_read_modify_write_is_in_its_block_whether_it_succeeded_or_not() {
    let blocks = measured(&plan(Interval::Op), |recorder| {
        recorder.operation(Series::ReadModifyWrite, status::OK, timing(5));
        recorder.operation(Series::ReadModifyWrite, status::ERROR, timing(5));
    });
    assert_eq!(names(&blocks), ["READ-MODIFY-WRITE"]);
    assert_eq!((blocks[0].latencies.count(), blocks[0].returns.len()), (2, 0));
}

#[test]
fn each_error_apart_adds_up_what_ycsb_calls_the_same() {
    let plan =
        MeasurePlan { failures: FailureNames { each: true, tracked: Vec::new() }, ..plan(Interval::Op) };
    let blocks = measured(&plan, |recorder| {
        for status in [status::NOT_FOUND, status::TIMEOUT, status::ERROR, status::OVERLOADED] {
            recorder.operation(Series::Read, status, timing(1));
        }
    });
    let mut counts: Vec<(&str, u64)> =
        blocks.iter().map(|b| (b.name.as_str(), b.latencies.count())).collect();
    counts.sort_unstable();
    assert_eq!(
        counts,
        [("READ", 0), ("READ-ERROR", 2), ("READ-NOT_FOUND", 1), ("READ-SERVICE_UNAVAILABLE", 1)]
    );
}

#[test]
fn a_window_without_samples_still_lists_its_measurements() {
    let plan = plan(Interval::Op);
    let set = RecorderSet::new(&plan, StatusTable::default());
    set.recorder().operation(Series::Read, status::OK, timing(5));
    let snapshot = set.snapshot();
    let window = blocks(&snapshot.since(&snapshot), &plan, None);
    assert_eq!(names(&window), ["READ"]);
    assert!(window[0].latencies.is_empty());
}

/// Number of a status by its name and description in YCSB; those with a description are declared by a manifest.
fn number_of(status: &Value, custom: &mut Vec<CustomStatus>) -> u32 {
    let name = status["name"].as_str().unwrap();
    match status["description"].as_str() {
        None => StatusTable::default().iter().find(|info| info.name == name).unwrap().number,
        Some(text) => {
            custom.push(CustomStatus { name: name.into(), success: false, text: text.into() });
            status::CUSTOM + custom.len() as u32 - 1
        }
    }
}

#[test]
fn return_lines_stand_in_the_order_of_return_order_json() {
    let golden: Value = serde_json::from_str(include_str!("../../tests/golden/return_order.json")).unwrap();
    for case in golden.as_array().unwrap() {
        let mut custom = Vec::new();
        let first_use = case["first_use_order"].as_array().unwrap();
        let numbers: Vec<u32> = first_use.iter().map(|status| number_of(status, &mut custom)).collect();
        let plan = plan(Interval::Op);
        let set = RecorderSet::new(&plan, StatusTable::new(&custom));
        let recorder = set.recorder();
        numbers.iter().for_each(|number| recorder.operation(Series::Read, *number, timing(1)));
        let blocks = blocks(&set.snapshot(), &plan, None);
        let read = blocks.iter().find(|block| block.name == "READ").unwrap();
        let listed: Vec<&str> = read.returns.iter().map(|(name, _)| name.as_str()).collect();
        let expected: Vec<&str> =
            case["export_order"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        assert_eq!(listed, expected, "{case}");
    }
}

#[test]
fn the_statuses_of_ycsb_succeed_as_in_statuses_csv() {
    let own_ok = CustomStatus { name: "OK".into(), success: false, text: "a new object".into() };
    let table = StatusTable::new(&[own_ok]);
    for line in include_str!("../../tests/golden/statuses.csv").lines().skip(1) {
        let (name, success) = line.rsplit_once(',').unwrap();
        let info = match name.strip_suffix(" (a new object with equal text)") {
            Some(_) => table.info(status::CUSTOM),
            None => table.iter().find(|info| info.upstream == name && info.name == name).unwrap(),
        };
        assert_eq!(info.success.to_string(), success, "{line}");
    }
}
