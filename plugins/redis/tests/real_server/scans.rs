//! Scans in both orders.

use crate::support::{Database, open, refused};
use redis::Commands;
use ycsb_plugin_api::abi::{capability, status};
use ycsb_plugin_api::testing::{Do, statuses};
use ycsb_plugin_common::java_hash;

fn inserts(count: usize) -> Vec<Do> {
    (0..count).map(|number| Do::insert(&format!("user{number}"), &[("a", b"1"), ("b", b"2")])).collect()
}

#[test]
fn a_scan_goes_by_hash_from_the_start_keys_hash_on() {
    let Some(database) = Database::empty() else { return };
    let binding = database.open();
    assert_eq!(binding.capabilities & capability::SCAN_ORDERED, 0);
    binding.play_opened(inserts(100));
    let mut by_hash: Vec<(i32, String)> =
        (0..100).map(|number| format!("user{number}")).map(|key| (java_hash(&key), key)).collect();
    by_hash.sort();
    let from = |key: &str| {
        let start = by_hash.iter().position(|(hash, _)| *hash >= java_hash(key)).unwrap_or(100);
        by_hash[start..].iter().map(|(_, key)| key.clone()).collect::<Vec<_>>()
    };
    let ends =
        binding.play_opened([Do::scan("user50", 10), Do::scan("absent", 1_000), Do::scan("user50", 0)]);
    assert_eq!(statuses(&ends), [status::OK; 3]);
    assert_eq!(ends[0].keys(), from("user50")[..10.min(from("user50").len())]);
    assert_eq!(ends[1].keys(), from("absent"));
    assert_eq!(
        (ends[0].row_count, ends[1].row_count, ends[2].row_count),
        (ends[0].keys().len() as u64, from("absent").len() as u64, 0)
    );
    assert!(ends[0].rows.iter().all(|row| row.fields.len() == 2));
}

#[test]
fn a_scan_fills_up_behind_entries_whose_record_is_gone() {
    let Some(mut database) = Database::empty() else { return };
    let binding = database.open();
    // Ties of the hash: Aa and BB, over several characters, give many keys with one score.
    let tied: Vec<String> = (0..32)
        .map(|bits: u32| (0..5).map(|bit| if bits >> bit & 1 == 0 { "Aa" } else { "BB" }).collect())
        .collect();
    for (number, key) in tied.iter().enumerate() {
        if number % 3 == 0 {
            binding.play_opened([Do::insert(key, &[("a", b"1")])]);
        } else {
            let _: () = database.plain.zadd("_indices", key, java_hash(key)).unwrap();
        }
    }
    let mut present: Vec<String> = tied.iter().step_by(3).cloned().collect();
    present.sort();
    let ends = binding.play_opened([Do::scan("AaAaAaAaAa", 7), Do::scan("AaAaAaAaAa", 100)]);
    assert_eq!(ends[0].keys(), present[..7]);
    assert_eq!(ends[1].keys(), present);
}

#[test]
fn a_scan_returns_only_the_wanted_fields() {
    let Some(database) = Database::empty() else { return };
    let binding = database.open();
    binding.play_opened(inserts(3));
    let ends = binding.play_opened([Do::scan("user0", 10).select(&["b"])]);
    assert_eq!(ends[0].rows.len(), 3);
    assert!(ends[0].rows.iter().all(|row| row.fields == [(b"b".to_vec(), b"2".to_vec())]));
}

#[test]
fn an_empty_database_scans_as_nothing() {
    let Some(database) = Database::empty() else { return };
    let ends = database.open().play_opened([Do::scan("user", 10)]);
    assert_eq!((ends[0].status, ends[0].row_count), (status::OK, 0));
}

#[test]
fn with_the_second_index_a_scan_goes_by_key() {
    let Some(mut database) = Database::empty() else { return };
    let how = database.how().set("redis.scanorder", "key");
    let binding = open(how.clone());
    assert_ne!(binding.capabilities & capability::SCAN_ORDERED, 0);
    binding.play_opened(inserts(100));
    binding.play_opened([Do::delete("user51"), Do::insert_batch(&["user500", "Zürich"], &[("a", b"1")])]);
    // One record vanishes behind the binding's back.
    let _: () = database.plain.del("user52").unwrap();
    let ends = binding.play_opened([Do::scan("user50", 4), Do::scan("user98x", 10), Do::scan("", 1_000)]);
    assert_eq!(ends[0].keys(), ["user50", "user500", "user53", "user54"]);
    assert_eq!(ends[1].keys(), ["user99"]);
    let mut all = ends[2].keys();
    assert_eq!(all.len(), 100);
    let given = all.clone();
    all.sort();
    assert_eq!(given, all);
    assert_eq!(database.members("_indices").len(), database.members("_indices_lex").len());
    let mut run = how;
    run.run = true;
    open(run);
}

#[test]
fn a_run_by_key_on_data_loaded_without_the_second_index_is_refused() {
    let Some(database) = Database::empty() else { return };
    database.open().play_opened(inserts(3));
    let mut how = database.how().set("redis.scanorder", "key");
    how.run = true;
    let ended = refused(how);
    assert_eq!(ended.status, status::UNEXPECTED_STATE);
    assert!(ended.detail.contains("_indices_lex names 0 records but _indices names 3"), "{}", ended.detail);
}
