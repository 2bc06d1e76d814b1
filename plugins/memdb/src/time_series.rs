//! Points of time series: records that a write and a query name by series, tags and timestamp.
//!
//! A write with a timestamp among its fields is a point; the field tells it from every other record. Points
//! are kept under keys of their own, so that the store needs to know nothing of them.

use crate::store::{Record, Table};
use std::ops::Bound;
use ycsb_plugin_api::{Answer, Done, Failure, Property, Rows, Select, Settings, Values};

/// Names and delimiters of the workload, with the values that they have there.
pub(crate) const PROPERTIES: [Property; 4] = [
    Property::text("timestampkey").default("YCSBTS").help("Name of the field with the timestamp."),
    Property::text("valuekey").default("YCSBV").help("Name of the field with the value."),
    Property::text("tagpairdelimiter").default("=").help("Between the name of a tag and its value in reads."),
    Property::text("querytimespandelimiter")
        .default(",")
        .help("Between the first and the last timestamp of a read."),
];

/// Stands between the parts of a point's key; sorts before every character of a name.
const SEPARATOR: char = '\u{1}';

/// How points are told from other records.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    timestamp_key: String,
    value_key: String,
    pair_delimiter: String,
    span_delimiter: String,
}

/// What a query asks for.
pub(crate) struct Query<'a> {
    points: &'a Points,
    /// Names with values, of tags and of functions.
    tokens: Vec<(&'a str, &'a str)>,
    first: i64,
    last: i64,
}

impl Points {
    pub(crate) fn from_settings(settings: &Settings<'_>) -> Result<Points, Failure> {
        Ok(Points {
            timestamp_key: settings.get("timestampkey")?,
            value_key: settings.get("valuekey")?,
            pair_delimiter: settings.get("tagpairdelimiter")?,
            span_delimiter: settings.get("querytimespandelimiter")?,
        })
    }

    /// The key under which a point is kept; `None` if the fields are no point.
    pub(crate) fn key_of(&self, series: &str, values: Values<'_>) -> Option<String> {
        let timestamp = timestamp(values.get(&self.timestamp_key)?)?;
        let mut key = series.to_owned();
        for (name, value) in self.tags(values.iter()) {
            push_tag(&mut key, name, &String::from_utf8_lossy(value));
        }
        push_timestamp(&mut key, timestamp);
        Some(key)
    }

    /// The query that the tokens of a read or scan make up; `None` if they are names of fields.
    ///
    /// Tags without a value may have any. Functions are not computed: what is returned are points.
    pub(crate) fn query<'a>(&'a self, select: Select<'a>) -> Option<Query<'a>> {
        let tokens = || select.iter().filter_map(|token| token.split_once(&*self.pair_delimiter));
        let (_, times) = tokens().find(|(name, _)| *name == self.timestamp_key)?;
        let (first, last) = times.split_once(&*self.span_delimiter).unwrap_or((times, times));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        Some(Query { points: self, tokens: tokens().collect(), first, last })
    }

    /// The tags among the fields of a point, in order of their names.
    fn tags<'a>(&self, fields: impl Iterator<Item = (&'a str, &'a [u8])>) -> Vec<(&'a str, &'a [u8])> {
        let is_tag = |name: &str| name != self.timestamp_key && name != self.value_key;
        let mut tags: Vec<_> = fields.filter(|(name, _)| is_tag(name)).collect();
        tags.sort_unstable();
        tags
    }
}

impl<'a> Query<'a> {
    fn wanted(&self, tag: &str) -> Option<&'a str> {
        self.tokens.iter().find(|(name, _)| *name == tag).map(|(_, value)| *value)
    }

    fn fits(&self, record: &Record) -> bool {
        let time = record.fields().find(|(name, _)| *name == self.points.timestamp_key);
        let time = time.and_then(|(_, value)| timestamp(value));
        let tags = self.points.tags(record.fields());
        time.is_some_and(|time| (self.first..=self.last).contains(&time))
            && tags
                .iter()
                .all(|(tag, value)| self.wanted(tag).is_none_or(|wanted| wanted.as_bytes() == *value))
    }

    /// Hands over the first point of a series that fits. That there is none is an answer too.
    pub(crate) fn read(&self, table: &Table, series: &str, corrupt: bool, rows: &mut Rows<'_>) -> Answer {
        let records = table.records();
        let from = format!("{series}{SEPARATOR}");
        let points = || {
            let range = records.range::<str, _>((Bound::Included(&*from), Bound::Unbounded));
            range.take_while(|(key, _)| key.starts_with(&from)).map(|(_, record)| record)
        };
        // All points of a series have the same tags.
        let Some(any) = points().next() else { return Ok(Done::OK) };
        let found = match self.span_of_keys(series, any) {
            Some((first, last)) => {
                let range = (Bound::Included(&*first), Bound::Included(&*last));
                records.range::<str, _>(range).next().map(|(_, record)| record)
            }
            None => points().find(|record| self.fits(record)),
        };
        if let Some(record) = found {
            record.hand_over_all(corrupt, rows);
        }
        Ok(Done::OK)
    }

    /// First and last key of the points that fit, which lie side by side where every tag has a value.
    fn span_of_keys(&self, series: &str, any: &Record) -> Option<(String, String)> {
        let mut key = series.to_owned();
        for (tag, _) in self.points.tags(any.fields()) {
            push_tag(&mut key, tag, self.wanted(tag)?);
        }
        let at = |time: i64| {
            let mut key = key.clone();
            push_timestamp(&mut key, time);
            key
        };
        (self.first <= self.last).then(|| (at(self.first), at(self.last)))
    }

    /// Hands over points that fit, from a series on.
    pub(crate) fn scan(&self, table: &Table, series: &str, limit: usize, rows: &mut Rows<'_>) -> Answer {
        let records = table.records();
        let from = records.range::<str, _>((Bound::Included(series), Bound::Unbounded));
        for (key, record) in from.filter(|(_, record)| self.fits(record)).take(limit) {
            rows.row(key.split(SEPARATOR).next().unwrap_or_default());
            record.hand_over_all(false, rows);
        }
        Ok(Done::OK)
    }
}

/// Writes a point, over the one that is there.
pub(crate) fn put(table: &Table, key: String, values: Values<'_>) -> Answer {
    table.records_mut().insert(key.into(), Record::of(values.iter()));
    Ok(Done::OK)
}

fn push_tag(key: &mut String, name: &str, value: &str) {
    key.push(SEPARATOR);
    key.push_str(name);
    key.push('=');
    key.push_str(value);
}

/// Sixteen digits that sort as the timestamps do.
fn push_timestamp(key: &mut String, timestamp: i64) {
    key.push(SEPARATOR);
    key.push_str(&format!("{:016x}", timestamp as u64 ^ 1 << 63));
}

fn timestamp(bytes: &[u8]) -> Option<i64> {
    bytes.try_into().ok().map(i64::from_be_bytes)
}
