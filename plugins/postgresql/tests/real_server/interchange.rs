//! Data of YCSB's Java bindings, both ways: `tests/golden` holds what they left in a real server.

use crate::support::{Place, open};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open, statuses};

/// Key, then field and value.
pub(crate) type Records = BTreeMap<String, BTreeMap<String, String>>;

fn fields(object: &Map<String, Value>) -> BTreeMap<String, String> {
    let texts = object.iter().filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
    texts.filter(|(name, _)| name != "ycsb_key").collect()
}

fn dump(text: &str, document: bool) -> Records {
    let all: Value = serde_json::from_str(text).unwrap();
    let rows = all["rows"].as_array().unwrap().iter().map(|row| {
        let object = if document { &row["ycsb_value"] } else { row };
        (row["ycsb_key"].as_str().unwrap().to_owned(), fields(object.as_object().unwrap()))
    });
    let records: Records = rows.collect();
    assert_eq!(records.len(), 7);
    assert!(records.values().all(|fields| fields.len() == 3));
    records
}

pub(crate) fn columns() -> Records {
    dump(include_str!("../golden/jdbc.json"), false)
}

pub(crate) fn documents() -> Records {
    dump(include_str!("../golden/postgrenosql.json"), true)
}

/// The workload had three fields.
fn three_fields(how: Open) -> Open {
    Open { fields: (0..3).map(|number| format!("field{number}")).collect(), ..how }
}

fn reads_back(how: Open, records: &Records) {
    let binding = open(Open { run: true, ..how });
    for (key, expected) in records {
        let names: Vec<&str> = expected.keys().map(String::as_str).collect();
        for read in
            [Do::read(key), Do::read(key).select(&names), Do::scan(key, 1), Do::scan(key, 1).select(&names)]
        {
            let end = binding.play_opened([read]).remove(0);
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            let row: BTreeMap<String, String> =
                end.rows[0].fields.iter().map(|(name, value)| (text(name), text(value))).collect();
            assert_eq!((end.status, &row), (status::OK, expected));
        }
    }
}

fn load(how: Open, records: &Records) {
    let inserts = records.iter().map(|(key, fields)| {
        let fields: Vec<(&str, &[u8])> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        Do::insert(key, &fields)
    });
    assert_eq!(statuses(&open(how).play_opened(inserts)), [status::OK; 7]);
}

/// As YCSB's create-table tool makes the table: ten columns, of which the load filled three.
pub(crate) fn write_columns(place: &mut Place) {
    let texts: Vec<String> = (0..10).map(|number| format!("FIELD{number} TEXT")).collect();
    place.execute(&format!("CREATE TABLE @T (YCSB_KEY VARCHAR PRIMARY KEY, {})", texts.join(", ")));
    let insert =
        format!("INSERT INTO {} (ycsb_key, field0, field1, field2) VALUES ($1, $2, $3, $4)", place.table);
    for (key, fields) in columns() {
        place
            .plain
            .execute(&insert, &[&key, &fields["field0"], &fields["field1"], &fields["field2"]])
            .unwrap();
    }
}

/// As the users of postgrenosql were told to make the table.
pub(crate) fn write_documents(place: &mut Place) {
    place.execute("CREATE TABLE @T (YCSB_KEY VARCHAR(255) PRIMARY KEY NOT NULL, YCSB_VALUE JSONB NOT NULL)");
    let insert = format!("INSERT INTO {} VALUES ($1, $2::text::jsonb)", place.table);
    for (key, fields) in documents() {
        place.plain.execute(&insert, &[&key, &serde_json::to_string(&fields).unwrap()]).unwrap();
    }
}

/// What a table of columns holds; so many of them are NULL in each row.
pub(crate) fn left_columns(place: &mut Place, nulls: usize) -> Records {
    let all = format!("SELECT row_to_json(t)::text FROM {} t", place.table);
    let rows = place.plain.query(&all, &[]).unwrap();
    let records = rows.iter().map(|row| {
        let row: Value = serde_json::from_str(row.get(0)).unwrap();
        assert_eq!(row.as_object().unwrap().values().filter(|value| value.is_null()).count(), nulls);
        (row["ycsb_key"].as_str().unwrap().to_owned(), fields(row.as_object().unwrap()))
    });
    records.collect()
}

/// What a table of documents holds; every value is a string.
pub(crate) fn left_documents(place: &mut Place) -> Records {
    let all = format!("SELECT ycsb_key::text, ycsb_value::text FROM {}", place.table);
    let rows = place.plain.query(&all, &[]).unwrap();
    let records = rows.iter().map(|row| {
        let document: Value = serde_json::from_str(row.get(1)).unwrap();
        assert!(document.as_object().unwrap().values().all(Value::is_string), "{document}");
        (row.get(0), fields(document.as_object().unwrap()))
    });
    records.collect()
}

#[test]
fn rows_that_java_loaded_are_read_value_for_value() {
    let Some(mut place) = Place::fresh() else { return };
    write_columns(&mut place);
    reads_back(three_fields(place.how()), &columns());
    reads_back(place.how(), &columns());
}

#[test]
fn documents_that_java_loaded_are_read_value_for_value() {
    let Some(mut place) = Place::fresh() else { return };
    write_documents(&mut place);
    reads_back(three_fields(place.layout("jsonb")), &documents());
}

#[test]
fn rows_that_the_binding_writes_equal_those_of_java() {
    let Some(mut place) = Place::fresh() else { return };
    load(place.how(), &columns());
    assert_eq!(left_columns(&mut place, 7), columns());
}

#[test]
fn documents_that_the_binding_writes_equal_those_of_java_in_value_and_type() {
    let Some(mut place) = Place::fresh() else { return };
    load(place.layout("jsonb"), &documents());
    assert_eq!(left_documents(&mut place), documents());
}
