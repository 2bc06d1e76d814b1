//! How each record of a batch ended.

use crate::probe::both;
use std::time::Duration;
use ycsb_plugin_api::abi::status::{self, DUPLICATE, OK, PANIC, SERVICE_UNAVAILABLE, TIMEOUT};
use ycsb_plugin_api::testing::{Do, Open, Plugin};

#[test]
fn ok_writes_every_record_that_was_not_told_to_fail() {
    for binding in both(Open::default) {
        let ends =
            binding.play_one([Do::open(), Do::insert_batch(&["a", "duplicate", "b", "duplicate"], &[])]);
        assert_eq!(ends[1].row_status, [OK, DUPLICATE, OK, DUPLICATE]);
        assert_eq!((ends[1].status, ends[1].row_count), (DUPLICATE, 2));
        assert_eq!(ends[1].detail, "twice");
    }
}

#[test]
fn a_failure_of_the_batch_is_one_of_every_record_that_nothing_is_known_of() {
    for binding in both(Open::default) {
        let ends =
            binding.play_one([Do::open(), Do::insert_batch(&["written", "duplicate", "cut", "a"], &[])]);
        assert_eq!(ends[1].row_status, [OK, DUPLICATE, SERVICE_UNAVAILABLE, SERVICE_UNAVAILABLE]);
        assert_eq!((ends[1].status, ends[1].row_count), (SERVICE_UNAVAILABLE, 1));
        assert_eq!(ends[1].detail, "connection lost");
    }
}

#[test]
fn a_batch_of_none_and_a_full_one_are_written() {
    for binding in both(Open::default) {
        let ends =
            binding.play_one([Do::open(), Do::insert_batch(&[], &[]), Do::insert_batch(&["a", "b"], &[])]);
        assert_eq!((ends[1].status, ends[1].row_count), (OK, 0));
        assert_eq!((ends[2].status, ends[2].row_count), (OK, 2));
    }
}

#[test]
fn records_of_a_panicked_or_late_batch_have_its_status() {
    for binding in both(Open::default) {
        let ends = binding.play_one([Do::open(), Do::insert_batch(&["written", "panic", "a"], &[])]);
        assert_eq!(ends[1].row_status, [OK, PANIC, PANIC]);
    }
    let binding = Plugin::tokio::<crate::probe::AsyncProbe>().open(Open::default()).expect("opens");
    let late = Do::insert_batch(&["a", "hang"], &[]).within(Duration::from_millis(5));
    let ends = binding.play_one([Do::open(), late]);
    assert_eq!((ends[1].status, ends[1].row_status.as_slice()), (TIMEOUT, &[OK, TIMEOUT][..]));
    assert_ne!(ends[1].status, status::ERROR);
}
