//! Each operation: what it answers and what it leaves in the server.

use crate::support::{Database, open};
use redis::Commands;
use ycsb_plugin_api::abi::{capability, status};
use ycsb_plugin_api::testing::{Do, Open, statuses};

#[test]
fn a_record_is_a_hash_at_its_key_and_a_scored_entry_of_the_index() {
    let Some(mut database) = Database::empty() else { return };
    let binding = database.open();
    let fields = [("field0", &b"first"[..]), ("field1", b"second")];
    let ends = binding.play_opened([Do::insert("user6284781860667377211", &fields), Do::end()]);
    assert_eq!(statuses(&ends), [status::OK, status::OK]);
    let hash: Vec<(String, String)> = database.plain.hgetall("user6284781860667377211").unwrap();
    assert_eq!(hash, [("field0".into(), "first".into()), ("field1".into(), "second".into())]);
    let index = database.members("_indices");
    assert_eq!(index, [("user6284781860667377211".to_owned(), -594_971_599.0)]);
    assert_eq!(database.plain.keys::<_, Vec<String>>("*").unwrap().len(), 2);
}

#[test]
fn reads_return_all_fields_or_the_wanted_ones() {
    let Some(database) = Database::empty() else { return };
    let binding = database.open();
    let ends = binding.play_opened([
        Do::insert("k", &[("a", b"1"), ("b", b""), ("c", b"3")]),
        Do::read("k"),
        Do::read("k").select(&["c", "absent", "b"]),
        Do::read("k").select(&["absent"]),
        Do::read("nobody"),
        Do::read("nobody").select(&["a"]),
        Do::read("k").unwatched(),
    ]);
    let expected = [
        status::OK,
        status::OK,
        status::OK,
        status::NOT_FOUND,
        status::NOT_FOUND,
        status::NOT_FOUND,
        status::OK,
    ];
    assert_eq!(statuses(&ends), expected);
    let all = &ends[1].rows[0];
    assert_eq!((all.fields.len(), all.field("a"), all.field("b")), (3, Some(&b"1"[..]), Some(&b""[..])));
    let some = &ends[2].rows[0];
    assert_eq!(some.fields, [(b"c".to_vec(), b"3".to_vec()), (b"b".to_vec(), b"".to_vec())]);
}

#[test]
fn inserts_and_updates_merge_and_an_update_creates_without_an_index_entry() {
    let Some(mut database) = Database::empty() else { return };
    let binding = database.open();
    assert_ne!(binding.capabilities & capability::UPDATE_CREATES, 0);
    let ends = binding.play_opened([
        Do::insert("k", &[("a", b"1"), ("b", b"2")]),
        Do::update("k", &[("b", b"new")]),
        Do::insert("k", &[("c", b"3")]),
        Do::read("k"),
        Do::update("unknown", &[("a", b"1")]),
    ]);
    assert_eq!(statuses(&ends), [status::OK; 5]);
    let row = &ends[3].rows[0];
    assert_eq!(
        (row.field("a"), row.field("b"), row.field("c")),
        (Some(&b"1"[..]), Some(&b"new"[..]), Some(&b"3"[..]))
    );
    assert_eq!(database.members("_indices").len(), 1);
    assert!(database.plain.exists::<_, bool>("unknown").unwrap());
}

#[test]
fn a_strict_update_of_a_missing_record_is_not_found() {
    let Some(mut database) = Database::empty() else { return };
    let binding = open(database.how().set("redis.strictupdate", "true"));
    assert_eq!(binding.capabilities & capability::UPDATE_CREATES, 0);
    let update = || Do::update("k", &[("a", b"2"), ("b", b"\x00\r\n")]);
    let ends = binding.play_opened([update(), Do::insert("k", &[("a", b"1")]), update(), Do::read("k")]);
    assert_eq!(statuses(&ends), [status::NOT_FOUND, status::OK, status::OK, status::OK]);
    assert_eq!(ends[3].rows[0].field("b"), Some(&b"\x00\r\n"[..]));
    // A server that was restarted does not know the script any more.
    redis::cmd("SCRIPT").arg("FLUSH").exec(&mut database.plain).unwrap();
    assert_eq!(statuses(&binding.play_opened([update(), update()])), [status::OK; 2]);
}

#[test]
fn a_delete_cleans_the_index_also_of_what_java_left_there() {
    let Some(mut database) = Database::empty() else { return };
    let binding = database.open();
    let _: () = database.plain.zadd("_indices", "leaked", 1).unwrap();
    let ends = binding.play_opened([
        Do::insert("k", &[("a", b"1")]),
        Do::delete("k"),
        Do::delete("k"),
        Do::delete("leaked"),
        Do::read("k"),
    ]);
    let expected = [status::OK, status::OK, status::NOT_FOUND, status::NOT_FOUND, status::NOT_FOUND];
    assert_eq!(statuses(&ends), expected);
    assert_eq!(database.members("_indices"), []);
}

#[test]
fn values_are_bytes_keys_are_any_text_and_both_may_be_long() {
    let Some(database) = Database::empty() else { return };
    let binding = database.open();
    let every_byte: Vec<u8> = (0..=255).cycle().take(1_000_000).collect();
    let long_key = "k".repeat(10_000);
    for key in ["", " ", "user:{1}", "Zürich", "😀", "a\r\nb", "\"'\\", &long_key] {
        let fields = [("ü\r\n", &every_byte[..]), ("empty", b"")];
        let ends = binding.play_opened([
            Do::insert(key, &fields),
            Do::read(key),
            Do::update(key, &[("empty", b"\xff")]),
            Do::read(key),
        ]);
        assert_eq!(statuses(&ends), [status::OK; 4], "{key:?}");
        assert_eq!(ends[1].rows[0].field("ü\r\n"), Some(&every_byte[..]));
        assert_eq!(ends[3].rows[0].field("empty"), Some(&b"\xff"[..]));
    }
}

#[test]
fn what_redis_cannot_store_is_refused_without_asking_it() {
    let Some(mut database) = Database::empty() else { return };
    let binding = database.open();
    let ends =
        binding.play_opened([Do::insert("k", &[]), Do::update("k", &[]), Do::insert_batch(&["x", "y"], &[])]);
    assert_eq!(statuses(&ends), [status::BAD_REQUEST; 3]);
    assert_eq!(ends[2].row_status, [status::BAD_REQUEST; 2]);
    assert_eq!(ends[0].detail, "record \"k\" has no fields, which Redis cannot store");
    assert_eq!(database.plain.keys::<_, Vec<String>>("*").unwrap(), Vec::<String>::new());
}

#[test]
fn a_key_that_holds_something_else_is_an_unexpected_state() {
    let Some(mut database) = Database::empty() else { return };
    let binding = database.open();
    let _: () = database.plain.set("text", "x").unwrap();
    let ends = binding.play_opened([
        Do::read("text"),
        Do::update("text", &[("a", b"1")]),
        Do::insert("text", &[("a", b"1")]),
        // The answers of the failed insert have all been taken.
        Do::insert("k", &[("a", b"1")]),
        Do::read("k"),
    ]);
    let wrong = status::UNEXPECTED_STATE;
    assert_eq!(statuses(&ends), [wrong, wrong, wrong, status::OK, status::OK]);
    assert!(ends[0].detail.starts_with("WRONGTYPE"), "{}", ends[0].detail);
}

#[test]
fn a_batch_is_one_pipeline_and_each_record_has_its_own_end() {
    let Some(mut database) = Database::empty() else { return };
    let binding = open(database.how());
    let _: () = database.plain.set("text", "x").unwrap();
    let ends = binding.play_opened([
        Do::insert_batch(&["a", "text", "b"], &[("f", b"1")]),
        Do::read("b"),
        Do::scan("", 10),
    ]);
    assert_eq!(ends[0].row_status, [status::OK, status::UNEXPECTED_STATE, status::OK]);
    assert_eq!(ends[0].row_count, 2);
    assert_eq!(ends[1].status, status::OK);
    let many: Vec<String> = (0..1_003).map(|number| format!("user{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let value = vec![b'v'; 1_000];
    let ends = binding.play_opened([Do::insert_batch(&many, &[("f", &value)])]);
    assert_eq!((ends[0].status, ends[0].row_count), (status::OK, 1_003));
    assert_eq!(database.members("_indices").len(), 1_003 + 3);
}

#[test]
fn dropping_the_data_deletes_the_indexed_records_and_nothing_else() {
    let Some(mut database) = Database::empty() else { return };
    let how = database.how().set("redis.scanorder", "key");
    let keys_of = |count: usize| (0..count).map(|number| format!("user{number}")).collect::<Vec<_>>();
    let many = keys_of(2_500);
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    open(how.clone()).play_opened([Do::insert_batch(&many, &[("f", b"1")])]);
    let _: () = database.plain.set("foreign", "stays").unwrap();
    let mut fresh = how;
    fresh.fresh = true;
    let binding = open(fresh);
    assert_eq!(database.plain.keys::<_, Vec<String>>("*").unwrap(), ["foreign"]);
    let ends = binding.play_opened([Do::insert("k", &[("a", b"1")]), Do::scan("", 9)]);
    assert_eq!(ends[1].keys(), ["k"]);
}

#[test]
fn clients_share_as_many_threads_as_are_asked_for() {
    let Some(database) = Database::empty() else { return };
    for (threads, notice) in [("1", "clients on 1 thread;"), ("3", "clients on 3 threads;")] {
        let how = Open { clients: 10, ..database.how() }.set("redis.runtime.threads", threads);
        let binding = open(how);
        assert!(binding.detail.contains(notice), "{}", binding.detail);
        let client = |client: usize| vec![Do::open(), Do::insert(&format!("k{client}"), &[("a", b"1")])];
        for ends in binding.play((0..10).map(client).collect()) {
            assert_eq!(statuses(&ends), [status::OK, status::OK]);
        }
    }
}

#[test]
fn two_hundred_clients_work_at_once() {
    let Some(mut database) = Database::empty() else { return };
    let binding = database.open();
    let clients = (0..200)
        .map(|client| {
            let mut steps = vec![Do::open()];
            for number in 0..10 {
                let key = format!("user{client}x{number}");
                steps.push(Do::insert(&key, &[("f", key.as_bytes())]));
                steps.push(Do::read(&key));
            }
            steps.push(Do::end());
            steps
        })
        .collect();
    for ends in binding.play(clients) {
        assert_eq!(statuses(&ends), [status::OK; 22]);
    }
    assert_eq!(database.members("_indices").len(), 2_000);
}

#[test]
fn the_connection_notice_says_what_the_server_is_and_what_it_may_lose() {
    let Some(database) = Database::empty() else { return };
    let detail = database.open().detail.clone();
    let version = database.server().fact("VERSION").trim_start_matches("redis ");
    assert!(detail.starts_with(&format!("Redis {version} at 127.0.0.1:")), "{detail}");
    assert!(
        detail.ends_with(
            "scans in hash order; clients on 1 thread; a crash loses everything since the last snapshot (appendonly no)"
        ),
        "{detail}"
    );
}
