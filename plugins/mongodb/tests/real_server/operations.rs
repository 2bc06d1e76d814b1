//! Each operation, and what is special about it.

use crate::support::everywhere;
use mongodb::bson::doc;
use std::time::Duration;
use ycsb_plugin_api::abi::{capability, status};
use ycsb_plugin_api::testing::{Do, Open, statuses};

const FIELDS: &[(&str, &[u8])] = &[("field0", b"zero"), ("field1", b"\xff\x00\x80 one")];

#[test]
fn a_record_is_written_read_changed_and_removed() {
    everywhere(|flavour, server| {
        let binding = flavour.opened(server.load("cycle"));
        assert!(
            binding.detail.ends_with("database ycsb, collection cycle, w=1, reads from primary"),
            "{}",
            binding.detail
        );
        let ended = binding.play_one([
            Do::open(),
            Do::read("user1"),
            Do::insert("user1", FIELDS),
            Do::read("user1"),
            Do::update("user1", &[("field1", b"changed")]),
            Do::read("user1"),
            Do::read("user1").select(&["field1", "absent"]),
            Do::delete("user1"),
            Do::read("user1"),
            Do::delete("user1"),
            Do::update("user1", &[("field1", b"changed")]),
            Do::end(),
        ]);
        let mut expected = [status::OK; 12];
        for missing in [1, 8, 9, 10] {
            expected[missing] = status::NOT_FOUND;
        }
        assert_eq!(statuses(&ended), expected, "{flavour:?} {ended:?}");
        assert_eq!(ended[3].rows[0].fields.len(), 2, "the key is no field");
        assert_eq!(ended[3].rows[0].field("field1"), Some(FIELDS[1].1), "bytes stay as they are");
        assert_eq!(ended[5].rows[0].field("field0"), Some(&b"zero"[..]), "an update keeps the other fields");
        assert_eq!(ended[6].rows[0].fields, [(b"field1".to_vec(), b"changed".to_vec())]);
    });
}

#[test]
fn a_second_insert_of_a_key_is_a_duplicate_unless_upsert_replaces_it() {
    everywhere(|flavour, server| {
        let new: &[(&str, &[u8])] = &[("field0", b"new")];
        let steps = [
            Do::open(),
            Do::insert("k", FIELDS),
            Do::insert("k", new),
            Do::insert_batch(&["j", "k", "l"], new),
            Do::read("k"),
        ];
        let binding = flavour.opened(server.load("duplicates"));
        assert_eq!(binding.capabilities & capability::INSERT_OVERWRITES, 0);
        let ended = binding.play_one(steps.clone());
        assert_eq!(
            (ended[2].status, ended[2].backend_code),
            (status::DUPLICATE, 11000),
            "{flavour:?} {ended:?}"
        );
        assert!(ended[2].detail.contains("mongodb.upsert=true"), "{}", ended[2].detail);
        assert_eq!(ended[3].row_status, [status::OK, status::DUPLICATE, status::OK], "the others are stored");
        assert_eq!(ended[4].rows[0].fields.len(), 2);

        let binding = flavour.opened(server.load("upserts").set("mongodb.upsert", "true"));
        assert_eq!(binding.capabilities & capability::DETECTS_DUPLICATES, 0);
        let ended = binding.play_one(steps);
        assert_eq!(statuses(&ended), [status::OK; 5], "{flavour:?} {ended:?}");
        assert_eq!(ended[3].row_status, [status::OK; 3]);
        assert_eq!(ended[4].rows[0].fields, [(b"field0".to_vec(), b"new".to_vec())], "replaced, not merged");
        assert_eq!(server.plain().documents("ycsb", "upserts").len(), 3);
    });
}

#[test]
fn scans_are_in_key_order_and_end_where_the_keys_end() {
    everywhere(|flavour, server| {
        let binding = flavour.opened(server.load("scans"));
        let keys = ["b", "a/1", "B", "user10", "user9", "é", "_x"];
        let ended = binding.play_one([
            Do::open(),
            Do::insert_batch(&keys, FIELDS),
            Do::scan("", 100),
            Do::scan("a", 2),
            Do::scan("user1", 100).select(&["field0"]),
            Do::scan("zz", 100),
            Do::scan("ё", 100),
            Do::scan("a", 0),
        ]);
        let keys = |at: usize| -> Vec<String> {
            ended[at].rows.iter().map(|row| String::from_utf8(row.key.clone()).unwrap()).collect()
        };
        assert_eq!(statuses(&ended), [status::OK; 8], "{flavour:?} {ended:?}");
        assert_eq!(keys(2), ["B", "_x", "a/1", "b", "user10", "user9", "é"]);
        assert_eq!(keys(3), ["a/1", "b"]);
        assert_eq!(keys(4), ["user10", "user9", "é"]);
        assert_eq!(ended[4].rows[0].fields, [(b"field0".to_vec(), b"zero".to_vec())]);
        assert_eq!(ended[2].rows[0].fields.len(), 2);
        assert_eq!((keys(5), keys(6).len(), keys(7).len()), (vec!["é".to_owned()], 0, 0));
    });
}

#[test]
fn a_scan_reads_on_beyond_the_first_reply() {
    everywhere(|flavour, server| {
        let binding = flavour.opened(server.load("pages"));
        let keys: Vec<String> = (0..400).map(|number| format!("user{number:04}")).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let ended =
            binding.play_one([Do::open(), Do::insert_batch(&keys, FIELDS), Do::scan("user0100", 250)]);
        assert_eq!(ended[2].row_count, 250, "{flavour:?}: beyond the 101 documents of a first reply");
        assert!(ended[2].rows.windows(2).all(|pair| pair[0].key < pair[1].key));
    });
}

#[test]
fn odd_keys_and_large_values_come_back_as_they_went() {
    everywhere(|flavour, server| {
        let binding = flavour.opened(server.load("odd"));
        let megabyte: Vec<u8> = (0..1_000_000_u32).map(|at| at.to_le_bytes()[0]).collect();
        let long = "k".repeat(1_000);
        for key in ["a/b?c#d%20 e", "$set", "a.b", "\"", "ключ", " ", "\u{1}", "", long.as_str()] {
            let ended = binding.play_one([
                Do::open(),
                Do::insert(key, &[("field0", &megabyte), ("field1", b"")]),
                Do::read(key),
                Do::update(key, &[("field1", b"u")]),
                Do::delete(key),
                Do::read(key),
            ]);
            assert_eq!(statuses(&ended[1..5]), [status::OK; 4], "{flavour:?} {key:?}");
            assert_eq!(ended[5].status, status::NOT_FOUND);
            assert_eq!(ended[2].rows[0].field("field0"), Some(&megabyte[..]));
            assert_eq!(ended[2].rows[0].field("field1"), Some(&b""[..]));
        }
        let ended = binding.play_one([
            Do::open(),
            Do::insert("k", &[("a\0b", b"x")]),
            Do::update("k", &[("a\0b", b"x")]),
            Do::insert_batch(&["k"], &[("a\0b", b"x")]),
        ]);
        assert_eq!(statuses(&ended[1..3]), [status::BAD_REQUEST; 2], "{ended:?}");
        assert_eq!(ended[3].row_status, [status::BAD_REQUEST]);
    });
}

#[test]
fn strings_of_other_tools_are_values_and_other_types_are_not() {
    everywhere(|flavour, server| {
        let binding = flavour.opened(server.load("foreign"));
        server.plain().write(
            "ycsb",
            "foreign",
            vec![doc! {"_id": "k", "text": "é", "number": 7, "nothing": null}],
        );
        let ended = binding.play_one([Do::open(), Do::read("k")]);
        assert_eq!(ended[1].rows[0].fields, [(b"text".to_vec(), "é".as_bytes().to_vec())]);
    });
}

#[test]
fn a_large_batch_is_sent_in_parts() {
    everywhere(|flavour, server| {
        let binding = flavour.opened(server.load("parts"));
        let keys: Vec<String> = (0..40).map(|number| format!("user{number:04}")).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let megabyte = vec![7; 1_000_000];
        let ended = binding.play_one([
            Do::open(),
            Do::insert_batch(&keys, &[("field0", &megabyte)]),
            Do::read("user0039"),
        ]);
        assert_eq!(ended[1].row_status, [status::OK; 40], "{flavour:?} {}", ended[1].detail);
        assert_eq!(ended[2].rows[0].field("field0"), Some(&megabyte[..]));
    });
}

#[test]
fn many_clients_get_a_connection_each() {
    everywhere(|flavour, server| {
        let binding = flavour.opened(Open { clients: 500, ..server.load("many") });
        let clients = (0..500).map(|client| {
            let key = format!("user{client}");
            vec![
                Do::open(),
                Do::insert(&key, FIELDS).within(Duration::from_secs(60)),
                Do::read(&key),
                Do::end(),
            ]
        });
        for ended in binding.play(clients.collect()) {
            assert_eq!(statuses(&ended), [status::OK; 4], "{flavour:?} {ended:?}");
        }
    });
}
