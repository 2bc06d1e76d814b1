//! The runs of `runs_basicdb_reports.json` and `status_runs.json`, carried out again: the same reports, the same
//! status lines and the same lines of the client, whatever the numbers.

use crate::support::{Place, Ran, workload};
use crate::ycsb_parser::status::{self, StatusLine, SummaryForm};
use crate::ycsb_parser::{self, Report};
use serde_json::Value;

fn text<'a>(case: &'a Value, name: &str) -> &'a str {
    case[name].as_str().unwrap_or_default()
}

fn rerun(place: &Place, case: &Value, more: &[&str]) -> Ran {
    let words = case["args"].as_array().expect("arguments").iter().map(|word| word.as_str().expect("a word"));
    let words = words.chain(more.iter().copied()).map(|word| match word.strip_prefix("workloads/") {
        Some(file) => workload(file),
        None => word.to_owned(),
    });
    let ran = place.ycsb(words);
    assert_eq!(ran.code, Some(0), "{}: {ran:?}", case["case"]);
    ran
}

/// Lines that YCSB's client writes on standard error, without its version, in order of the alphabet.
fn client_lines(stderr: &str) -> Vec<&str> {
    let starts = [
        "Loading workload...",
        "Starting test.",
        "DBWrapper: ",
        "Maximum execution time specified as: ",
        "Maximum time elapsed. ",
        "Stop requested for workload. ",
    ];
    let mut lines: Vec<&str> =
        stderr.lines().filter(|line| starts.iter().any(|start| line.starts_with(start))).collect();
    lines.sort_unstable();
    assert!(stderr.lines().any(|line| line.starts_with("YCSB Client ")), "{stderr}");
    lines
}

/// Operations of all measurements whose statuses are counted, and sessions that ended.
fn totals(report: &Report) -> (u64, u64) {
    let counted = report.measurements.iter().flat_map(|found| &found.returns).map(|(_, count)| count).sum();
    let ended = report.measurements.iter().find(|found| found.name.ends_with("CLEANUP"));
    (counted, ended.map_or(0, |found| found.operations))
}

fn same_report(case: &Value, theirs: &str, ours: &str) -> Report {
    let title = &case["case"];
    let read =
        |text: &str| ycsb_parser::report(text).unwrap_or_else(|error| panic!("{title}: {error}\n{text}"));
    let (theirs, ours) = (read(theirs), read(ours));
    let sorted = |report: &Report| {
        let mut shape = report.shape();
        if report.process {
            // Which of two names of one slot comes first depends on whether the first sample of the process
            // comes before the first operation.
            shape.sort_by(|one, other| one.name.cmp(&other.name));
        }
        shape
    };
    assert_eq!(sorted(&ours), sorted(&theirs), "{title}");
    assert_eq!(ours.process, theirs.process, "{title}");
    assert!(ours.throughput_per_sec.is_finite(), "{title}");
    ours
}

/// Metric and measurement of every entry of a JSON report.
fn json_entries(report: &str) -> Vec<String> {
    let objects = serde_json::Deserializer::from_str(report).into_iter::<Value>();
    let entries = objects.flat_map(|object| match object.expect("JSON") {
        Value::Array(entries) => entries,
        entry => vec![entry],
    });
    entries
        .map(|entry| format!("{} {}", entry["metric"], entry["measurement"]))
        .filter(|entry| !entry.contains("TOTAL_GCS_") && !entry.contains("TOTAL_GC_TIME_"))
        .collect()
}

#[test]
fn stock_workloads_give_the_reports_of_ycsb() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../golden/runs_basicdb_reports.json")).expect("the golden file");
    assert_eq!(cases.len(), 22);
    for case in &cases {
        let (title, theirs) = (text(case, "case"), text(case, "stdout"));
        let place = Place::new();
        let rows = title.contains("returns rows");
        let ran = rerun(&place, case, if rows { &["-p", "mem.prefill=true"] } else { &[] });
        if theirs.starts_with("java.lang.ArithmeticException") {
            // A scan without rows ends YCSB; here it is an answer.
            let report = ycsb_parser::report(&ran.stdout).expect("a report");
            let scans = report.measurement("SCAN").expect("scans");
            assert!(scans.operations > 800 && totals(&report).0 == 1000, "{ran:?}");
            assert!(report.measurement("SCAN-LATENCY-PER-RECORD").is_none());
            continue;
        }
        assert_eq!(client_lines(&ran.stderr), client_lines(text(case, "stderr")), "{title}");
        if title.contains("exporter") {
            assert_eq!(json_entries(&ran.stdout), json_entries(theirs), "{title}");
            continue;
        }
        let exported = std::fs::read_to_string(place.path("report.txt"));
        let (theirs, ours) = match &exported {
            Ok(report) => {
                assert_eq!(ran.stdout, "", "{title}: the report is in its file only");
                (text(case, "exportfile_content"), report)
            }
            Err(_) => (theirs, &ran.stdout),
        };
        let ours = same_report(case, theirs, ours);
        let theirs = ycsb_parser::report(theirs).expect("a report");
        if !title.starts_with("workloadf") {
            assert_eq!(totals(&ours), totals(&theirs), "{title}");
        }
    }
}

/// What two runs of the same words have in common at their end: all but numbers.
fn last_line(lines: &[StatusLine]) -> (&str, bool, Vec<(SummaryForm, &str)>) {
    let last = lines.last().expect("a status line");
    let mut summaries: Vec<_> = last.summaries.iter().map(|(form, name)| (*form, &**name)).collect();
    let all = || lines.iter().flat_map(|line| &line.summaries).map(|(form, name)| (*form, &**name));
    if all().any(|(form, _)| form == SummaryForm::Average) {
        // These forms leave out what did not occur, and little or nothing occurs after the last line but one.
        summaries = all().collect();
        summaries.sort_by_key(|(_, name)| *name);
        summaries.dedup();
    }
    if summaries.iter().any(|(_, name)| *name == "THREAD_COUNT") {
        summaries.sort_by_key(|(_, name)| *name);
    }
    (&last.label, last.estimate.is_some(), summaries)
}

fn same_status(case: &Value, ran: &Ran, place: &Place) {
    let title = text(case, "case");
    assert_eq!(client_lines(&ran.stderr), client_lines(text(case, "stderr")), "{title}");
    let lines = |text: &str| status::lines(text).unwrap_or_else(|error| panic!("{title}: {error}"));
    let (theirs, ours) = (lines(text(case, "stderr")), lines(&ran.stderr));
    assert_eq!(last_line(&ours), last_line(&theirs), "{title}");
    // The first line races with the clients, as YCSB's does.
    assert_eq!(
        (ours[0].elapsed_s, ours[0].operations == 0 && ours[0].current.is_some()),
        (0, false),
        "{title}"
    );
    let unlimited = title.contains("operationcount 0");
    assert_eq!(ours[0].estimate.is_some(), !unlimited, "{title}");
    assert!(ours.windows(2).all(|pair| pair[0].operations <= pair[1].operations), "{title}");
    let total = ycsb_parser::report(&report_of(&ran.stdout)).expect("a report");
    assert_eq!(ours.last().map(|line| line.operations), Some(totals(&total).0), "{title}");
    // Paced runs last as long as YCSB's; a line may fall on either side of the end.
    let (their_count, our_count) = (theirs.len(), ours.len());
    assert!(our_count.abs_diff(their_count) <= 1, "{title}: {our_count} lines, YCSB's {their_count}");

    let on_stdout: Vec<&str> = ran.stdout.lines().filter(|line| line.contains(" sec: ")).collect();
    let on_stderr: Vec<&str> = ran.stderr.lines().filter(|line| line.contains(" sec: ")).collect();
    let doubled = title.starts_with("timeseries");
    assert_eq!(on_stdout, if doubled { on_stderr } else { Vec::new() }, "{title}");
    if title == "raw to file" {
        let samples = std::fs::read_to_string(place.path("raw.out")).expect("raw samples");
        let headers: Vec<&str> = samples.lines().filter(|line| line.contains("raw data: ")).collect();
        let their_headers: Vec<&str> =
            case["raw_file_headers"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
        assert_eq!(headers, their_headers);
        assert_eq!(samples.lines().count() as u64, case["raw_file_lines"].as_u64().expect("a count") - 1);
    }
}

/// Standard output without what is no report: status lines, and YCSB's remarks.
fn report_of(stdout: &str) -> String {
    let other = |line: &str| line.contains(" sec: ") || line.starts_with("Raw data measurement: ");
    stdout.lines().filter(|line| !other(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn runs_with_status_lines_say_what_ycsb_says() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../golden/status_runs.json")).expect("the golden file");
    assert_eq!(cases.len(), 16);
    // They wait more than they work.
    std::thread::scope(|scope| {
        for case in &cases {
            scope.spawn(move || {
                let place = Place::new();
                // The seed makes both operations occur, and of three only the one of YCSB's run.
                let slow: &[&str] = &["-p", "seed=1", "-p", "readproportion=0"];
                let is_slow = text(case, "case") == "slow first operation";
                let ran = rerun(&place, case, if is_slow { slow } else { &slow[..2] });
                same_report(case, &report_of(text(case, "stdout")), &report_of(&ran.stdout));
                same_status(case, &ran, &place);
            });
        }
    });
}
