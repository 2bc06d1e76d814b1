//! Every case of `tests/golden/volt_row_format.json`, through the binding and the server.

use crate::support::{Place, open};
use serde_json::Value;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{Do, Open, statuses};

/// Names and values.
type Fields = Vec<(String, Vec<u8>)>;

fn golden(part: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("../golden/volt_row_format.json")).unwrap();
    let cases = all[part].as_array().unwrap().clone();
    assert!(!cases.is_empty());
    cases
}

fn hex(value: &Value) -> Vec<u8> {
    let digits = value.as_str().unwrap();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

fn fields(list: &Value) -> Fields {
    let pair = |field: &Value| (field["name"].as_str().unwrap().to_owned(), hex(&field["value_hex"]));
    list.as_array().unwrap().iter().map(pair).collect()
}

fn borrowed(fields: &Fields) -> Vec<(&str, &[u8])> {
    fields.iter().map(|(name, value)| (name.as_str(), value.as_slice())).collect()
}

/// The fields of a packed row, read apart from the binding.
fn unpacked(mut row: &[u8]) -> Fields {
    let number = |row: &mut &[u8]| {
        let (length, rest) = row.split_first_chunk::<4>().unwrap();
        *row = rest;
        u32::from_be_bytes(*length) as usize
    };
    let count = number(&mut row);
    let text = |row: &mut &[u8]| {
        let length = number(row);
        let (bytes, rest) = row.split_at(length);
        *row = rest;
        bytes.to_vec()
    };
    (0..count).map(|_| (String::from_utf8(text(&mut row)).unwrap(), text(&mut row))).collect()
}

fn store(place: &mut Place, key: &str, row: &[u8]) {
    let put = "INSERT INTO store VALUES ('usertable', $1, $2)";
    place.plain.execute(put, &[&key, &row]).unwrap();
}

#[test]
fn records_are_packed_byte_for_byte() {
    let Some(mut place) = Place::fresh() else { return };
    let binding = open(place.how());
    for case in golden("pack") {
        let (key, fields) = (case["case"].as_str().unwrap(), fields(&case["fields"]));
        let batch_key = format!("{key} in a batch");
        let inserts =
            [Do::insert(key, &borrowed(&fields)), Do::insert_batch(&[&batch_key], &borrowed(&fields))];
        assert_eq!(statuses(&binding.play_opened(inserts)), [status::OK; 2]);
        assert_eq!(place.stored(key), hex(&case["row_hex"]), "{key}");
        assert_eq!(place.stored(&batch_key), hex(&case["row_hex"]), "{key}");
        assert_eq!(place.stored(key).len() as u64, case["length"].as_u64().unwrap());
    }
}

#[test]
fn ten_fields_have_the_lengths_of_the_original() {
    let Some(mut place) = Place::fresh() else { return };
    let binding = open(place.how());
    for case in golden("packed_length") {
        let value = vec![b'v'; case["value_length"].as_u64().unwrap() as usize];
        let names: Vec<String> =
            (0..case["fields"].as_u64().unwrap()).map(|number| format!("field{number}")).collect();
        let fields: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &value[..])).collect();
        let key = format!("length {}", value.len());
        binding.play_opened([Do::insert(&key, &fields)]);
        assert_eq!(place.stored(&key).len() as u64, case["length"].as_u64().unwrap());
    }
}

#[test]
fn stored_records_are_projected_as_the_original_does() {
    let Some(mut place) = Place::fresh() else { return };
    let binding = open(place.how());
    for (number, case) in golden("project").iter().enumerate() {
        let key = format!("project{number}");
        store(&mut place, &key, &hex(&case["row_hex"]));
        let wanted: Option<Vec<&str>> =
            case["wanted"].as_array().map(|names| names.iter().map(|name| name.as_str().unwrap()).collect());
        // The interface has no read of no field: its empty list means all.
        if wanted.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        let wanted = wanted.unwrap_or_default();
        for step in [Do::read(&key), Do::scan(&key, 1)] {
            let end = binding.play_opened([step.select(&wanted)]).remove(0);
            let text = |(name, value): &(Vec<u8>, Vec<u8>)| {
                (String::from_utf8(name.clone()).unwrap(), value.clone())
            };
            let got: Fields = end.rows[0].fields.iter().map(text).collect();
            assert_eq!((end.status, got), (status::OK, fields(&case["result"])), "{key}");
        }
    }
}

#[test]
fn updates_and_inserts_merge_byte_for_byte() {
    let Some(mut place) = Place::fresh() else { return };
    let binding = open(place.how());
    let cases = golden("merge");
    assert_eq!(cases.len(), 9);
    for case in cases {
        let name = case["case"].as_str().unwrap();
        let sent = unpacked(&hex(&case["update_hex"]));
        for (key, step) in [
            (format!("{name} update"), Do::update(&format!("{name} update"), &borrowed(&sent))),
            (format!("{name} insert"), Do::insert(&format!("{name} insert"), &borrowed(&sent))),
            (format!("{name} batch"), Do::insert_batch(&[&format!("{name} batch")], &borrowed(&sent))),
        ] {
            store(&mut place, &key, &hex(&case["stored_hex"]));
            assert_eq!(statuses(&binding.play_opened([step])), [status::OK]);
            assert_eq!(place.stored(&key), hex(&case["merged_hex"]), "{key}");
            assert_eq!(unpacked(&place.stored(&key)), fields(&case["merged_fields"]));
        }
    }
}

#[test]
fn stored_bytes_that_are_no_record_are_an_error_and_the_session_goes_on() {
    let Some(mut place) = Place::fresh() else { return };
    let binding = open(Open { run: false, ..place.how() });
    store(&mut place, "cut", b"\0\0\0\x01\0\0\0\x05ab");
    store(&mut place, "none", b"");
    store(&mut place, "fine", b"\0\0\0\0");
    let steps = [
        Do::read("cut"),
        Do::read("none"),
        Do::update("cut", &[("a", b"1")]),
        Do::scan("", 9),
        Do::read("fine"),
    ];
    let error = status::ERROR;
    assert_eq!(statuses(&binding.play_opened(steps)), [error, error, error, error, status::OK]);
}
