//! Plugins that break a rule: the message that a user sees, and the report that comes all the same.

use crate::support::{Place, Ran, plugins};

const BASE: &str =
    "-p workload=core -p recordcount=20 -p operationcount=40 -p readproportion=1 -p updateproportion=0";

/// A folder in which the library of faults has the name of a plugin, for `-cp .`.
fn place() -> Place {
    let place = Place::new();
    let library = plugins().join("libfaulty.so");
    std::os::unix::fs::symlink(library, place.path("libycsb_faulty.so")).expect("a link");
    place
}

fn run(binding: &str, fault: &str, more: &str) -> Ran {
    place().line(&format!("run {binding} -cp . {BASE} -p faulty.fault={fault} {more}"))
}

fn said(ran: &Ran, part: &str) {
    assert!(ran.stderr.contains(part), "{part:?} is missing: {}", ran.stderr);
}

fn said_anywhere(ran: &Ran, part: &str) {
    assert!(ran.stdout.contains(part) || ran.stderr.contains(part), "{part:?} is missing: {ran:?}");
}

/// A run that ends with this message and shows its report.
fn survived(binding: &str, fault: &str, more: &str, code: i32, part: &str) {
    let ran = run(binding, fault, more);
    assert_eq!(ran.code, Some(code), "{binding} {fault}: {}", ran.stderr);
    said(&ran, part);
    assert!(ran.stdout.contains("[OVERALL], RunTime(ms), "), "{binding} {fault}: {}", ran.stdout);
}

const BOTH: [&str; 2] = ["faulty", "faulty-async"];

/// Both bindings, the second also with its faults behind a suspension.
const WAYS: [(&str, &str); 3] =
    [("faulty", ""), ("faulty-async", ""), ("faulty-async", " -p faulty.suspended=true")];

#[test]
fn a_panic_of_open_or_of_a_session_stops_the_run_with_its_message() {
    for (binding, way) in WAYS {
        for (fault, name) in [("panic.open", "Open"), ("panic.session", "Session")] {
            let ran = run(binding, fault, way);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{binding} {fault}: {}", ran.stderr);
            said(&ran, "cannot be opened (PANIC)");
            said(&ran, &format!("on purpose, in {name}"));
        }
    }
}

#[test]
fn a_panic_of_an_operation_is_a_failed_operation() {
    for (binding, way) in WAYS {
        for (fault, name, workload) in [
            ("panic.read", "Read", ""),
            ("panic.scan", "Scan", " -p readproportion=0 -p scanproportion=1"),
            ("panic.update", "Update", " -p readproportion=0 -p updateproportion=1"),
            ("panic.insert", "Insert", " -p readproportion=0 -p insertproportion=1"),
            ("panic.end", "End", ""),
        ] {
            survived(binding, fault, &format!("{way}{workload}"), 1, &format!("on purpose, in {name}"));
        }
        let load =
            format!("load {binding} -cp . {BASE} -p faulty.fault=panic.insert_batch -p batchsize=5{way}");
        let ran = place().line(&load);
        assert_eq!(ran.code, Some(1), "{binding}: {}", ran.stderr);
        said(&ran, "on purpose, in InsertBatch");
        assert!(ran.stdout.contains("[INSERT], Return=ERROR, "), "{binding}: {}", ran.stdout);
        let delete = format!("shell {binding} -cp . -p faulty.fault=panic.delete{way}");
        let ran = place().ycsb_reading("delete user1\nquit\n", delete.split_whitespace());
        said_anywhere(&ran, "on purpose, in Delete");
    }
}

#[test]
fn panics_while_everything_ends_do_not_end_the_host() {
    for (binding, way) in WAYS {
        for (fault, name) in [("panic.drop", "Drop"), ("panic.close", "Close")] {
            survived(
                binding,
                fault,
                &format!("-p errors.allowed=100%{way}"),
                0,
                &format!("on purpose, in {name}"),
            );
        }
    }
    let limits = "-p maxexecutiontime=1 -p stop.grace=100ms -p operationcount=1000000";
    survived("faulty", "panic.interrupt", limits, 124, "on purpose, in Interrupt");
}

#[test]
fn calls_that_never_return_are_cut_off() {
    let limits = "-p maxexecutiontime=1 -p stop.grace=200ms -p operationcount=1000000";
    survived("faulty", "hang", limits, 124, "never returned");
    survived("faulty-async", "block.runtime", limits, 124, "never returned");
    let ran = run("faulty-async", "hang", "-p operation.timeout=20ms -p operationcount=3");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    said(&ran, "no answer by the deadline of the operation");
}

#[test]
fn calls_that_return_after_they_were_given_up_change_nothing() {
    for binding in BOTH {
        let limits = "-p operation.timeout=100ms -p stop.grace=100ms -threads 2 -target 20";
        let more = format!("{limits} -p errors.allowed=100%");
        survived(binding, "late.rows", &more, 124, "rows were handed over too late");
        let ran = run(binding, "late.rows", &more);
        said(&ran, "calls that were overdue and never returned, given up with their clients: 1 READ");
        assert!(ran.stdout.contains("[READ], Return=NOT_FOUND, 20"), "{binding}: {}", ran.stdout);
    }
}

#[test]
fn a_thread_that_logs_after_its_binding_was_closed_is_heard() {
    for binding in BOTH {
        let said = "a thread of a closed binding goes on";
        let ran =
            place().line(&format!("check {binding} -cp . -p faulty.fault=late.log -p check.rules=open"));
        assert_eq!(ran.code, Some(0), "{binding}: {}", ran.stdout);
        said_anywhere(&ran, said);
        survived(binding, "late.log", "-p errors.allowed=100%", 0, "");
    }
}

#[test]
fn what_a_plugin_prints_does_not_replace_the_report() {
    for binding in BOTH {
        survived(binding, "prints", "-p errors.allowed=100%", 0, "");
        let ran = place()
            .line(&format!("check {binding} -cp . -p faulty.fault=prints -p check.rules=record,silence"));
        assert_eq!(ran.code, Some(1), "{binding}: {}", ran.stdout);
        said_anywhere(&ran, "printed by the plugin");
        said_anywhere(&ran, "writes nothing to standard output or standard error itself");
    }
}

#[test]
fn lengths_and_numbers_that_cannot_be_are_cut_to_what_can() {
    let library = plugins().join("libfaulty_lengths.so");
    let of = |phase: &str, more: &str, code: i32, parts: &[&str]| {
        let ran = place().line(&format!("{phase} {} {BASE} {more}", library.display()));
        assert_eq!(ran.code, Some(code), "{more}: {}", ran.stderr);
        parts.iter().for_each(|part| said_anywhere(&ran, part));
        said(&ran, &format!("faulty-lengths: {}\n", "d".repeat(240)));
        assert!(ran.stdout.contains("[OVERALL], RunTime(ms), "), "{more}: {}", ran.stdout);
    };
    of("run", "", 1, &["READ ERROR: 40 times, first: a length beyond it: \u{fffd}"]);
    of("run", "-p dataintegrity=true", 1, &["40 verifications failed"]);
    let update = "-p readproportion=0 -p updateproportion=1";
    let told =
        format!("UPDATE ERROR 4294967295, code -9223372036854775808: 40 times, first: {}\n", "u".repeat(240));
    of("run", update, 1, &[&told]);
    of("run", "-p readproportion=0 -p scanproportion=1", 0, &["[SCAN], Return=OK, 40"]);
    of("load", "-p batchsize=5", 1, &["INSERT ERROR: 5 times", "loaded 0 of 20 records"]);
}

#[test]
fn numbers_and_texts_that_make_no_sense_are_shown_as_they_are() {
    for binding in BOTH {
        survived(binding, "unknown.status", "", 1, "a number that nobody declared");
        survived(binding, "long.detail", "", 1, "too long too long");
    }
}

#[test]
fn plugins_of_another_interface_are_refused() {
    let place = place();
    for (name, parts) in [
        ("major", ["built for interface 99, this host speaks", "install the plugin release for this host"]),
        ("layout", ["its border types differ", "build it against the published ycsb-plugin-api"]),
    ] {
        let library = plugins().join(format!("libfaulty_{name}.so"));
        let ran = place.line(&format!("run {} {BASE}", library.display()));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{name}: {}", ran.stderr);
        parts.iter().for_each(|part| said(&ran, part));
        said(&ran, &library.display().to_string());
    }
}

/// Names of the rules that a fault breaks.
fn failed_rules(binding: &str, fault: &str) -> Vec<String> {
    let more = "-json -p check.cycles=200 -p check.patience=500ms -p check.operations=400";
    let line = format!("check {binding} -cp . -p faulty.fault={fault} {more}");
    let ran = place().line(&line);
    let document: serde_json::Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{fault}: {error}: {}", ran.stderr));
    let rules = document["rules"].as_array().expect("rules").iter();
    let failed = rules.filter(|rule| rule["verdict"] == "fail");
    failed.map(|rule| rule["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn a_binding_without_a_fault_passes_the_kit() {
    for binding in BOTH {
        assert_eq!(failed_rules(binding, "none"), Vec::<String>::new(), "{binding}");
    }
}

#[test]
fn the_kit_finds_every_fault() {
    for (fault, rule) in [
        ("panic.read", "record.insert"),
        ("panic.end", "session.end"),
        ("unknown.status", "operation.declared"),
        ("long.detail", "record.read_absent"),
        ("tells.secret", "open.secrets"),
        ("implements.undeclared", "operation.undeclared"),
        ("update.replaces", "record.update"),
        ("update.creates", "record.update_absent"),
        ("loses.empty", "values.empty"),
        ("overwrites", "record.insert_again"),
        ("ignores.select", "record.select"),
        ("ignores.select", "scan.select"),
        ("ignores.limit", "scan.limit"),
        ("unordered.scan", "scan.order"),
        ("notfound.ok", "record.read_absent"),
        ("folds.case", "keys.case"),
        ("keeps.fresh", "open.fresh"),
        ("cuts.values", "values.lengths"),
    ] {
        let failed = failed_rules("faulty", fault);
        assert!(failed.iter().any(|name| name == rule), "{fault}: {rule} is not among {failed:?}");
    }
}

#[test]
fn the_kit_finds_a_session_that_leaves_memory_behind() {
    for binding in BOTH {
        let line = format!("check {binding} -cp . -p faulty.fault=leaks.sessions -p check.rules=leaks");
        let ran = place().line(&line);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        for rule in ["leaks.sessions", "leaks.bindings"] {
            assert!(ran.stdout.contains(&format!("FAIL           {rule}")), "{rule}: {}", ran.stdout);
        }
        said_anywhere(&ran, "bytes of memory more per cycle");
    }
}

#[test]
fn a_store_without_tables_is_not_emptied_unless_that_is_allowed() {
    let place = place();
    let line = "check faulty -cp . -p faulty.fault=shares.tables -p check.rules=open.fresh,record";
    let kept = place.line(line);
    assert_eq!(kept.code, Some(0), "{}", kept.stdout);
    assert!(kept.stdout.contains("the store is not emptied: it keeps no tables apart"), "{}", kept.stdout);
    assert!(kept.stdout.contains("not supported  open.fresh"), "{}", kept.stdout);
    let emptied = place.line(&format!("{line} -p check.fresh=true"));
    assert_eq!(emptied.code, Some(0), "{}", emptied.stdout);
    assert!(emptied.stdout.contains("pass           open.fresh"), "{}", emptied.stdout);
}
