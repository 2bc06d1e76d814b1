use super::*;
use crate::config::{Given, Origin};
use crate::measure::{
    ErrorExamples, MeasurePlan, MeasurementType, OpTiming, RecorderSet, Series, StatusTable,
};
use ycsb_plugin_abi::status;

fn settings(entries: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in entries {
        let origin = Origin::Argument(format!("-p {name}={value}"));
        settings.set(name, Given { spelling: (*name).into(), value: (*value).into(), origin });
    }
    settings
}

/// Standard output whose reader has gone.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The report of one READ of 5 us, delivered; what standard output got, and the errors.
fn delivered(plan: &MeasurePlan, export: &ExportPlan, stdout: &mut dyn Write) -> Vec<ReportError> {
    let set = RecorderSet::new(plan, StatusTable::default());
    let recorder = set.recorder();
    let timing = OpTiming { due_ns: None, sent_ns: 2_000_000, done_ns: 2_005_000 };
    recorder.operation(Series::Read, status::OK, timing);
    recorder.finished(true);
    recorder.operation(Series::Read, status::ERROR, timing);
    recorder.failure_cause(Series::Read, status::ERROR, 9, "\"quoted\"");
    recorder.finished(false);
    let input = ReportInput {
        runtime_ns: 0,
        snapshot: &set.snapshot(),
        plan,
        raw: Some(&set.raw_samples()),
        process: None,
        examples: &set.error_examples(),
        clock_zero_epoch_ms: 1_000,
        document: None,
    };
    deliver(&input, export, stdout)
}

fn to(file: Option<PathBuf>, exporter: Exporter) -> ExportPlan {
    ExportPlan { exporter, file }
}

fn raw_plan(raw_file: Option<PathBuf>) -> MeasurePlan {
    MeasurePlan { measurement_type: MeasurementType::HdrAndRaw, raw_file, ..MeasurePlan::default() }
}

#[test]
fn exporters_have_short_names_and_the_class_names_of_both_packages() {
    for (name, exporter) in [
        ("text", Exporter::Text),
        ("json", Exporter::JsonDocument),
        ("jsonarray", Exporter::JsonArray),
        ("site.ycsb.measurements.exporter.TextMeasurementsExporter", Exporter::Text),
        ("com.yahoo.ycsb.measurements.exporter.JSONMeasurementsExporter", Exporter::JsonSequence),
        ("site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter", Exporter::JsonArray),
    ] {
        assert_eq!(Exporter::named(name), Some(exporter), "{name}");
    }
    for name in
        ["", "xml", "site.ycsb.text", "JSONMeasurementsExporter", "site.ycsb.measurements.exporter.json"]
    {
        assert_eq!(Exporter::named(name), None, "{name}");
    }
}

#[test]
fn an_unknown_exporter_is_refused_with_the_names_there_are() {
    let error = ExportPlan::from_settings(&settings(&[("exporter", "jsonaray")])).unwrap_err();
    assert!(
        error.0.contains("-p exporter=jsonaray") && error.0.contains("did you mean \"jsonarray\""),
        "{error}"
    );
    assert_eq!(ExportPlan::from_settings(&Settings::default()).unwrap(), to(None, Exporter::Text));
}

#[test]
fn raw_samples_stand_before_the_whole_report() {
    let mut stdout = Vec::new();
    assert!(delivered(&raw_plan(None), &to(None, Exporter::Text), &mut stdout).is_empty());
    let text = String::from_utf8(stdout).unwrap();
    let lines: Vec<&str> = text.lines().take(5).collect();
    assert_eq!(
        lines,
        [
            "RawREAD latency raw data: op, timestamp(ms), latency(us)",
            "RawREAD,1002,5",
            "RawREAD-FAILED latency raw data: op, timestamp(ms), latency(us)",
            "RawREAD-FAILED,1002,5",
            "[OVERALL], RunTime(ms), 0",
        ]
    );
}

#[test]
fn a_report_that_cannot_be_written_to_its_file_goes_to_standard_output() {
    let mut stdout = Vec::new();
    let nowhere = PathBuf::from("/nowhere/report.txt");
    let errors = delivered(&raw_plan(Some(nowhere.clone())), &to(Some(nowhere), Exporter::Text), &mut stdout);
    let text = String::from_utf8(stdout).unwrap();
    assert!(text.contains("RawREAD,1002,5") && text.contains("[OVERALL], RunTime(ms), 0"));
    assert!(
        matches!(errors[..], [ReportError::RawFile { .. }, ReportError::ExportFile { .. }]),
        "{errors:?}"
    );
}

#[test]
fn files_get_what_was_asked_for_and_standard_output_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (raw, report) = (folder.path().join("raw.csv"), folder.path().join("report.txt"));
    std::fs::write(&raw, "kept\n").unwrap();
    std::fs::write(&report, "replaced").unwrap();
    let mut stdout = Vec::new();
    let errors =
        delivered(&raw_plan(Some(raw.clone())), &to(Some(report.clone()), Exporter::Text), &mut stdout);
    assert!(errors.is_empty() && stdout.is_empty());
    assert!(std::fs::read_to_string(raw).unwrap().starts_with("kept\nRawREAD latency raw data"));
    assert!(std::fs::read_to_string(report).unwrap().starts_with("[OVERALL], RunTime(ms), 0\n"));
}

#[test]
fn a_closed_standard_output_is_reported_and_nothing_panics() {
    let errors = delivered(&MeasurePlan::default(), &to(None, Exporter::JsonArray), &mut Closed);
    assert!(
        matches!(&errors[..], [ReportError::Stdout { source }] if source.kind() == io::ErrorKind::BrokenPipe),
        "{errors:?}"
    );
}

#[test]
fn our_json_is_one_document_even_with_a_runtime_of_zero() {
    let mut stdout = Vec::new();
    assert!(delivered(&MeasurePlan::default(), &to(None, Exporter::JsonDocument), &mut stdout).is_empty());
    let document: serde_json::Value = serde_json::from_slice(&stdout).unwrap();
    assert_eq!(document["throughput_per_sec"], serde_json::Value::Null);
    assert_eq!((&document["successful_operations"], &document["failed_operations"]), (&1.into(), &1.into()));
    assert_eq!(document["measurements"][1]["status"], "ERROR");
    assert_eq!(document["measurements"][0]["service"]["max_ns"], 5_000);
    assert_eq!(document["measurements"][0]["response"], serde_json::Value::Null);
    assert_eq!(document["causes"][0]["example"], "\"quoted\"");
}

#[test]
fn destinations_are_checked_before_the_run_and_left_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(inside("old.txt"), "old").unwrap();
    let prefix = inside("hdr/");
    let good = settings(&[
        ("exportfile", &inside("old.txt")),
        ("measurement.raw.output_file", &inside("new.csv")),
        ("hdrhistogram.output.path", &prefix),
    ]);
    check_destinations(&good).unwrap();
    assert_eq!(std::fs::read_to_string(inside("old.txt")).unwrap(), "old");
    assert!(!folder.path().join("new.csv").exists());

    let missing = settings(&[("hdrhistogram.output.path", &prefix), ("hdrhistogram.fileoutput", "true")]);
    let error = check_destinations(&missing).unwrap_err();
    assert!(error.0.contains("hdr/READ.hdr") && error.0.contains("hdrhistogram.output.path"), "{error}");
    let directory = settings(&[("exportfile", &inside(""))]);
    assert!(check_destinations(&directory).is_err());
}

#[test]
fn nothing_measured_is_a_report_all_the_same() {
    let plan = MeasurePlan::default();
    let set = RecorderSet::new(&plan, StatusTable::default());
    let input = ReportInput {
        runtime_ns: 1_000_000,
        snapshot: &set.snapshot(),
        plan: &plan,
        raw: None,
        process: None,
        examples: &ErrorExamples::default(),
        clock_zero_epoch_ms: 0,
        document: None,
    };
    let mut text = Vec::new();
    Exporter::Text.write(&input, &mut text).unwrap();
    let expected = "[OVERALL], RunTime(ms), 1\n[OVERALL], Throughput(ops/sec), 0.0\n[TOTAL_GCs], Count, 0\n\
                    [TOTAL_GC_TIME], Time(ms), 0\n[TOTAL_GC_TIME_%], Time(%), 0.0\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}
