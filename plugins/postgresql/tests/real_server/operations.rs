//! Each operation in both layouts: what it answers and what it leaves in the server.

use crate::support::{LAYOUTS, Place, open, record};
use ycsb_plugin_api::abi::{capability, status};
use ycsb_plugin_api::testing::{Do, ReturnedRow, statuses};

#[test]
fn a_record_is_a_row_of_columns_or_a_document() {
    let Some(mut place) = Place::fresh() else { return };
    let fields = [("field1", &b"second"[..]), ("field0", b"it's \"first\"")];
    let ends = open(place.how()).play_opened([Do::insert("user1", &fields), Do::end()]);
    assert_eq!(statuses(&ends), [status::OK, status::OK]);
    let row = place.ask("SELECT concat_ws('|', ycsb_key, field0, field1, coalesce(field2, 'NULL')) FROM @T");
    assert_eq!(row, "user1|it's \"first\"|second|NULL");

    let Some(mut place) = Place::fresh() else { return };
    open(place.layout("jsonb")).play_opened([Do::insert("user1", &fields)]);
    let row = place.ask("SELECT ycsb_key || '|' || ycsb_value FROM @T");
    assert_eq!(row, r#"user1|{"field0": "it's \"first\"", "field1": "second"}"#);
}

#[test]
fn reads_return_all_fields_or_the_wanted_ones() {
    for layout in LAYOUTS {
        let Some(place) = Place::fresh() else { return };
        let binding = open(place.layout(layout));
        let ends = binding.play_opened([
            Do::insert("k", &[("field0", b"1"), ("field1", b""), ("field2", "drei\u{20ac}".as_bytes())]),
            Do::read("k"),
            Do::read("k").select(&["field2", "field9", "field1"]),
            Do::read("k").select(&["field9"]),
            Do::read("nobody"),
            Do::read("nobody").select(&["field0"]),
            Do::read("k").unwatched(),
        ]);
        let (ok, absent) = (status::OK, status::NOT_FOUND);
        assert_eq!(statuses(&ends), [ok, ok, ok, ok, absent, absent, ok], "{layout}");
        let row = &ends[1].rows[0];
        assert_eq!(
            (row.fields.len(), row.field("field0"), row.field("field1")),
            (3, Some(&b"1"[..]), Some(&b""[..]))
        );
        let some = [(b"field2".to_vec(), "drei€".into()), (b"field1".to_vec(), Vec::new())];
        assert_eq!(ends[2].rows[0].fields, some);
        assert_eq!(ends[3].rows[0].fields, []);
    }
}

#[test]
fn an_update_merges_and_misses_what_is_not_there() {
    for layout in LAYOUTS {
        let Some(place) = Place::fresh() else { return };
        let ends = open(place.layout(layout)).play_opened([
            Do::insert("k", &[("field0", b"1"), ("field1", b"2")]),
            Do::update("k", &[("field1", b"new"), ("field2", b"3")]),
            Do::read("k"),
            Do::update("absent", &[("field0", b"1")]),
            Do::delete("k"),
            Do::delete("k"),
            Do::read("k"),
        ]);
        let (ok, absent) = (status::OK, status::NOT_FOUND);
        assert_eq!(statuses(&ends), [ok, ok, ok, absent, ok, absent, absent], "{layout}");
        let row = &ends[2].rows[0];
        let of = |name| row.field(name).map(<[u8]>::to_vec);
        assert_eq!(
            (of("field0"), of("field1"), of("field2")),
            (Some(b"1".to_vec()), Some(b"new".to_vec()), Some(b"3".to_vec()))
        );
    }
}

#[test]
fn an_existing_key_is_a_duplicate_and_nothing_changes() {
    for layout in LAYOUTS {
        let Some(place) = Place::fresh() else { return };
        let binding = open(place.layout(layout));
        assert_ne!(binding.capabilities & capability::DETECTS_DUPLICATES, 0);
        let ends = binding.play_opened([
            Do::insert("k", &[("field0", b"1")]),
            Do::insert("k", &[("field0", b"2")]),
            Do::read("k"),
        ]);
        assert_eq!(statuses(&ends), [status::OK, status::DUPLICATE, status::OK], "{layout}");
        assert_eq!(ends[1].backend_code, 23_505);
        assert_eq!(ends[2].rows[0].field("field0"), Some(&b"1"[..]));
    }
}

#[test]
fn scans_go_by_the_bytes_of_the_key() {
    let names = ["B", "a", "user1", "user10", "user2", "user_1", "Zürich", "ä", "😀"];
    for layout in LAYOUTS {
        let Some(place) = Place::fresh() else { return };
        let binding = open(place.layout(layout));
        assert_ne!(binding.capabilities & capability::SCAN_ORDERED, 0);
        binding.play_opened(
            names.iter().map(|key| Do::insert(key, &[("field0", key.as_bytes()), ("field1", b"x")])),
        );
        let ends = binding.play_opened([
            Do::scan("", 100),
            Do::scan("user1", 3),
            Do::scan("user11", 100).select(&["field1"]),
            Do::scan("\u{10ffff}", 5),
            Do::scan("", 0),
        ]);
        assert_eq!(statuses(&ends), [status::OK; 5], "{layout}");
        let mut sorted = names;
        sorted.sort_unstable();
        assert_eq!(ends[0].keys(), sorted);
        assert!(ends[0].rows.iter().all(|row| row.field("field0") == Some(&row.key[..])));
        assert_eq!(ends[1].keys(), ["user1", "user10", "user2"]);
        let only_wanted = |row: &ReturnedRow| row.fields == [(b"field1".to_vec(), b"x".to_vec())];
        assert!(ends[2].rows.iter().all(only_wanted));
        assert_eq!((ends[3].row_count, ends[4].row_count), (0, 0));
    }
}

#[test]
fn a_scan_in_portions_returns_the_same() {
    for layout in LAYOUTS {
        let Some(place) = Place::fresh() else { return };
        let whole = open(place.layout(layout));
        let names: Vec<String> = (0..300).map(|number| format!("user{number:03}")).collect();
        let references: Vec<&str> = names.iter().map(String::as_str).collect();
        whole.play_opened([Do::insert_batch(&references, &record(b"v"))]);
        let portions = open(place.layout(layout).set("jdbc.fetchsize", "7"));
        let scans =
            [Do::scan("user100", 150), Do::scan("user298", 150), Do::scan("user298", 7), Do::read("user000")];
        let ends = portions.play_opened(scans);
        assert_eq!(statuses(&ends), [status::OK; 4], "{layout}");
        assert_eq!(ends[0].keys(), names[100..250]);
        assert_eq!(ends[1].keys(), names[298..]);
        assert_eq!(whole.play_opened([Do::scan("user100", 150)])[0].rows, ends[0].rows);
    }
}

#[test]
fn what_text_cannot_hold_is_refused_and_the_session_goes_on() {
    for layout in LAYOUTS {
        let Some(mut place) = Place::fresh() else { return };
        let ends = open(place.layout(layout)).play_opened([
            Do::insert("k", &[("field0", b"\xff\x80\xc3\xa9")]),
            Do::insert("k", &[("field0", b"nul\x00")]),
            Do::insert("nul\0key", &[("field0", b"1")]),
            Do::insert(&"long".repeat(100), &[("field0", b"1")]),
            Do::insert("k", &[("field0", b"fine")]),
            Do::update("k", &[("field0", b"\xff")]),
            Do::update("k", &[("field0", b"\x00")]),
            Do::read("k"),
        ]);
        let (ok, bad) = (status::OK, status::BAD_REQUEST);
        assert_eq!(statuses(&ends), [bad, bad, bad, bad, ok, bad, bad, ok], "{layout} {ends:?}");
        assert_eq!(ends[7].rows[0].field("field0"), Some(&b"fine"[..]));
        assert_eq!(place.ask("SELECT count(*)::text FROM @T"), "1");
    }
}

#[test]
fn keys_are_any_text_and_values_may_be_long() {
    let megabyte: Vec<u8> = "0123456789äöü€\t\n\"\\'".bytes().cycle().take(1_000_000).collect();
    // Cut at a character.
    let megabyte = &megabyte[..megabyte.len() - megabyte.len() % 29];
    let megabyte = String::from_utf8_lossy(megabyte).into_owned().into_bytes();
    for layout in LAYOUTS {
        let Some(place) = Place::fresh() else { return };
        let binding = open(place.layout(layout));
        for key in ["", " ", "it's", "\"q\"", "a\\b", "a\r\nb", "%_", "$1", "Zürich", "😀", &"k".repeat(255)]
        {
            let ends = binding.play_opened([
                Do::insert(key, &[("field0", &megabyte)]),
                Do::read(key),
                Do::update(key, &[("field1", b"x")]),
                Do::scan(key, 1),
                Do::delete(key),
            ]);
            assert_eq!(statuses(&ends), [status::OK; 5], "{layout} {key:?}");
            assert!(ends[1].rows[0].field("field0") == Some(&megabyte));
            assert_eq!(ends[3].keys(), [key]);
        }
    }
}

#[test]
fn in_a_document_names_keep_their_case_and_values_their_type() {
    let Some(mut place) = Place::fresh() else { return };
    let binding = open(place.layout("jsonb"));
    let ends = binding.play_opened([
        Do::insert("k", &[("FIELD1", b"upper"), ("field1", b"lower"), ("f'\"\\", b"odd")]),
        Do::read("k").select(&["FIELD1", "f'\"\\"]),
        Do::insert("empty", &[]),
        Do::read("empty"),
        Do::update("empty", &[]),
        Do::update("absent", &[]),
    ]);
    let (ok, absent) = (status::OK, status::NOT_FOUND);
    assert_eq!(statuses(&ends), [ok, ok, ok, ok, ok, absent]);
    assert_eq!(
        ends[1].rows[0].fields,
        [(b"FIELD1".to_vec(), b"upper".to_vec()), (b"f'\"\\".to_vec(), b"odd".to_vec())]
    );
    assert_eq!(ends[3].rows[0].fields, []);
    place.execute(r#"INSERT INTO @T VALUES ('typed', '{"n": 1.50, "t": true, "z": null, "a": [1, "x"]}')"#);
    let ends = binding.play_opened([Do::read("typed"), Do::read("typed").select(&["n", "t", "z", "a"])]);
    for end in &ends {
        let row = &end.rows[0];
        let of = |name| row.field(name).map(|value| String::from_utf8_lossy(value).into_owned());
        assert_eq!((of("n"), of("t"), of("z")), (Some("1.50".into()), Some("true".into()), None));
        assert_eq!(of("a"), Some("[1, \"x\"]".into()));
    }
}

#[test]
fn an_update_without_fields_is_refused_where_fields_are_columns() {
    let Some(place) = Place::fresh() else { return };
    let ends = open(place.how()).play_opened([Do::insert("k", &[]), Do::read("k"), Do::update("k", &[])]);
    assert_eq!(statuses(&ends), [status::OK, status::OK, status::BAD_REQUEST]);
    assert_eq!(ends[1].rows[0].fields, []);
}

#[test]
fn two_hundred_clients_work_at_once() {
    let Some(mut place) = Place::fresh() else { return };
    let binding = open(place.how());
    let clients = (0..200)
        .map(|client| {
            let mut steps = vec![Do::open()];
            for number in 0..3 {
                let key = format!("user{client}x{number}");
                steps.push(Do::insert(&key, &[("field0", key.as_bytes())]));
                steps.push(Do::read(&key));
            }
            steps.push(Do::end());
            steps
        })
        .collect();
    for ends in binding.play(clients) {
        assert_eq!(statuses(&ends), [status::OK; 8], "{ends:?}");
    }
    assert_eq!(place.ask("SELECT count(*)::text FROM @T"), "600");
}
