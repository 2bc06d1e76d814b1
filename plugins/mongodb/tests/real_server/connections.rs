//! How many connections are used.

use crate::relay::{Manner, Relay};
use crate::support::{BOTH, Server};
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::Do;
use ycsb_test_services::Service;

const CLIENTS: usize = 6;
const READS: usize = 50;

#[test]
fn clients_share_no_more_connections_than_the_limit_and_have_their_own_without_one() {
    let Some(service) = Service::up("mongodb", &[]) else { return };
    let address = format!("{}:{}", service.fact("HOST"), service.fact("PORT"));
    for flavour in BOTH {
        for (limit, most) in [(Some("2"), 2), (None, CLIENTS)] {
            let relay = Relay::before(&address, Manner::default());
            let mut how = Server::of(&service).load("connections");
            how.settings.clear();
            how.clients = CLIENTS as u64;
            let mut how = how.set("mongodb.url", &format!("mongodb://{}/ycsb?w=1", relay.address));
            if let Some(limit) = limit {
                how = how.set("mongodb.maxconnections", limit);
            }
            let binding = flavour.opened(how);
            let reads = || (0..READS).map(|_| Do::read("k").within(Duration::from_secs(10)));
            let clients = (0..CLIENTS).map(|_| std::iter::once(Do::open()).chain(reads()).collect());
            for ended in binding.play(clients.collect()).iter().flat_map(|ended| &ended[1..]) {
                assert_eq!(ended.status, status::NOT_FOUND, "{flavour:?} {limit:?} {ended:?}");
            }
            // Opening asks the server too.
            assert!(relay.finds() >= CLIENTS * READS, "{flavour:?} {limit:?}");
            let used = relay.most_asking();
            assert!((1..=most).contains(&used), "{flavour:?} {limit:?}: {used} connections");
            assert!(limit.is_some() || used > 2, "{flavour:?}: {used} connections without a limit");
        }
    }
}
