//! Each operation: what it answers and what it leaves in the server.

use crate::support::{Place, open};
use ycsb_plugin_api::abi::{capability, status};
use ycsb_plugin_api::testing::{Do, Open, statuses};

#[test]
fn records_are_read_updated_and_deleted() {
    let Some(mut place) = Place::fresh() else { return };
    let binding = open(place.how());
    let every_byte: Vec<u8> = (0..=255).collect();
    let ends = binding.play_opened([
        Do::insert("k", &[("a", &every_byte), ("b", b"")]),
        Do::read("k"),
        Do::update("k", &[("b", b"new"), ("ü", b"3")]),
        Do::read("k").select(&["ü", "b", "absent"]),
        Do::read("absent"),
        Do::update("created", &[("a", b"1")]),
        Do::delete("k"),
        Do::delete("k"),
        Do::read("k"),
        Do::end(),
    ]);
    let (ok, absent) = (status::OK, status::NOT_FOUND);
    assert_eq!(statuses(&ends), [ok, ok, ok, ok, absent, ok, ok, absent, absent, ok]);
    assert_eq!(ends[1].rows[0].fields, [(b"a".to_vec(), every_byte), (b"b".to_vec(), Vec::new())]);
    assert_eq!(ends[3].rows[0].fields, [(b"b".to_vec(), b"new".to_vec()), ("ü".into(), b"3".to_vec())]);
    assert_ne!(binding.capabilities & capability::UPDATE_CREATES, 0);
    assert_eq!(binding.capabilities & capability::DETECTS_DUPLICATES, 0);
    assert_eq!(place.ask("SELECT string_agg(key, ',') FROM store"), "created");
}

#[test]
fn a_strict_insert_of_an_existing_key_is_a_duplicate() {
    let Some(place) = Place::fresh() else { return };
    let binding = open(place.how().set("store.strictinsert", "true"));
    assert_ne!(binding.capabilities & capability::DETECTS_DUPLICATES, 0);
    assert_eq!(binding.capabilities & capability::INSERT_OVERWRITES, 0);
    let ends = binding.play_opened([
        Do::insert("c", &[("a", b"1")]),
        Do::insert("c", &[("a", b"2")]),
        Do::insert_batch(&["a", "b", "c", "b", "d", "c"], &[("a", b"3")]),
        Do::insert_batch(&["a", "b"], &[("a", b"4")]),
        Do::read("c"),
        Do::read("d"),
    ]);
    let (ok, twice) = (status::OK, status::DUPLICATE);
    assert_eq!(statuses(&ends[..2]), [ok, twice]);
    assert_eq!(ends[2].row_status, [ok, ok, twice, twice, ok, twice]);
    assert_eq!(ends[3].row_status, [twice, twice]);
    assert_eq!(ends[4].rows[0].field("a"), Some(&b"1"[..]));
    assert_eq!(ends[5].rows[0].field("a"), Some(&b"3"[..]));
}

#[test]
fn a_batch_may_name_a_key_twice_and_holds_bad_records_apart() {
    let Some(mut place) = Place::fresh() else { return };
    let too_long = "k".repeat(200);
    let ends = open(place.how()).play_opened([
        Do::insert_batch(&["a", "b", "a", &too_long, "nul\0"], &[("f", b"1")]),
        Do::insert_batch(
            &(0..1_003)
                .map(|number| format!("user{number}"))
                .collect::<Vec<_>>()
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>(),
            &[("f", b"1")],
        ),
    ]);
    let (ok, bad) = (status::OK, status::BAD_REQUEST);
    assert_eq!(ends[0].row_status, [ok, ok, ok, bad, bad]);
    assert_eq!((ends[1].status, ends[1].row_count), (ok, 1_003));
    assert_eq!(place.ask("SELECT count(*)::text FROM store"), "1005");
}

#[test]
fn scans_stay_in_their_keyspace_and_go_by_the_bytes_of_the_key() {
    let Some(place) = Place::fresh() else { return };
    let names = ["B", "a", "user1", "user10", "user2", "Zürich", "😀"];
    let others = Open { table: "usertablf", ..place.how() };
    open(others.clone()).play_opened([Do::insert("user1x", &[("a", b"other")])]);
    let binding = open(place.how());
    binding.play_opened(names.iter().map(|key| Do::insert(key, &[("a", key.as_bytes())])));
    let ends = binding.play_opened([
        Do::scan("", 100),
        Do::scan("user1", 2),
        Do::scan("\u{10ffff}", 5),
        Do::scan("", 0),
    ]);
    let mut sorted = names;
    sorted.sort_unstable();
    assert_eq!(ends[0].keys(), sorted);
    assert!(ends[0].rows.iter().all(|row| row.field("a") == Some(&row.key[..])));
    assert_eq!(ends[1].keys(), ["user1", "user10"]);
    assert_eq!((ends[2].row_count, ends[3].row_count), (0, 0));
    // Dropping the data of one keyspace leaves the other alone.
    let fresh = open(Open { fresh: true, ..place.how() });
    assert_eq!(fresh.play_opened([Do::scan("", 9)])[0].row_count, 0);
    assert_eq!(open(others).play_opened([Do::scan("", 9)])[0].keys(), ["user1x"]);
}

#[test]
fn a_value_beyond_the_tables_limit_is_a_bad_request() {
    let Some(place) = Place::fresh() else { return };
    let binding = open(place.how().set("store.maxvalue", "2056"));
    let record = |bytes: usize| Do::insert("k", &[("field0", &vec![b'v'; bytes])]);
    let ends = binding.play_opened([
        record(2038),
        record(2039),
        Do::update("k", &[("field1", b"x")]),
        Do::read("k"),
    ]);
    let (ok, bad) = (status::OK, status::BAD_REQUEST);
    assert_eq!(statuses(&ends), [ok, bad, bad, ok]);
    assert_eq!(ends[1].backend_code, 23_514);
}

#[test]
fn concurrent_updates_of_one_record_lose_nothing() {
    let Some(place) = Place::fresh() else { return };
    let binding = open(place.how());
    let clients = (0..8)
        .map(|client: usize| {
            let name = format!("field{client}");
            let updates = (0..50).map(|number: u8| Do::update("k", &[(&name, &[number])]));
            [Do::open()].into_iter().chain(updates).collect()
        })
        .collect();
    for ends in binding.play(clients) {
        assert_eq!(statuses(&ends), [status::OK; 51]);
    }
    let end = binding.play_opened([Do::read("k")]).remove(0);
    assert_eq!(end.rows[0].fields.len(), 8);
    assert!(end.rows[0].fields.iter().all(|(_, value)| value == &[49]));
}

#[test]
fn a_megabyte_is_stored_and_merged() {
    let Some(place) = Place::fresh() else { return };
    let megabyte: Vec<u8> = (0..=255).cycle().take(1_000_000).collect();
    let ends = open(place.how()).play_opened([
        Do::insert("k", &[("a", &megabyte), ("b", b"1")]),
        Do::update("k", &[("b", b"2")]),
        Do::read("k"),
    ]);
    assert_eq!(statuses(&ends), [status::OK; 3]);
    assert!(ends[2].rows[0].field("a") == Some(&megabyte[..]));
    assert_eq!(ends[2].rows[0].field("b"), Some(&b"2"[..]));
}

#[test]
fn the_rate_limit_spaces_the_operations_of_a_session() {
    let Some(place) = Place::fresh() else { return };
    let binding = open(place.how().set("voltdb.ratelimit", "100"));
    let end = binding.play_opened([Do::insert("k", &[("a", b"1")]), Do::read("k").times(11)]).remove(1);
    assert!(end.took >= std::time::Duration::from_millis(100), "{:?}", end.took);
    let late = Do::read("k").within(std::time::Duration::from_millis(200));
    let slow = open(place.how().set("voltdb.ratelimit", "1"));
    assert_eq!(statuses(&slow.play_opened([Do::read("k"), late]))[1], status::TIMEOUT);
}
