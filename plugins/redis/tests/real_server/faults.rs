//! Servers that die, come back, hang, or were never there.

use crate::support::{at, open, refused};
use redis::Commands;
use std::collections::HashSet;
use std::io::{Read, Write};
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Ended, Open, statuses};
use ycsb_test_services::Service;

fn plain(server: &Service) -> redis::Connection {
    let url = format!("redis://{}:{}", server.fact("HOST"), server.fact("PORT"));
    redis::Client::open(url).unwrap().get_connection().unwrap()
}

#[test]
fn a_server_that_is_not_there_is_named_with_its_property() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let ended = refused(Open::default().set("redis.port", &port.to_string()));
    assert_eq!(ended.status, status::SERVICE_UNAVAILABLE);
    let expected = format!("redis.host, redis.port: cannot connect to 127.0.0.1:{port}: Connection refused");
    assert!(ended.detail.starts_with(&expected), "{}", ended.detail);
    let ended = refused(Open::default().set("redis.host", "no-such-host.invalid"));
    assert_eq!(ended.status, status::SERVICE_UNAVAILABLE);
    assert!(ended.detail.contains("no-such-host.invalid:6379"), "{}", ended.detail);
}

#[test]
fn a_server_that_accepts_but_never_answers_costs_the_time_limit() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let how = Open::default().set("redis.port", &port);
    let ended = refused(how.clone().set("redis.timeout", "250"));
    assert_eq!(ended.status, status::TIMEOUT);
    assert!(ended.detail.ends_with("within 250ms (see redis.timeout)"), "{}", ended.detail);
    // The host's own limit, without one of the binding's.
    let mut how = how.set("redis.timeout", "0");
    how.within = Some(Duration::from_millis(250));
    let ended = refused(how);
    assert_eq!(ended.status, status::TIMEOUT);
    assert!(ended.detail.ends_with("by the deadline"), "{}", ended.detail);
}

#[test]
fn what_is_no_redis_is_recognised() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = stream.unwrap().write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let ended = refused(Open::default().set("redis.port", &port));
    assert!(ended.detail.contains("does not speak the protocol of Redis"), "{}", ended.detail);
}

#[test]
fn nothing_acknowledged_is_lost_when_a_durable_server_is_killed_and_restarted() {
    let Some(server) = Service::up("redis-durable@killed", &[]) else { return };
    let binding = open(at(&server).set("redis.timeout", "20000"));
    assert!(binding.detail.contains("acknowledged writes survive a crash"), "{}", binding.detail);
    let client = |client: usize| {
        let inserts = (0..1_500).map(move |number| {
            let key = format!("user{client}x{number}");
            Do::insert(&key, &[("f", key.as_bytes())])
        });
        [Do::open()].into_iter().chain(inserts).collect::<Vec<_>>()
    };
    let clients: Vec<Vec<Do>> = (0..4).map(client).collect();
    let all_ends = std::thread::scope(|scope| {
        let run = scope.spawn(|| binding.play(clients));
        let mut watcher = plain(&server);
        while watcher.zcard::<_, usize>("_indices").unwrap() < 600 {
            std::thread::yield_now();
        }
        server.signal("kill", "");
        server.signal("start", "");
        run.join().unwrap()
    });
    let mut after = plain(&server);
    let index: HashSet<String> = after.zrange("_indices", 0, -1).unwrap();
    let mut failed = 0;
    for (client, ends) in all_ends.iter().enumerate() {
        assert_eq!(ends.len(), 1_501, "every client went on to its end");
        for (number, end) in ends[1..].iter().enumerate() {
            let key = format!("user{client}x{number}");
            if end.status == status::OK {
                let value: Option<String> = after.hget(&key, "f").unwrap();
                assert_eq!(
                    (value.as_ref(), index.contains(&key)),
                    (Some(&key), true),
                    "{key} was acknowledged"
                );
            } else {
                assert_eq!(end.status, status::SERVICE_UNAVAILABLE, "{}", end.detail);
                failed += 1;
            }
        }
        assert_eq!(ends[1_500].status, status::OK, "the client connected anew");
    }
    // Each client had at most one operation in flight when the server died, and waited with the next.
    assert!((1..=4).contains(&failed), "{failed} operations failed");
    drop(binding);
    server.down();
}

/// A server of its own that stands still for one step of a client.
fn frozen(tag: &str, how: impl FnOnce(Open) -> Open, step: Do) -> Option<Vec<Ended>> {
    let server = Service::up(&format!("redis@{tag}"), &[])?;
    let binding = open(how(at(&server)));
    let (stopped, woken) = (server.clone(), server.clone());
    let ends = binding.play_opened([
        Do::insert("k", &[("a", b"right")]),
        Do::insert("other", &[("a", b"wrong")]),
        Do::call(move || stopped.signal("stop", "")),
        step,
        Do::call(move || woken.signal("cont", "")),
        Do::read("k"),
    ]);
    drop(binding);
    server.down();
    assert_eq!(ends[5].status, status::OK, "{}", ends[5].detail);
    assert_eq!(ends[5].rows[0].field("a"), Some(&b"right"[..]), "the late answer belongs to another read");
    Some(ends)
}

#[test]
fn a_server_that_hangs_costs_the_time_limit_and_its_late_answer_is_not_taken_for_the_next() {
    let how = |how: Open| how.set("redis.timeout", "300");
    let Some(ends) = frozen("hangs", how, Do::read("other")) else { return };
    assert_eq!(ends[3].status, status::TIMEOUT);
    assert!(ends[3].detail.ends_with("within 300ms (see redis.timeout)"), "{}", ends[3].detail);
}

#[test]
fn the_deadline_of_an_operation_ends_it_before_the_time_limit() {
    let step = Do::read("other").within(Duration::from_millis(300));
    let Some(ends) = frozen("deadline", |how| how.set("redis.timeout", "600000"), step) else { return };
    assert_eq!(ends[3].status, status::TIMEOUT);
    assert_eq!(ends[3].detail, "no answer by the deadline of the operation");
}

#[test]
fn a_value_that_the_server_does_not_take_is_a_time_out_too() {
    let value = vec![b'v'; 64 << 20];
    let how = |how: Open| how.set("redis.timeout", "300");
    let Some(ends) = frozen("large", how, Do::update("other", &[("a", &value)])) else { return };
    assert_eq!(ends[3].status, status::TIMEOUT);
}

/// Something that speaks enough of the protocol to be opened, says when it was asked to read, and never answers
/// that.
fn silent_to_reads(on_read: impl FnMut() + Send + 'static) -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let on_read = std::sync::Mutex::new(on_read);
    std::thread::spawn(move || {
        std::thread::scope(|scope| {
            for stream in listener.incoming() {
                let (mut stream, on_read) = (stream.unwrap(), &on_read);
                scope.spawn(move || {
                    let mut bytes = [0; 4096];
                    while let Ok(count @ 1..) = stream.read(&mut bytes) {
                        if bytes[..count].windows(7).any(|word| word == b"HGETALL") {
                            on_read.lock().unwrap()();
                            continue;
                        }
                        let commands = bytes[..count].iter().filter(|byte| **byte == b'*').count();
                        stream.write_all("+OK\r\n".repeat(commands).as_bytes()).unwrap();
                    }
                });
            }
        });
    });
    port
}

#[test]
fn the_end_of_the_run_ends_operations_in_flight() {
    let (asked, was_asked) = std::sync::mpsc::channel();
    let port = silent_to_reads(move || asked.send(()).unwrap());
    let binding = open(Open::default().set("redis.port", &port.to_string()).set("redis.timeout", "0"));
    let ends = std::thread::scope(|scope| {
        let run = scope.spawn(|| binding.play_one([Do::open(), Do::read("k"), Do::read("k")]));
        was_asked.recv().unwrap();
        binding.stop();
        run.join().unwrap()
    });
    assert_eq!(statuses(&ends), [status::OK], "the read was dropped");
}

#[test]
fn a_killed_server_fails_one_operation_and_the_next_waits_for_it() {
    let Some(server) = Service::up("redis@restarted", &[]) else { return };
    let binding = open(at(&server).set("redis.timeout", "20000"));
    let (killed, started) = (server.clone(), server.clone());
    let ends = binding.play_opened([
        Do::insert("k", &[("a", b"1")]),
        Do::call(move || {
            killed.signal("kill", "");
            started.signal("start", "");
        }),
        Do::insert_batch(&["a", "b"], &[("f", b"1")]),
        Do::insert("k", &[("a", b"2")]),
        Do::read("k"),
        Do::end(),
    ]);
    let lost = status::SERVICE_UNAVAILABLE;
    let expected = [status::OK, status::NONE, lost, status::OK, status::OK, status::OK];
    assert_eq!(statuses(&ends), expected);
    assert_eq!(ends[2].row_status, [lost, lost]);
    drop(binding);
    server.down();
}

#[test]
fn while_the_server_is_away_each_operation_waits_for_the_time_limit() {
    let Some(server) = Service::up("redis@away", &[]) else { return };
    let binding = open(at(&server).set("redis.timeout", "200"));
    let killed = server.clone();
    let ends =
        binding.play_opened([Do::call(move || killed.signal("kill", "")), Do::read("k"), Do::read("k")]);
    assert_eq!(statuses(&ends[1..]), [status::SERVICE_UNAVAILABLE; 2]);
    assert!(ends[2].detail.contains("Connection refused"), "{}", ends[2].detail);
    drop(binding);
    server.down();
}

#[test]
fn a_server_without_room_is_overloaded() {
    let Some(server) = Service::up("redis@full", &["maxmemory=2mb", "maxmemory-policy=noeviction"]) else {
        return;
    };
    let binding = open(at(&server));
    let value = vec![b'v'; 3 << 20];
    let ends = binding.play_opened([
        Do::insert("k", &[("a", &value)]),
        Do::insert("k", &[("a", b"1")]),
        Do::read("k"),
    ]);
    assert_eq!(ends[1].status, status::OVERLOADED, "{}", ends[1].detail);
    assert!(ends[1].detail.starts_with("OOM"), "{}", ends[1].detail);
    drop(binding);
    server.down();
}
