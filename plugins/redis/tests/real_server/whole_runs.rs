//! Whole loads and runs of the program.

use crate::interchange::{self, Dump};
use crate::support::Database;
use redis::Commands;
use std::collections::HashSet;
use std::time::{Duration, Instant};
use ycsb_test_services::{Program, Ran, STOCK, Service, split};

fn program() -> Program {
    Program::with_plugin("ycsb-redis")
}

/// The words of a phase on a server.
fn words(phase: &str, server: &Service, file: &str, more: &str) -> Vec<String> {
    let mut words: Vec<String> = split(&format!("{phase} redis -P workloads/{file} {more}")).collect();
    words.extend(server.properties("redis"));
    words
}

fn plain(server: &Service) -> redis::Connection {
    let url = format!("redis://{}:{}", server.fact("HOST"), server.fact("PORT"));
    redis::Client::open(url).unwrap().get_connection().unwrap()
}

#[test]
fn all_stock_workloads_load_and_run_with_every_operation_accounted_for() {
    let Some(database) = Database::empty() else { return };
    for order in ["hash", "key"] {
        let number = format!("-p redis.db={} -p redis.scanorder={order}", database.number());
        for file in STOCK {
            let load =
                words("load", database.server(), file, &format!("{number} -threads 4 -p dropdata=true"));
            assert_eq!(program().run(load).sound().succeeded("INSERT"), 1000, "{file}");
            let ran = program().run(words("run", database.server(), file, &format!("{number} -threads 4")));
            assert_eq!(ran.sound().turns(), 1000, "{file}: {ran:?}");
        }
    }
}

#[test]
fn all_stock_workloads_run_on_a_cluster_and_over_tls() {
    for name in ["redis-cluster", "redis-tls", "redis-mutual-tls"] {
        let Some(server) = Service::up(name, &[]) else { continue };
        let _alone = crate::cluster::ALONE.lock();
        for file in STOCK {
            let load = words("load", &server, file, "-threads 4 -p dropdata=true -p redis.batchsize=50");
            assert_eq!(program().run(load).sound().succeeded("INSERT"), 1000, "{name} {file}");
            let ran = program().run(words("run", &server, file, "-threads 4"));
            assert_eq!(ran.sound().turns(), 1000, "{name} {file}: {ran:?}");
        }
    }
}

#[test]
fn the_rules_for_all_bindings_hold() {
    for more in ["", "-p redis.scanorder=key -p redis.strictupdate=true"] {
        let Some(database) = Database::empty() else { return };
        let mut check: Vec<String> = split("check redis -p check.fresh=true").collect();
        check.extend(database.server().properties("redis"));
        check.extend(split(&format!("-p redis.db={} {more}", database.number())));
        program().run(check).sound();
    }
}

#[test]
fn what_is_loaded_with_integrity_equals_the_dump_of_ycsb_and_both_verify() {
    let Some(mut database) = Database::empty() else { return };
    let golden = Dump::golden();
    let more = format!(
        "-p redis.db={} -p dataintegrity=true -p recordcount=7 -p fieldcount=3 -p fieldlength=100 -threads 2",
        database.number()
    );
    program()
        .run(words("load", database.server(), "workloada", &format!("{more} -p redis.batchsize=3")))
        .sound();
    assert_eq!(interchange::left(&mut database), golden);

    redis::cmd("FLUSHDB").exec(&mut database.plain).unwrap();
    golden.write(&mut database);
    for file in ["workloadc", "workloadf", "workloada"] {
        let run = words("run", database.server(), file, &format!("{more} -p operationcount=300"));
        let ran = program().run(run);
        ran.sound().verified_all_reads();
    }
}

#[test]
fn a_server_that_is_down_ends_the_run_with_code_3_and_names_address_and_property() {
    let began = Instant::now();
    let ran =
        program().run(split("run redis -P workloads/workloada -p redis.host=127.0.0.1 -p redis.port=9"));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.stderr.contains("redis.host, redis.port: cannot connect to 127.0.0.1:9: Connection refused"),
        "{ran:?}"
    );
    // Nobody answers there at all: the address is kept for documentation.
    let silent =
        "run redis -P workloads/workloada -p redis.host=192.0.2.1 -p redis.timeout=0 -p connect.timeout=1s";
    let ran = program().run(split(silent));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("192.0.2.1:6379"), "{ran:?}");
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

#[test]
fn settings_that_cannot_be_honoured_end_with_code_2() {
    for (more, says) in [
        ("-p redis.cluster=true -p redis.db=1", "a cluster has only database 0"),
        ("-p redis.tls_ca=/nowhere/ca.pem", "redis.tls_ca=/nowhere/ca.pem: cannot be read"),
        ("-p redis.hots=x", "redis.host"),
        ("-p redis.scanorder=random", "hash"),
    ] {
        let ran = program().run(split(&format!("run redis -P workloads/workloada {more}")));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(says), "{ran:?}");
    }
}

#[test]
fn who_is_not_trusted_ends_the_run_with_code_3_and_no_secret_is_shown() {
    let Some(server) = Service::up("redis-tls", &[]) else { return };
    let ca = |file: &str| format!("-p redis.tls_ca={}", server.fact(file));
    let password = format!("-p redis.password={}", server.fact("PASSWORD"));
    for (host, ca, password, says) in [
        ("localhost", ca("OTHER_CA_FILE"), &*password, "unknown CA"),
        (server.fact("WRONG_HOST"), ca("CA_FILE"), &*password, "wrong host name"),
        (
            "localhost",
            ca("CA_FILE"),
            "-p redis.password=hunter2-secret",
            "refused the password (redis.password)",
        ),
    ] {
        let port = server.fact("PORT");
        let place = format!("-p redis.host={host} -p redis.port={port}");
        let ran = program().run(split(&format!("run redis -P workloads/workloada {place} {ca} {password}")));
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains(says), "{ran:?}");
        for secret in [server.fact("PASSWORD"), "hunter2-secret"] {
            assert!(!ran.everything().contains(secret), "{ran:?}");
        }
    }
}

/// Kills and restarts the server once the program has done `after` of something that the server counts.
fn killed_and_restarted(
    server: &Service,
    counts: impl Fn(&mut redis::Connection) -> u64,
    words: Vec<String>,
) -> Ran {
    std::thread::scope(|scope| {
        let run = scope.spawn(|| program().run(words));
        let mut watcher = plain(server);
        let until = Instant::now() + Duration::from_secs(120);
        while counts(&mut watcher) == 0 && Instant::now() < until {
            std::thread::yield_now();
        }
        server.signal("kill", "");
        server.signal("start", "");
        run.join().expect("it ends")
    })
}

#[test]
fn a_load_goes_on_over_a_crash_and_nothing_acknowledged_is_missing() {
    let Some(server) = Service::up("redis-durable@crash-in-load", &[]) else { return };
    let more = "-threads 4 -target 800 -p recordcount=12000 -p errors.allowed=50 -p redis.timeout=20000 \
                -p core_workload_insertion_keep_going_on_error=true";
    let halfway = |watcher: &mut redis::Connection| watcher.zcard::<_, u64>("_indices").unwrap() / 1000;
    let ran = killed_and_restarted(&server, halfway, words("load", &server, "workloada", more));
    let acknowledged = ran.succeeded("INSERT");
    let lost = ran.returned("INSERT", "SERVICE_UNAVAILABLE");
    assert!((1..=4).contains(&lost) && acknowledged + lost == 12_000, "{ran:?}");
    let index: HashSet<String> = plain(&server).zrange("_indices", 0, -1).unwrap();
    assert!(index.len() as u64 >= acknowledged, "{} of {acknowledged}: {ran:?}", index.len());
    let mut connection = plain(&server);
    assert!(index.iter().all(|key| connection.hlen::<_, u64>(key).unwrap() == 10));
    assert!(ran.stderr.contains("acknowledged writes survive a crash"), "{ran:?}");
    server.down();
}

#[test]
fn a_run_goes_on_over_a_crash_and_counts_what_failed() {
    let Some(server) = Service::up("redis-durable@crash-in-run", &[]) else { return };
    program().run(words("load", &server, "workloadb", "-p redis.batchsize=100")).sound();
    let more = "-threads 4 -target 2000 -p operationcount=20000 -p errors.allowed=50 -p redis.timeout=20000";
    let reads = |watcher: &mut redis::Connection| {
        let stats: String = redis::cmd("INFO").arg("commandstats").query(watcher).unwrap();
        let calls = stats.split("cmdstat_hgetall:calls=").nth(1).and_then(|rest| rest.split(',').next());
        calls.map_or(0, |calls| calls.parse::<u64>().unwrap() / 1000)
    };
    let ran = killed_and_restarted(&server, reads, words("run", &server, "workloadb", more));
    let failed: u64 = ["READ", "UPDATE"].iter().map(|name| ran.returned(name, "SERVICE_UNAVAILABLE")).sum();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!((1..=4).contains(&failed) && ran.done() + failed == 20_000, "{ran:?}");
    server.down();
}

#[test]
fn a_run_on_a_frozen_server_ends_at_its_deadline_with_a_report() {
    let Some(server) = Service::up("redis@frozen-in-run", &[]) else { return };
    program().run(words("load", &server, "workloadc", "-p redis.batchsize=100")).sound();
    let more = "-threads 4 -p operationcount=0 -p maxexecutiontime=4 -p redis.timeout=0 -target 400";
    let began = Instant::now();
    let ran = std::thread::scope(|scope| {
        let run = scope.spawn(|| program().run(words("run", &server, "workloadc", more)));
        let mut watcher = plain(&server);
        let reads = |watcher: &mut redis::Connection| {
            let stats: String = redis::cmd("INFO").arg("commandstats").query(watcher).unwrap();
            stats.contains("cmdstat_hgetall")
        };
        while !reads(&mut watcher) && began.elapsed() < Duration::from_secs(60) {
            std::thread::yield_now();
        }
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
    let Some(database) = Database::empty() else { return };
    let number = format!("-p redis.db={}", database.number());
    let study = |file: &str, clients: usize, shape: &str, records: u64, operations: u64| {
        let size = format!("{number} -threads {clients} -p recordcount={records} {shape}");
        let load = format!("{size} -p dropdata=true");
        assert_eq!(
            program().run(words("load", database.server(), file, &load)).sound().succeeded("INSERT"),
            records
        );
        let run = format!("{size} -p operationcount={operations}");
        let ran = program().run(words("run", database.server(), file, &run));
        assert_eq!(ran.sound().done(), operations, "{ran:?}");
    };
    // With 100,000 records and 500,000 operations.
    study("workloada", 8, "", 2_000, 10_000);
    // 100 clients that read only, 8 fields of 250 bytes; 150 clients, 5 fields of 10 bytes.
    study("workloadc", 100, "-p fieldcount=8 -p fieldlength=250", 2_000, 10_000);
    study("workloada", 150, "-p fieldcount=5 -p fieldlength=10", 2_000, 10_000);
    // A million records.
    for clients in [5, 10, 50, 100, 200] {
        study("workloadb", clients, "", 2_000, 4_000);
    }
    // Old command lines name classes.
    let mut old: Vec<String> = split("-db com.yahoo.ycsb.db.RedisClient -t -P workloads/workloadb").collect();
    old.extend(database.server().properties("redis"));
    old.extend(split(&format!("{number} -p recordcount=2000")));
    assert_eq!(program().run(old).sound().done(), 1_000);
}
