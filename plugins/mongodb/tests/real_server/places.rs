//! Which database and collection, and what URL options come to.

use crate::support::{BOTH, Server, everywhere};
use mongodb::bson::doc;
use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open, logged};
use ycsb_test_services::Service;

const FIELDS: &[(&str, &[u8])] = &[("field0", b"value")];

#[test]
fn records_go_to_the_database_of_the_url_or_of_the_property() {
    let Some(service) = Service::up("mongodb", &[]) else { return };
    let server = Server::of(&service);
    let address = server.url.trim_end_matches("/ycsb").to_owned();
    for (flavour, path, property, expected) in [
        (BOTH[0], "/places1", None, "places1"),
        (BOTH[1], "/places2.ignored", None, "places2"),
        (BOTH[0], "/admin", Some("places3"), "places3"),
        (BOTH[1], "?w=1", Some("places4"), "places4"),
        (BOTH[0], "", None, "ycsb"),
    ] {
        let mut how =
            Open { fresh: true, within: Some(Duration::from_secs(30)), table: "places", ..Open::default() };
        how = how.set("mongodb.url", &format!("{address}{path}"));
        if let Some(name) = property {
            how = how.set("mongodb.database", name);
        }
        let binding = flavour.opened(how);
        assert!(
            binding.detail.contains(&format!("database {expected}, collection places")),
            "{}",
            binding.detail
        );
        let ended = binding.play_one([Do::open(), Do::insert("k", FIELDS)]);
        assert_eq!(ended[1].status, status::OK);
        assert_eq!(server.plain().documents(expected, "places").len(), 1, "{path}");
    }
}

#[test]
fn a_load_keeps_what_is_there_unless_it_starts_fresh_and_a_run_never_empties() {
    everywhere(|flavour, server| {
        let ended = flavour.opened(server.load("kept")).play_one([Do::open(), Do::insert("k", FIELDS)]);
        assert_eq!(ended[1].status, status::OK);
        for how in [Open { fresh: false, ..server.load("kept") }, server.run("kept")] {
            assert_eq!(flavour.opened(how).play_one([Do::open(), Do::read("k")])[1].status, status::OK);
        }
        let ended = flavour.opened(server.load("kept")).play_one([Do::open(), Do::read("k")]);
        assert_eq!(ended[1].status, status::NOT_FOUND);
    });
}

#[test]
fn an_absent_collection_is_empty_data() {
    everywhere(|flavour, server| {
        let ended = flavour.opened(server.run("never_written")).play_one([
            Do::open(),
            Do::read("k"),
            Do::scan("", 5),
        ]);
        assert_eq!(
            (ended[1].status, ended[2].status, ended[2].row_count),
            (status::NOT_FOUND, status::OK, 0)
        );
    });
}

#[test]
fn options_of_old_urls_do_not_stop_a_run() {
    everywhere(|flavour, server| {
        let old = "?w=1&j=true&waitQueueMultiple=5&slaveOk=true&uuidRepresentation=standard&compressors=zlib&maxpoolsize=1\
                   &maxPoolSize=4&socketTimeoutMS=20000&waitQueueTimeoutMS=100";
        let mut how = server.load("old_options");
        how.settings.clear();
        let binding = flavour.opened(how.set("mongodb.url", &format!("{}{old}", server.url)));
        assert!(binding.detail.contains("w=1, journal=true"), "{}", binding.detail);
        let ended = binding.play(vec![vec![Do::open(), Do::insert_batch(&["k"], FIELDS), Do::read("k")]; 4]);
        assert!(
            ended.iter().all(|ended| ended[0].status == status::OK && ended[2].status == status::OK),
            "{ended:?}"
        );
    });
    assert!(
        logged().iter().any(|(_, line)| line.contains("compressors=zlib has no effect"))
            || logged().is_empty()
    );
}

#[test]
fn what_cannot_be_honoured_is_refused_before_anything_is_written() {
    for flavour in BOTH {
        for (name, value, words) in [
            ("mongodb.url", "mongodb://127.0.0.1:9/?w=0", "use w=1"),
            ("mongodb.writeConcern", "unacknowledged", "use w=1"),
            ("mongodb.url", "mongodb://127.0.0.1:9/?retryWrite=false", "did you mean \"retryWrites\""),
            ("mongodb.url", "postgres://127.0.0.1", "has to start with mongodb://"),
            ("mongodb.url", "mongodb://127.0.0.1:9/?maxPoolSize=many", "maxpoolsize"),
            ("mongodb.url", "mongodb://me:hunter2%zz@127.0.0.1:9/", "mongodb.url"),
            ("mongodb.username", "me", "needs mongodb.password"),
        ] {
            let ended = flavour
                .refused(Open { within: Some(Duration::from_secs(5)), ..Open::default() }.set(name, value));
            assert_eq!(ended.status, status::BAD_REQUEST, "{value}: {ended:?}");
            assert!(
                ended.detail.contains(words) && !ended.detail.contains("hunter2"),
                "{value}: {}",
                ended.detail
            );
        }
    }
}

#[test]
fn the_write_concern_holds_for_batches_of_replacements_too() {
    let Some(service) = Service::up("mongodb", &[]) else { return };
    let server = Server::of(&service);
    for flavour in BOTH {
        let mut how = server.load("concerns").set("mongodb.upsert", "true");
        how.settings.retain(|(name, _)| name != "mongodb.url");
        let binding = flavour.opened(
            how.set("mongodb.url", &format!("{}?w=majority&journal=true&wTimeoutMS=5000", server.url)),
        );
        assert!(binding.detail.contains("w=majority, journal=true"), "{}", binding.detail);
        let ended =
            binding.play_one([Do::open(), Do::insert_batch(&["a", "b"], FIELDS), Do::insert("c", FIELDS)]);
        assert_eq!(ended[1].row_status, [status::OK; 2], "{ended:?}");
        assert_eq!(server.plain().documents("ycsb", "concerns").len(), 3);
        let ids: Vec<_> = server
            .plain()
            .documents("ycsb", "concerns")
            .iter()
            .map(|found| found.get("_id").cloned())
            .collect();
        assert_eq!(ids, ["a", "b", "c"].map(|id| doc! {"_id": id}.get("_id").cloned()));
    }
}
