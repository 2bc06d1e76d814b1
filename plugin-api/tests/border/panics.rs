//! No panic crosses the border, and each is told of with its place.

use crate::probe::{AsyncProbe, Probe, both, events};
use ycsb_plugin_api::abi::{log_level, status};
use ycsb_plugin_api::testing::{Do, Open, Plugin, logged};

fn open(fault: &str, name: &str) -> Open {
    Open::default().set("probe.fault", fault).set("probe.name", name)
}

#[test]
fn a_panic_of_open_says_what_and_where() {
    for plugin in [Plugin::blocking::<Probe>(), Plugin::tokio::<AsyncProbe>()] {
        let ended = plugin.open(open("open", "x")).err().expect("does not open");
        assert_eq!(ended.status, status::PANIC);
        assert!(ended.detail.starts_with("panicked at "), "{}", ended.detail);
        assert!(ended.detail.contains("probe.rs:"), "{}", ended.detail);
        assert!(ended.detail.ends_with(": open of x"), "{}", ended.detail);
    }
}

#[test]
fn a_panic_of_a_session_is_the_end_of_that_step_alone() {
    for binding in both(|| open("session", "y")) {
        let ends = binding.play(vec![vec![Do::open()], vec![Do::open(), Do::open()]]);
        for ended in ends.iter().flatten() {
            assert_eq!(ended.status, status::PANIC);
            assert!(ended.detail.ends_with(": session of y"), "{}", ended.detail);
        }
        assert_eq!(ends[1].len(), 2);
    }
}

#[test]
fn an_operation_that_panics_kills_its_session_until_it_is_opened_again() {
    for binding in both(|| open("none", "killed")) {
        let steps =
            [Do::open(), Do::read("panic"), Do::read("user1"), Do::end(), Do::open(), Do::read("user1")];
        let ends = binding.play_one(steps);
        let statuses: Vec<_> = ends.iter().map(|end| end.status).collect();
        assert_eq!(
            statuses,
            [status::OK, status::PANIC, status::PANIC, status::PANIC, status::OK, status::OK]
        );
        assert!(ends[1].detail.ends_with(": read of panic"), "{}", ends[1].detail);
        assert!(ends[2].detail.contains("panicked"), "{}", ends[2].detail);
    }
    // The dead session is dropped, not leaked.
    let dropped = events("killed").iter().filter(|event| **event == "drop").count();
    assert_eq!(dropped, 4);
}

#[test]
fn a_panic_after_a_suspension_or_in_the_call_itself_is_caught() {
    let binding = Plugin::tokio::<AsyncProbe>().open(Open::default()).expect("opens");
    for (step, text) in
        [(Do::read("panic-after"), "read of panic-after"), (Do::delete("panic"), "delete of panic")]
    {
        let ends = binding.play_one([Do::open(), step, Do::open(), Do::read("user1")]);
        assert_eq!(ends[1].status, status::PANIC);
        assert!(ends[1].detail.contains(text), "{}", ends[1].detail);
        assert_eq!(ends[3].status, status::OK);
    }
}

#[test]
fn panics_of_interrupt_close_and_destructors_stay_inside() {
    for binding in both(|| open("interrupt", "i")) {
        binding.stop();
    }
    assert_eq!(events("i").iter().filter(|event| **event == "interrupt").count(), 1);
    drop(both(|| open("close", "c")));
    assert_eq!(events("c"), ["close", "close"]);
    for binding in both(|| open("drop", "d")) {
        let ends = binding.play_one([Do::open(), Do::open(), Do::read("user1")]);
        assert_eq!(ends[2].status, status::OK);
    }
    assert_eq!(events("d").iter().filter(|event| **event == "drop").count(), 4);
}

#[test]
fn a_long_message_is_cut_to_the_outcome() {
    let binding = Plugin::tokio::<AsyncProbe>().open(open("session", &"ü".repeat(300))).expect("opens");
    let ends = binding.play_one([Do::open()]);
    assert!((239..=240).contains(&ends[0].detail.len()), "{}", ends[0].detail.len());
}

#[test]
fn a_panic_on_a_thread_of_the_plugin_reaches_the_log_of_its_author() {
    for binding in both(Open::default) {
        assert_eq!(binding.play_one([Do::open(), Do::read("thread")])[1].status, status::ERROR);
    }
    let told = |(level, line): &(u32, String)| {
        *level == log_level::DEBUG && line.ends_with(": in a thread of its own")
    };
    assert_eq!(logged().iter().filter(|line| told(line)).count(), 2);
}
