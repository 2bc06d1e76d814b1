use super::*;
use crate::measure::{MeasurementType, OpTiming, RecorderSet, Series, StatusTable};
use crate::report::block_lines;
use crate::report::write_text;
use hdrhistogram::serialization::Deserializer;
use serde_json::Value;
use ycsb_plugin_abi::status;

/// Counts by value of a line of an interval log, and its fields in front of the histogram.
fn decoded(line: &str) -> (Vec<(u64, u64)>, Vec<&str>) {
    let mut fields: Vec<&str> = line.split(',').collect();
    let bytes = STANDARD.decode(fields.pop().unwrap()).unwrap();
    let histogram: hdrhistogram::Histogram<u64> =
        Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap();
    let counts = histogram.iter_recorded().map(|at| (at.value_iterated_to(), at.count_at_value())).collect();
    (counts, fields)
}

fn data_lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.starts_with('"')).collect()
}

fn record(set: &RecorderSet, latencies_us: &[u64]) {
    let recorder = set.recorder();
    for latency_us in latencies_us {
        let timing = OpTiming { due_ns: None, sent_ns: 0, done_ns: latency_us * 1000 };
        recorder.operation(Series::Read, status::OK, timing);
    }
}

#[test]
fn the_log_of_hdr_log_json_is_written_again_but_for_its_times() {
    let golden: Value = serde_json::from_str(include_str!("../../tests/golden/hdr_log.json")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let prefix = format!("{}/pre-", folder.path().display());
    let plan = MeasurePlan { hdr_file_prefix: Some(prefix.clone()), ..MeasurePlan::default() };
    let set = RecorderSet::new(&plan, StatusTable::default());
    let mut logs = HdrLogs::new(&plan, LocalTime::utc());
    let start_ms = 1_796_023_759_702;
    let mut earlier = set.snapshot();
    for (interval, at_ms) in golden["intervals_fed"].as_array().unwrap().iter().zip((start_ms..).step_by(250))
    {
        let latencies: Vec<u64> = serde_json::from_value(interval.clone()).unwrap();
        record(&set, &latencies);
        let now = set.snapshot();
        logs.interval(&now.since(&earlier), at_ms, at_ms + 250);
        earlier = now;
    }
    assert!(logs.finish().is_empty());

    let text = std::fs::read_to_string(format!("{prefix}READ.hdr")).unwrap();
    let golden_file = golden["file"].as_str().unwrap();
    let header = |text: &str| text.lines().take(4).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(header(&text), header(golden_file));
    let (ours, theirs) = (data_lines(&text), data_lines(golden_file));
    assert_eq!(ours.len(), theirs.len());
    for ((ours, theirs), start) in ours.into_iter().zip(theirs).zip(["0.000", "0.250", "0.500", "0.750"]) {
        let ((our_counts, our_fields), (their_counts, their_fields)) = (decoded(ours), decoded(theirs));
        assert_eq!(our_counts, their_counts);
        assert_eq!(our_fields, [start, "0.250", their_fields[2]]);
    }

    let blocks = blocks(&earlier, &plan, None);
    let lines: Vec<_> =
        block_lines(&blocks[0], &plan).into_iter().filter(|line| line.measurement != "Return=OK").collect();
    let mut report = Vec::new();
    write_text(&lines, &mut report).unwrap();
    assert_eq!(String::from_utf8(report).unwrap(), golden["text_report"].as_str().unwrap());
}

#[test]
fn one_log_of_everything_is_tagged_and_in_nanoseconds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.hlog");
    let plan = MeasurePlan {
        hdr_log: Some(path.clone()),
        measurement_type: MeasurementType::Raw,
        ..MeasurePlan::default()
    };
    let set = RecorderSet::new(&plan, StatusTable::default());
    set.recorder().operation(
        Series::Update,
        status::NOT_FOUND,
        OpTiming { due_ns: Some(1_000), sent_ns: 2_000, done_ns: 3_000 },
    );
    let mut logs = HdrLogs::new(&plan, LocalTime::utc());
    logs.interval(&set.snapshot(), 5_000, 7_500);
    assert!(logs.finish().is_empty());
    let text = std::fs::read_to_string(path).unwrap();
    let lines = data_lines(&text);
    let found: Vec<_> = lines.iter().map(|line| decoded(line)).collect();
    assert_eq!(found[0], (vec![(1_000, 1)], vec!["Tag=UPDATE-FAILED", "0.000", "2.500", "0.001"]));
    assert_eq!(found[1], (vec![(2_000, 1)], vec!["Tag=Intended-UPDATE-FAILED", "0.000", "2.500", "0.002"]));
    assert_eq!(found.len(), 2);
}

#[test]
fn a_log_that_cannot_be_written_is_told_once_and_stops_nothing() {
    let plan = MeasurePlan { hdr_file_prefix: Some("/nowhere/at/all/".into()), ..MeasurePlan::default() };
    let set = RecorderSet::new(&plan, StatusTable::default());
    record(&set, &[5]);
    let mut logs = HdrLogs::new(&plan, LocalTime::utc());
    logs.interval(&set.snapshot(), 0, 1);
    logs.interval(&set.snapshot(), 1, 2);
    let errors = logs.finish();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].to_string().contains("/nowhere/at/all/READ.hdr"), "{}", errors[0]);
}
