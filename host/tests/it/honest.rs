//! Honest numbers: nothing silent, nothing hidden, nothing lost. Scripted faults and delays of memdb, through the
//! whole program.

use crate::support::{Place, Ran};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};
use ycsb_host::result::{Judgement, ResultDocument, read_document};

const BASE: &str = "workload=core\nrecordcount=200\noperationcount=400\nreadproportion=0.5\n\
                    updateproportion=0.5\nmem.prefill=true\n";

pub(crate) fn place() -> Place {
    let place = Place::new();
    place.file("base", BASE);
    place
}

/// Runs a line with a result document, and reads that.
pub(crate) fn documented(place: &Place, line: &str) -> (Ran, ResultDocument) {
    let ran = place.line(&format!("{line} --out result.json"));
    let document = read_document(&place.path("result.json"));
    (ran, document.unwrap_or_else(|error| panic!("{line}: {error}")))
}

pub(crate) fn reasons(document: &ResultDocument) -> Vec<&str> {
    let verdict = document.verdict.as_ref().expect("a verdict");
    verdict.reasons.iter().map(|reason| reason.code.as_str()).collect()
}

/// Waits until a document has been written while the run goes on.
fn wait_for(path: &Path, child: &mut Child) {
    let until = Instant::now() + Duration::from_secs(60);
    while !path.exists() {
        assert!(Instant::now() < until, "no document after a minute");
        assert!(child.try_wait().expect("a child").is_none(), "the program has ended");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_call_that_never_returns_is_cut_off_and_reported() {
    for (binding, kind) in [("memdb", "block"), ("memdb-async", "block"), ("memdb-async", "suspend")] {
        let place = place();
        let (ran, document) = documented(
            &place,
            &format!(
                "run {binding} -P base -threads 2 -p mem.hang.at=50 -p mem.hang.kind={kind} -p stop.grace=200ms \
                 -p maxexecutiontime=1"
            ),
        );
        assert_eq!(ran.code, Some(124), "{binding} {kind}: {ran:?}");
        assert!(ran.stdout.contains("[OVERALL], Throughput(ops/sec)"), "{ran:?}");
        assert!(ran.stderr.contains("calls in flight at the end that did not return"), "{ran:?}");
        assert!(document.complete);
        assert!(document.operations.abandoned() >= 1, "{:?}", document.operations);
        assert_eq!(
            document.operations.ended()
                + document.operations.abandoned()
                + document.operations.not_done.expect("a plan"),
            400
        );
        assert!(reasons(&document).contains(&"abandoned"), "{:?}", document.verdict);
        assert_eq!(document.exit_code, Some(124));
    }
}

#[test]
fn an_overdue_call_is_given_up_with_its_client_and_the_others_go_on() {
    let (ran, document) = documented(
        &place(),
        "run memdb -P base -threads 2 -p mem.hang.at=50 -p operation.timeout=100ms -p stop.grace=100ms",
    );
    assert_eq!(ran.code, Some(124), "{ran:?}");
    assert_eq!(document.operations.abandoned_overdue.values().sum::<u64>(), 1);
    assert!(document.operations.ended() >= 200, "the other client has its share: {:?}", document.operations);
    assert_eq!(document.processes[0].digests.iter().flatten().count(), 1);
}

#[test]
fn signals_end_a_run_with_a_report() {
    for (signal, code, cause) in [("INT", 130, "interrupt"), ("TERM", 143, "terminate")] {
        let place = place();
        let mut child = place
            .spawn("run memdb -P base -threads 2 -p operationcount=0 -p mem.delay=1ms --out result.json");
        wait_for(&place.path("result.json"), &mut child);
        let sent = std::process::Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status();
        assert!(sent.expect("kill").success());
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(code));
        assert!(String::from_utf8_lossy(&output.stdout).contains("[READ], Return=OK"));
        let document = read_document(&place.path("result.json")).expect("a document");
        assert!(document.complete && document.operations.successful > 0);
        assert_eq!(document.processes[0].stop_cause, cause);
        assert!(reasons(&document).contains(&"stopped"));
    }
}

#[test]
fn a_killed_process_leaves_a_readable_document() {
    let place = place();
    let mut child =
        place.spawn("run memdb -P base -threads 2 -p operationcount=0 -p mem.delay=1ms --out result.json");
    wait_for(&place.path("result.json"), &mut child);
    child.kill().expect("a kill");
    child.wait().expect("an end");
    let document = read_document(&place.path("result.json")).expect("a document");
    assert!(!document.complete && document.verdict.is_none());
    assert!(document.operations.successful > 0);
    let intervals = &document.processes[0].intervals;
    assert!(!intervals.is_empty());
    assert!(intervals.iter().all(|one| one.to_ns > one.from_ns && one.successful > 0), "{intervals:?}");
    let shown = place.line("report result.json");
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.stdout.contains("[READ], Return=OK"), "{shown:?}");
    assert!(shown.stderr.contains("the run had not ended"), "{shown:?}");
}

/// A stall of one second at 500 operations per second by one client: 500 arrivals are overdue.
#[test]
fn each_throttle_policy_says_what_it_did_after_a_stall() {
    for policy in ["catchup", "spread", "drop"] {
        let (ran, document) = documented(
            &place(),
            &format!(
                "run memdb -P base -p operationcount=700 -target 500 -p mem.stall.at=50 -p mem.stall.for=1s \
                 -p throttle.policy={policy}"
            ),
        );
        assert_eq!(ran.code, Some(0), "{policy}: {ran:?}");
        assert!(ran.stderr.contains(&format!("throttle.policy={policy}")), "{ran:?}");
        let pacing = document.pacing;
        assert_eq!(pacing.dropped >= 450, policy == "drop", "{pacing:?}");
        assert_eq!(pacing.held_back >= 450, policy == "spread", "{pacing:?}");
        assert_eq!(pacing.late >= 450, policy != "drop", "{pacing:?}");
        // 500 overdue arrivals wait up to a second under catchup; dropping leaves one long response.
        let long: u64 = document
            .measurements
            .iter()
            .flat_map(|one| one.response.buckets())
            .filter(|(bucket, _)| ycsb_host::measure::layout::low_ns(*bucket as usize) >= 400_000_000)
            .map(|(_, count)| count)
            .sum();
        match policy {
            "drop" => assert!(long < 50, "{long}"),
            _ => assert!(long >= 280, "{policy}: {long}"),
        }
        assert!(ran.stderr.contains("READ: response time p50"), "{ran:?}");
        assert!(ran.stderr.contains("schedule lag of the host: p50"), "{ran:?}");
    }
}

#[test]
fn slices_of_parallel_clients_are_disjoint_in_load_and_run() {
    let place = Place::new();
    place.file("slices", "workload=core\nrecordcount=300\noperationcount=100\nmem.file=records\n");
    for index in 0..3 {
        let ran = place.line(&format!(
            "load memdb -P slices -p client.count=3 -p client.index={index} --out load.{index}"
        ));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stderr.contains("loaded 100 of 100 records"), "{ran:?}");
    }
    let all =
        place.line("run memdb -P slices -p readproportion=1 -p updateproportion=0 -p operationcount=3000");
    assert_eq!(all.code, Some(0), "{all:?}");
    for index in [0, 1, 2, 1, 0] {
        let ran = place.line(&format!(
            "run memdb -P slices -p readproportion=0.5 -p updateproportion=0 -p insertproportion=0.5 -p \
             client.count=3 -p client.index={index}"
        ));
        assert_eq!(ran.code, Some(0), "{index}: {ran:?}");
    }
    let merged = place.line("report load.0 load.1 load.2 --out merged");
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert!(merged.stdout.contains("[INSERT], Return=OK, 300"), "{merged:?}");
    let document = read_document(&place.path("merged")).expect("a document");
    assert_eq!(document.load.map(|load| (load.loaded, load.planned)), Some((300, Some(300))));
    assert_eq!(document.processes.len(), 3);
}

#[test]
fn rerunning_workloads_d_and_e_creates_no_duplicates() {
    let place = Place::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../workloads");
    let load = place.line(&format!("load memdb -P {folder}/workloadd -p mem.file=records"));
    assert_eq!(load.code, Some(0), "{load:?}");
    for workload in ["workloadd", "workloade", "workloadd", "workloade"] {
        let ran = place.line(&format!("run memdb -P {folder}/{workload} -p mem.file=records -threads 3"));
        assert_eq!(ran.code, Some(0), "{workload}: {ran:?}");
        assert!(!ran.stdout.contains("INSERT-FAILED"), "{workload}: {ran:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_digests_whatever_the_timing() {
    let place = place();
    let digests = |line: &str| {
        let (ran, document) = documented(&place, &format!("run memdb -P base -threads 3 {line}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        document.processes[0].digests.clone()
    };
    let quick = digests("-p seed=7");
    assert_eq!(quick.len(), 3);
    assert!(quick.iter().all(|digest| digest.as_ref().is_some_and(|text| text.len() == 16)), "{quick:?}");
    assert_eq!(quick, digests("-p seed=7 -p mem.delay=1ms -p mem.delay.every=3"));
    assert_ne!(quick, digests("-p seed=8"));
}

#[test]
fn the_warm_up_is_carried_out_and_in_no_figure() {
    // The first 100 calls fail: all of them belong to the warm-up.
    let (ran, document) =
        documented(&place(), "run memdb -P base -p warmup=100 -p mem.fail=ERROR -p mem.times=100");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!((document.operations.successful, document.operations.failed), (400, 0));
    let calls: u64 =
        document.measurements.iter().filter(|one| one.name != "CLEANUP").map(|one| one.service.count()).sum();
    assert_eq!(calls, 400);
    assert_eq!(document.processes[0].plan.warm_up, "100 operations");
}

#[test]
fn a_binding_that_fails_every_call_has_no_throughput() {
    let (ran, document) = documented(&place(), "run memdb -P base -p mem.fail=SERVICE_UNAVAILABLE");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("[OVERALL], Throughput(ops/sec), 0.0"), "{ran:?}");
    assert_eq!((document.operations.successful, document.operations.failed), (0, 400));
    assert!(document.operations.slowed_down_ns > 0, "a storm is slowed down");
    assert_eq!(document.verdict.as_ref().map(|verdict| verdict.judgement), Some(Judgement::Invalid));
    assert_eq!(document.causes.iter().map(|cause| cause.count).sum::<u64>(), 400);
    let last = ran.stderr.lines().filter(|line| line.contains("verdict: ")).collect::<Vec<_>>();
    assert_eq!(last, ["ycsb-host: verdict: INVALID"]);
}
