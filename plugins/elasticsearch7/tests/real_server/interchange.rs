//! Data of YCSB's own binding is readable, and what this one writes is the same.

use crate::support::{on_every_server, opened};
use serde_json::Value;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::Do;

/// The dump of an index that YCSB's binding loaded.
pub(crate) fn golden() -> Vec<(String, Value)> {
    let dump: Value = serde_json::from_str(include_str!("../golden/elasticsearch7.json")).unwrap();
    let documents = dump["documents"].as_array().unwrap();
    documents
        .iter()
        .map(|document| (document["_id"].as_str().unwrap().to_owned(), document["_source"].clone()))
        .collect()
}

/// The fields of a golden document, without the copy of the key.
fn fields(source: &Value) -> Vec<(&str, &[u8])> {
    let members = source.as_object().unwrap().iter();
    members
        .filter(|(name, _)| *name != "key")
        .map(|(name, value)| (name.as_str(), value.as_str().unwrap().as_bytes()))
        .collect()
}

#[test]
fn what_ycsb_wrote_is_read_value_for_value() {
    on_every_server(|server| {
        for mapping in ["stored", "dynamic"] {
            let index = format!("interchange-read-{mapping}");
            let binding = opened(server.load(&index).set("es.mapping", mapping));
            for (id, source) in golden() {
                let path = format!("/{index}/_doc/{id}");
                assert_eq!(server.curl("PUT", &path, &source.to_string()).0, 201);
            }
            server.refresh(&index);
            let golden = golden();
            let reads = golden.iter().map(|(id, _)| Do::read(id));
            let ended = binding.play_one([Do::open(), Do::scan("user", 100)].into_iter().chain(reads));
            assert_eq!(ended[1].row_count as usize, golden.len());
            for (at, (id, source)) in golden.iter().enumerate() {
                let mut expected = fields(source);
                expected.sort();
                for row in [&ended[1].rows[at], &ended[at + 2].rows[0]] {
                    let mut read: Vec<_> = row
                        .fields
                        .iter()
                        .map(|(name, value)| (std::str::from_utf8(name).unwrap(), value.as_slice()))
                        .collect();
                    read.sort();
                    assert_eq!(read, expected, "{id} in {index}");
                }
            }
        }
    });
}

#[test]
fn what_the_binding_writes_equals_what_ycsb_wrote() {
    on_every_server(|server| {
        let golden = golden();
        let binding = opened(server.load("interchange-single"));
        let inserts = golden.iter().map(|(id, source)| Do::insert(id, &fields(source)));
        for ended in binding.play_one(std::iter::once(Do::open()).chain(inserts)) {
            assert_eq!(ended.status, status::OK, "{ended:?}");
        }
        assert_eq!(server.documents("interchange-single"), golden);

        let binding = opened(server.load("interchange-bulk"));
        let batches = golden.iter().map(|(id, source)| Do::insert_batch(&[id], &fields(source)));
        for ended in binding.play_one(std::iter::once(Do::open()).chain(batches)) {
            assert_eq!(ended.status, status::OK, "{ended:?}");
        }
        assert_eq!(server.documents("interchange-bulk"), golden);

        let empty: &[(&str, &[u8])] = &[("field0", b"old")];
        let binding = opened(server.load("interchange-update"));
        let updates =
            golden.iter().flat_map(|(id, source)| [Do::insert(id, empty), Do::update(id, &fields(source))]);
        for ended in binding.play_one(std::iter::once(Do::open()).chain(updates)) {
            assert_eq!(ended.status, status::OK, "{ended:?}");
        }
        assert_eq!(server.documents("interchange-update"), golden);
    });
}
