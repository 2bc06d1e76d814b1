//! Whole loads and runs of the program.

use crate::support::{Place, plain};
use std::time::{Duration, Instant};
use ycsb_test_services::{Program, Ran, STOCK, Service, split};

fn program() -> Program {
    Program::with_plugin("ycsb-sqlstore")
}

/// The words of a phase on a place's table.
fn words(start: &str, place: &Place, file: &str, more: &str) -> Vec<String> {
    let table = format!("-p store.table={}.store", place.schema);
    let mut words: Vec<String> = split(&format!("{start} -P workloads/{file} {table} {more}")).collect();
    words.extend(place.server().properties("sqlstore"));
    words
}

#[test]
fn all_stock_workloads_load_and_run_under_every_name() {
    for start in ["sqlstore", "store", "voltdb", "voltstore"] {
        let Some(place) = Place::fresh() else { return };
        for file in STOCK {
            let load =
                words(&format!("load {start}"), &place, file, "-threads 4 -p dropdata=true -p batchsize=20");
            assert_eq!(program().run(load).sound().succeeded("INSERT"), 1000, "{start} {file}");
            let ran = program().run(words(&format!("run {start}"), &place, file, "-threads 4"));
            assert_eq!(ran.sound().turns(), 1000, "{start} {file}: {ran:?}");
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
            assert_eq!(ran.sound().done(), 1_000, "{class}");
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
        program().run(check).sound();
    }
}

#[test]
fn data_with_integrity_verify_and_are_packed_as_the_original_packs_them() {
    let Some(mut place) = Place::fresh() else { return };
    let more = "-p dataintegrity=true -p recordcount=7 -p fieldcount=3 -p fieldlength=100 -threads 2";
    program().run(words("load sqlstore", &place, "workloada", more)).sound();
    // 4 + 3 x (8 + 6 + 100).
    assert_eq!(place.ask("SELECT string_agg(DISTINCT octet_length(value)::text, ',') FROM store"), "346");
    for file in ["workloadc", "workloadf", "workloada"] {
        let ran =
            program().run(words("run sqlstore", &place, file, &format!("{more} -p operationcount=300")));
        ran.sound().verified_all_reads();
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
    assert_eq!(ran.sound().succeeded("INSERT"), 1000);
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

#[test]
fn published_studies_are_a_command_per_phase() {
    let Some(place) = Place::fresh() else { return };
    let study = |file: &str, clients: usize, shape: &str, records: u64, operations: u64| {
        let size = format!("-threads {clients} -p recordcount={records} {shape}");
        let load = words("load store", &place, file, &format!("{size} -p dropdata=true -p batchsize=50"));
        assert_eq!(program().run(load).sound().succeeded("INSERT"), records);
        let run = format!("{size} -p operationcount={operations}");
        let ran = program().run(words("run store", &place, file, &run));
        assert_eq!(ran.sound().done(), operations, "{ran:?}");
    };
    // With 100,000 records and 500,000 operations.
    study("workloada", 8, "", 2_000, 5_000);
    // 100 clients that read only, 8 fields of 250 bytes; 150 clients, 5 fields of 10 bytes.
    study("workloadc", 100, "-p fieldcount=8 -p fieldlength=250", 2_000, 10_000);
    study("workloada", 150, "-p fieldcount=5 -p fieldlength=10", 2_000, 5_000);
    // A million records.
    for clients in [5, 10, 50, 100, 200] {
        study("workloadb", clients, "", 2_000, 4_000);
    }
}

/// The words of a phase on a server of one test alone.
fn alone(phase: &str, server: &Service, more: &str) -> Vec<String> {
    let mut words: Vec<String> =
        split(&format!("{phase} store -P workloads/workloadb -threads 4 {more}")).collect();
    words.extend(server.properties("sqlstore"));
    words
}

/// Waits until `count` answers with at least so many.
fn reach(server: &Service, count: &str, at_least: i64) {
    let mut watcher = plain(server);
    let until = Instant::now() + Duration::from_secs(120);
    let reached = |watcher: &mut postgres::Client| {
        watcher.query_one(count, &[]).is_ok_and(|row| row.get::<_, i64>(0) >= at_least)
    };
    while !reached(&mut watcher) && Instant::now() < until {
        std::thread::yield_now();
    }
}

#[test]
fn a_load_and_a_run_go_on_over_a_crash_and_nothing_acknowledged_is_missing() {
    let Some(server) = Service::up("postgresql@crash-in-store", &[]) else { return };
    let crashed = |words: Vec<String>, count: &str, at_least: i64| {
        std::thread::scope(|scope| {
            let work = scope.spawn(|| program().run(words));
            reach(&server, count, at_least);
            server.signal("kill", "");
            server.signal("start", "");
            work.join().expect("it ends")
        })
    };
    let lost = |ran: &Ran, name: &str| ran.returned(name, "SERVICE_UNAVAILABLE");
    let load = alone(
        "load",
        &server,
        "-target 300 -p recordcount=4000 -p errors.allowed=50 -p core_workload_insertion_keep_going_on_error=true",
    );
    let ran = crashed(load, "SELECT count(*) FROM store", 1_000);
    let (acknowledged, failed) = (ran.succeeded("INSERT"), lost(&ran, "INSERT"));
    assert!((1..=8).contains(&failed) && acknowledged + failed == 4_000, "{ran:?}");
    let there: i64 = plain(&server).query_one("SELECT count(*) FROM store", &[]).unwrap().get(0);
    assert!(there as u64 >= acknowledged, "{there} of {acknowledged}: {ran:?}");

    let run = "-target 1500 -p recordcount=4000 -p operationcount=20000 -p errors.allowed=60";
    let sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ycsb-host'";
    let ran = crashed(alone("run", &server, run), sessions, 4);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let failed = lost(&ran, "READ") + lost(&ran, "UPDATE");
    let missing = ran.returned("READ", "NOT_FOUND");
    assert!((1..=8).contains(&failed) && ran.done() + failed + missing == 20_000, "{ran:?}");
    server.down();
}

#[test]
fn a_run_on_a_frozen_server_ends_at_its_deadline_with_a_report() {
    let Some(server) = Service::up("postgresql@frozen-store", &[]) else { return };
    program().run(alone("load", &server, "-p batchsize=100")).sound();
    let began = Instant::now();
    let ran = std::thread::scope(|scope| {
        let more = "-p operationcount=0 -p maxexecutiontime=5 -target 400";
        let run = scope.spawn(|| program().run(alone("run", &server, more)));
        let in_full_swing = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ycsb-host' \
                             AND query_start > backend_start + interval '1 second'";
        reach(&server, in_full_swing, 4);
        server.signal("stop", "");
        let ran = run.join().expect("the run ends");
        server.signal("cont", "");
        ran
    });
    assert!(began.elapsed() < Duration::from_secs(100), "{:?}", began.elapsed());
    assert!(ran.succeeded("READ") > 0, "a report of what was done: {ran:?}");
    server.down();
}
