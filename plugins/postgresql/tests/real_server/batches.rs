//! Many records in one statement.

use crate::support::{LAYOUTS, Place, open, record};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, statuses};

fn keys(from: usize, to: usize) -> Vec<String> {
    (from..to).map(|number| format!("user{number}")).collect()
}

fn batch(names: &[String], value: &[u8]) -> Do {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Do::insert_batch(&names, &record(value))
}

#[test]
fn a_batch_is_one_statement_of_any_length() {
    for layout in LAYOUTS {
        let Some(mut place) = Place::fresh() else { return };
        let ends = open(place.layout(layout)).play_opened([
            batch(&keys(0, 1_000), b"v"),
            batch(&keys(1_000, 1_003), b"w"),
            Do::read("user1002"),
            batch(&[], b""),
        ]);
        assert_eq!(statuses(&ends), [status::OK; 4], "{layout} {}", ends[0].detail);
        assert_eq!((ends[0].row_count, ends[1].row_count), (1_000, 3));
        assert_eq!(ends[2].rows[0].field("field9"), Some(&b"w"[..]));
        assert_eq!(place.ask("SELECT count(*)::text FROM @T"), "1003");
        // One transaction each.
        assert_eq!(place.ask("SELECT count(DISTINCT xmin::text)::text FROM @T"), "2");
    }
}

#[test]
fn in_a_batch_with_bad_records_the_good_ones_are_written() {
    for layout in LAYOUTS {
        let Some(mut place) = Place::fresh() else { return };
        let mut names = keys(0, 250);
        names[17] = names[16].clone();
        names[133] = "user9999".to_owned();
        names[249] = "too long".repeat(100);
        let ends = open(place.layout(layout)).play_opened([
            Do::insert("user9999", &record(b"old")),
            batch(&names, b"v"),
            Do::read("user9999"),
            Do::read("user248"),
        ]);
        let mut expected = [status::OK; 250];
        expected[17] = status::DUPLICATE;
        expected[133] = status::DUPLICATE;
        expected[249] = status::BAD_REQUEST;
        assert_eq!(ends[1].row_status, expected, "{layout}");
        assert_eq!(ends[1].row_count, 247);
        assert_eq!(ends[2].rows[0].field("field0"), Some(&b"old"[..]));
        assert_eq!(ends[3].status, status::OK);
        assert_eq!(place.ask("SELECT count(*)::text FROM @T"), "248");
    }
}

#[test]
fn values_that_text_cannot_hold_fail_by_themselves() {
    for layout in LAYOUTS {
        let Some(place) = Place::fresh() else { return };
        let ends = open(place.layout(layout)).play_opened([
            Do::insert_batch(&["a", "b"], &[("field0", b"\xff")]),
            Do::insert_batch(&["a", "b"], &[("field0", b"x\0")]),
            batch(&keys(0, 2), b"v"),
        ]);
        let bad = status::BAD_REQUEST;
        assert_eq!(ends[0].row_status, [bad, bad], "{layout}");
        assert_eq!(ends[1].row_status, [bad, bad], "{layout}");
        assert_eq!(ends[2].row_status, [status::OK, status::OK]);
    }
}
