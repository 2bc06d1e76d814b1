//! What a run leaves behind: the result document, the manifest of a load, the verdict, and no secrets.

use crate::honest::{documented, place, reasons};
use crate::support::Place;

#[test]
fn a_load_gives_a_receipt_with_retries() {
    let (ran, document) = documented(
        &place(),
        "load memdb -P base -p mem.prefill=false -p mem.fail=TIMEOUT -p mem.every=50 -p \
         core_workload_insertion_retry_limit=3 -p core_workload_insertion_retry_interval=0.001",
    );
    let load = document.load.expect("a receipt");
    assert_eq!((load.loaded, load.planned, load.missing, load.duplicates), (200, Some(200), 0, 0));
    assert_eq!(load.retries, 4, "{ran:?}");
    assert!(ran.stderr.contains("loaded 200 of 200 records, 4 inserts were sent again"), "{ran:?}");
}

#[test]
fn a_load_leaves_a_manifest_that_a_run_is_checked_against() {
    let place = Place::new();
    place.file("base", "workload=core\nrecordcount=200\noperationcount=10\nmem.file=records\nfieldcount=3\n");
    let load = place.line("load memdb -P base --out load.json");
    assert_eq!(load.code, Some(0), "{load:?}");
    let agrees = place.line("run memdb -P base -p dataset.file=load.dataset.json");
    assert_eq!(agrees.code, Some(0), "{agrees:?}");
    assert!(!agrees.stderr.contains("but the data was loaded with"), "{agrees:?}");
    let differs =
        place.line("run memdb -P base -p dataset.file=load.dataset.json -p fieldcount=4 -p recordcount=150");
    for part in [
        "fieldcount=4, but the data was loaded with fieldcount=3",
        "recordcount=150, but the data was loaded with",
    ] {
        assert!(differs.stderr.contains(part), "{part}: {differs:?}");
    }
    for line in ["run memdb -P base -p dataset.file=missing", "run memdb -P base -p dataset.file=base"] {
        let refused = place.line(line);
        assert_eq!(refused.code, Some(2), "{line}: {refused:?}");
        assert!(refused.stderr.contains("is no manifest of a load"), "{refused:?}");
    }
}

#[test]
fn a_doubtful_verdict_fails_the_run_where_it_was_asked_to() {
    let place = place();
    let (ran, document) = documented(&place, "run memdb -P base");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // 200 reads are too few for the 99th percentile.
    assert!(reasons(&document).contains(&"too-short"), "{:?}", document.verdict);
    assert_eq!(place.line("run memdb -P base -p verdict.fail=suspect").code, Some(1));
    assert_eq!(place.line("run memdb -P base -p verdict.fail=invalid").code, Some(0));
}

#[test]
fn the_document_holds_plan_plugin_machine_and_cost() {
    let (ran, document) = documented(
        &place(),
        "run memdb -P base -threads 2 -p threadcount=3 -p seed=5 -p batchsize=1 --calibrate -p mem.delay=1ms",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let process = &document.processes[0];
    let threads = process.plan.properties.iter().find(|one| one.name == "threadcount").expect("threadcount");
    assert_eq!((threads.value.as_str(), threads.origin.as_str()), ("3", "argument -p"));
    assert_eq!(threads.overrides[0].value, "2");
    assert!(process.plan.properties.iter().any(|one| one.name == "fieldcount" && one.origin == "default"));
    assert_eq!((process.plan.seed, process.plan.clients), (5, 3));
    assert_eq!((process.plugin.name.as_str(), process.plugin.is_async), ("memdb", false));
    assert!(process.plugin.connected_to.contains("store \"default\""), "{:?}", process.plugin);
    assert!(process.plugin.capabilities.contains(&"SCAN".to_owned()));
    assert!(process.host.cores.is_some_and(|cores| cores > 0));
    let cost = &process.client_cost;
    assert!(cost.cpu_ns > 0 && cost.peak_memory_bytes > 0 && cost.voluntary_switches > 0, "{cost:?}");
    let clients = cost.threads.iter().filter(|thread| thread.name.starts_with("client-")).count();
    assert_eq!(clients, 3, "{cost:?}");
    let calibration = process.calibration.expect("a calibration");
    assert!(calibration.operations > 0 && calibration.host_ns_per_operation > 0.0, "{calibration:?}");
    assert!(ran.stderr.contains("client: ") && ran.stderr.contains("ns per operation of its own"), "{ran:?}");
    assert!(ran.stderr.contains("latencies are service times of a closed loop"), "{ran:?}");
    assert!(process.program.command_line.starts_with("run memdb -P base"), "{:?}", process.program);
}

#[test]
fn a_saved_result_is_reported_as_it_was_after_the_run() {
    let place = place();
    for kind in ["hdrhistogram", "histogram", "timeseries"] {
        let (ran, _) = documented(
            &place,
            &format!(
                "run memdb -P base -threads 2 -p measurementtype={kind} -p mem.fail=ERROR -p mem.every=40"
            ),
        );
        let shown = place.line("report result.json");
        assert_eq!(shown.code, Some(0), "{shown:?}");
        let report = ran.stdout.find("[OVERALL]").map(|start| &ran.stdout[start..]);
        assert_eq!(Some(shown.stdout.as_str()), report, "{kind}");
        let json = place.line("report result.json --exporter json");
        let parsed: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
        assert_eq!(parsed["successful_operations"], 390);
        assert_eq!(parsed["verdict"]["judgement"], "INVALID");
    }
    assert_eq!(place.line("report missing").code, Some(2));
    assert_eq!(place.line("report base").code, Some(2));
}

#[test]
fn a_result_that_cannot_be_written_is_found_before_the_run() {
    let ran = place().line("run memdb -P base --out missing/result.json");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("result.file=\"missing/result.json\" cannot be written"), "{ran:?}");
}

#[test]
fn secrets_are_in_no_file_and_on_no_stream() {
    let secrets = ["secret-by-argument", "secret-in-file", "secret-of-environment", "secret-in-reference"];
    for (given, property) in [
        (secrets[0], "-p redis.password=secret-by-argument".to_owned()),
        (secrets[1], "-P secrets".to_owned()),
        (secrets[2], "-p redis.password=env:YCSB_TEST_SECRET".to_owned()),
        (secrets[3], "-p redis.password=file:reference".to_owned()),
    ] {
        let place = place().variable("YCSB_TEST_SECRET", secrets[2]);
        place.file("secrets", "redis.password=secret-in-file\n").file("reference", "secret-in-reference\n");
        // The store's name makes the plugin itself say the secret.
        place.file("store", format!("mem.store={given}\n"));
        let folder = place.path("out");
        std::fs::create_dir(&folder).expect("a folder");
        let mut said = String::new();
        for command in [
            "load memdb -s -p mem.prefill=false",
            "run memdb -s -p mem.fail=ERROR -p mem.every=7 -p measurement.histogram.verbose=true",
            "explain run memdb",
        ] {
            let line = format!(
                "{command} -P base -P store {property} --out out/result.json -p dataset.file=out/data.json -p \
                 hdrhistogram.fileoutput=true -p hdrhistogram.output.path=out/hdr"
            );
            let ran = place.line(&line);
            assert!(matches!(ran.code, Some(0 | 1)), "{line}: {ran:?}");
            said.push_str(&ran.stdout);
            said.push_str(&ran.stderr);
        }
        let shown = place.line("report out/result.json");
        said.push_str(&shown.stdout);
        said.push_str(&shown.stderr);
        let files: Vec<_> =
            std::fs::read_dir(&folder).expect("files").map(|entry| entry.expect("a file").path()).collect();
        assert!(files.len() >= 3, "{files:?}");
        for file in files {
            said.push_str(&String::from_utf8_lossy(&std::fs::read(&file).expect("content")));
        }
        assert!(said.contains("store \\\"(secret)\\\""), "the plugin said its store's name: {given}");
        assert!(
            !said.contains(given),
            "{given}: {}",
            said.lines().find(|line| line.contains(given)).unwrap_or("")
        );
    }
}

#[test]
fn a_load_in_batches_is_calibrated_with_batches() {
    let (ran, document) =
        documented(&place(), "load memdb -P base -p mem.prefill=false -p batchsize=20 -p seed=3 --calibrate");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(document.load.map(|load| load.loaded), Some(200), "the calibration is in no figure");
    assert_eq!(document.causes, []);
    let calibration = document.processes[0].calibration.expect("a calibration");
    assert!(calibration.operations > 200 && calibration.cpu_ns > 0, "{calibration:?}");
}
