//! The lines of the echo, to the letter those of BasicDB and BasicTSDB.

use crate::time_series::TimeSeries;
use ycsb_plugin_api::{Select, Values};

/// `READ usertable user1 [ field0 field1 ]`, or `[ <all fields>]`.
pub(crate) fn read(line: &mut Vec<u8>, table: &str, key: &str, select: Select<'_>) {
    head(line, &["READ", table, key]);
    fields(line, select);
}

/// `SCAN usertable user1 10 [ <all fields>]`.
pub(crate) fn scan(line: &mut Vec<u8>, table: &str, key: &str, limit: usize, select: Select<'_>) {
    head(line, &["SCAN", table, key, &limit.to_string()]);
    fields(line, select);
}

/// `UPDATE usertable user1 [ field0=value ]`, likewise `INSERT`. Values are shown as UTF-8 text; those of a
/// time series are shown as numbers, and its fields in the order of their names.
pub(crate) fn write(
    line: &mut Vec<u8>,
    kind: &str,
    (table, key): (&str, &str),
    values: Values<'_>,
    series: Option<&TimeSeries>,
) {
    head(line, &[kind, table, key]);
    line.extend_from_slice(b" [ ");
    let mut field = |name: &str, value: &[u8]| {
        line.extend_from_slice(name.as_bytes());
        line.push(b'=');
        match series.and_then(|series| series.number(name, value)) {
            Some(number) => line.extend_from_slice(number.to_string().as_bytes()),
            None => line.extend_from_slice(String::from_utf8_lossy(value).as_bytes()),
        }
        line.push(b' ');
    };
    match series {
        Some(_) => {
            let mut sorted: Vec<_> = values.iter().collect();
            sorted.sort_unstable_by_key(|(name, _)| *name);
            sorted.into_iter().for_each(|(name, value)| field(name, value));
        }
        None => values.iter().for_each(|(name, value)| field(name, value)),
    }
    line.extend_from_slice(b"]\n");
}

/// `DELETE usertable user1`.
pub(crate) fn delete(line: &mut Vec<u8>, table: &str, key: &str) {
    head(line, &["DELETE", table, key]);
    line.push(b'\n');
}

fn head(line: &mut Vec<u8>, words: &[&str]) {
    line.clear();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            line.push(b' ');
        }
        line.extend_from_slice(word.as_bytes());
    }
}

fn fields(line: &mut Vec<u8>, select: Select<'_>) {
    line.extend_from_slice(b" [ ");
    if select.is_all() {
        line.extend_from_slice(b"<all fields>");
    }
    for name in select.iter() {
        line.extend_from_slice(name.as_bytes());
        line.push(b' ');
    }
    line.extend_from_slice(b"]\n");
}
