//! Servers that die, come back, hang, or were never there.

use crate::support::{at, open, plain, record, refused, says, with};
use std::collections::HashSet;
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open, statuses};
use ycsb_test_services::Service;

fn limited(server: &Service, option: &str) -> Open {
    let url = format!("{}?{option}", server.fact("URL"));
    with(at(server), "postgresql.url", &url)
}

#[test]
fn a_server_that_is_not_there_is_named_with_its_property() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let how = Open::default().set("postgresql.url", &format!("jdbc:postgresql://127.0.0.1:{port}/ycsb"));
    let expected = format!("postgresql.url: cannot connect to 127.0.0.1:{port}: Connection refused");
    says(&refused(how), status::SERVICE_UNAVAILABLE, &expected, &[]);
}

#[test]
fn a_server_that_accepts_but_never_answers_costs_the_time_limit() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("jdbc:postgresql://{}/ycsb?", listener.local_addr().unwrap());
    let how = |option: &str| Open::default().set("postgresql.url", &format!("{url}{option}"));
    let ended = refused(how("loginTimeout=1"));
    says(&ended, status::TIMEOUT, "within 1s (see connectTimeout and loginTimeout in the URL)", &[]);
    let ended = refused(Open { within: Some(Duration::from_millis(300)), ..how("connectTimeout=0") });
    says(&ended, status::TIMEOUT, "by the deadline", &[]);
}

#[test]
fn what_is_no_postgresql_is_recognised() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("jdbc:postgresql://{}/ycsb", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        use std::io::Write;
        for stream in listener.incoming() {
            let _ = stream.unwrap().write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let ended = refused(Open::default().set("postgresql.url", &url));
    says(&ended, status::ERROR, "does not speak PostgreSQL's protocol", &[]);
}

#[test]
fn nothing_acknowledged_is_lost_when_the_server_is_killed_and_restarted() {
    let Some(server) = Service::up("postgresql@killed", &[]) else { return };
    let binding = open(limited(&server, "connectTimeout=60"));
    let client = |client: usize| {
        let inserts = (0..600).map(move |number| {
            let key = format!("user{client}x{number}");
            Do::insert(&key, &[("field0", key.as_bytes())])
        });
        [Do::open()].into_iter().chain(inserts).collect::<Vec<_>>()
    };
    let clients: Vec<Vec<Do>> = (0..4).map(client).collect();
    let all_ends = std::thread::scope(|scope| {
        let run = scope.spawn(|| binding.play(clients));
        let mut watcher = plain(&server);
        while watcher.query_one("SELECT count(*) FROM usertable", &[]).unwrap().get::<_, i64>(0) < 200 {
            std::thread::yield_now();
        }
        server.signal("kill", "");
        server.signal("start", "");
        run.join().unwrap()
    });
    let rows = plain(&server).query("SELECT ycsb_key::text, field0 FROM usertable", &[]).unwrap();
    let stored: HashSet<String> = rows
        .iter()
        .map(|row| {
            assert_eq!(row.get::<_, String>(0), row.get::<_, String>(1));
            row.get(0)
        })
        .collect();
    let mut failed = 0;
    for (client, ends) in all_ends.iter().enumerate() {
        assert_eq!(ends.len(), 601, "every client went on to its end");
        for (number, end) in ends[1..].iter().enumerate() {
            if end.status == status::OK {
                let key = format!("user{client}x{number}");
                assert!(stored.contains(&key), "{key} was acknowledged");
            } else {
                assert_eq!(end.status, status::SERVICE_UNAVAILABLE, "{}", end.detail);
                failed += 1;
            }
        }
        assert_eq!(ends[600].status, status::OK, "the client connected anew");
    }
    assert!((1..=4).contains(&failed), "{failed} operations failed");
    drop(binding);
    server.down();
}

#[test]
fn a_session_that_the_server_ends_is_made_anew() {
    let Some(server) = Service::up("postgresql@ended", &[]) else { return };
    let binding = open(limited(&server, "ApplicationName=victim"));
    let killer = server.clone();
    let end_all = move || {
        let terminate =
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'victim'";
        assert!(plain(&killer).query_one(terminate, &[]).unwrap().get::<_, bool>(0));
    };
    let ends = binding.play_opened([
        Do::insert("k", &record(b"v")),
        Do::call(end_all.clone()),
        Do::read("k"),
        Do::read("k"),
        Do::call(end_all),
        Do::insert_batch(&["a", "b"], &record(b"v")),
        Do::insert_batch(&["a", "b"], &record(b"v")),
        Do::scan("", 9),
    ]);
    let (ok, lost, none) = (status::OK, status::SERVICE_UNAVAILABLE, status::NONE);
    assert_eq!(statuses(&ends), [ok, none, lost, ok, none, lost, ok, ok]);
    assert!(ends[2].detail.contains("57P01"), "{}", ends[2].detail);
    assert_eq!(ends[5].row_status, [lost, lost]);
    assert_eq!(ends[7].row_count, 3);
    drop(binding);
    server.down();
}

#[test]
fn a_server_that_hangs_costs_the_time_limit_or_the_deadline_and_late_answers_are_dropped() {
    let Some(server) = Service::up("postgresql@hangs", &[]) else { return };
    for (option, limited_step, words) in [
        ("socketTimeout=1", Do::read("other"), "within 1s (see socketTimeout in the URL)"),
        ("", Do::read("other").within(Duration::from_millis(300)), "by the deadline"),
        ("socketTimeout=1", Do::insert("large", &[("field0", &[b'v'; 64 << 20])]), "within 1s"),
    ] {
        let binding = open(Open { fresh: true, ..limited(&server, option) });
        let (stopped, woken) = (server.clone(), server.clone());
        let ends = binding.play_opened([
            Do::insert("k", &record(b"right")),
            Do::insert("other", &record(b"wrong")),
            Do::call(move || stopped.signal("stop", "")),
            limited_step,
            Do::call(move || woken.signal("cont", "")),
            Do::read("k"),
        ]);
        says(&ends[3], status::TIMEOUT, words, &[]);
        assert_eq!(ends[5].rows[0].field("field0"), Some(&b"right"[..]));
    }
    server.down();
}

#[test]
fn the_end_of_the_run_ends_operations_in_flight() {
    let Some(server) = Service::up("postgresql@interrupted", &[]) else { return };
    let binding = std::sync::Arc::new(open(at(&server)));
    let (stopped, stopper) = (server.clone(), std::sync::Arc::downgrade(&binding));
    let steps = [
        Do::insert("k", &record(b"v")),
        Do::call(move || {
            stopped.signal("stop", "");
            stopper.upgrade().unwrap().stop();
        }),
        Do::read("k"),
    ];
    says(&binding.play_opened(steps)[2], status::TIMEOUT, "when the run ended", &[]);
    drop(binding);
    server.signal("cont", "");
    server.down();
}

#[test]
fn a_server_without_a_free_connection_is_overloaded() {
    let settings = ["max_connections=5", "superuser_reserved_connections=2"];
    let Some(server) = Service::up("postgresql@crowded", &settings) else { return };
    let mut admin = plain(&server);
    admin
        .batch_execute("CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT ALL ON SCHEMA public TO guest")
        .unwrap();
    let how = with(with(at(&server), "postgresql.user", "guest"), "postgresql.password", "guest");
    let binding = open(how.clone());
    drop(admin);
    let held: Vec<_> = (0..3).map(|_| plain(&server)).collect();
    let ends = binding.play_one([Do::open()]);
    says(&ends[0], status::OVERLOADED, "connection", &[]);
    drop(held);
    drop(binding);
    server.down();
}
