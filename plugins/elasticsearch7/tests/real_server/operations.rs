//! Each operation, and what is special about it.

use crate::support::{on_every_server, opened};
use serde_json::json;
use std::time::Duration;
use ycsb_plugin_api::abi::{capability, status};
use ycsb_plugin_api::testing::{Do, statuses};

const FIELDS: &[(&str, &[u8])] = &[("field0", b"zero"), ("field1", b"one \"quoted\" \\ \x7f\t")];

#[test]
fn a_record_is_written_read_changed_and_removed() {
    on_every_server(|server| {
        let binding = opened(server.load("operations-cycle"));
        assert!(binding.detail.contains("index operations-cycle, refresh false"), "{}", binding.detail);
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
        let expected = [
            status::OK,
            status::NOT_FOUND,
            status::OK,
            status::OK,
            status::OK,
            status::OK,
            status::OK,
            status::OK,
            status::NOT_FOUND,
            status::NOT_FOUND,
            status::NOT_FOUND,
            status::OK,
        ];
        assert_eq!(statuses(&ended), expected, "{ended:?}");
        assert_eq!(ended[3].rows[0].fields.len(), 2, "the copy of the key is no field");
        assert_eq!(ended[3].rows[0].field("field1"), Some(FIELDS[1].1));
        assert_eq!(ended[5].rows[0].field("field0"), Some(&b"zero"[..]), "an update keeps the other fields");
        assert_eq!(ended[5].rows[0].field("field1"), Some(&b"changed"[..]));
        assert_eq!(ended[6].rows[0].fields, [(b"field1".to_vec(), b"changed".to_vec())]);
        assert_eq!(ended[1].backend_code, 404);
    });
}

#[test]
fn an_insert_overwrites_unless_it_is_told_to_create() {
    on_every_server(|server| {
        let binding = opened(server.load("operations-insert"));
        assert_eq!(binding.capabilities & capability::DETECTS_DUPLICATES, 0);
        let twice =
            [Do::open(), Do::insert("k", FIELDS), Do::insert("k", &[("field0", b"new")]), Do::read("k")];
        let ended = binding.play_one(twice.clone());
        assert_eq!(statuses(&ended), [status::OK; 4]);
        assert_eq!(ended[3].rows[0].fields, [(b"field0".to_vec(), b"new".to_vec())], "replaced, not merged");

        let binding = opened(server.load("operations-create").set("es.insert.op", "create"));
        assert_eq!(binding.capabilities & capability::INSERT_OVERWRITES, 0);
        let ended = binding.play_one(twice);
        assert_eq!(statuses(&ended), [status::OK, status::OK, status::DUPLICATE, status::OK]);
        assert!(ended[2].detail.contains("es.newdb=true"), "{}", ended[2].detail);
        let ended = binding.play_one([Do::open(), Do::insert_batch(&["j", "k", "l"], FIELDS)]);
        assert_eq!(ended[1].row_status, [status::OK, status::DUPLICATE, status::OK]);
    });
}

#[test]
fn scans_are_in_key_order_and_end_where_the_keys_end() {
    on_every_server(|server| {
        for mapping in ["stored", "dynamic"] {
            let index = format!("operations-scan-{mapping}");
            let binding = opened(server.load(&index).set("es.mapping", mapping));
            let keys = ["b", "a/1", "B", "user10", "user9", "é", "_x"];
            let ended = binding.play_one([Do::open(), Do::insert_batch(&keys, FIELDS)]);
            assert_eq!(ended[1].row_status, [status::OK; 7], "{ended:?}");
            server.refresh(&index);
            // A dynamic index gets its mapping from the first document, a run sees it.
            let binding = opened(server.run(&index));
            let ended = binding.play_one([
                Do::open(),
                Do::scan("", 100),
                Do::scan("a", 2),
                Do::scan("user1", 100).select(&["field0"]),
                Do::scan("zz", 100),
                Do::scan("a", 0),
            ]);
            let keys = |at: usize| -> Vec<String> {
                ended[at].rows.iter().map(|row| String::from_utf8(row.key.clone()).unwrap()).collect()
            };
            assert_eq!(statuses(&ended), [status::OK; 6], "{ended:?}");
            assert_eq!(keys(1), ["B", "_x", "a/1", "b", "user10", "user9", "é"]);
            assert_eq!(keys(2), ["a/1", "b"]);
            assert_eq!(keys(3), ["user10", "user9", "é"]);
            assert_eq!(ended[3].rows[0].fields, [(b"field0".to_vec(), b"zero".to_vec())]);
            assert_eq!(ended[1].rows[0].fields.len(), 2);
            assert_eq!((keys(4).len(), keys(5).len()), (1, 0), "é is the last key");
        }
    });
}

#[test]
fn a_scan_of_an_index_without_documents_is_empty() {
    on_every_server(|server| {
        for mapping in ["stored", "dynamic"] {
            let binding = opened(server.load("operations-empty").set("es.mapping", mapping));
            let ended = binding.play_one([Do::open(), Do::scan("a", 10)]);
            assert_eq!((ended[1].status, ended[1].row_count), (status::OK, 0), "{ended:?}");
        }
    });
}

#[test]
fn a_scan_reads_on_beyond_ten_thousand_rows() {
    on_every_server(|server| {
        let binding = opened(server.load("operations-pages").set("es.refresh", "false"));
        let keys: Vec<String> = (0..12_345).map(|number| format!("user{number:06}")).collect();
        let batches = keys.chunks(5_000).map(|chunk| {
            let chunk: Vec<&str> = chunk.iter().map(String::as_str).collect();
            Do::insert_batch(&chunk, &[("field0", b"x")])
        });
        let ended = binding.play_one(std::iter::once(Do::open()).chain(batches));
        assert!(ended.iter().all(|ended| ended.status == status::OK), "{:?}", statuses(&ended));
        server.refresh("operations-pages");
        let ended =
            binding.play_one([Do::open(), Do::scan("user000100", 12_000), Do::scan("user000000", 20_000)]);
        assert_eq!((ended[1].row_count, ended[2].row_count), (12_000, 12_345));
        let sorted = |at: usize| ended[at].rows.windows(2).all(|pair| pair[0].key < pair[1].key);
        assert!(sorted(1) && sorted(2));
        assert_eq!(ended[1].rows[0].key, b"user000100");
    });
}

#[test]
fn the_refresh_policy_decides_when_scans_see_a_write() {
    on_every_server(|server| {
        for policy in ["true", "wait_for"] {
            let index = format!("operations-refresh-{}", policy.replace('_', "-"));
            let binding = opened(server.load(&index).set("es.refresh", policy));
            let ended = binding.play_one([
                Do::open(),
                Do::insert("a", FIELDS),
                Do::insert_batch(&["b"], FIELDS),
                Do::scan("a", 9),
                Do::delete("a"),
                Do::scan("a", 9),
            ]);
            assert_eq!((ended[3].row_count, ended[5].row_count), (2, 1), "{policy}");
        }
        let binding = opened(server.load("operations-refresh-fork").set("es.refresh", "fork"));
        let ended = binding.play_one([
            Do::open(),
            Do::insert("a", FIELDS),
            Do::update("a", &[("field0", b"new")]),
            Do::scan("a", 9),
        ]);
        assert_eq!(ended[3].rows[0].field("field0"), Some(&b"new"[..]), "an update waited for the refresh");
    });
}

#[test]
fn odd_keys_travel_as_they_are() {
    on_every_server(|server| {
        let binding = opened(server.load("operations-keys").set("es.refresh", "true"));
        let longest = "k".repeat(512);
        for key in [
            "a/b?c#d%20 e",
            "..",
            ".",
            "a\"b\\c",
            "ключ",
            "_source",
            "a+b&c=d",
            " ",
            "\u{1}",
            longest.as_str(),
        ] {
            let ended = binding.play_one([
                Do::open(),
                Do::insert(key, FIELDS),
                Do::read(key),
                Do::update(key, &[("field0", b"u")]),
                Do::scan(key, 1),
                Do::delete(key),
                Do::read(key),
            ]);
            let mut expected = [status::OK; 7];
            expected[6] = status::NOT_FOUND;
            assert_eq!(statuses(&ended), expected, "{key:?}: {ended:?}");
            assert_eq!(ended[4].rows[0].key, key.as_bytes(), "{key:?}");
        }
        let ended = binding.play_one([
            Do::open(),
            Do::insert(&"k".repeat(513), FIELDS),
            Do::read(""),
            Do::insert_batch(&["good", "", "good2"], FIELDS),
        ]);
        assert_eq!(statuses(&ended[1..3]), [status::BAD_REQUEST; 2]);
        assert_eq!(ended[3].row_status, [status::OK, status::BAD_REQUEST, status::OK]);
        let ids: Vec<String> = server.documents("operations-keys").into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, ["good", "good2"]);
    });
}

#[test]
fn values_are_text_and_nothing_else_is_stored_in_their_place() {
    on_every_server(|server| {
        let binding = opened(server.load("operations-values"));
        let megabyte = "ä".repeat(500_000);
        let ended = binding.play_one([
            Do::open(),
            Do::insert("binary", &[("field0", b"\xff\x80")]),
            Do::update("binary", &[("field0", b"\xff\x80")]),
            Do::insert_batch(&["binary"], &[("field0", b"\xc3")]),
            Do::read("binary"),
            Do::insert("text", &[("field0", "aé\u{0}\u{1f600}\u{7f}\r\n".as_bytes()), ("field1", b"")]),
            Do::read("text"),
            Do::insert("large", &[("field0", megabyte.as_bytes())]),
            Do::read("large"),
        ]);
        assert_eq!(statuses(&ended[1..3]), [status::BAD_REQUEST; 2]);
        assert_eq!(
            (ended[3].row_status.as_slice(), ended[4].status),
            (&[status::BAD_REQUEST][..], status::NOT_FOUND)
        );
        assert_eq!(ended[6].rows[0].field("field0"), Some("aé\u{0}\u{1f600}\u{7f}\r\n".as_bytes()));
        assert_eq!(ended[6].rows[0].field("field1"), Some(&b""[..]));
        assert_eq!(ended[8].rows[0].field("field0"), Some(megabyte.as_bytes()), "a megabyte comes back");
    });
}

#[test]
fn documents_of_other_tools_are_read_as_text() {
    on_every_server(|server| {
        let binding = opened(server.load("operations-foreign").set("es.mapping", "dynamic"));
        let foreign = json!({"key": "k", "field0": 7, "field1": null, "field2": true, "field3": {"a": [1]}});
        assert_eq!(server.curl("PUT", "/operations-foreign/_doc/k", &foreign.to_string()).0, 201);
        let ended = binding.play_one([Do::open(), Do::read("k")]);
        let row = &ended[1].rows[0];
        assert_eq!(row.field("field0"), Some(&b"7"[..]));
        assert_eq!(row.field("field1"), None);
        assert_eq!(row.field("field2"), Some(&b"true"[..]));
        assert_eq!(row.field("field3"), Some(&b"{\"a\":[1]}"[..]));
    });
}

#[test]
fn many_clients_have_a_connection_each() {
    on_every_server(|server| {
        let binding = opened(server.load("operations-clients"));
        let clients = (0..500).map(|client| {
            let key = format!("user{client}");
            vec![
                Do::open(),
                Do::insert(&key, FIELDS).within(Duration::from_secs(30)),
                Do::read(&key),
                Do::end(),
            ]
        });
        for ended in binding.play(clients.collect()) {
            assert_eq!(statuses(&ended), [status::OK; 4], "{ended:?}");
        }
    });
}
