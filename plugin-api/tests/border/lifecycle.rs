//! Opening, sessions, and the end.

use crate::probe::{AsyncProbe, Probe, Threads, both, events};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::capability::READ;
use ycsb_plugin_api::testing::{Do, Open, Plugin};

#[test]
fn open_says_what_it_connected_to_and_what_this_configuration_can_do() {
    for binding in both(Open::default) {
        assert_eq!((binding.detail.as_str(), binding.capabilities), ("probe of usertable", READ));
    }
}

#[test]
fn open_refuses_with_a_status_a_text_and_a_code() {
    for plugin in [Plugin::blocking::<Probe>(), Plugin::tokio::<AsyncProbe>()] {
        let ended = plugin.open(Open::default().set("probe.time", "10us")).err().expect("does not open");
        assert_eq!((ended.status, ended.backend_code), (status::BAD_REQUEST, 7));
        assert_eq!(ended.detail, "probe.time 10µs is less than 1 ms");
        let ended = plugin.open(Open { binding: 9, ..Open::default() }).err().expect("does not open");
        assert_eq!(ended.status, status::NOT_IMPLEMENTED);
    }
}

#[test]
fn sessions_are_closed_before_the_binding_and_reopening_drops_the_old_one() {
    for (binding, name) in both(|| Open::default().set("probe.name", "order")).into_iter().zip(["a", "b"]) {
        binding.play_one([Do::open(), Do::read("user1"), Do::open(), Do::end()]);
        drop(binding);
        assert!(events("order").ends_with(&["session", "drop", "session", "end", "drop", "close"]), "{name}");
    }
}

#[test]
fn an_operation_before_any_session_is_refused_by_an_async_binding() {
    let binding = Plugin::tokio::<AsyncProbe>().open(Open::default()).expect("opens");
    let ends = binding.play_one([Do::read("user1"), Do::open(), Do::read("user1")]);
    assert_eq!((ends[0].status, ends[2].status), (status::PANIC, status::OK));
}

#[test]
fn an_async_binding_chooses_the_number_of_its_threads() {
    let open = |threads| Plugin::tokio::<Threads>().open(Open::default().set("threads", threads));
    for (threads, runtime) in [("1", "1"), ("3", "3"), ("0", "1")] {
        assert_eq!(open(threads).expect("opens").detail, runtime);
    }
    let ended = open("many").err().expect("does not open");
    assert_eq!(ended.status, status::BAD_REQUEST);
}

#[test]
fn many_clients_on_few_workers_do_all_their_steps() {
    for binding in both(|| Open { clients: 64, workers: 2, ..Open::default() }) {
        let steps = [Do::open(), Do::read("user1").times(50), Do::yield_now(), Do::scan("k", 2), Do::end()];
        for ends in binding.play(vec![steps.to_vec(); 64]) {
            let statuses: Vec<_> = ends.iter().map(|end| end.status).collect();
            assert_eq!(statuses, [status::OK, status::OK, status::NONE, status::OK, status::OK]);
        }
    }
}
