//! Reports and status lines of real YCSB runs have the same lines as ours, whatever the numbers.

use crate::ours::{late_call, plan, read_back};
use crate::ycsb_parser::status::{self as status_text, StatusLine};
use crate::ycsb_parser::{self, Report};
use serde_json::Value;
use std::io::Write;
use std::sync::{Arc, Mutex};
use ycsb_host::base::local_time::LocalTime;
use ycsb_host::engine::{Observer, RunView};
use ycsb_host::live::{StatusObserver, StatusPlan};
use ycsb_host::measure::{MeasurePlan, OpTiming, RecorderSet, Series, StatusTable};

/// Properties of a case that decide about measuring; raw samples stay with the report.
fn plan_of(case: &Value) -> MeasurePlan {
    let args: Vec<&str> = case["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
    let properties: Vec<(&str, &str)> = args
        .iter()
        .filter_map(|arg| arg.split_once('='))
        .filter(|(name, _)| name.starts_with("measurement") || name.starts_with("hdrhistogram"))
        .filter(|(name, _)| *name != "measurement.raw.output_file")
        .collect();
    plan(&properties)
}

/// Records what makes the measurements of a report come into being.
fn feed(set: &RecorderSet, report: &Report, plan: &MeasurePlan) {
    let recorder = set.recorder();
    let prefix = plan.measurement_type.forms()[0].0;
    for found in &report.measurements {
        let Some(series) = found.name.strip_prefix(prefix).and_then(Series::named) else { continue };
        let due_ns = late_call().due_ns.filter(|_| series != Series::Cleanup);
        recorder.operation(series, 0, OpTiming { due_ns, ..late_call() });
    }
}

fn compare_reports(case: &Value, text: &str) {
    let title = &case["case"];
    let theirs = ycsb_parser::report(text).unwrap_or_else(|error| panic!("{title}: {error}"));
    let plan = plan_of(case);
    let set = RecorderSet::new(&plan, StatusTable::default());
    feed(&set, &theirs, &plan);
    let ours = read_back(&set, &plan);
    assert_eq!(ours.shape(), theirs.shape(), "{title}");
    assert_eq!(theirs.process, plan.track_jvm, "{title}");
    assert!(!theirs.collectors.is_empty() && ours.collectors.is_empty(), "{title}");
}

/// Metric and measurement of every entry of JSON objects in a row.
fn json_entries(text: &str) -> Vec<(String, String)> {
    let objects = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    objects
        .flat_map(|object| match object.unwrap() {
            Value::Array(entries) => entries,
            entry => vec![entry],
        })
        .map(|entry| {
            let text = |name: &str| entry[name].as_str().unwrap().to_owned();
            assert!(entry["value"].is_number(), "{entry}");
            (text("metric"), text("measurement"))
        })
        .collect()
}

#[test]
fn reports_of_runs_basicdb_reports_json_have_our_lines() {
    let cases: Value = serde_json::from_str(include_str!("../golden/runs_basicdb_reports.json")).unwrap();
    let mut texts = 0;
    let mut objects: Vec<Vec<(String, String)>> = Vec::new();
    for case in cases.as_array().unwrap() {
        let stdout = case["stdout"].as_str().unwrap();
        if let Some(file) = case["exportfile_content"].as_str() {
            assert_eq!(stdout, "", "the report is in its file only");
            compare_reports(case, file);
        } else if stdout.starts_with(['{', '[']) && !stdout.starts_with("[OVERALL]") {
            objects.push(json_entries(stdout));
        } else if stdout.starts_with("java.lang.ArithmeticException") {
            // A scan without rows ended YCSB; here it is a success with zero rows.
            assert!(case["case"].as_str().unwrap().starts_with("workloade -t"));
        } else {
            compare_reports(case, stdout);
            texts += 1;
        }
    }
    assert_eq!((texts, objects.len()), (17, 2));
    assert_eq!(objects[0], objects[1], "both JSON exporters list the same entries");
    assert_eq!(objects[0][0], ("OVERALL".to_owned(), "RunTime(ms)".to_owned()));
}

/// Standard error or output kept in memory.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Paper {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// Our status lines of a run whose measurements are those of `report`: at its start and at its end.
///
/// `remaining` operations are not done at the end.
fn our_lines(report: &Report, plan: &MeasurePlan, label: &str, remaining: u64) -> (Vec<StatusLine>, String) {
    let set = RecorderSet::new(plan, StatusTable::default());
    let status = StatusPlan { on: true, interval_ns: 1_000_000_000, label: label.to_owned() };
    let (err, out) = (Paper::default(), Paper::default());
    let mut observer = StatusObserver::new(
        &status,
        plan,
        LocalTime::utc(),
        || 1_796_023_941_497,
        Box::new(err.clone()),
        Box::new(out.clone()),
    );
    let view = |second: u64, done, remaining| RunView {
        now_ns: second * 1_000_000_000,
        started_ns: Some(0),
        measured_from_ns: Some(0),
        done,
        failed: 0,
        remaining: Some(remaining),
        recorders: &set,
    };
    // As in those runs, the clients are ahead of the first line.
    feed(&set, report, plan);
    observer.begin(&view(1, 0, 500));
    feed(&set, report, plan);
    observer.end(&view(3, 500, remaining));
    assert_eq!(observer.process_extremes().is_some(), plan.track_jvm);
    (status_text::lines(&err.text()).unwrap(), out.text())
}

#[test]
fn status_lines_of_status_runs_json_have_our_parts() {
    let cases: Value = serde_json::from_str(include_str!("../golden/status_runs.json")).unwrap();
    for case in cases.as_array().unwrap() {
        let title = &case["case"];
        let (stdout, stderr) = (case["stdout"].as_str().unwrap(), case["stderr"].as_str().unwrap());
        let remark = |line: &&str| line.starts_with("Raw data measurement: ");
        let report_text: String =
            stdout.lines().filter(|line| !remark(line)).map(|line| format!("{line}\n")).collect();
        compare_reports(case, &report_text);

        let theirs = status_text::lines(stderr).unwrap_or_else(|error| panic!("{title}: {error}"));
        let report = ycsb_parser::report(&report_text).unwrap();
        let plan = plan_of(case);
        let last = theirs.last().unwrap_or_else(|| panic!("{title}: no status line"));
        let (ours, our_stdout) = our_lines(&report, &plan, &last.label, u64::from(last.estimate.is_some()));
        let our_last = ours.last().unwrap();
        assert_eq!(our_last.label, last.label, "{title}");
        assert_eq!(our_last.estimate.is_some(), last.estimate.is_some(), "{title}");
        assert_eq!(our_last.current.is_some(), last.current.is_some(), "{title}");
        assert_eq!(our_last.summaries, last.summaries, "{title}");
        let on_stdout = stdout.contains(" operations; ");
        assert_eq!(!our_stdout.is_empty(), on_stdout, "{title}");
        assert!(ours[0].estimate.as_deref() == Some("0 second") && ours[0].current.is_none(), "{title}");
    }
}
