//! Operations that their deadlines cut short, and those that follow.

use crate::relay::{Manner, Relay};
use crate::support::{BOTH, Server};
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::Do;
use ycsb_test_services::Service;

const FIELDS: &[(&str, &[u8])] = &[("field0", b"value")];
/// More than the driver's pool would go through within [`PATIENCE`] if nobody waits for them, at two a second.
const HURRIED: usize = 60;
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a new connection takes to become usable: all hurried operations fall into this time.
const CONNECTING: Duration = Duration::from_millis(300);
/// How long each answer is on its way: no hurried operation gets one in time.
const ON_ITS_WAY: Duration = Duration::from_millis(10);

#[test]
fn what_was_cut_short_does_not_hold_up_the_operations_that_follow() {
    let Some(service) = Service::up("mongodb", &[]) else { return };
    let server = Server::of(&service);
    let far_away = Manner { connecting: CONNECTING, answering: ON_ITS_WAY, ..Manner::default() };
    let relay = Relay::before(&format!("{}:{}", service.fact("HOST"), service.fact("PORT")), far_away);
    for flavour in BOTH {
        let mut how = server.load("cut_short");
        how.clients = 1;
        how.settings.clear();
        let binding =
            flavour.opened(how.set("mongodb.url", &format!("mongodb://{}/ycsb?w=1", relay.address)));
        let hurried = (0..HURRIED).map(|_| Do::read("k").within(Duration::from_micros(50)));
        let after = [Do::read("k").within(PATIENCE), Do::read("k").within(PATIENCE)];
        let steps = [Do::open(), Do::insert("k", FIELDS)].into_iter().chain(hurried).chain(after);
        let ended = binding.play_one(steps);
        let cut_short = ended.iter().filter(|ended| ended.status == status::TIMEOUT).count();
        assert_eq!(cut_short, HURRIED, "{flavour:?} {ended:?}");
        for ended in &ended[2 + HURRIED..] {
            assert_eq!(ended.status, status::OK, "{flavour:?} {ended:?}");
            assert_eq!(ended.rows[0].field("field0"), Some(FIELDS[0].1));
        }
    }
}
