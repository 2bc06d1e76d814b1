//! Errors by their cause.

use crate::support::{Server, on_every_server, opened, refused};
use std::net::TcpListener;
use std::time::{Duration, Instant};
use ycsb_plugin_api::abi::{outcome_flag, status};
use ycsb_plugin_api::testing::{Do, Open, statuses};
use ycsb_test_services::Service;

const FIELDS: &[(&str, &[u8])] = &[("field0", b"value")];

#[test]
fn a_server_that_is_down_is_named_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let began = Instant::now();
    let how = Open { within: Some(Duration::from_secs(10)), ..Open::default() };
    let ended = refused(how.set("es.hosts.list", &address));
    assert_eq!(ended.status, status::SERVICE_UNAVAILABLE);
    assert!(ended.detail.contains("es.hosts.list answers: cannot connect to 127.0.0.1:"), "{}", ended.detail);
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_server_that_accepts_and_says_nothing_is_given_up_at_the_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let how = Open { within: Some(Duration::from_millis(300)), ..Open::default() };
    let ended = refused(how.set("es.hosts.list", &address));
    assert_eq!(ended.status, status::TIMEOUT, "{ended:?}");
}

#[test]
fn a_name_that_does_not_exist_is_named() {
    let ended = refused(Open::default().set("es.hosts.list", "no-such-host.invalid:9200"));
    assert_eq!(ended.status, status::SERVICE_UNAVAILABLE);
    assert!(ended.detail.contains("no-such-host.invalid:9200: "), "{}", ended.detail);
}

#[test]
fn blocks_of_an_index_are_told_apart() {
    on_every_server(|server| {
        let binding = opened(server.load("failures-blocks"));
        let block = |name: &str, on: bool| {
            let settings = format!("{{\"index.blocks.{name}\":{}}}", if on { "true" } else { "null" });
            assert_eq!(server.curl("PUT", "/failures-blocks/_settings", &settings).0, 200);
        };
        for (name, expected) in [("write", status::FORBIDDEN), ("read_only_allow_delete", status::OVERLOADED)]
        {
            block(name, true);
            let ended = binding.play_one([
                Do::open(),
                Do::insert("k", FIELDS),
                Do::insert_batch(&["k", "l"], FIELDS),
            ]);
            assert_eq!(
                (ended[1].status, ended[2].row_status.as_slice()),
                (expected, &[expected; 2][..]),
                "{name}: {ended:?}"
            );
            block(name, false);
        }
    });
}

#[test]
fn an_index_that_disappears_during_a_run_is_named() {
    on_every_server(|server| {
        let binding = opened(server.load("failures-gone"));
        binding.play_one([Do::open(), Do::insert("k", FIELDS)]);
        server.curl("DELETE", "/failures-gone", "");
        let ended = binding.play_one([Do::open(), Do::read("k"), Do::scan("k", 1), Do::delete("k")]);
        assert_eq!(statuses(&ended[1..3]), [status::ERROR; 2], "{ended:?}");
        assert!(ended[1].detail.contains("index_not_found_exception"), "{}", ended[1].detail);
        assert_eq!(ended[1].backend_code, 404);
    });
}

#[test]
fn overload_is_counted_as_overload_alone_and_inside_a_bulk_request() {
    let setting = ["indexing_pressure.memory.limit=4kb"];
    let Some(service) = Service::up("elasticsearch7@pressure", &setting) else { return };
    let server = Server::of(&service);
    let binding = opened(server.load("failures-pressure"));
    let large = vec![b'x'; 20_000];
    let ended = binding.play_one([
        Do::open(),
        Do::insert("small", FIELDS),
        Do::insert("large", &[("field0", &large)]),
        Do::insert_batch(&["a", "b"], &[("field0", &large)]),
    ]);
    assert_eq!(ended[1].status, status::OK, "{ended:?}");
    assert_eq!((ended[2].status, ended[2].backend_code), (status::OVERLOADED, 429), "{ended:?}");
    assert_eq!(ended[2].flags & outcome_flag::RETRY_SAFE, outcome_flag::RETRY_SAFE);
    assert_eq!(ended[3].row_status, [status::OVERLOADED; 2]);
    service.down();

    let setting = ["thread_pool.write.size=1", "thread_pool.write.queue_size=1"];
    let Some(service) = Service::up("elasticsearch7@queue", &setting) else { return };
    let server = Server::of(&service);
    let binding = opened(server.load("failures-queue").set("es.number_of_shards", "2"));
    let keys: Vec<String> = (0..200).map(|key| format!("k{key}")).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let client = [vec![Do::open()], vec![Do::insert_batch(&keys, FIELDS); 10]].concat();
    let ended = binding.play(vec![client; 24]);
    let rows: Vec<u32> = ended.iter().flatten().flat_map(|ended| ended.row_status.clone()).collect();
    assert!(rows.contains(&status::OVERLOADED), "some rows are refused");
    assert!(rows.contains(&status::OK), "others are not");
    assert!(rows.iter().all(|row| [status::OVERLOADED, status::OK].contains(row)));
    service.down();
}

#[test]
fn a_request_that_is_too_large_is_the_fault_of_the_request() {
    let Some(service) = Service::up("elasticsearch7@small", &["http.max_content_length=1mb"]) else { return };
    let server = Server::of(&service);
    let binding = opened(server.load("failures-large"));
    let large = vec![b'x'; 1_200_000];
    let ended = binding.play_one([
        Do::open(),
        Do::insert("large", &[("field0", &large)]),
        Do::insert("small", FIELDS),
    ]);
    assert_eq!((ended[1].status, ended[1].backend_code), (status::BAD_REQUEST, 413), "{ended:?}");
    assert_eq!(ended[2].status, status::OK);
    service.down();
}

#[test]
fn a_frozen_server_costs_an_operation_its_deadline_and_no_more() {
    let Some(service) = Service::up("elasticsearch7@frozen", &[]) else { return };
    let server = Server::of(&service);
    let binding = opened(server.load("failures-frozen"));
    binding.play_one([Do::open(), Do::insert("k", FIELDS)]);
    service.signal("stop", "");
    let ended = binding.play_one([Do::open(), Do::read("k").within(Duration::from_millis(300))]);
    assert_eq!(ended[1].status, status::TIMEOUT, "{ended:?}");
    assert!(ended[1].took < Duration::from_secs(5), "{:?}", ended[1].took);
    // An operation without a deadline ends when the host says so.
    let ended = std::thread::scope(|scope| {
        let client = scope.spawn(|| binding.play_one([Do::open(), Do::read("k")]));
        // Long enough for the session to be open.
        std::thread::sleep(Duration::from_millis(500));
        binding.stop();
        client.join().unwrap()
    });
    assert_eq!(ended[1].status, status::TIMEOUT, "{ended:?}");
    service.signal("cont", "");
    service.down();
}
