//! From the first operation to the exit code: shares, limits, retries, budgets of errors, and reports that
//! always come.

use crate::support::{Place, Ran, workload};
use crate::transcript::Transcript;
use crate::ycsb_parser;

/// A phase of workload A on a binding, with more words.
fn phase(place: &Place, words: &str, more: &str) -> Ran {
    let words = words.split_whitespace().map(str::to_owned);
    let file = ["-P".to_owned(), workload("workloada")];
    place.ycsb(words.chain(file).chain(more.split_whitespace().map(str::to_owned)))
}

fn load(more: &str) -> Ran {
    phase(&Place::new(), "load memdb", more)
}

fn run(more: &str) -> Ran {
    phase(&Place::new(), "run memdb", &format!("-p mem.prefill=true {more}"))
}

/// Calls whose status was counted, reads and updates together.
fn calls(ran: &Ran) -> u64 {
    let report = Transcript::of(&ran.stdout);
    ["READ", "UPDATE"].iter().map(|name| report.count(name, "Return=OK")).sum()
}

/// How often a line starts like this on standard error.
fn said(ran: &Ran, start: &str) -> usize {
    ran.stderr.lines().filter(|line| line.starts_with(start)).count()
}

#[test]
fn shares_of_clients_add_up_to_what_was_asked_for() {
    for (threads, count) in [(1, 1), (3, 100), (7, 100), (16, 17), (9, 5)] {
        let ran = run(&format!("-threads {threads} -p operationcount={count}"));
        assert_eq!((ran.code, calls(&ran)), (Some(0), count), "{threads}: {ran:?}");
        let ended = Transcript::of(&ran.stdout).count("CLEANUP", "Operations");
        assert_eq!(ended, count.min(threads), "no more clients than operations");

        let loaded = load(&format!("-threads {threads} -p recordcount={count}"));
        assert_eq!(loaded.code, Some(0), "{loaded:?}");
        assert_eq!(Transcript::of(&loaded.stdout).count("INSERT", "Return=OK"), count);
        assert!(loaded.stderr.contains(&format!("loaded {count} of {count} records")), "{loaded:?}");
    }
}

#[test]
fn targets_may_be_fractions_and_are_shared_by_the_clients_that_there_are() {
    // Operations are due at once and then every 400 ms.
    for threads in ["", "-threads 1 ", "-threads 8 -p arrival=shared "] {
        let ran = run(&format!("{threads}-target 2.5 -p operationcount=3"));
        let report = ycsb_parser::report(&ran.stdout).expect("a report");
        assert_eq!((ran.code, calls(&ran)), (Some(0), 3), "{ran:?}");
        assert!(report.runtime_ms >= 780, "{threads}: {ran:?}");
    }
}

#[test]
fn a_run_without_a_count_ends_at_its_time_limit_with_the_lines_of_ycsb() {
    let ran = run("-p operationcount=0 -p maxexecutiontime=1 -threads 2");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in [
        "Maximum execution time specified as: 1 secs",
        "Maximum time elapsed. Requesting stop for the workload.",
        "Stop requested for workload. Now Joining!",
    ] {
        assert!(ran.stderr.lines().any(|said| said == line), "{line}: {ran:?}");
    }
    assert!(calls(&ran) > 0);
    let report = ycsb_parser::report(&ran.stdout).expect("a report");
    assert!((1000..60_000).contains(&report.runtime_ms), "{ran:?}");

    let unlimited = run("-p operationcount=0 -p maxexecutiontime=1 -p recordcount=10");
    assert!(!unlimited.stderr.contains("goes on until"), "a limit was given: {unlimited:?}");
    let ended_before = run("-p operationcount=3 -p maxexecutiontime=60");
    assert_eq!(said(&ended_before, "Maximum execution time specified as: 60 secs"), 1);
    assert_eq!(said(&ended_before, "Maximum time elapsed."), 0);
}

#[test]
fn a_report_whose_file_cannot_be_written_goes_to_standard_output() {
    let ran = load("-p recordcount=20 -p exportfile=/dev/full");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(Transcript::of(&ran.stdout).count("INSERT", "Return=OK"), 20);
    assert!(ran.stderr.contains("exportfile /dev/full: "), "{ran:?}");
}

#[test]
fn inserts_that_fail_are_sent_again_with_the_same_values() {
    let place = Place::new();
    let retried = "-p mem.fail=ERROR -p mem.every=7 -p core_workload_insertion_retry_limit=50 \
                   -p core_workload_insertion_retry_interval=0";
    for threads in [1, 4] {
        let more = |file: &str| {
            format!("-p seed=5 -threads {threads} -p recordcount=60 -p mem.file={file}{threads}")
        };
        let plain = phase(&place, "load memdb", &more("plain"));
        assert_eq!(plain.code, Some(0), "{plain:?}");
        let ran = phase(&place, "load memdb", &format!("{} {retried}", more("retried")));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let report = Transcript::of(&ran.stdout);
        assert_eq!(report.count("INSERT", "Return=OK"), 60);
        let failed = report.count("INSERT", "Return=ERROR");
        assert!(failed >= 8, "every seventh call: {ran:?}");
        assert_eq!(said(&ran, "Retrying insertion, retry count: ") as u64, failed);
        let records = |file: &str| std::fs::read(place.path(&format!("{file}{threads}"))).expect("records");
        assert!(records("plain") == records("retried"), "values differ after a retry");
    }
}

#[test]
fn a_load_stops_when_more_inserts_failed_than_allowed_and_says_what_is_missing() {
    let failing = "-p recordcount=100 -p mem.fail=ERROR -p mem.every=10 -threads 3";
    let given_up = "Error inserting, not retrying any more. number of attempts: 1Insertion Retry Limit: 0";
    for (allowed, code, failed, stops) in [
        ("", 1, 1, true),
        ("-p errors.allowed=4", 1, 5, true),
        ("-p errors.allowed=10", 0, 10, false),
        ("-p errors.allowed=10%", 0, 10, false),
        ("-p core_workload_insertion_keep_going_on_error=true", 1, 10, false),
    ] {
        let ran = load(&format!("{failing} {allowed}"));
        assert_eq!(ran.code, Some(code), "{allowed}: {ran:?}");
        let report = Transcript::of(&ran.stdout);
        let (ok, errors) = (report.count("INSERT", "Return=OK"), report.count("INSERT", "Return=ERROR"));
        // Clients that are inside of a call when the load stops still end it.
        assert!((failed..failed + 3).contains(&errors), "{allowed}: {ran:?}");
        assert_eq!(report.count("INSERT-FAILED", "Operations"), errors);
        assert!(ran.stderr.contains(&format!("loaded {ok} of 100 records")), "{allowed}: {ran:?}");
        assert_eq!(ran.stderr.contains("the load was stopped"), stops, "{allowed}: {ran:?}");
        assert_eq!(said(&ran, given_up) as u64, errors, "{allowed}: {ran:?}");
        assert!(stops || ok + errors == 100, "{allowed}: {ran:?}");
    }
}

#[test]
fn a_limit_of_retries_is_kept_and_the_attempts_are_told() {
    let ran = load(
        "-p recordcount=5 -p mem.fail=ERROR -p core_workload_insertion_retry_limit=2 \
         -p core_workload_insertion_retry_interval=0",
    );
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(Transcript::of(&ran.stdout).count("INSERT", "Return=ERROR"), 3);
    for (line, count) in [
        ("Retrying insertion, retry count: 1", 1),
        ("Retrying insertion, retry count: 2", 1),
        ("Error inserting, not retrying any more. number of attempts: 3Insertion Retry Limit: 2", 1),
    ] {
        assert_eq!(said(&ran, line), count, "{line}: {ran:?}");
    }
}

#[test]
fn names_of_failures_are_chosen_by_property_and_announced() {
    let failing = "-p mem.fail=FORBIDDEN -p mem.failop=READ -p operationcount=20 -p readproportion=1 \
                   -p updateproportion=0";
    for (more, block, announced) in [
        ("", "READ-FAILED", "false and specific error codes to track for latency are: []"),
        (
            "-p reportlatencyforeacherror=true",
            "READ-FORBIDDEN",
            "true and specific error codes to track for latency are: []",
        ),
        (
            "-p latencytrackederrors=NOT_FOUND,FORBIDDEN",
            "READ-FORBIDDEN",
            "false and specific error codes to track for latency are: [NOT_FOUND, FORBIDDEN]",
        ),
    ] {
        let ran = run(&format!("{failing} {more}"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let report = Transcript::of(&ran.stdout);
        assert_eq!(report.count(block, "Operations"), 20, "{ran:?}");
        assert_eq!((report.count("READ", "Operations"), report.count("READ", "Return=FORBIDDEN")), (0, 20));
        assert_eq!(said(&ran, &format!("DBWrapper: report latency for each error is {announced}")), 1);
    }
}

#[test]
fn a_value_that_differs_fails_the_run_and_is_named() {
    for more in [
        "-p readproportion=1 -p updateproportion=0",
        "-p readproportion=0 -p updateproportion=0 -p readmodifywriteproportion=1",
    ] {
        let sound = run(&format!("-p dataintegrity=true -p operationcount=200 {more}"));
        assert_eq!(sound.code, Some(0), "{sound:?}");
        assert_eq!(Transcript::of(&sound.stdout).count("VERIFY", "Return=OK"), 200);

        let ran = run(&format!("-p dataintegrity=true -p operationcount=200 -p mem.corrupt.every=50 {more}"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let report = Transcript::of(&ran.stdout);
        let verified = ["Operations", "Return=OK", "Return=UNEXPECTED_STATE"];
        assert_eq!(verified.map(|label| report.count("VERIFY", label)), [200, 196, 4], "{ran:?}");
        let line = ran.messages().into_iter().find(|line| line.contains("VERIFY UNEXPECTED_STATE: 4 times"));
        let line = line.unwrap_or_else(|| panic!("{ran:?}"));
        assert!(line.contains("record user") && line.contains("field field"), "{line}");
    }
}

#[test]
fn reports_in_json_are_valid_whatever_happened() {
    for more in [
        "",
        "-p mem.fail=TIMEOUT -p mem.every=3",
        "-p mem.fail=ERROR",
        "-p measurementtype=histogram -p mem.fail=ERROR",
    ] {
        let text = run(&format!("-p operationcount=30 -p exporter=json {more}")).stdout;
        let document: serde_json::Value = serde_json::from_str(&text).expect("one JSON document");
        assert!(document["measurements"].is_array() && document["throughput_per_sec"].is_number(), "{text}");
        assert!(!text.contains("NaN") && !text.contains("Infinity"), "{text}");

        let array = run(&format!("-p operationcount=30 -p exporter=jsonarray {more}")).stdout;
        let entries: Vec<serde_json::Value> = serde_json::from_str(&array).expect("one JSON array");
        assert!(entries.iter().all(|entry| entry["metric"].is_string()), "{array}");
    }
}

#[test]
fn constant_occupancy_works_out_its_counts_in_both_phases() {
    let place = Place::new();
    let words = |phase: &str| {
        place.line(&format!(
            "{phase} memdb -p workload=com.yahoo.ycsb.workloads.ConstantOccupancyWorkload -p disksize=100000 \
             -p storageages=3 -p occupancy=0.5 -p recordcount=7 -p mem.file=records"
        ))
    };
    let loaded = words("load");
    assert_eq!(loaded.code, Some(0), "{loaded:?}");
    assert_eq!(Transcript::of(&loaded.stdout).count("INSERT", "Return=OK"), 50);
    assert!(loaded.stderr.contains("instead of recordcount=7"), "{loaded:?}");
    let ran = words("run");
    assert_eq!((ran.code, calls(&ran)), (Some(0), 150), "{ran:?}");
}

#[test]
fn flags_stand_in_any_order_and_old_names_still_work() {
    let place = Place::new();
    place.file("old", "workload=com.yahoo.ycsb.workloads.CoreWorkload\nrecordcount=5\noperationcount=5\n");
    for line in [
        "-s -threads 2 -db com.yahoo.ycsb.BasicDB -P old -p basicdb.verbose=false -load",
        "-load -p basicdb.verbose=false -P old -db com.yahoo.ycsb.BasicDB -threads 2 -s",
        "load basic -threads 2 -P old -s -p basicdb.verbose=false",
        "load basic -p exporter=com.yahoo.ycsb.measurements.exporter.TextMeasurementsExporter -P old -s -threads 2 \
         -p basicdb.verbose=false",
        "-s load basic -P old -threads 2 -p basicdb.verbose=false",
    ] {
        let ran = place.line(line);
        assert_eq!(ran.code, Some(0), "{line}: {ran:?}");
        let report = Transcript::of(&ran.stdout);
        let counts = (report.count("INSERT", "Return=OK"), report.count("CLEANUP", "Operations"));
        assert_eq!(counts, (5, 2), "{line}: {ran:?}");
        assert!(ran.stderr.contains(" sec: "), "{line}: {ran:?}");
    }
}

#[test]
fn inserts_of_a_later_run_go_on_where_the_data_ends() {
    let place = Place::new();
    let workload_d = |phase: &str| {
        let words = [phase, "memdb", "-P", &workload("workloadd"), "-p", "mem.file=records"];
        let ran = place.ycsb(words);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let inserted = Transcript::of(&ran.stdout).count("INSERT", "Return=OK");
        (inserted, ran.stderr)
    };
    workload_d("load");
    let (first, _) = workload_d("run");
    let (second, said) = workload_d("run");
    assert!(said.contains(&format!("inserts go on after {first} records of earlier runs")), "{said}");
    let (_, said) = workload_d("run");
    assert!(said.contains(&format!("inserts go on after {} records", first + second)), "{said}");
}

#[test]
fn reports_of_every_workload_and_measurement_type_are_read_by_a_parser_of_ycsbs() {
    let types =
        ["hdrhistogram", "histogram", "hdrhistogram+histogram", "hdrhistogram+raw", "timeseries", "raw"];
    for file in ["workloada", "workloadb", "workloadc", "workloadd", "workloade", "workloadf", "tsworkloada"]
    {
        for measurement_type in types {
            let place = Place::new();
            let words = format!(
                "run memdb -P {} -p measurementtype={measurement_type} -p measurement.interval=both \
                 -p operationcount=60 -p recordcount=3000 -p mem.fail=TIMEOUT -p mem.every=4 -target 60000",
                workload(file)
            );
            let more = if file == "tsworkloada" { "" } else { " -p mem.prefill=true" };
            let ran = place.line(&format!("{words}{more}"));
            assert_eq!(ran.code, Some(1), "{ran:?}");
            let report = ycsb_parser::report(&ran.stdout)
                .unwrap_or_else(|error| panic!("{file} {measurement_type}: {error}\n{ran:?}"));
            let named = |part: &str| report.measurements.iter().any(|found| found.name.contains(part));
            assert!(named("-FAILED") && named("Intended-"), "{file} {measurement_type}: {ran:?}");
        }
    }
}
