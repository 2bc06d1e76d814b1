//! Counting different operations: `basicdb.count`.

use crate::time_series::{Number, TimeSeries, timestamp};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::hash::{BuildHasher, Hash, RandomState};
use ycsb_plugin_api::{Select, Values};

/// A kind of operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Read,
    Scan,
    Update,
    Insert,
    Delete,
}

/// The different operations of a run. What makes one is kept as a 128-bit hash.
#[derive(Default)]
pub(crate) struct Unique {
    hashers: [RandomState; 2],
    operations: [HashSet<u128>; 5],
    timestamps: BTreeSet<i64>,
    floats: HashSet<u128>,
    integers: HashSet<u128>,
}

impl Unique {
    /// Counts an operation by its table and key alone.
    pub(crate) fn delete(&mut self, table: &str, key: &str) {
        let hash = self.hash((table, key));
        self.add(Kind::Delete, hash);
    }

    /// Counts a read or scan by table, key and selected fields. The timestamp of a read in a time series is
    /// counted by itself.
    pub(crate) fn select(
        &mut self,
        kind: Kind,
        (table, key): (&str, &str),
        select: Select<'_>,
        series: Option<&TimeSeries>,
    ) {
        let mut fields: Vec<&str> = select.iter().collect();
        if let (Kind::Read, Some(series)) = (kind, series) {
            fields.retain(|token| match series.timestamp_of(token) {
                Some(timestamp) => {
                    self.timestamps.insert(timestamp);
                    false
                }
                None => true,
            });
        }
        fields.sort_unstable();
        let hash = self.hash((table, key, fields));
        self.add(kind, hash);
    }

    /// Counts a write by table, key, fields and values; in a time series by its tags, and timestamp and value
    /// by themselves.
    pub(crate) fn write(
        &mut self,
        kind: Kind,
        (table, key): (&str, &str),
        values: Values<'_>,
        series: Option<&TimeSeries>,
    ) {
        let mut fields: Vec<(&str, &[u8])> = values.iter().collect();
        fields.sort_unstable_by_key(|(name, _)| *name);
        let Some(series) = series else {
            let hash = self.hash((table, key, fields));
            return self.add(kind, hash);
        };
        fields.retain(|(name, _)| *name != series.timestamp_key && *name != series.value_key);
        let hash = self.hash((table, key, fields));
        self.add(kind, hash);
        self.timestamps.extend(values.get(&series.timestamp_key).and_then(timestamp));
        let value = values.get(&series.value_key);
        match value.and_then(|value| series.number(&series.value_key, value)) {
            Some(Number::Integer(_)) => _ = self.integers.insert(hash),
            Some(Number::Float(_)) => _ = self.floats.insert(hash),
            None => {}
        }
    }

    /// The counts as BasicDB prints them, and those of BasicTSDB if `series`. There is no earliest and latest
    /// timestamp if there were none.
    pub(crate) fn report(&self, series: bool) -> String {
        const NAMES: [&str; 5] = ["READS", "SCANS", "UPDATES", "INSERTS", "DELETES"];
        let mut text = String::new();
        // Writing to a string does not fail.
        for (name, operations) in NAMES.iter().zip(&self.operations) {
            let _ = writeln!(text, "[{name}], Uniques, {}", operations.len());
        }
        if series {
            let _ = writeln!(text, "[TIMESTAMPS], Unique, {}", self.timestamps.len());
            let _ = writeln!(text, "[FLOATS], Unique series, {}", self.floats.len());
            let _ = writeln!(text, "[INTEGERS], Unique series, {}", self.integers.len());
            for (name, end) in [("Min", self.timestamps.first()), ("Max", self.timestamps.last())] {
                let _ = end.map(|timestamp| writeln!(text, "[TIMESTAMPS], {name}, {timestamp}"));
            }
        }
        text
    }

    fn add(&mut self, kind: Kind, hash: u128) {
        self.operations[kind as usize].insert(hash);
    }

    fn hash(&self, what: impl Hash) -> u128 {
        let [high, low] = self.hashers.each_ref().map(|hasher| u128::from(hasher.hash_one(&what)));
        high << 64 | low
    }
}
