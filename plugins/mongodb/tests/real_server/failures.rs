//! Errors by their cause, and deadlines.

use crate::support::{BOTH, Server};
use std::net::TcpListener;
use std::time::{Duration, Instant};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open};
use ycsb_test_services::Service;

const FIELDS: &[(&str, &[u8])] = &[("field0", b"value")];

#[test]
fn a_server_that_is_down_is_given_up_at_the_deadline_of_open_and_named() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    for flavour in BOTH {
        let began = Instant::now();
        let how = Open { within: Some(Duration::from_secs(2)), ..Open::default() };
        let ended = flavour.refused(how.set("mongodb.url", &format!("mongodb://{address}/")));
        assert_eq!(ended.status, status::SERVICE_UNAVAILABLE, "{ended:?}");
        assert!(
            ended.detail.contains(&format!("no server answers; {address}: Connection refused")),
            "{}",
            ended.detail
        );
        assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
    }
}

#[test]
fn a_server_that_accepts_and_says_nothing_is_given_up_at_the_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    for flavour in BOTH {
        let began = Instant::now();
        let how = Open { within: Some(Duration::from_secs(1)), ..Open::default() };
        let ended = flavour.refused(how.set("mongodb.url", &format!("mongodb://{address}/")));
        assert!([status::SERVICE_UNAVAILABLE, status::TIMEOUT].contains(&ended.status), "{ended:?}");
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
}

#[test]
fn a_frozen_server_costs_an_operation_its_deadline_and_no_more() {
    let Some(service) = Service::up("mongodb@frozen", &[]) else { return };
    let server = Server::of(&service);
    for flavour in BOTH {
        let binding = flavour.opened(server.load("frozen"));
        let mut limited = server.run("frozen");
        limited.settings.retain(|(name, _)| name != "mongodb.url");
        let limited =
            flavour.opened(limited.set("mongodb.url", &format!("{}?socketTimeoutMS=300", server.url)));
        let freeze_after = [Do::open(), Do::insert("k", FIELDS), Do::wait(Duration::from_secs(2))];
        std::thread::scope(|scope| {
            let clients = [
                scope.spawn(|| {
                    let within = Duration::from_millis(300);
                    let steps = [
                        Do::read("k").within(within),
                        Do::wait(Duration::from_secs(2)),
                        Do::read("k").within(Duration::from_secs(20)),
                    ];
                    binding.play_one(freeze_after.clone().into_iter().chain(steps))
                }),
                scope.spawn(|| {
                    let steps = [Do::read("k"), Do::wait(Duration::from_secs(2)), Do::read("k")];
                    limited.play_one(freeze_after.clone().into_iter().chain(steps))
                }),
            ];
            std::thread::sleep(Duration::from_secs(1));
            service.signal("stop", "");
            std::thread::sleep(Duration::from_secs(2));
            service.signal("cont", "");
            let ended = clients.map(|client| client.join().unwrap());
            for ended in &ended {
                assert_eq!(ended[3].status, status::TIMEOUT, "{flavour:?} {ended:?}");
                assert!(ended[3].took < Duration::from_secs(2), "{:?}", ended[3].took);
            }
            // The session works on when the server does.
            assert_eq!(ended[0][5].status, status::OK, "{flavour:?} {:?}", ended[0]);
        });
    }
    service.down();
}

#[test]
fn the_end_of_the_run_ends_an_operation_without_a_deadline() {
    let Some(service) = Service::up("mongodb@stopped", &[]) else { return };
    let server = Server::of(&service);
    let binding = BOTH[0].opened(server.load("stopped"));
    std::thread::scope(|scope| {
        let client = scope.spawn(|| {
            binding.play_one([
                Do::open(),
                Do::insert("k", FIELDS),
                Do::wait(Duration::from_secs(1)),
                Do::read("k"),
            ])
        });
        std::thread::sleep(Duration::from_millis(500));
        service.signal("stop", "");
        std::thread::sleep(Duration::from_secs(1));
        let began = Instant::now();
        binding.stop();
        let ended = client.join().unwrap();
        assert_eq!(ended[3].status, status::TIMEOUT, "{ended:?}");
        assert!(began.elapsed() < Duration::from_secs(2));
    });
    // Closing does not wait for the server either.
    let began = Instant::now();
    drop(binding);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    service.signal("cont", "");
    service.down();
}
