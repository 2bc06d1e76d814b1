//! Servers that die while operations go on.

use crate::support::{Server, opened};
use std::collections::BTreeSet;
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, OpenBinding};
use ycsb_test_services::Service;

const FIELDS: &[(&str, &[u8])] = &[("field0", b"value")];
/// Inserts of each client.
const INSERTS: usize = 500;

/// Four clients insert for some seconds while `act` runs; the keys that were acknowledged, and what failed.
fn beside(binding: &OpenBinding, tag: &str, act: impl FnOnce() + Send) -> (BTreeSet<String>, BTreeSet<u32>) {
    let keys = |client: usize| (0..INSERTS).map(move |number| format!("{tag}-{client}-{number:06}"));
    let steps = |key: String| {
        // The pauses make the clients outlast what happens to the server.
        [Do::insert(&key, FIELDS).within(Duration::from_secs(2)), Do::wait(Duration::from_millis(10))]
    };
    let clients =
        (0..4).map(|client| std::iter::once(Do::open()).chain(keys(client).flat_map(steps)).collect());
    let ended = std::thread::scope(|scope| {
        scope.spawn(act);
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
    (acknowledged, failures)
}

/// Every one of the keys can be read.
fn all_there(binding: &OpenBinding, keys: &BTreeSet<String>) {
    let reads = keys.iter().map(|key| Do::read(key));
    let ended = binding.play_one(std::iter::once(Do::open()).chain(reads));
    let missing = ended.iter().skip(1).filter(|ended| ended.status != status::OK).count();
    assert_eq!(missing, 0, "of {} acknowledged records", keys.len());
}

#[test]
fn a_server_that_is_killed_and_started_again_has_every_acknowledged_record() {
    let Some(service) = Service::up("elasticsearch7@restart", &[]) else { return };
    let server = Server::of(&service);
    let binding = opened(server.load("failover-restart"));
    let (acknowledged, failures) = beside(&binding, "k", || {
        std::thread::sleep(Duration::from_millis(500));
        service.signal("kill", "");
        service.signal("start", "");
    });
    assert!(failures.contains(&status::SERVICE_UNAVAILABLE), "{failures:?}");
    assert!(
        failures.iter().all(|failure| [status::SERVICE_UNAVAILABLE, status::TIMEOUT].contains(failure)),
        "{failures:?}"
    );
    assert!(!acknowledged.is_empty());
    all_there(&opened(server.run("failover-restart")), &acknowledged);
    // The binding that saw the crash works on.
    all_there(&binding, &acknowledged);
    service.down();
}

#[test]
fn operations_go_on_through_the_other_server_within_a_second() {
    let Some(service) = Service::up("elasticsearch7-two-node@failover", &[]) else { return };
    let hosts = service.fact("HOSTS").to_owned();
    let server = Server { hosts, url: format!("http://127.0.0.1:{}", service.fact("PORT_1")) };
    let binding = opened(server.load("failover-nodes").set("es.number_of_replicas", "1"));
    // Only what has a copy can survive.
    let (status, health) =
        server.curl("GET", "/_cluster/health/failover-nodes?wait_for_status=green&timeout=30s", "");
    assert_eq!((status, health["status"].as_str()), (200, Some("green")));
    let (acknowledged, failures) = beside(&binding, "both", || service.signal("kill", "n2"));
    assert!(
        acknowledged.len() > 4 * INSERTS * 9 / 10,
        "{} of {}: {failures:?}",
        acknowledged.len(),
        4 * INSERTS
    );
    all_there(&binding, &acknowledged);
    // With one of two servers down every session still opens, and the binding too.
    let late = opened(server.run("failover-nodes"));
    all_there(&late, &acknowledged);
    service.signal("start", "n2");
    let (more, failures) = beside(&late, "again", || {});
    assert!(failures.is_empty() && !more.is_empty(), "{failures:?}");
    service.down();
}
