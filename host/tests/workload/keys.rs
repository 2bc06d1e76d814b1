//! Key text and values to check, byte for byte.

use crate::golden::{number, table};
use ycsb_host::base::fnv::fnv64;
use ycsb_host::workload::integrity::write_value;
use ycsb_host::workload::keyspace::KeySpace;

#[test]
fn keys_are_named_as_in_ycsb() {
    for row in table("keynames.csv") {
        let record: i64 = number(&row, "keynum");
        assert_eq!(fnv64(record), number::<i64>(&row, "fnvhash64"), "{record}");
        for (order, hashed) in [("hashed", true), ("ordered", false)] {
            for zero_padding in [1, 8, 20] {
                let mut key = String::new();
                KeySpace { hashed, zero_padding }.write(record, &mut key);
                assert_eq!(key, row[&format!("{order}_zp{zero_padding}")], "{record}");
            }
        }
    }
}

#[test]
fn deterministic_values_are_those_of_ycsb() {
    for row in table("deterministic_values.csv") {
        let mut value = b"before".to_vec();
        write_value(&row["key"], &row["field"], number(&row, "size"), &mut value);
        assert_eq!(value.strip_prefix(b"before"), Some(row["value"].as_bytes()), "{row:?}");
    }
}
