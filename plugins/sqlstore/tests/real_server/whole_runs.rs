//! Whole loads and runs of the program.

use crate::support::Place;
use ycsb_test_services::{Program, Ran};

const STOCK: [&str; 6] = ["workloada", "workloadb", "workloadc", "workloadd", "workloade", "workloadf"];

fn program() -> Program {
    Program::with_plugin("ycsb-sqlstore")
}

fn split(words: &str) -> impl Iterator<Item = String> + '_ {
    words.split_whitespace().map(str::to_owned)
}

/// The words of a phase on a place's table.
fn words(start: &str, place: &Place, file: &str, more: &str) -> Vec<String> {
    let table = format!("-p store.table={}.store", place.schema);
    let mut words: Vec<String> = split(&format!("{start} -P workloads/{file} {table} {more}")).collect();
    words.extend(place.server().properties("sqlstore"));
    words
}

fn sound(ran: &Ran) -> &Ran {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

/// Operations that succeeded; the two halves of a read-modify-write count each.
fn done(ran: &Ran) -> u64 {
    ["READ", "UPDATE", "INSERT", "SCAN"].iter().map(|name| ran.succeeded(name)).sum()
}

#[test]
fn all_stock_workloads_load_and_run_under_every_name() {
    for start in ["sqlstore", "store", "voltdb", "voltstore"] {
        let Some(place) = Place::fresh() else { return };
        for file in STOCK {
            let load =
                words(&format!("load {start}"), &place, file, "-threads 4 -p dropdata=true -p batchsize=20");
            assert_eq!(sound(&program().run(load)).succeeded("INSERT"), 1000, "{start} {file}");
            let ran = program().run(words(&format!("run {start}"), &place, file, "-threads 4"));
            let pairs = sound(&ran).value("READ-MODIFY-WRITE", "Operations").unwrap_or_default() as u64;
            assert_eq!(done(&ran) - pairs, 1000, "{start} {file}: {ran:?}");
            assert!(ran.stderr.contains("Store table on PostgreSQL"), "{ran:?}");
            assert!(ran.stderr.contains(", not VoltDB"), "{ran:?}");
        }
    }
}

#[test]
fn old_command_lines_name_classes() {
    let Some(place) = Place::fresh() else { return };
    for class in ["com.yahoo.ycsb.db.VoltClient4", "site.ycsb.db.voltdb.VoltClient4"] {
        for (phase, more) in [("-load", "-p dropdata=true"), ("-t", "-p voltdb.scanall=yes")] {
            let ran = program().run(words(&format!("-db {class} {phase}"), &place, "workloade", more));
            assert_eq!(done(sound(&ran)), 1_000, "{class}");
        }
    }
}

#[test]
fn the_rules_for_all_bindings_hold() {
    for more in ["", "-p store.strictinsert=true"] {
        let Some(place) = Place::fresh() else { return };
        let mut check: Vec<String> = split("check sqlstore").collect();
        check.extend(place.server().properties("sqlstore"));
        check.extend(split(&format!("-p store.table={}.store {more}", place.schema)));
        sound(&program().run(check));
    }
}

#[test]
fn data_with_integrity_verify_and_are_packed_as_the_original_packs_them() {
    let Some(mut place) = Place::fresh() else { return };
    let more = "-p dataintegrity=true -p recordcount=7 -p fieldcount=3 -p fieldlength=100 -threads 2";
    sound(&program().run(words("load sqlstore", &place, "workloada", more)));
    // 4 + 3 x (8 + 6 + 100).
    assert_eq!(place.ask("SELECT string_agg(DISTINCT octet_length(value)::text, ',') FROM store"), "346");
    for file in ["workloadc", "workloadf", "workloada"] {
        let ran =
            program().run(words("run sqlstore", &place, file, &format!("{more} -p operationcount=300")));
        let verified = sound(&ran).value("VERIFY", "Return=OK").unwrap_or_default() as u64;
        assert_eq!(verified, ran.succeeded("READ"), "{ran:?}");
        assert!(verified > 0 && ran.value("VERIFY", "Return=UNEXPECTED_STATE").is_none(), "{ran:?}");
    }
}

#[test]
fn a_workload_beyond_the_limit_ends_with_code_2_before_anything_is_loaded() {
    let Some(place) = Place::fresh() else { return };
    let limit = "-p store.maxvalue=2056";
    let ran =
        program().run(words("load sqlstore", &place, "workloada", &format!("{limit} -p fieldlength=192")));
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("a packed record can have 2064 bytes (10 fields of up to 192)"), "{ran:?}");
    let ran =
        program().run(words("load sqlstore", &place, "workloada", &format!("{limit} -p fieldlength=191")));
    assert_eq!(sound(&ran).succeeded("INSERT"), 1000);
}

#[test]
fn voltdbs_port_ends_with_code_2_and_a_server_that_is_down_with_3() {
    for (servers, code, says) in [
        ("localhost:21212", 2, "is the port of VoltDB"),
        ("127.0.0.1:9", 3, "voltdb.url or voltdb.servers: cannot connect to 127.0.0.1:9"),
    ] {
        let ran =
            program().run(split(&format!("run voltdb -P workloads/workloada -p voltdb.servers={servers}")));
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(says), "{ran:?}");
    }
}
