//! Answers, details and rows.

use crate::probe::both;
use std::time::Duration;
use ycsb_plugin_api::abi::{kind, outcome_flag, status};
use ycsb_plugin_api::testing::{Do, Open, ReturnedRow};

#[test]
fn answers_become_statuses_with_their_details() {
    for binding in both(Open::default) {
        let ends = binding.play_one([
            Do::open(),
            Do::read("absent"),
            Do::read("io"),
            Do::read("busy"),
            Do::read("half"),
            Do::read("odd"),
            Do::update("user1", &[]),
            Do::operation(4711, "user1"),
            Do::operation(kind::FLUSH, ""),
            Do::end(),
        ]);
        let statuses: Vec<_> = ends.iter().map(|end| end.status).collect();
        let expected = [
            status::OK,
            status::NOT_FOUND,
            status::SERVICE_UNAVAILABLE,
            status::OVERLOADED,
            status::CUSTOM,
            status::CUSTOM + 1,
            status::NOT_IMPLEMENTED,
            status::NOT_IMPLEMENTED,
            status::NOT_IMPLEMENTED,
            status::OK,
        ];
        assert_eq!(statuses, expected);
        assert_eq!(
            (ends[2].detail.as_str(), ends[2].backend_code),
            ("Connection reset by peer (os error 104)", 104)
        );
        assert_eq!((ends[3].backend_code, ends[3].flags), (429, outcome_flag::RETRY_SAFE));
        assert_eq!(ends[4].server_ns, 17);
        assert_eq!(ends[5].detail, "odd key");
    }
}

#[test]
fn a_read_hands_over_one_row_with_its_fields() {
    for binding in both(Open::default) {
        let ends =
            binding.play_one([Do::open(), Do::read("user1"), Do::read("no-fields"), Do::read("absent")]);
        let fields = vec![(b"field0".to_vec(), b"user1".to_vec()), (b"empty".to_vec(), Vec::new())];
        assert_eq!(ends[1].rows, [ReturnedRow { key: b"user1".to_vec(), fields }]);
        assert_eq!(ends[2].rows, [ReturnedRow { key: b"no-fields".to_vec(), fields: Vec::new() }]);
        assert_eq!(ends[3].rows, []);
        assert_eq!(ends[1].row_count, 0, "a read does not count rows");
    }
}

#[test]
fn a_scan_counts_its_rows_even_when_nobody_looks_and_when_it_fails() {
    for binding in both(Open::default) {
        let ends = binding.play_one([
            Do::open(),
            Do::scan("k", 3).select(&["field3"]),
            Do::scan("k", 5).unwatched(),
            Do::scan("cut", 2),
            Do::scan("k", 0),
        ]);
        assert_eq!(ends.iter().skip(1).map(|end| end.row_count).collect::<Vec<_>>(), [3, 5, 2, 0]);
        assert_eq!(ends[1].rows[2].key, b"k2");
        assert_eq!(ends[1].rows[2].field("field3"), Some(&b"2"[..]));
        assert_eq!(ends[2].rows, []);
        assert_eq!((ends[3].status, ends[4].status), (status::SERVICE_UNAVAILABLE, status::OK));
    }
}

#[test]
fn null_with_length_zero_is_an_empty_slice() {
    for binding in both(Open::default) {
        let ends = binding.play_one([
            Do::open(),
            Do::insert("user1", &[]).null_slices(),
            Do::scan("k", 1).null_slices(),
            Do::insert_batch(&["a"], &[]).null_slices(),
            Do::insert("empty", &[("field0", b"")]),
        ]);
        assert_eq!(ends[1].status, status::BAD_REQUEST);
        assert_eq!((ends[2].status, ends[2].row_count), (status::OK, 1));
        assert_eq!((ends[3].status, ends[4].status), (status::OK, status::OK));
    }
}

#[test]
fn an_operation_within_its_deadline_is_untouched_by_it() {
    for binding in both(Open::default) {
        let within = Duration::from_secs(60);
        let ends = binding.play_one([Do::open(), Do::insert("k", &[("field0", b"k")]).within(within)]);
        assert_eq!(ends[1].status, status::OK);
    }
}
