//! The index: created, kept, emptied, found missing.

use crate::support::{on_every_server, opened, refused};
use serde_json::json;
use ycsb_plugin_api::abi::{capability, status};
use ycsb_plugin_api::testing::{Do, Open, logged, statuses};

#[test]
fn a_run_on_an_absent_index_is_refused_and_creates_nothing() {
    on_every_server(|server| {
        server.curl("DELETE", "/index-absent", "");
        let ended = refused(server.run("index-absent"));
        assert_eq!(ended.status, status::NOT_FOUND);
        assert!(ended.detail.contains("there is no index index-absent; load it first"), "{}", ended.detail);
        assert_eq!(server.curl("GET", "/index-absent", "").0, 404);
    });
}

#[test]
fn an_index_is_created_with_the_shards_replicas_and_mapping_asked_for() {
    on_every_server(|server| {
        let binding = opened(
            server
                .load("index-created")
                .set("es.number_of_shards", "3")
                .set("es.number_of_replicas", "1")
                .set("es.index.key", "id"),
        );
        let (_, index) = server.curl("GET", "/index-created", "");
        let index = &index["index-created"];
        assert_eq!(index["settings"]["index"]["number_of_shards"], "3");
        assert_eq!(index["settings"]["index"]["number_of_replicas"], "1");
        assert_eq!(index["mappings"]["properties"], json!({"id": {"type": "keyword"}}));
        binding.play_one([Do::open(), Do::insert("k", &[("field0", b"2020-01-01")])]);
        let (_, mapping) = server.curl("GET", "/index-created/_mapping", "");
        let field = &mapping["index-created"]["mappings"]["properties"]["field0"];
        assert_eq!(*field, json!({"type": "keyword", "index": false, "doc_values": false}), "a date is text");
        assert_eq!(server.documents("index-created")[0].1, json!({"id": "k", "field0": "2020-01-01"}));
    });
}

#[test]
fn a_load_keeps_what_is_there_unless_it_starts_fresh() {
    on_every_server(|server| {
        opened(server.load("index-kept")).play_one([Do::open(), Do::insert("k", &[("field0", b"x")])]);
        let kept = Open { fresh: false, ..server.load("index-kept") };
        let ended = opened(kept).play_one([Do::open(), Do::read("k")]);
        assert_eq!(ended[1].status, status::OK);
        let ended = opened(server.load("index-kept")).play_one([Do::open(), Do::read("k")]);
        assert_eq!(ended[1].status, status::NOT_FOUND);
    });
}

#[test]
fn many_loads_at_once_agree_on_one_index() {
    on_every_server(|server| {
        server.curl("DELETE", "/index-race", "");
        let open = || Open { fresh: false, ..server.load("index-race") };
        std::thread::scope(|scope| {
            let loads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| statuses(&opened(open()).play_one([Do::open()])))).collect();
            for load in loads {
                assert_eq!(load.join().expect("opened"), [status::OK]);
            }
        });
    });
}

#[test]
fn an_index_without_a_sortable_key_has_no_scans() {
    on_every_server(|server| {
        server.curl("DELETE", "/index-unsortable", "");
        let mapping = json!({"mappings": {"properties": {"key": {"type": "text"}}}}).to_string();
        assert_eq!(server.curl("PUT", "/index-unsortable", &mapping).0, 200);
        let binding = opened(server.run("index-unsortable"));
        assert_eq!(binding.capabilities & (capability::SCAN | capability::SCAN_ORDERED), 0);
        assert!(logged().iter().any(|(_, line)| line.contains("no keyword to sort by")));
    });
}

#[test]
fn settings_that_contradict_each_other_are_refused_before_anything_is_sent() {
    let closed = Open::default().set("es.hosts.list", "127.0.0.1:9");
    let ended = refused(closed.clone().set("es.index.key", "field3"));
    assert_eq!(ended.status, status::BAD_REQUEST);
    assert!(ended.detail.contains("\"field3\" is also a field of the workload"), "{}", ended.detail);
    let ended =
        refused(Open::default().set("es.hosts.list", "http://127.0.0.1:9").set("es.security.ssl", "true"));
    assert_eq!(ended.status, status::BAD_REQUEST);
    let ended = refused(closed.set("es.index.name", "Usertable"));
    assert_eq!(ended.status, status::BAD_REQUEST);
}

#[test]
fn an_index_name_in_the_place_of_the_key_field_gets_a_hint() {
    on_every_server(|server| {
        // The default index: the hint is for people who name theirs the old way.
        let how =
            Open { within: server.load("x").within, ..Open::default() }.set("es.hosts.list", &server.hosts);
        let binding = opened(how.set("es.index.key", "my.index"));
        drop(binding);
        assert!(logged().iter().any(|(_, line)| line.contains("which is es.index.name here")));
        server.curl("DELETE", "/es.ycsb", "");
    });
}
