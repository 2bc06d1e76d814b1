//! Whole loads and runs of the program.

use crate::support::{PlainClient, Server};
use std::time::{Duration, Instant};
use ycsb_test_services::{Program, STOCK, Service};

const BINDINGS: [&str; 2] = ["mongodb", "mongodb-async"];

fn program() -> Program {
    Program::with_plugin("ycsb-mongodb")
}

/// The words of a phase on a database of its own.
fn words(phase: &str, binding: &str, url: &str, database: &str, file: &str, more: &str) -> Vec<String> {
    let mut words: Vec<String> = [phase, binding, "-P"].map(str::to_owned).to_vec();
    words.push(format!("workloads/{file}"));
    for pair in [format!("mongodb.url={url}"), format!("mongodb.database={database}")] {
        words.extend(["-p".to_owned(), pair]);
    }
    words.extend(more.split_whitespace().map(str::to_owned));
    words
}

/// The address without the database, which each test names itself.
fn bare(server: &Server) -> String {
    format!("{}/?w=1", server.url.trim_end_matches("/ycsb"))
}

#[test]
fn all_stock_workloads_load_and_run_with_every_operation_accounted_for() {
    for (server, files) in [
        // Scans of the server that is made for tests take as long as its collection is large.
        ("mongodb", &["workloada", "workloadf"][..]),
        ("mongodb-fast", &STOCK),
    ] {
        let Some(service) = Service::up(server, &[]) else { continue };
        let url = bare(&Server::of(&service));
        for binding in BINDINGS {
            for file in files {
                let database = format!("stock_{}_{file}", binding.replace('-', "_"));
                let load = words(
                    "load",
                    binding,
                    &url,
                    &database,
                    file,
                    "-threads 4 -p dropdata=true -p batchsize=100",
                );
                assert_eq!(program().run(load).sound().succeeded("INSERT"), 1000, "{binding} {file}");
                let ran = program().run(words("run", binding, &url, &database, file, "-threads 4"));
                assert_eq!(ran.sound().turns(), 1000, "{binding} {file}: {ran:?}");
            }
        }
    }
}

#[test]
fn the_rules_for_all_bindings_hold() {
    let Some(service) = Service::up("mongodb", &[]) else { return };
    let url = bare(&Server::of(&service));
    for (binding, more) in
        BINDINGS.iter().flat_map(|binding| [(binding, ""), (binding, "-p mongodb.upsert=true")])
    {
        let mut words = vec!["check".to_owned(), (*binding).to_owned()];
        words.extend([
            "-p".to_owned(),
            format!("mongodb.url={url}"),
            "-p".to_owned(),
            "mongodb.database=rules".to_owned(),
        ]);
        words.extend(more.split_whitespace().map(str::to_owned));
        program().run(words).sound();
    }
}

#[test]
fn deprecated_properties_become_options_of_the_driver() {
    let Some(service) = Service::up("mongodb", &[]) else { return };
    let url = bare(&Server::of(&service)).replace("?w=1", "");
    for binding in BINDINGS {
        let database = format!("deprecated_{}", binding.replace('-', "_"));
        let more = "-threads 6 -p recordcount=60 -p dropdata=true -p mongodb.maxconnections=2 \
                    -p mongodb.threadsAllowedToBlockForConnectionMultiplier=5 -p mongodb.writeConcern=majority \
                    -p mongodb.readPreference=secondary_preferred";
        let ran = program().run(words("load", binding, &url, &database, "workloada", more));
        assert_eq!(ran.sound().succeeded("INSERT"), 60, "{ran:?}");
        assert!(ran.stderr.contains("w=majority, reads from secondaryPreferred"), "{ran:?}");
        let refused = more.replace("majority", "errors_ignored");
        let ran = program().run(words("load", binding, &url, &database, "workloada", &refused));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("use w=1"), "{ran:?}");
    }
}

#[test]
fn a_short_workload_e_runs_on_the_server_for_tests_too() {
    let Some(service) = Service::up("mongodb", &[]) else { return };
    let url = bare(&Server::of(&service));
    for binding in BINDINGS {
        let database = format!("scans_{}", binding.replace('-', "_"));
        let small = "-threads 2 -p recordcount=200 -p operationcount=60 -p dropdata=true";
        assert_eq!(
            program()
                .run(words("load", binding, &url, &database, "workloade", small))
                .sound()
                .succeeded("INSERT"),
            200
        );
        let small = small.replace(" -p dropdata=true", "");
        let ran = program().run(words("run", binding, &url, &database, "workloade", &small));
        assert_eq!(ran.sound().succeeded("SCAN") + ran.succeeded("INSERT"), 60, "{ran:?}");
    }
}

#[test]
fn what_is_loaded_with_integrity_equals_the_dump_of_ycsb_and_verifies() {
    let Some(service) = Service::up("mongodb", &[]) else { return };
    let server = Server::of(&service);
    let golden = crate::interchange::golden();
    for binding in BINDINGS {
        let more = "-p dataintegrity=true -p recordcount=7 -p fieldcount=3 -p fieldlength=100 -p operationcount=200 -threads 2";
        let database = format!("integrity_{}", binding.replace('-', "_"));
        let load = format!("{more} -p dropdata=true -p batchsize=3");
        program().run(words("load", binding, &bare(&server), &database, "workloadc", &load)).sound();
        assert_eq!(server.plain().documents(&database, "usertable"), golden, "{binding}");

        // The dump itself, written by the plain client, verifies as well.
        let database = format!("{database}_dump");
        server.plain().drop_database(&database);
        server.plain().write(&database, "usertable", golden.clone());
        for file in ["workloadc", "workloade"] {
            let ran = program().run(words(
                "run",
                binding,
                &bare(&server),
                &database,
                file,
                &format!("{more} -p insertproportion=0"),
            ));
            assert!(
                ran.sound().value("VERIFY", "Return=OK").unwrap_or_default() > 0.0 || file == "workloade",
                "{ran:?}"
            );
            assert!(ran.value("VERIFY", "Return=UNEXPECTED_STATE").is_none(), "{ran:?}");
        }
    }
}

#[test]
fn a_server_that_is_down_ends_the_run_with_code_3_within_the_time_to_connect() {
    for binding in BINDINGS {
        let began = Instant::now();
        let more = "-p connect.timeout=2s";
        let ran = program().run(words("run", binding, "mongodb://127.0.0.1:9/", "x", "workloada", more));
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains("127.0.0.1:9: Connection refused"), "{ran:?}");
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }
}

#[test]
fn settings_that_cannot_be_honoured_end_with_code_2() {
    let refused =
        |url: &str, database: &str| program().run(words("run", "mongodb", url, database, "workloada", ""));
    assert_eq!(refused("mongodb://127.0.0.1:9/?w=0", "x").code, Some(2));
    assert_eq!(refused("mongodb://127.0.0.1:9/y", "x").code, Some(2));
    let misspelt = program().run(["run", "mongodb", "-P", "workloads/workloada", "-p", "mongodb.databse=x"]);
    assert_eq!(misspelt.code, Some(2));
    assert!(misspelt.stderr.contains("mongodb.database"), "{misspelt:?}");
}

#[test]
fn a_wrong_password_ends_with_code_3_and_is_never_shown() {
    let Some(service) = Service::up("mongodb-auth", &[]) else { return };
    let place = format!("{}:{}", service.fact("HOST"), service.fact("PORT"));
    for (url, more) in [
        (format!("mongodb://ycsb:hunter2-secret@{place}/?authSource=admin"), ""),
        (format!("mongodb://{place}/"), "-p mongodb.username=ycsb -p mongodb.password=hunter2-secret"),
    ] {
        let ran = program().run(words("load", "mongodb", &url, "x", "workloada", more));
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains("check user, password and authSource"), "{ran:?}");
        assert!(!ran.everything().contains("hunter2-secret"), "{ran:?}");
    }
}

#[test]
fn a_load_goes_on_over_a_crash_and_counts_what_failed() {
    let Some(service) = Service::up("mongodb@crash-in-load", &[]) else { return };
    let server = Server::of(&service);
    let url =
        format!("{}/?w=1&journal=true&serverSelectionTimeoutMS=2000", server.url.trim_end_matches("/ycsb"));
    let more = "-threads 4 -p recordcount=2500 -target 250 -p errors.allowed=100% \
                -p core_workload_insertion_keep_going_on_error=true";
    let ran = std::thread::scope(|scope| {
        let load = scope.spawn(|| program().run(words("load", "mongodb", &url, "crash", "workloada", more)));
        std::thread::sleep(Duration::from_secs(5));
        service.signal("kill", "");
        service.signal("start", "");
        load.join().expect("the load ends")
    });
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let acknowledged = ran.succeeded("INSERT");
    assert!(acknowledged > 500, "{ran:?}");
    let there = PlainClient::of(&server.url).documents("crash", "usertable").len() as u64;
    assert!(there >= acknowledged, "{there} of {acknowledged} acknowledged records: {ran:?}");
    assert!(ran.stderr.contains("SERVICE_UNAVAILABLE") || acknowledged == 2500, "{ran:?}");
    service.down();
}

#[test]
fn a_run_on_a_frozen_server_ends_at_its_deadline_with_a_report() {
    let Some(service) = Service::up("mongodb@frozen-in-run", &[]) else { return };
    let url = bare(&Server::of(&service));
    for binding in BINDINGS {
        program()
            .run(words("load", binding, &url, "frozen", "workloadc", "-p dropdata=true -p batchsize=100"))
            .sound();
        let more = "-threads 4 -p operationcount=0 -p maxexecutiontime=6 -target 100";
        let began = Instant::now();
        let ran = std::thread::scope(|scope| {
            let run = scope.spawn(|| program().run(words("run", binding, &url, "frozen", "workloadc", more)));
            std::thread::sleep(Duration::from_secs(3));
            service.signal("stop", "");
            let ran = run.join().expect("the run ends");
            service.signal("cont", "");
            ran
        });
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
        assert!(ran.succeeded("READ") > 0, "{binding}: a report of what was done: {ran:?}");
    }
    service.down();
}

#[test]
fn the_study_with_eight_clients_is_a_command_per_phase() {
    let Some(service) = Service::up("mongodb-fast", &[]) else { return };
    let url = bare(&Server::of(&service));
    // The study has 100,000 records and 500,000 operations.
    let size = "-threads 8 -p recordcount=2000 -p operationcount=10000";
    let load = format!("{size} -p dropdata=true -p mongodb.batchsize=100");
    assert_eq!(
        program()
            .run(words("load", "mongodb", &url, "study", "workloada", &load))
            .sound()
            .succeeded("INSERT"),
        2000
    );
    let ran = program().run(words("run", "mongodb", &url, "study", "workloada", size));
    assert_eq!(ran.sound().succeeded("READ") + ran.succeeded("UPDATE"), 10_000, "{ran:?}");
    // Old command lines name classes.
    let mut old = words("run", "mongodb", &url, "study", "workloada", size);
    old.splice(0..2, ["-db", "com.yahoo.ycsb.db.MongoDbClient", "-t"].map(str::to_owned));
    let ran = program().run(old);
    assert_eq!(ran.sound().succeeded("READ") + ran.succeeded("UPDATE"), 10_000, "{ran:?}");
}
