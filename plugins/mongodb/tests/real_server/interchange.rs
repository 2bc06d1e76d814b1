//! Data of YCSB's own binding is readable, and what this one writes is the same, to the BSON type.

use crate::support::everywhere;
use base64::Engine;
use mongodb::bson::spec::BinarySubtype;
use mongodb::bson::{Binary, Bson, Document};
use serde_json::Value;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::Do;

/// The dump of a collection that YCSB's binding loaded.
pub(crate) fn golden() -> Vec<Document> {
    let dump: Value = serde_json::from_str(include_str!("../golden/mongodb.json")).unwrap();
    let documents = dump["documents"].as_array().unwrap().iter();
    documents
        .map(|document| {
            document.as_object().unwrap().iter().map(|(name, value)| (name.clone(), bson(value))).collect()
        })
        .collect()
}

fn bson(value: &Value) -> Bson {
    match value {
        Value::String(text) => Bson::String(text.clone()),
        value => {
            assert_eq!(value["$binary"]["subType"], "00");
            let text = value["$binary"]["base64"].as_str().unwrap();
            let bytes = base64::engine::general_purpose::STANDARD.decode(text).unwrap();
            Bson::Binary(Binary { subtype: BinarySubtype::Generic, bytes })
        }
    }
}

/// Key and fields of a golden document.
fn record(document: &Document) -> (&str, Vec<(&str, &[u8])>) {
    let fields = document.iter().filter_map(|(name, value)| match value {
        Bson::Binary(binary) => Some((name.as_str(), binary.bytes.as_slice())),
        _ => None,
    });
    (document.get_str("_id").unwrap(), fields.collect())
}

#[test]
fn what_ycsb_wrote_is_read_value_for_value() {
    everywhere(|flavour, server| {
        let binding = flavour.opened(server.load("golden_read"));
        let golden = golden();
        assert_eq!(golden.len(), 7);
        server.plain().write("ycsb", "golden_read", golden.clone());
        let reads = golden.iter().map(|document| Do::read(record(document).0));
        let ended = binding.play_one([Do::open(), Do::scan("user", 100)].into_iter().chain(reads));
        assert_eq!(ended[1].row_count, 7);
        for (at, document) in golden.iter().enumerate() {
            let (key, fields) = record(document);
            assert_eq!(ended[1].rows[at].key, key.as_bytes());
            for row in [&ended[1].rows[at], &ended[at + 2].rows[0]] {
                let read: Vec<_> = row
                    .fields
                    .iter()
                    .map(|(name, value)| (std::str::from_utf8(name).unwrap(), &value[..]))
                    .collect();
                assert_eq!(read, fields, "{flavour:?} {key}");
            }
        }
    });
}

#[test]
fn what_the_bindings_write_equals_what_ycsb_wrote() {
    everywhere(|flavour, server| {
        let golden = golden();
        let old: &[(&str, &[u8])] = &[("field1", b"old")];
        for (table, upsert) in [("golden_single", "false"), ("golden_upsert", "true")] {
            let binding = flavour.opened(server.load(table).set("mongodb.upsert", upsert));
            let inserts = golden.iter().map(record).map(|(key, fields)| Do::insert(key, &fields));
            let ended = binding.play_one(std::iter::once(Do::open()).chain(inserts));
            assert!(ended.iter().all(|ended| ended.status == status::OK), "{ended:?}");
            assert_eq!(server.plain().documents("ycsb", table), golden, "{flavour:?} {table}");
        }
        for (table, upsert) in [("golden_batch", "false"), ("golden_batch_upsert", "true")] {
            let binding = flavour.opened(server.load(table).set("mongodb.upsert", upsert));
            let batches = golden.iter().map(record).map(|(key, fields)| Do::insert_batch(&[key], &fields));
            let ended = binding.play_one(std::iter::once(Do::open()).chain(batches));
            assert!(ended.iter().all(|ended| ended.status == status::OK), "{ended:?}");
            assert_eq!(server.plain().documents("ycsb", table), golden, "{flavour:?} {table}");
        }
        let binding = flavour.opened(server.load("golden_update"));
        let updates = golden
            .iter()
            .map(record)
            .flat_map(|(key, fields)| [Do::insert(key, old), Do::update(key, &fields)]);
        let ended = binding.play_one(std::iter::once(Do::open()).chain(updates));
        assert!(ended.iter().all(|ended| ended.status == status::OK), "{ended:?}");
        // Updated fields may have another order.
        let sorted = |documents: Vec<Document>| -> Vec<Vec<(String, Bson)>> {
            let sort = |document: Document| {
                let mut members: Vec<_> = document.into_iter().collect();
                members.sort_by(|a, b| a.0.cmp(&b.0));
                members
            };
            documents.into_iter().map(sort).collect()
        };
        assert_eq!(sorted(server.plain().documents("ycsb", "golden_update")), sorted(golden), "{flavour:?}");
    });
}
