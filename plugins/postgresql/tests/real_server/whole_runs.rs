//! Whole loads and runs of the program.

use crate::interchange::{columns, documents, left_columns, left_documents, write_columns, write_documents};
use crate::support::{LAYOUTS, Place, plain};
use std::time::{Duration, Instant};
use ycsb_test_services::{Program, STOCK, Service, split};

/// The name under which each layout's users know the binding.
const NAMES: [&str; 3] = ["postgresql", "jdbc", "postgrenosql"];

fn program() -> Program {
    Program::with_plugin("ycsb-postgresql")
}

/// The words of a phase on a server.
fn words(phase: &str, name: &str, server: &Service, file: &str, more: &str) -> Vec<String> {
    let mut words: Vec<String> = split(&format!("{phase} {name} -P workloads/{file} {more}")).collect();
    words.extend(server.properties(name));
    words
}

#[test]
fn all_stock_workloads_load_and_run_under_every_name() {
    for name in NAMES {
        let Some(place) = Place::fresh() else { return };
        for file in STOCK {
            let table = format!("-table {} -threads 4", place.table);
            let load = words("load", name, place.server(), file, &format!("{table} -p dropdata=true"));
            assert_eq!(program().run(load).sound().succeeded("INSERT"), 1000, "{name} {file}");
            let ran = program().run(words("run", name, place.server(), file, &table));
            assert_eq!(ran.sound().turns(), 1000, "{name} {file}: {ran:?}");
        }
    }
}

#[test]
fn batches_and_portions_are_set_by_the_names_of_ycsb() {
    let Some(place) = Place::fresh() else { return };
    let table = format!("-table {} -threads 2 -p jdbc.fetchsize=10", place.table);
    let batches = format!("{table} -p db.batchsize=64 -p jdbc.batchupdateapi=true");
    let load = words("load", "jdbc", place.server(), "workloade", &batches);
    assert_eq!(program().run(load).sound().value("INSERT-BATCH", "Operations"), Some(16.0));
    let ran = program().run(words("run", "jdbc", place.server(), "workloade", &table));
    assert_eq!(ran.sound().done(), 1000);
}

#[test]
fn the_rules_for_all_bindings_hold() {
    for layout in LAYOUTS {
        let Some(mut place) = Place::fresh() else { return };
        // The rules have a table of their own, which both layouts would share.
        let schema = format!("rules_{}", place.table);
        place.execute(&format!("CREATE SCHEMA {schema}"));
        let url = format!("{}?currentSchema={schema}", place.server().fact("URL"));
        let mut check: Vec<String> = split("check postgresql").collect();
        for (name, value) in [
            ("postgresql.url", &*url),
            ("postgresql.user", place.server().fact("USERNAME")),
            ("postgresql.password", place.server().fact("PASSWORD")),
            ("postgresql.layout", layout),
        ] {
            check.extend(["-p".to_owned(), format!("{name}={value}")]);
        }
        program().run(check).sound();
        place.execute(&format!("DROP SCHEMA {schema} CASCADE"));
    }
}

#[test]
fn what_is_loaded_with_integrity_equals_the_dumps_of_ycsb_and_both_verify() {
    for name in ["jdbc", "postgrenosql"] {
        let (Some(mut loaded), Some(mut dumped)) = (Place::fresh(), Place::fresh()) else { return };
        let shape = "-p dataintegrity=true -p recordcount=7 -p fieldcount=3 -p fieldlength=100 -threads 2";
        let load = format!("{shape} -table {} -p db.batchsize=3", loaded.table);
        program().run(words("load", name, loaded.server(), "workloada", &load)).sound();
        if name == "jdbc" {
            assert_eq!(left_columns(&mut loaded, 0), columns());
            write_columns(&mut dumped);
        } else {
            assert_eq!(left_documents(&mut loaded), documents());
            write_documents(&mut dumped);
        }
        for file in ["workloadc", "workloadf", "workloada"] {
            let more = format!("{shape} -table {} -p operationcount=300", dumped.table);
            let ran = program().run(words("run", name, dumped.server(), file, &more));
            ran.sound().verified_all_reads();
        }
    }
}

#[test]
fn a_server_that_is_down_ends_the_run_with_code_3_and_names_address_and_property() {
    let began = Instant::now();
    let url = "-p postgresql.url=jdbc:postgresql://127.0.0.1:9/ycsb";
    let ran = program().run(split(&format!("run postgresql -P workloads/workloada {url}")));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.stderr.contains("postgresql.url: cannot connect to 127.0.0.1:9: Connection refused"),
        "{ran:?}"
    );
    let silent = "-p postgresql.url=jdbc:postgresql://192.0.2.1/ycsb -p connect.timeout=1s";
    let ran = program().run(split(&format!("run postgresql -P workloads/workloada {silent}")));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("192.0.2.1:5432"), "{ran:?}");
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

#[test]
fn settings_that_cannot_be_honoured_end_with_code_2() {
    for (more, says) in [
        ("", "postgresql.url"),
        ("-p db.url=jdbc:mysql://localhost/ycsb", "the URL is for mysql"),
        ("-p db.url=jdbc:postgresql://h/d -p db.driver=com.mysql.jdbc.Driver", "belongs to another database"),
        ("-p db.url=jdbc:postgresql://h/d?sslrootcert=/nowhere/ca.pem&sslmode=verify-ca", "cannot be read"),
        ("-p db.urk=x", "db.url"),
    ] {
        let ran = program().run(split(&format!("run jdbc -P workloads/workloada {more}")));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(says), "{ran:?}");
    }
}

#[test]
fn a_run_on_an_absent_table_ends_with_code_3() {
    let Some(place) = Place::fresh() else { return };
    let table = format!("-table {}", place.table);
    let ran = program().run(words("run", "postgresql", place.server(), "workloada", &table));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("load the data first"), "{ran:?}");
}

#[test]
fn who_is_not_trusted_ends_the_run_with_code_3_and_no_secret_is_shown() {
    let Some(server) = Service::up("postgresql-tls", &[]) else { return };
    let (right, other) = (server.fact("CA_FILE"), server.fact("OTHER_CA_FILE"));
    let (password, port) = (server.fact("PASSWORD"), server.fact("PORT"));
    for (host, ca, password, says) in [
        ("localhost", other, password, "unknown CA"),
        (server.fact("WRONG_HOST"), right, password, "wrong host name"),
        ("localhost", right, "hunter2-secret", "password authentication failed"),
    ] {
        let options = format!("sslmode=verify-full&sslrootcert={ca}");
        let url = format!("jdbc:postgresql://{host}:{port}/ycsb?{options}");
        for login in [
            format!("-p db.url={url} -p db.user=ycsb -p db.passwd={password}"),
            format!("-p db.url={url}&user=ycsb&password={password}"),
            format!("-p db.url={}", url.replace("jdbc:", "").replace("//", &format!("//ycsb:{password}@"))),
        ] {
            let ran = program().run(split(&format!("load jdbc -P workloads/workloada {login}")));
            assert_eq!(ran.code, Some(3), "{ran:?}");
            assert!(ran.stderr.contains(says), "{ran:?}");
            for secret in [server.fact("PASSWORD"), "hunter2-secret"] {
                assert!(!ran.everything().contains(secret), "{ran:?}");
            }
        }
    }
    let ran = program().run(words("load", "postgresql", &server, "workloada", "-p dropdata=true"));
    assert_eq!(ran.sound().succeeded("INSERT"), 1000);
}

/// Waits until `count` answers with at least so many, then kills and restarts the server.
fn crash(server: &Service, count: &str, at_least: i64) {
    let mut watcher = plain(server);
    let until = Instant::now() + Duration::from_secs(120);
    let reached = |watcher: &mut postgres::Client| {
        watcher.query_one(count, &[]).is_ok_and(|row| row.get::<_, i64>(0) >= at_least)
    };
    while !reached(&mut watcher) && Instant::now() < until {
        std::thread::yield_now();
    }
    server.signal("kill", "");
    server.signal("start", "");
}

#[test]
fn a_load_goes_on_over_a_crash_and_nothing_acknowledged_is_missing() {
    let Some(server) = Service::up("postgresql@crash-in-load", &[]) else { return };
    let more = "-threads 4 -target 300 -p recordcount=4000 -p errors.allowed=50 \
                -p core_workload_insertion_keep_going_on_error=true";
    let ran = std::thread::scope(|scope| {
        let load = scope.spawn(|| program().run(words("load", "postgresql", &server, "workloada", more)));
        crash(&server, "SELECT count(*) FROM usertable", 1_000);
        load.join().expect("it ends")
    });
    let acknowledged = ran.succeeded("INSERT");
    let lost = ran.returned("INSERT", "SERVICE_UNAVAILABLE");
    assert!((1..=8).contains(&lost) && acknowledged + lost == 4000, "{ran:?}");
    let there: i64 = plain(&server).query_one("SELECT count(*) FROM usertable", &[]).unwrap().get(0);
    assert!(there as u64 >= acknowledged, "{there} of {acknowledged}: {ran:?}");
    server.down();
}

#[test]
fn a_run_goes_on_over_a_crash_and_counts_what_failed() {
    let Some(server) = Service::up("postgresql@crash-in-run", &[]) else { return };
    program().run(words("load", "postgresql", &server, "workloadb", "-p batchsize=100")).sound();
    let more = "-threads 4 -target 1500 -p operationcount=20000 -p errors.allowed=50";
    let ran = std::thread::scope(|scope| {
        let run = scope.spawn(|| program().run(words("run", "postgresql", &server, "workloadb", more)));
        let sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ycsb-host'";
        crash(&server, sessions, 4);
        run.join().expect("it ends")
    });
    let failed: u64 = ["READ", "UPDATE"].iter().map(|name| ran.returned(name, "SERVICE_UNAVAILABLE")).sum();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!((1..=8).contains(&failed) && ran.done() + failed == 20_000, "{ran:?}");
    server.down();
}

#[test]
fn a_run_on_a_frozen_server_ends_at_its_deadline_with_a_report() {
    let Some(server) = Service::up("postgresql@frozen-in-run", &[]) else { return };
    program().run(words("load", "postgresql", &server, "workloadc", "-p batchsize=100")).sound();
    let more = "-threads 4 -p operationcount=0 -p maxexecutiontime=5 -target 400";
    let began = Instant::now();
    let ran = std::thread::scope(|scope| {
        let run = scope.spawn(|| program().run(words("run", "postgresql", &server, "workloadc", more)));
        let mut watcher = plain(&server);
        // Rows that were read, as the server's statistics have them a second later.
        let read = "SELECT coalesce(sum(idx_scan), 0)::bigint FROM pg_stat_user_tables";
        while watcher.query_one(read, &[]).unwrap().get::<_, i64>(0) < 100
            && began.elapsed() < Duration::from_secs(60)
        {
            std::thread::yield_now();
        }
        drop(watcher);
        server.signal("stop", "");
        let ran = run.join().expect("the run ends");
        server.signal("cont", "");
        ran
    });
    assert!(began.elapsed() < Duration::from_secs(100), "{:?}", began.elapsed());
    assert!(ran.succeeded("READ") > 0, "a report of what was done: {ran:?}");
    server.down();
}

#[test]
fn published_studies_are_a_command_per_phase() {
    let Some(place) = Place::fresh() else { return };
    let study = |file: &str, clients: usize, shape: &str, records: u64, operations: u64| {
        let table = format!("{}_{clients}_{file}", place.table);
        let size = format!("-table {table} -threads {clients} -p recordcount={records} {shape}");
        let load = words("load", "postgresql", place.server(), file, &format!("{size} -p batchsize=50"));
        assert_eq!(program().run(load).sound().succeeded("INSERT"), records);
        let run = format!("{size} -p operationcount={operations}");
        let ran = program().run(words("run", "postgresql", place.server(), file, &run));
        assert_eq!(ran.sound().done(), operations, "{ran:?}");
        plain(place.server()).batch_execute(&format!("DROP TABLE {table}")).unwrap();
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

#[test]
fn old_command_lines_name_classes() {
    let Some(place) = Place::fresh() else { return };
    let table = format!("-P workloads/workloadc -table {}", place.table);
    for (class, name) in [
        ("com.yahoo.ycsb.db.JdbcDBClient", "jdbc"),
        ("site.ycsb.postgrenosql.PostgreNoSQLDBClient", "postgrenosql"),
    ] {
        let table = format!("{table}{name}");
        for phase in ["-load", "-t"] {
            let mut old: Vec<String> = split(&format!("-db {class} {phase} {table}")).collect();
            old.extend(place.server().properties(name));
            assert_eq!(program().run(old).sound().done(), 1_000, "{class}");
        }
        plain(place.server()).batch_execute(&format!("DROP TABLE {}{name}", place.table)).unwrap();
    }
}
