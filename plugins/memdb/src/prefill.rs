//! Records that are there without a load: YCSB's key names and the values of `dataintegrity=true`.

use crate::store::{Record, Table};

/// What to fill a table with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefill {
    pub(crate) records: u64,
    pub(crate) hashed: bool,
    pub(crate) digits: usize,
    pub(crate) field_length: usize,
}

impl Prefill {
    /// Writes the records 0 to `records - 1`, over those that are there.
    pub(crate) fn fill(&self, table: &Table, fields: &[&str]) {
        let mut records = table.records_mut();
        for number in 0..self.records {
            let key = self.key(number);
            let values: Vec<_> = fields.iter().map(|field| value(&key, field, self.field_length)).collect();
            let record = Record::of(fields.iter().copied().zip(values.iter().map(Vec::as_slice)));
            records.insert(key.into(), record);
        }
    }

    fn key(&self, number: u64) -> String {
        let number = if self.hashed { fnv64(number) } else { number as i64 };
        format!("user{number:0>width$}", width = self.digits)
    }
}

/// FNV-1a over the eight bytes of the number, least significant first, as a signed number made positive.
fn fnv64(number: u64) -> i64 {
    let hash = number.to_le_bytes().into_iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211)
    });
    (hash as i64).wrapping_abs()
}

/// The value that YCSB's data integrity check expects: key and field, then hashes of all that stands before
/// them, cut to the length.
fn value(key: &str, field: &str, length: usize) -> Vec<u8> {
    let mut text = format!("{key}:{field}");
    while text.encode_utf16().count() < length {
        text.push(':');
        let hash =
            text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
        text.push_str(&hash.to_string());
    }
    // One byte per UTF-16 unit, its lower half.
    text.encode_utf16().take(length).map(|unit| unit as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASHED: Prefill = Prefill { records: 2, hashed: true, digits: 1, field_length: 20 };

    /// The rows of a golden file, without its heading.
    fn golden(text: &str) -> impl Iterator<Item = Vec<&str>> {
        text.lines().skip(1).map(|line| line.split(',').collect())
    }

    #[test]
    fn keys_are_named_as_ycsb_names_them() {
        for row in golden(include_str!("../../../host/tests/golden/keynames.csv")) {
            let number: i64 = row[0].parse().unwrap();
            let key = |hashed, digits| Prefill { hashed, digits, ..HASHED }.key(number as u64);
            let names: Vec<_> = [(true, 1), (true, 8), (true, 20), (false, 1), (false, 8), (false, 20)]
                .map(|(hashed, digits)| key(hashed, digits))
                .into();
            assert_eq!(names, row[2..], "record {number}");
        }
    }

    #[test]
    fn values_are_those_of_ycsbs_data_integrity() {
        for row in golden(include_str!("../../../host/tests/golden/deterministic_values.csv")) {
            let made = value(row[0], row[1], row[2].parse().unwrap());
            assert_eq!(String::from_utf8(made).unwrap(), row[3], "{row:?}");
        }
    }

    #[test]
    fn the_table_holds_the_records_with_all_fields() {
        let table = Table::default();
        HASHED.fill(&table, &["a", "b"]);
        let records = table.records();
        assert_eq!(records.len(), 2);
        let record = &records["user6284781860667377211"];
        let lengths: Vec<_> = record.fields().map(|(name, value)| (name, value.len())).collect();
        assert_eq!(lengths, [("a", 20), ("b", 20)]);
    }
}
