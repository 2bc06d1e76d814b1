//! Values of time series that follow from tags and timestamp, and the check of what a read returned.

use super::series::{Cursor, SeriesSet};
use crate::workload::Verified;
use crate::workload::integrity::JavaHash;

/// The value of a series at a timestamp. The series key is left out, as in YCSB.
pub(super) fn value_at(series: &SeriesSet, cursor: &Cursor, timestamp: i64) -> i64 {
    let hash = series
        .tags
        .iter()
        .zip(&cursor.tags)
        .fold(JavaHash::default(), |hash, (tag, &value)| hash.text(&tag.key).text(&tag.values[value]));
    i64::from(hash.value()) ^ timestamp
}

/// Cells of a row that was read, and what they say.
#[derive(Clone, Debug, Default)]
pub(super) struct RowCheck {
    key: String,
    tags: Vec<(String, String)>,
    timestamp: Option<f64>,
    value: Option<f64>,
    cells: usize,
    result: Option<Verified>,
}

impl RowCheck {
    /// Forgets the last row; a read of this series key was sent.
    pub(super) fn begin(&mut self, key: &str) {
        self.key.clear();
        self.key.push_str(key);
        self.tags.clear();
        (self.timestamp, self.value, self.cells, self.result) = (None, None, 0, None);
    }

    /// Takes in a cell.
    pub(super) fn cell(&mut self, timestamp_key: &str, value_key: &str, name: &[u8], content: &[u8]) {
        self.cells += 1;
        if name == timestamp_key.as_bytes() {
            self.timestamp = number(content);
        } else if name == value_key.as_bytes() {
            self.value = number(content);
        } else {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            self.tags.push((text(name), text(content)));
        }
    }

    /// Judges the row.
    pub(super) fn judge(&mut self) -> Verified {
        let result = match (self.cells, self.expected(), self.value) {
            (0, _, _) => Verified::Missing,
            (_, Some(expected), Some(found)) if expected == found => Verified::Equal,
            _ => Verified::Different,
        };
        self.result = Some(result);
        result
    }

    /// The value that tags and timestamp ask for. Compared as a double, as in YCSB.
    fn expected(&mut self) -> Option<f64> {
        self.tags.sort();
        let hash =
            self.tags.iter().fold(JavaHash::default(), |hash, (key, value)| hash.text(key).text(value));
        self.timestamp.map(|timestamp| (i64::from(hash.value()) ^ timestamp as i64) as f64)
    }

    /// What is wrong with the row that was judged last.
    pub(super) fn describe(&self) -> Option<String> {
        let number = |number: Option<f64>| number.map_or("none".to_owned(), |number| number.to_string());
        match self.result? {
            Verified::Missing => Some(format!("series {}: no field was returned", self.key)),
            Verified::Different => Some(format!(
                "series {}: value {} does not follow from its tags and timestamp {}",
                self.key,
                number(self.value),
                number(self.timestamp)
            )),
            Verified::Equal | Verified::NotChecked => None,
        }
    }
}

/// A number in the eight bytes in which it was written, or as text.
fn number(content: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(content).ok().map(str::trim);
    if let Some(number) = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_graphic())) {
        return number.parse().ok();
    }
    Some(i64::from_be_bytes(content.try_into().ok()?) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(cells: &[(&str, &[u8])]) -> (Verified, Option<String>) {
        let mut check = RowCheck::default();
        check.begin("AA");
        cells.iter().for_each(|(name, content)| check.cell("YCSBTS", "YCSBV", name.as_bytes(), content));
        (check.judge(), check.describe())
    }

    #[test]
    fn a_row_is_judged_by_its_tags_and_timestamp_in_bytes_or_text() {
        let (timestamp, value) = (1_483_228_800i64.to_be_bytes(), 425_112_257i64.to_be_bytes());
        let tags = [("AB", b"AA".as_slice()), ("AA", b"AA")];
        let bytes =
            [tags.as_slice(), &[("YCSBV", value.as_slice()), ("YCSBTS", timestamp.as_slice())]].concat();
        assert_eq!(judged(&bytes), (Verified::Equal, None));
        let text = [tags.as_slice(), &[("YCSBV", b"425112257"), ("YCSBTS", b"1483228800")]].concat();
        assert_eq!(judged(&text), (Verified::Equal, None));
        let wrong = [tags.as_slice(), &[("YCSBV", b"425112258"), ("YCSBTS", b"1483228800")]].concat();
        let (result, text) = judged(&wrong);
        assert_eq!(result, Verified::Different);
        assert!(text.expect("a reason").contains("value 425112258"));
        assert_eq!(judged(&tags).0, Verified::Different);
        assert_eq!(judged(&[]).0, Verified::Missing);
    }
}
