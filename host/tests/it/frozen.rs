//! Plugins that were built on the day when their version of the interface was frozen: every later host loads and
//! runs them. `tests/frozen/README.md` says how they were built.

use crate::support::{Place, workload};

const INTERFACE_1: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/frozen/abi-1");

/// The blocking and the async binding of the kept library: both tables of the interface.
const BOTH: [&str; 2] = ["memdb", "memdb-async"];

#[test]
fn the_plugin_of_the_freeze_of_interface_1_says_what_it_is() {
    for binding in BOTH {
        let ran = Place::new().line(&format!("describe {binding} -cp {INTERFACE_1}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        for part in
            ["abi-1/libycsb_memdb.so", "built with    rustc 1.95.0, ycsb-plugin-api 0.1.0", "mem.file"]
        {
            assert!(ran.stdout.contains(part), "{part:?} is missing: {}", ran.stdout);
        }
    }
}

#[test]
fn the_plugin_of_the_freeze_of_interface_1_runs_workloads_and_keeps_their_data() {
    for binding in BOTH {
        let place = Place::new();
        let verified = |line: &str, done: &[&str]| {
            let ran = place.line(&format!(
                "{line} -cp {INTERFACE_1} -p mem.file=records -p dataintegrity=true -threads 3"
            ));
            assert_eq!(ran.code, Some(0), "{line}: {ran:?}");
            for part in done {
                assert!(ran.stdout.contains(part), "{line}: {part:?} is missing: {}", ran.stdout);
            }
            assert!(!ran.stdout.contains("Return=ERROR"), "{line}: {}", ran.stdout);
        };
        let (a, e) = (workload("workloada"), workload("workloade"));
        verified(&format!("load {binding} -P {a} -p batchsize=20"), &["[INSERT], Return=OK, 1000"]);
        verified(
            &format!("run {binding} -P {a}"),
            &["[READ], Return=OK, ", "[UPDATE], Return=OK, ", "[VERIFY], Return=OK, "],
        );
        verified(&format!("run {binding} -P {e}"), &["[SCAN], Return=OK, "]);
    }
}

#[test]
fn the_plugin_of_the_freeze_of_interface_1_can_be_stopped() {
    for (binding, part) in [
        ("memdb", "interrupted by the end of the run"),
        ("memdb-async", "calls in flight at the end that did not return"),
    ] {
        let limits = "-p maxexecutiontime=1 -p mem.delay=1h -p stop.grace=100ms";
        let line = format!("run {binding} -cp {INTERFACE_1} -p workload=core -p readproportion=1 {limits}");
        let ran = Place::new().line(&format!("{line} -p updateproportion=0 -p operationcount=1000"));
        assert!(ran.stdout.contains("[OVERALL], RunTime(ms), "), "{ran:?}");
        assert!(ran.stderr.contains(part), "{part:?} is missing: {}", ran.stderr);
    }
}
