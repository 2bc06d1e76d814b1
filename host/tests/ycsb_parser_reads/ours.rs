//! Our reports of every measurement type, interval and kind of failure.

use crate::ycsb_parser::{self, Form, Report};
use ycsb_host::config::{Given, Origin, Settings};
use ycsb_host::measure::{
    CustomStatus, ErrorExamples, MeasurePlan, OpTiming, RecorderSet, Series, StatusTable,
};
use ycsb_host::report::{ExportPlan, Exporter, ReportInput, deliver};
use ycsb_plugin_abi::status;

/// The plan of some properties.
pub(crate) fn plan(properties: &[(&str, &str)]) -> MeasurePlan {
    let mut settings = Settings::default();
    for (name, value) in properties {
        let origin = Origin::Derived("the test".into());
        settings.set(name, Given { spelling: (*name).into(), value: (*value).into(), origin });
    }
    MeasurePlan::from_settings(&settings).unwrap()
}

/// A call of 5 ms that was 2 ms late.
pub(crate) fn late_call() -> OpTiming {
    OpTiming { due_ns: Some(98_000_000), sent_ns: 100_000_000, done_ns: 105_000_000 }
}

/// The report of a finished run, read again.
pub(crate) fn read_back(set: &RecorderSet, plan: &MeasurePlan) -> Report {
    let input = ReportInput {
        runtime_ns: 2_000_000_000,
        snapshot: &set.snapshot(),
        plan,
        raw: Some(&set.raw_samples()),
        process: None,
        examples: &ErrorExamples::default(),
        clock_zero_epoch_ms: 1_796_000_000_000,
        document: None,
    };
    let mut stdout = Vec::new();
    let export = ExportPlan { exporter: Exporter::Text, file: None };
    assert!(deliver(&input, &export, &mut stdout).is_empty());
    ycsb_parser::report(&String::from_utf8(stdout).unwrap()).unwrap()
}

const TYPES: [&str; 6] =
    ["hdrhistogram", "histogram", "hdrhistogram+histogram", "hdrhistogram+raw", "timeseries", "raw"];
const INTERVALS: [&str; 3] = ["op", "intended", "both"];
const FAILURE_NAMES: [(&str, &str); 3] = [
    ("reportlatencyforeacherror", "false"),
    ("reportlatencyforeacherror", "true"),
    ("latencytrackederrors", "NOT_FOUND, TIMEOUT,CONFLICT"),
];
/// Ways in which a run fails: statuses of its reads and how often each came.
const RUNS: [&[(u32, u64)]; 5] = [
    &[(status::OK, 40)],
    &[(status::OK, 30), (status::NOT_FOUND, 7), (status::TIMEOUT, 2), (status::DUPLICATE, 1)],
    &[(status::ERROR, 9)],
    &[(status::UNACKNOWLEDGED, 4), (status::BATCHED_OK, 3), (status::CUSTOM, 2), (status::CUSTOM + 1, 5)],
    &[],
];

fn statuses() -> StatusTable {
    let conflict = CustomStatus { name: "CONFLICT".into(), success: false, text: "c".into() };
    let stale = CustomStatus { name: "STALE".into(), success: true, text: "s".into() };
    StatusTable::new(&[conflict, stale])
}

/// Names under which a measurement type shows a measurement.
fn shown_as(measurement_type: &str, name: &str) -> Vec<(String, Form)> {
    match measurement_type {
        "hdrhistogram" => vec![(name.into(), Form::Hdr)],
        "histogram" => vec![(name.into(), Form::Histogram)],
        "timeseries" => vec![(name.into(), Form::TimeSeries)],
        "raw" => vec![(name.into(), Form::Raw)],
        "hdrhistogram+raw" => vec![(format!("Hdr{name}"), Form::Hdr), (format!("Raw{name}"), Form::Raw)],
        _ => vec![(format!("Hdr{name}"), Form::Hdr), (format!("Bucket{name}"), Form::Histogram)],
    }
}

/// Checks that a measurement is there in every form with a count, and that its first form has these returns.
fn expect(report: &Report, measurement_type: &str, name: &str, operations: u64, returns: u64) {
    for (position, (name, form)) in shown_as(measurement_type, name).into_iter().enumerate() {
        let found = report.measurement(&name).unwrap_or_else(|| panic!("{name} in {report:?}"));
        assert_eq!((found.form, found.operations), (form, operations), "{name} of {measurement_type}");
        let counted: u64 = found.returns.iter().map(|(_, count)| count).sum();
        assert_eq!(counted, if position == 0 { returns } else { 0 }, "returns of {name}");
    }
}

fn one_run(measurement_type: &str, interval: &str, failure_names: (&str, &str), run: &[(u32, u64)]) {
    let mut properties = vec![
        ("measurementtype", measurement_type),
        ("measurement.interval", interval),
        ("measurement.histogram.verbose", "true"),
        ("histogram.buckets", "10"),
        ("hdrhistogram.percentiles", "50,95,99,99.9"),
    ];
    properties.push(failure_names);
    let plan = plan(&properties);
    let set = RecorderSet::new(&plan, statuses());
    let recorder = set.recorder();
    for &(number, count) in run {
        for _ in 0..count {
            recorder.operation(Series::Read, number, late_call());
            recorder.finished(set.statuses().info(number).success);
        }
    }
    recorder.operation(Series::Verify, status::OK, late_call());
    recorder.operation(Series::Cleanup, status::OK, OpTiming { due_ns: None, ..late_call() });
    let report = read_back(&set, &plan);

    let count_where = |success: bool| -> u64 {
        let counted = run.iter().filter(|(number, _)| set.statuses().info(*number).success == success);
        counted.map(|(_, count)| count).sum()
    };
    let (successes, failures) = (count_where(true), count_where(false));
    assert_eq!(report.throughput_per_sec, successes as f64 / 2.0, "only successes are throughput");
    if successes + failures > 0 {
        expect(&report, measurement_type, "READ", successes, successes + failures);
    } else {
        assert!(report.measurement("READ").is_none());
    }
    expect(&report, measurement_type, "VERIFY", u64::from(interval != "intended"), 1);
    expect(&report, measurement_type, "CLEANUP", 1, 0);
    let failed: u64 = report
        .measurements
        .iter()
        .filter(|found| {
            let plain = found.name.trim_start_matches("Hdr");
            plain.starts_with("READ-") && found.returns.is_empty()
        })
        .map(|found| found.operations)
        .sum();
    assert_eq!(failed, failures, "failures stand in their own measurements: {report:?}");
    if interval == "both" && successes > 0 {
        expect(&report, measurement_type, "Intended-READ", successes, 0);
        assert!(report.measurement("Intended-VERIFY").is_none());
    }
    check_latency(&report, measurement_type, interval, successes);
    let raw_samples: usize = report.raw.iter().map(|(_, samples)| samples.len()).sum();
    let raw_operations: u64 = report
        .measurements
        .iter()
        .filter(|found| found.form == Form::Raw)
        .map(|found| found.operations)
        .sum();
    assert_eq!(raw_samples as u64, raw_operations);
}

/// Service times are 5 ms, response times 7 ms.
fn check_latency(report: &Report, measurement_type: &str, interval: &str, successes: u64) {
    if successes == 0 {
        return;
    }
    let expected_us = if interval == "intended" { 7_000.0 } else { 5_000.0 };
    for (name, _) in shown_as(measurement_type, "READ") {
        let average = report.measurement(&name).unwrap().average.unwrap();
        assert!((average - expected_us).abs() <= expected_us / 1000.0, "{name}: {average}");
    }
}

#[test]
fn every_measurement_type_interval_and_failure_mode_is_read_and_adds_up() {
    for measurement_type in TYPES {
        for interval in INTERVALS {
            for failure_names in FAILURE_NAMES {
                for run in RUNS {
                    one_run(measurement_type, interval, failure_names, run);
                }
            }
        }
    }
}

#[test]
fn return_lines_name_what_ycsb_names() {
    let plan = plan(&[]);
    let set = RecorderSet::new(&plan, statuses());
    let recorder = set.recorder();
    for (number, count) in RUNS.concat() {
        (0..count).for_each(|_| recorder.operation(Series::Update, number, late_call()));
    }
    let report = read_back(&set, &plan);
    let update = report.measurement("UPDATE").unwrap();
    let counts =
        ["OK", "BATCHED_OK", "NOT_FOUND", "ERROR", "CONFLICT", "STALE"].map(|name| update.returned(name));
    assert_eq!(counts, [74, 3, 7, 12, 2, 5]);
    assert_eq!(update.returns.len(), 6);
}

#[test]
fn workloads_with_scans_read_modify_writes_and_batches_are_read() {
    let plan = plan(&[]);
    let set = RecorderSet::new(&plan, statuses());
    let recorder = set.recorder();
    let all = [
        Series::Read,
        Series::Scan,
        Series::Update,
        Series::Insert,
        Series::Delete,
        Series::ReadModifyWrite,
        Series::InsertBatch,
        Series::Cleanup,
        Series::Verify,
        Series::ScanLatencyPerRecord,
    ];
    for series in all {
        recorder.operation(series, status::OK, late_call());
        recorder.operation(series, status::ERROR, late_call());
    }
    let report = read_back(&set, &plan);
    for series in all {
        let found = report.measurement(series.name()).unwrap();
        let apart = series.is_operation();
        assert_eq!(found.operations, if apart { 1 } else { 2 }, "{}", found.name);
        assert_eq!(report.measurement(&format!("{}-FAILED", series.name())).is_some(), apart);
        assert_eq!(found.returns.is_empty(), !series.counts_returns());
    }
}
