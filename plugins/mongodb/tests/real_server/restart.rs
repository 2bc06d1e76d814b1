//! A server that dies while operations go on.

use crate::support::{BOTH, Flavour, Server};
use std::collections::BTreeSet;
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::Do;
use ycsb_test_services::Service;

const FIELDS: &[(&str, &[u8])] = &[("field0", b"value")];
/// Inserts of each of four clients.
const INSERTS: usize = 400;

fn keys(client: usize) -> impl Iterator<Item = String> {
    (0..INSERTS).map(move |number| format!("k-{client}-{number:06}"))
}

fn killed_and_started_again(flavour: Flavour, name: &str) {
    let Some(service) = Service::up(name, &[]) else { return };
    let server = Server::of(&service);
    let mut how = server.load("restart");
    how.settings.retain(|(name, _)| name != "mongodb.url");
    let binding = flavour.opened(how.set("mongodb.url", &format!("{}?w=1&journal=true", server.url)));
    let steps = |key: String| {
        [Do::insert(&key, FIELDS).within(Duration::from_secs(2)), Do::wait(Duration::from_millis(10))]
    };
    let clients =
        (0..4).map(|client| std::iter::once(Do::open()).chain(keys(client).flat_map(steps)).collect());
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            service.signal("kill", "");
            service.signal("start", "");
        });
        binding.play(clients.collect())
    });
    let (mut acknowledged, mut failures) = (BTreeSet::new(), BTreeSet::new());
    for (client, ended) in ended.iter().enumerate() {
        for (key, ended) in keys(client).zip(ended.iter().skip(1).step_by(2)) {
            match ended.status {
                status::OK => drop(acknowledged.insert(key)),
                other => drop(failures.insert(other)),
            }
        }
    }
    assert!(!failures.is_empty() && acknowledged.len() > INSERTS, "{failures:?} {}", acknowledged.len());
    // A write that was retried after it had been done finds its own record.
    let causes = [status::SERVICE_UNAVAILABLE, status::TIMEOUT, status::DUPLICATE];
    assert!(failures.iter().all(|failure| causes.contains(failure)), "{failures:?}");
    assert_eq!(
        ended.iter().filter(|ended| ended[2 * INSERTS - 1].status == status::OK).count(),
        4,
        "all go on"
    );

    let fresh = flavour.opened(server.run("restart"));
    for binding in [&binding, &fresh] {
        let reads = acknowledged.iter().map(|key| Do::read(key));
        let ended = binding.play_one(std::iter::once(Do::open()).chain(reads));
        let missing = ended.iter().filter(|ended| ended.status != status::OK).count();
        assert_eq!(missing, 0, "of {} acknowledged records", acknowledged.len());
    }
    service.down();
}

#[test]
fn the_blocking_binding_goes_on_after_a_crash_and_no_acknowledged_record_is_missing() {
    killed_and_started_again(BOTH[0], "mongodb@restart-blocking");
}

#[test]
fn the_async_binding_goes_on_after_a_crash_and_no_acknowledged_record_is_missing() {
    killed_and_started_again(BOTH[1], "mongodb@restart-async");
}
