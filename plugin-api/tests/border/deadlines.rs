//! Deadlines, waits and cancelling.

use crate::probe::{AsyncProbe, events};
use std::thread;
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open, Plugin};

const SHORT: Duration = Duration::from_millis(5);

#[test]
fn an_operation_that_hangs_is_dropped_at_its_deadline_and_the_session_goes_on() {
    let binding =
        Plugin::tokio::<AsyncProbe>().open(Open::default().set("probe.name", "late")).expect("opens");
    let ends = binding.play_one([Do::open(), Do::read("hang").within(SHORT), Do::read("user1"), Do::end()]);
    assert_eq!((ends[1].status, ends[2].status), (status::TIMEOUT, status::OK));
    assert_eq!(ends[1].detail, "no answer by the deadline of the operation");
    assert!(ends[1].took >= SHORT, "{:?}", ends[1].took);
    assert_eq!(events("late"), ["session", "hanging", "operation dropped", "end", "drop"]);
}

#[test]
fn a_deadline_after_a_later_one_is_kept_too() {
    let binding = Plugin::tokio::<AsyncProbe>().open(Open::default()).expect("opens");
    let long = Duration::from_secs(3600);
    let steps =
        [Do::open(), Do::read("user1").within(long), Do::read("hang").within(SHORT), Do::read("user1")];
    assert_eq!(binding.play_one(steps)[2].status, status::TIMEOUT);
}

#[test]
fn an_operation_that_ends_late_without_suspending_has_ended() {
    let binding = Plugin::tokio::<AsyncProbe>().open(Open::default()).expect("opens");
    let ends = binding.play_one([Do::open(), Do::read("block").within(Duration::from_millis(1))]);
    assert_eq!(ends[1].status, status::OK);
}

#[test]
fn open_ends_at_its_deadline() {
    let slow = Open { within: Some(SHORT), ..Open::default() }.set("probe.fault", "slow");
    let ended = Plugin::tokio::<AsyncProbe>().open(slow).err().expect("does not open");
    assert_eq!((ended.status, ended.detail.as_str()), (status::TIMEOUT, "opening took longer than it may"));
}

#[test]
fn a_close_that_hangs_is_given_up() {
    let how = Open::default().set("probe.fault", "slow-close").set("probe.name", "hanging close");
    drop(Plugin::tokio::<AsyncProbe>().open(how).expect("opens"));
    assert_eq!(events("hanging close"), Vec::<&str>::new());
}

#[test]
fn waits_of_many_clients_end_after_their_time_and_not_much_after_it() {
    const CLIENTS: u64 = 2_000;
    let how = Open { clients: CLIENTS, workers: 2, ..Open::default() };
    let binding = Plugin::tokio::<AsyncProbe>().open(how).expect("opens");
    let steps = |client: u64| {
        let wait = |round: u64| Do::wait(Duration::from_micros(1_000 + (client * 37 + round * 61) % 3_000));
        (0..5).map(wait).chain([Do::yield_now()]).collect::<Vec<_>>()
    };
    let ends = binding.play((0..CLIENTS).map(steps).collect());
    let mut late: Vec<Duration> = Vec::new();
    for client in &ends {
        assert_eq!(client.len(), 6);
        late.extend(client[..5].iter().map(|end| end.late));
        assert!(client[..5].iter().all(|end| end.took >= Duration::from_millis(1)));
    }
    late.sort_unstable();
    // What is checked is that no wait is lost or ends on a coarse wheel of seconds, not how fast it is.
    assert!(late[late.len() / 2] < Duration::from_secs(1), "{:?}", late[late.len() / 2]);
}

#[test]
fn cancel_drops_what_hangs_and_run_returns_with_all_sessions_closed() {
    let how = Open { clients: 3, workers: 2, ..Open::default() }.set("probe.name", "cancelled");
    let binding = Plugin::tokio::<AsyncProbe>().open(how).expect("opens");
    let ends = thread::scope(|scope| {
        let run = scope.spawn(|| {
            let hour = Duration::from_secs(3600);
            binding.play(vec![
                vec![Do::open(), Do::read("hang")],
                vec![Do::open(), Do::read("user1"), Do::wait(hour)],
                vec![Do::open(), Do::read("hang").within(hour), Do::end()],
            ])
        });
        let count = |wanted| events("cancelled").iter().filter(|event| **event == wanted).count();
        while count("hanging") < 2 || count("session") < 3 {
            thread::yield_now();
        }
        binding.stop();
        run.join().expect("run returns")
    });
    assert_eq!((ends[0].len(), ends[2].len()), (1, 1));
    let events = events("cancelled");
    let count = |wanted: &str| events.iter().filter(|event| **event == wanted).count();
    assert_eq!((count("session"), count("drop"), count("operation dropped"), count("end")), (3, 3, 2, 0));
    // The binding runs again afterwards.
    assert_eq!(binding.play_one([Do::open(), Do::read("user1")])[1].status, status::OK);
}

#[test]
fn cancel_without_a_run_does_nothing() {
    let binding = Plugin::tokio::<AsyncProbe>().open(Open::default()).expect("opens");
    binding.stop();
    assert_eq!(binding.play_one([Do::open(), Do::read("user1")])[1].status, status::OK);
}
