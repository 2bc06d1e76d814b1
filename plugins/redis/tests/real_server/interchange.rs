//! Data of YCSB's Java binding, both ways: `tests/golden/redis.json` is what it left in a real server.

use crate::support::Database;
use redis::Commands;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, statuses};

/// Records and index of a database.
#[derive(Debug, PartialEq)]
pub(crate) struct Dump {
    hashes: BTreeMap<String, BTreeMap<String, String>>,
    index: BTreeMap<String, i64>,
}

impl Dump {
    pub(crate) fn golden() -> Dump {
        let all: Value = serde_json::from_str(include_str!("../golden/redis.json")).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let hashes = all["hashes"].as_object().unwrap().iter().map(|(key, fields)| {
            let fields = fields.as_object().unwrap().iter();
            (key.clone(), fields.map(|(name, value)| (name.clone(), text(value))).collect())
        });
        assert_eq!(all["index_key"], "_indices");
        let entries = all["zrange_withscores"].as_array().unwrap();
        let index = entries.iter().map(|entry| (text(&entry[0]), text(&entry[1]).parse().unwrap()));
        Dump { hashes: hashes.collect(), index: index.collect() }
    }

    /// Writes it with the client that is not ours.
    pub(crate) fn write(&self, database: &mut Database) {
        for (key, fields) in &self.hashes {
            let fields: Vec<_> = fields.iter().collect();
            let _: () = database.plain.hset_multiple(key, &fields).unwrap();
        }
        for (key, score) in &self.index {
            let _: () = database.plain.zadd("_indices", key, score).unwrap();
        }
    }
}

/// What a database holds.
pub(crate) fn left(database: &mut Database) -> Dump {
    let mut keys: Vec<String> = database.plain.keys("*").unwrap();
    keys.retain(|key| key != "_indices");
    let hashes = keys.into_iter().map(|key| {
        let hash: HashMap<String, String> = database.plain.hgetall(&key).unwrap();
        (key, hash.into_iter().collect())
    });
    let hashes = hashes.collect();
    let index = database.members("_indices").into_iter().map(|(key, score)| (key, score as i64)).collect();
    Dump { hashes, index }
}

#[test]
fn what_java_loaded_is_read_value_for_value() {
    let Some(mut database) = Database::empty() else { return };
    let dump = Dump::golden();
    dump.write(&mut database);
    let binding = database.open();
    for (key, fields) in &dump.hashes {
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        for read in [Do::read(key), Do::read(key).select(&names)] {
            let end = binding.play_opened([read]).remove(0);
            let row: BTreeMap<_, _> = end.rows[0].fields.iter().cloned().collect();
            let expected: BTreeMap<_, _> = fields
                .iter()
                .map(|(name, value)| (name.clone().into_bytes(), value.clone().into_bytes()))
                .collect();
            assert_eq!((end.status, row), (status::OK, expected));
        }
    }
    let lowest = dump.index.iter().min_by_key(|(_, score)| **score).unwrap().0;
    let scan = binding.play_opened([Do::scan(lowest, 100)]).remove(0);
    assert_eq!(scan.row_count, dump.hashes.len() as u64);
}

#[test]
fn what_the_binding_writes_equals_what_java_left() {
    let Some(mut database) = Database::empty() else { return };
    let dump = Dump::golden();
    let binding = database.open();
    let inserts = dump.hashes.iter().map(|(key, fields)| {
        let fields: Vec<(&str, &[u8])> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        Do::insert(key, &fields)
    });
    assert_eq!(statuses(&binding.play_opened(inserts)), [status::OK; 7]);
    assert_eq!(left(&mut database), dump);
}
