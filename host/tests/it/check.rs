//! The conformance kit as a user sees it: bindings that keep the rules pass, those that break one are told
//! which, and nobody else's data is touched.

use crate::support::{Place, Ran};
use serde_json::Value;

/// The verdict of each rule, by name.
fn rules(ran: &Ran) -> Vec<(String, String, Value)> {
    let document: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let rules = document["rules"].as_array().expect("rules").iter().map(|rule| {
        let text = |name: &str| rule[name].as_str().unwrap_or_default().to_owned();
        (text("name"), text("verdict"), rule.clone())
    });
    rules.collect()
}

/// Names of the rules that failed, with what was expected and what came.
fn failed(ran: &Ran) -> Vec<String> {
    let failed = rules(ran).into_iter().filter(|(_, verdict, _)| verdict == "fail");
    failed
        .map(|(name, _, rule)| format!("{name}: expected {}, came {}", rule["expected"], rule["came"]))
        .collect()
}

/// Checks a binding and demands that every rule which applies holds; the number of those.
fn passes(place: &Place, line: &str) -> usize {
    let ran = place.line(&format!("check {line} -json"));
    assert_eq!((ran.code, failed(&ran)), (Some(0), Vec::new()), "{line}: {}", ran.stderr);
    assert!(ran.messages().is_empty(), "{line}: {}", ran.stderr);
    rules(&ran).iter().filter(|(_, verdict, _)| verdict == "pass").count()
}

#[test]
fn bindings_that_keep_nothing_pass_the_rules_that_need_no_store() {
    let place = Place::new();
    for binding in ["noop", "noop-async", "basic", "goodbadugly", "-db site.ycsb.BasicDB"] {
        let passed = passes(&place, binding);
        assert!((14..30).contains(&passed), "{binding}: {passed}");
    }
}

#[test]
fn stores_pass_all_rules() {
    let place = Place::new();
    for binding in ["memdb", "memdb-async", "memdb -p mem.file=records"] {
        let passed = passes(&place, binding);
        assert!(passed >= 60, "{binding}: {passed}");
    }
}

#[test]
fn redb_passes_all_rules() {
    let place = Place::new();
    let passed = passes(&place, "redb -p redb.path=records.redb -p check.cycles=40");
    assert!(passed >= 60, "{passed}");
}

/// Rules that fail with these properties of memdb.
fn broken(properties: &str, expected: &[&str]) {
    let ran = Place::new().line(&format!("check memdb -json -p check.cycles=40 {properties}"));
    let failed = failed(&ran);
    assert_eq!(ran.code, Some(1), "{properties}: {failed:?}");
    for rule in expected {
        let named = format!("{rule}: ");
        assert!(
            failed.iter().any(|told| told.starts_with(&named)),
            "{properties}: {rule} is not among {failed:?}"
        );
    }
}

#[test]
fn rules_that_do_not_hold_are_found() {
    broken(
        "-p mem.corrupt.every=1",
        &["record.insert", "values.text", "session.concurrent", "history.random"],
    );
    broken("-p mem.fail=ERROR -p mem.every=1 -p mem.failop=DELETE", &["record.delete", "operation.declared"]);
    broken("-p mem.cleanupfail=true", &["session.end", "record.read_absent"]);
    broken("-p mem.initfail=true", &["session.end", "leaks.sessions"]);
    broken("-p mem.fail=PANIC -p mem.every=7", &["history.random"]);
    broken("-p mem.fail=UNKNOWN -p mem.failop=UPDATE", &["record.update", "operation.declared"]);
}

#[test]
fn capabilities_that_are_withdrawn_have_to_answer_not_implemented() {
    for operation in ["SCAN", "DELETE", "UPDATE"] {
        let ran = Place::new().line(&format!("check memdb -json -p mem.without={operation}"));
        assert_eq!((ran.code, failed(&ran)), (Some(0), Vec::new()), "{operation}");
        let rules = rules(&ran);
        let of = |name: &str| rules.iter().find(|(rule, _, _)| rule == name).expect(name);
        assert_eq!(of("operation.undeclared").1, "pass");
        assert_eq!(of("scan.changes").1, "not supported");
        let reason = of("scan.changes").2["reason"].as_str().expect("a reason").to_owned();
        assert!(reason.contains(&format!("does not declare {operation}")), "{reason}");
    }
}

#[test]
fn a_call_that_never_returns_fails_its_rule_and_the_report_comes() {
    for binding in ["memdb", "memdb-async"] {
        let line = format!("check {binding} -p mem.hang.at=3 -p mem.hang.kind=block -p check.patience=300ms");
        let ran = Place::new().line(&format!("{line} -p check.rules=record.insert,record.read_absent"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let lines: Vec<&str> = ran.stdout.lines().collect();
        let at = lines.iter().position(|line| line.starts_with("FAIL")).expect("a failed rule");
        assert!(lines[at].contains("record.insert: A record that was inserted is read"), "{ran:?}");
        assert!(lines[at + 1].contains("an answer within 300ms (check.patience)"), "{ran:?}");
        assert!(lines[at + 2].contains("it is left behind"), "{ran:?}");
        assert!(lines[at + 3].starts_with("pass           record.read_absent"), "{ran:?}");
        assert!(lines.last().is_some_and(|line| line.starts_with("1 passed, 1 failed")), "{ran:?}");
    }
}

#[test]
fn a_binding_that_does_not_open_is_refused_as_in_a_run() {
    let place = Place::new();
    for (failure, code) in [("FORBIDDEN", 3), ("BAD_REQUEST", 2), ("PANIC", 3)] {
        let ran = place.line(&format!("check memdb -p mem.openfail={failure}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
        assert!(ran.messages()[0].contains(&format!("cannot be opened ({failure})")), "{ran:?}");
    }
    let ran = place.line("check nop");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.messages()[0].contains("did you mean \"noop\"?"), "{ran:?}");
}

#[test]
fn rules_are_chosen_by_name_or_group() {
    let place = Place::new();
    let ran = place.line("check memdb -json -p check.rules=scan,record.insert");
    let names: Vec<String> = rules(&ran).into_iter().map(|(name, _, _)| name).collect();
    assert!(names.len() > 5 && names.iter().all(|name| name.starts_with("scan.") || name == "record.insert"));
    let ran = place.line("check memdb -p check.rules=scann");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.messages()[0].contains("check.rules names \"scann\", which is no rule; there are manifest"));
}

#[test]
fn the_table_of_the_workload_is_not_touched() {
    let place = Place::new();
    let base = "-p workload=core -p recordcount=50 -p operationcount=200 -p mem.file=records";
    let load = place.line(&format!("load memdb {base}"));
    assert_eq!(load.code, Some(0), "{load:?}");
    passes(&place, "memdb -p mem.file=records -p table=usertable");
    let run = place.line(&format!("run memdb {base} -p readproportion=1 -p updateproportion=0"));
    assert_eq!(run.code, Some(0), "{run:?}");
    let info =
        place.line("check memdb -p mem.file=records -p check.table=usertable_2 -p check.rules=open.detail");
    assert!(info.stdout.contains("table usertable_2, 0 records"), "{info:?}");
}

#[test]
fn a_history_is_repeated_by_its_seed() {
    let place = Place::new();
    let line = "check memdb -p seed=7 -p mem.fail=NOT_FOUND -p mem.every=90 -p check.rules=history";
    let [first, second] = [place.line(line), place.line(line)].map(|ran| {
        let text = ran.stdout.lines().filter(|line| line.contains("expected")).collect::<Vec<_>>().join("\n");
        // Keys differ from run to run.
        text.split("of seed 7").next().unwrap_or_default().to_owned()
    });
    assert!(first.contains("operation "), "{first}");
    assert_eq!(first, second);
}
