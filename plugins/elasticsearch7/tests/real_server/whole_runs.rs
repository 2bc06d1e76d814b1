//! Whole loads and runs of the program.

use crate::interchange::golden;
use crate::support::{Server, on_every_server};
use std::time::{Duration, Instant};
use ycsb_test_services::{Program, STOCK, Service};

fn program() -> Program {
    Program::with_plugin("ycsb-elasticsearch7")
}

/// The words of a phase on an index of its own.
fn words(phase: &str, hosts: &str, index: &str, file: &str, more: &str) -> Vec<String> {
    let mut words: Vec<String> = [phase, "elasticsearch7", "-P"].map(str::to_owned).to_vec();
    words.push(format!("workloads/{file}"));
    for pair in [format!("es.hosts.list={hosts}"), format!("es.index.name={index}")] {
        words.extend(["-p".to_owned(), pair]);
    }
    words.extend(more.split_whitespace().map(str::to_owned));
    words
}

#[test]
fn all_stock_workloads_load_and_run_with_every_operation_accounted_for() {
    on_every_server(|server| {
        for file in STOCK {
            let index = format!("whole-{file}");
            let more = "-threads 4 -p es.newdb=true -p es.batchsize=100";
            let loaded = program().run(words("load", &server.hosts, &index, file, more));
            assert_eq!(loaded.sound().succeeded("INSERT"), 1000, "{file}");
            server.refresh(&index);
            let ran = program().run(words("run", &server.hosts, &index, file, "-threads 4"));
            assert_eq!(ran.sound().turns(), 1000, "{file}: {ran:?}");
        }
    });
}

#[test]
fn properties_of_older_bindings_are_accepted_and_the_fresh_index_of_version_5_is_one() {
    on_every_server(|server| {
        let old = "-p es.cluster.name=mine -p es.remote=true -p path.home=/nowhere -p es.setting.client.x=1 \
                   -p es.security.ssl=false -p es.new_index=true -p es.insert.op=create -p recordcount=20";
        for _ in 0..2 {
            let loaded = program().run(words("load", &server.hosts, "whole-old", "workloada", old));
            assert_eq!(loaded.sound().succeeded("INSERT"), 20, "the index is empty each time: {loaded:?}");
        }
        let again = old.replace("es.new_index=true", "es.new_index=false");
        let loaded = program().run(words("load", &server.hosts, "whole-old", "workloada", &again));
        assert_eq!((loaded.code, loaded.succeeded("INSERT")), (Some(1), 0), "{loaded:?}");
        assert!(loaded.stdout.contains("Return=ERROR") || loaded.stderr.contains("DUPLICATE"), "{loaded:?}");
    });
}

#[test]
fn the_rules_for_all_bindings_hold() {
    // The kit takes a minute: each way to insert on one of the servers.
    for (name, insert) in [("elasticsearch7", "index"), ("opensearch", "create")] {
        let Some(service) = Service::up(name, &[]) else { continue };
        let mut words = vec!["check".to_owned(), "elasticsearch7".to_owned()];
        for pair in [
            format!("es.hosts.list={}", Server::of(&service).hosts),
            format!("es.insert.op={insert}"),
            "es.index.name=whole-rules".to_owned(),
            "es.refresh=true".to_owned(),
            "check.fresh=true".to_owned(),
        ] {
            words.extend(["-p".to_owned(), pair]);
        }
        program().run(words).sound();
    }
}

#[test]
fn what_is_loaded_with_integrity_equals_the_dump_of_ycsb_and_verifies() {
    on_every_server(|server| {
        let more = "-p dataintegrity=true -p recordcount=7 -p fieldcount=3 -p fieldlength=100 -p operationcount=200 -threads 2";
        let load = format!("{more} -p es.newdb=true -p batchsize=3");
        program().run(words("load", &server.hosts, "whole-integrity", "workloadc", &load)).sound();
        assert_eq!(server.documents("whole-integrity"), golden());

        server.curl("DELETE", "/whole-dump", "");
        for (id, source) in golden() {
            assert_eq!(server.curl("PUT", &format!("/whole-dump/_doc/{id}"), &source.to_string()).0, 201);
        }
        server.refresh("whole-dump");
        for file in ["workloadc", "workloade"] {
            let ran = program().run(words(
                "run",
                &server.hosts,
                "whole-dump",
                file,
                &format!("{more} -p insertproportion=0"),
            ));
            assert!(
                ran.sound().value("VERIFY", "Return=OK").unwrap_or_default() > 0.0 || file == "workloade",
                "{ran:?}"
            );
            assert!(ran.value("VERIFY", "Return=UNEXPECTED_STATE").is_none(), "{ran:?}");
        }
    });
}

#[test]
fn the_exit_code_says_what_kind_of_failure_it_was() {
    on_every_server(|server| {
        let absent = program().run(words("run", &server.hosts, "whole-absent", "workloada", ""));
        assert_eq!(absent.code, Some(3), "{absent:?}");
        assert!(absent.stderr.contains("load it first"), "{absent:?}");
        let contradiction = program().run(words(
            "load",
            &server.hosts,
            "whole-absent",
            "workloada",
            "-p es.index.key=field0",
        ));
        assert_eq!(contradiction.code, Some(2), "{contradiction:?}");
    });
    let began = Instant::now();
    let down = program().run(words("load", "127.0.0.1:9", "x", "workloada", ""));
    assert_eq!(down.code, Some(3), "{down:?}");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn refused_logins_and_certificates_end_with_code_3_and_no_secret_is_shown() {
    let Some(service) = Service::up("elasticsearch-haproxy", &[]) else { return };
    let hosts = |name: &str| format!("{name}:{}", service.fact("PORT"));
    let tls =
        |ca: &str| format!("-p es.security.ssl=true -p es.security.ssl.path={ca} -p es.authentication=true");
    let right = tls(service.fact("CA_FILE"));
    for (hosts, options, words_of_it) in [
        (
            hosts("localhost"),
            format!("{right} -p es.credentials.password=hunter2-secret"),
            "check es.credentials.user",
        ),
        (hosts("localhost"), tls(service.fact("OTHER_CA_FILE")), "unknown CA"),
        (hosts(service.fact("WRONG_HOST")), right, "wrong host name"),
    ] {
        let ran = program().run(words("load", &hosts, "whole-secured", "workloada", &options));
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains(words_of_it), "{ran:?}");
        assert!(
            !ran.everything().contains("hunter2-secret") && !ran.everything().contains("changeme"),
            "{ran:?}"
        );
    }
}

#[test]
fn a_run_goes_on_over_a_crash_and_counts_what_failed() {
    let Some(service) = Service::up("elasticsearch7@crash-in-run", &[]) else { return };
    let server = Server::of(&service);
    program()
        .run(words("load", &server.hosts, "whole-crash", "workloadc", "-p es.newdb=true -p batchsize=200"))
        .sound();
    let more = "-threads 4 -p operationcount=0 -p maxexecutiontime=25 -target 200 -p errors.allowed=100%";
    let ran = std::thread::scope(|scope| {
        let run =
            scope.spawn(|| program().run(words("run", &server.hosts, "whole-crash", "workloadc", more)));
        std::thread::sleep(Duration::from_secs(4));
        service.signal("kill", "");
        service.signal("start", "");
        run.join().expect("the run ends")
    });
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.succeeded("READ") > 400, "{ran:?}");
    assert!(ran.value("READ", "Return=SERVICE_UNAVAILABLE").unwrap_or_default() > 0.0, "{ran:?}");
    service.down();
}

#[test]
fn a_run_on_a_frozen_server_ends_at_its_deadline_with_a_report() {
    let Some(service) = Service::up("elasticsearch7@frozen-in-run", &[]) else { return };
    let server = Server::of(&service);
    program()
        .run(words("load", &server.hosts, "whole-frozen", "workloadc", "-p es.newdb=true -p batchsize=200"))
        .sound();
    let more = "-threads 4 -p operationcount=0 -p maxexecutiontime=6 -target 100";
    let began = Instant::now();
    let ran = std::thread::scope(|scope| {
        let run =
            scope.spawn(|| program().run(words("run", &server.hosts, "whole-frozen", "workloadc", more)));
        std::thread::sleep(Duration::from_secs(3));
        service.signal("stop", "");
        run.join().expect("the run ends")
    });
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    assert!(ran.succeeded("READ") > 0, "a report of what was done: {ran:?}");
    service.signal("cont", "");
    service.down();
}

#[test]
fn the_studies_with_many_clients_are_a_command_per_phase() {
    on_every_server(|server| {
        for clients in [30, 100, 200] {
            let size = format!("-threads {clients} -p recordcount=2000 -p operationcount=4000");
            let load = format!("{size} -p es.newdb=true -p batchsize=50");
            let loaded = program().run(words("load", &server.hosts, "whole-study", "workloada", &load));
            assert_eq!(loaded.sound().succeeded("INSERT"), 2000);
            // Updates of one document at a time lose races, three of them in a row too.
            let run = format!("{size} -p errors.allowed=5%");
            let ran = program().run(words("run", &server.hosts, "whole-study", "workloada", &run));
            let lost = ran.returned("UPDATE", "ERROR");
            assert_eq!(ran.sound().succeeded("READ") + ran.succeeded("UPDATE") + lost, 4000, "{ran:?}");
        }
    });
}
