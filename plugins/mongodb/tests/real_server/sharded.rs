//! Several `mongos` of a sharded cluster.
//!
//! The servers that can be had here are no clusters, so the routers are relays in front of one: they answer as it does,
//! but call themselves `mongos` when a driver asks who they are.

use crate::relay::{Manner, Relay};
use crate::support::{BOTH, Flavour, Server};
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, OpenBinding};
use ycsb_test_services::Service;

const FIELDS: &[(&str, &[u8])] = &[("field0", b"value")];
/// Reads of one client. The driver draws a router for each: that all go to one of two has a chance of 2^-59.
const READS: usize = 60;
fn read_again_and_again(binding: &OpenBinding, key: &str) -> Vec<u32> {
    let reads = (0..READS).map(|_| Do::read(key).within(Duration::from_secs(10)));
    let ended = binding.play_one(std::iter::once(Do::open()).chain(reads));
    ended[1..].iter().map(|ended| ended.status).collect()
}

fn routers_share_and_replace_one_another(flavour: Flavour, server: &Server, address: &str) {
    let as_router = Manner { is_router: true, ..Manner::default() };
    let routers = [(); 2].map(|()| Relay::before(address, as_router));
    let mut how = server.load("sharded");
    how.settings.clear();
    let url = format!("mongodb://{},{}/ycsb?w=1", routers[0].address, routers[1].address);
    let binding = flavour.opened(how.set("mongodb.url", &url));
    let inserted = binding.play_one([Do::open(), Do::insert("k", FIELDS)]);
    assert_eq!(inserted[1].status, status::OK, "{flavour:?} {inserted:?}");

    assert_eq!(read_again_and_again(&binding, "k"), [status::OK; READS], "{flavour:?}");
    let found = routers.each_ref().map(Relay::finds);
    assert!(found.iter().all(|finds| *finds > 0), "{flavour:?}: both routers are asked: {found:?}");

    routers[0].leave();
    let statuses = read_again_and_again(&binding, "k");
    let failed = statuses.iter().filter(|one| **one != status::OK).count();
    assert!(failed <= 2, "{flavour:?}: the connections of one router at most: {statuses:?}");
    assert_eq!(statuses[READS / 2..], [status::OK; READS / 2], "{flavour:?}: the other router goes on");
    assert!(routers[1].finds() >= found[1] + READS / 2, "{flavour:?}");
}

#[test]
fn several_routers_share_the_operations_and_one_that_leaves_is_replaced() {
    let Some(service) = Service::up("mongodb", &[]) else { return };
    let address = format!("{}:{}", service.fact("HOST"), service.fact("PORT"));
    for flavour in BOTH {
        routers_share_and_replace_one_another(flavour, &Server::of(&service), &address);
    }
}
