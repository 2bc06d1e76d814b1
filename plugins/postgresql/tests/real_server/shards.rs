//! Several databases, with the keys placed as YCSB's jdbc binding does.

use crate::support::{Place, open, record, refused, says, with};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, statuses};
use ycsb_plugin_common::java_hash;

#[test]
fn keys_are_placed_by_javas_hash_and_scans_go_over_all_shards() {
    let Some(mut place) = Place::fresh() else { return };
    let schemas: Vec<String> = (0..3).map(|number| format!("shard{number}_{}", place.table)).collect();
    let url = place.server().fact("URL").to_owned();
    let urls: Vec<String> = schemas.iter().map(|schema| format!("{url}?currentSchema={schema}")).collect();
    for schema in &schemas {
        place.execute(&format!("CREATE SCHEMA {schema}"));
    }
    let how = with(place.how(), "postgresql.url", &urls.join(";"));
    let binding = open(how.clone());
    let mut names: Vec<String> = (0..60).map(|number| format!("user{number}")).collect();
    let references: Vec<&str> = names.iter().map(String::as_str).collect();
    let ends = binding.play_opened([
        Do::insert_batch(&references, &record(b"v")),
        Do::insert("user7", &record(b"w")),
        Do::update("user8", &[("field0", b"x")]),
    ]);
    assert_eq!(statuses(&ends), [status::OK, status::DUPLICATE, status::OK]);
    for (number, schema) in schemas.iter().enumerate() {
        let rows =
            place.plain.query(&format!("SELECT ycsb_key::text FROM {schema}.{}", place.table), &[]).unwrap();
        assert!(rows.len() > 10);
        for row in rows {
            let hash = i64::from(java_hash(row.get(0)));
            assert_eq!(hash.abs() % 3, number as i64);
        }
    }
    names.sort();
    for fetch_size in ["0", "4"] {
        let binding = open(how.clone().set("jdbc.fetchsize", fetch_size));
        let ends = binding.play_opened([
            Do::scan("user2", 20),
            Do::scan("", 100),
            Do::read("user8"),
            Do::delete("user8"),
            Do::insert("user8", &record(b"x")),
        ]);
        assert_eq!(statuses(&ends), [status::OK; 5]);
        let start = names.iter().position(|name| name == "user2").unwrap();
        assert_eq!(ends[0].keys(), names[start..start + 20]);
        assert_eq!(ends[1].keys(), names);
        assert!(ends[1].rows.iter().all(|row| row.fields.len() == 10));
        assert_eq!(ends[2].rows[0].field("field0"), Some(&b"x"[..]));
    }
    // One shard fails in the middle of a scan; the answers of the others are not taken for the next one's.
    place.execute(&format!("ALTER TABLE {}.@T RENAME TO gone", schemas[1]));
    let ends = binding.play_opened([Do::scan("", 100), Do::scan("", 100), Do::read("user8")]);
    assert_eq!(statuses(&ends[..2]), [status::ERROR; 2]);
    assert!(ends[0].detail.contains("does not exist"), "{}", ends[0].detail);
    let ended = refused(ycsb_plugin_api::testing::Open { run: true, ..how });
    says(&ended, status::NOT_FOUND, "there is no table", &[]);
    for schema in &schemas {
        place.execute(&format!("DROP SCHEMA {schema} CASCADE"));
    }
}
