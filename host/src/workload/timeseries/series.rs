//! Which series there are: keys, tags, and the order in which they are written.

use super::properties::{TAGCARDINALITY, TAGCOUNT, TAGKEYLENGTH, TAGVALUELENGTH, TIMESTAMPKEY, VALUEKEY};
use crate::base::rng::StreamRng;
use crate::config::{ConfigError, Declaration, Settings};
use crate::generator::incrementing_string;
use crate::workload::record::{FIELDCOUNT, FIELDLENGTH};
use crate::workload::records::refused;
use std::ops::Range;

/// Values that one tag may have, and characters that a word may have.
const MAX_CARDINALITY: u64 = 1_000_000;
const MAX_CHARACTERS: u64 = 65_536;
/// More series than this are taken for a mistake: their index has to fit into 64 bits with room to spare.
const MAX_SERIES: u64 = 1 << 48;

/// All series: every key with every combination of tag values.
#[derive(Clone, Debug)]
pub struct SeriesSet {
    /// Series keys, in the order in which they are written.
    pub keys: Vec<String>,
    /// The tags.
    pub tags: Vec<Tag>,
    /// Combinations of tag values of one key.
    pub per_key: u64,
    /// Names of the fields of a record, in order: tags, timestamp, value.
    pub field_names: Vec<String>,
    /// What each field holds.
    pub fields: Vec<Field>,
}

/// A tag.
#[derive(Clone, Debug)]
pub struct Tag {
    /// Its name.
    pub key: String,
    /// Its values, in the order in which they are written.
    pub values: Vec<String>,
    /// Combinations of the tags to its right: the weight of its value in a series' index.
    pub weight: u64,
}

/// What a field of a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The tag with this number.
    Tag(usize),
    /// The timestamp.
    Timestamp,
    /// The value.
    Value,
}

impl SeriesSet {
    /// Reads keys and tags.
    ///
    /// # Errors
    /// A number out of range, cardinalities that are no numbers, lengths that do not give enough different
    /// words, names that meet.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let key_count = settings.u64(&FIELDCOUNT)?;
        let keys = words(settings, &FIELDLENGTH, key_count)?;
        let tag_keys = words(settings, &TAGKEYLENGTH, settings.u64(&TAGCOUNT)?)?;
        let cardinalities = cardinalities(settings, tag_keys.len())?;
        let mut tags = Vec::with_capacity(tag_keys.len());
        let mut weight = 1u64;
        for (key, &cardinality) in tag_keys.into_iter().zip(&cardinalities).rev() {
            tags.push(Tag { key, values: words(settings, &TAGVALUELENGTH, cardinality)?, weight });
            weight = weight.saturating_mul(cardinality);
        }
        tags.reverse();
        if weight.saturating_mul(key_count) > MAX_SERIES {
            let reason = format!("makes more than {MAX_SERIES} series together with fieldcount={key_count}");
            return Err(refused(settings, &TAGCARDINALITY, &reason));
        }
        let (field_names, fields) = fields(settings, &tags)?;
        Ok(SeriesSet { keys, tags, per_key: weight, field_names, fields })
    }

    /// Number of series.
    pub fn count(&self) -> u64 {
        self.per_key * self.keys.len() as u64
    }

    /// Puts keys and tag values into random order; tags keep theirs.
    pub fn shuffle(&mut self, rng: &mut StreamRng) {
        shuffle(&mut self.keys, rng);
        self.tags.iter_mut().for_each(|tag| shuffle(&mut tag.values, rng));
    }

    /// The keys that client `index` of `count` writes; the last one takes the remainder too.
    pub fn keys_of(&self, index: usize, count: usize) -> Range<usize> {
        let quotient = self.keys.len() / count;
        let end = if index + 1 == count { self.keys.len() } else { (index + 1) * quotient };
        index * quotient..end
    }
}

/// A place among the series of some keys.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// Number of the key.
    pub key: usize,
    /// Number of each tag's value.
    pub tags: Vec<usize>,
    keys: Range<usize>,
}

impl Cursor {
    /// The first series of these keys.
    pub fn new(keys: Range<usize>, tags: usize) -> Self {
        Cursor { key: keys.start, tags: vec![0; tags], keys }
    }

    /// Goes on to the next series: the last tag changes fastest, the key slowest. True if all were met and it
    /// begins again.
    pub fn advance(&mut self, set: &SeriesSet) -> bool {
        for (value, tag) in self.tags.iter_mut().zip(&set.tags).rev() {
            *value += 1;
            if *value < tag.values.len() {
                return false;
            }
            *value = 0;
        }
        self.key += 1;
        if self.key < self.keys.end {
            return false;
        }
        self.key = self.keys.start;
        true
    }

    /// Number of the series among all.
    pub fn index(&self, set: &SeriesSet) -> u64 {
        let tags: u64 = self.tags.iter().zip(&set.tags).map(|(&value, tag)| value as u64 * tag.weight).sum();
        self.key as u64 * set.per_key + tags
    }
}

fn shuffle(words: &mut [String], rng: &mut StreamRng) {
    for last in (1..words.len()).rev() {
        words.swap(last, rng.below(last as u64 + 1) as usize);
    }
}

/// The first `count` words of a length.
fn words(settings: &Settings, length: &Declaration, count: u64) -> Result<Vec<String>, ConfigError> {
    let characters = settings.u64(length)?;
    if characters > MAX_CHARACTERS {
        return Err(refused(settings, length, &format!("must be {MAX_CHARACTERS} or less for time series")));
    }
    let exponent = u32::try_from(characters).unwrap_or(u32::MAX);
    if 52u64.checked_pow(exponent).is_some_and(|different| different < count) {
        let reason = format!("gives fewer different words than the {count} that are needed: make it longer");
        return Err(refused(settings, length, &reason));
    }
    Ok((0..count).map(|index| incrementing_string(characters as usize, index)).collect())
}

fn cardinalities(settings: &Settings, tags: usize) -> Result<Vec<u64>, ConfigError> {
    let text = settings.text(&TAGCARDINALITY)?;
    let mut cardinalities = Vec::with_capacity(tags);
    for word in text.split(',').take(tags) {
        match word.trim().parse::<u64>() {
            Ok(cardinality @ 1..=MAX_CARDINALITY) => cardinalities.push(cardinality),
            _ => {
                let reason = format!(
                    "must be whole numbers from 1 to {MAX_CARDINALITY}, separated by commas; \"{word}\" is none"
                );
                return Err(refused(settings, &TAGCARDINALITY, &reason));
            }
        }
    }
    cardinalities.resize(tags, 1);
    Ok(cardinalities)
}

fn fields(settings: &Settings, tags: &[Tag]) -> Result<(Vec<String>, Vec<Field>), ConfigError> {
    let mut fields: Vec<(String, Field)> =
        tags.iter().enumerate().map(|(number, tag)| (tag.key.clone(), Field::Tag(number))).collect();
    for (declaration, field) in [(&TIMESTAMPKEY, Field::Timestamp), (&VALUEKEY, Field::Value)] {
        let name = settings.text(declaration)?;
        if fields.iter().any(|(other, _)| *other == name) {
            return Err(refused(settings, declaration, "is the name of another field of the record, too"));
        }
        fields.push((name, field));
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(fields.into_iter().unzip())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::testing::settings;

    fn set(given: &[(&str, &str)]) -> Result<SeriesSet, String> {
        SeriesSet::from_settings(&settings(given)).map_err(|error| error.0)
    }

    #[test]
    fn every_series_is_met_once_before_it_begins_again() {
        let given = [("fieldcount", "3"), ("tagcount", "4"), ("tagcardinality", "2, 1,3")];
        let set = set(&given).expect("series");
        assert_eq!((set.per_key, set.count()), (6, 18));
        let mut cursor = Cursor::new(set.keys_of(0, 1), 4);
        for index in 0..18 {
            assert_eq!(cursor.index(&set), index);
            assert_eq!(cursor.advance(&set), index == 17);
        }
        assert_eq!(cursor.index(&set), 0);
    }

    #[test]
    fn clients_divide_the_keys() {
        let set = set(&[("fieldcount", "10"), ("fieldlength", "4")]).expect("series");
        let ranges: Vec<Range<usize>> = (0..3).map(|index| set.keys_of(index, 3)).collect();
        assert_eq!(ranges, [0..3, 3..6, 6..10]);
    }

    #[test]
    fn fields_stand_in_order_of_their_names() {
        let set = set(&[("tagcount", "2"), ("timestampkey", "AAAAAAAAA")]).expect("series");
        assert_eq!(set.field_names, ["AAAAAAAA", "AAAAAAAAA", "AAAAAAAB", "YCSBV"]);
        assert_eq!(set.fields, [Field::Tag(0), Field::Timestamp, Field::Tag(1), Field::Value]);
    }

    #[test]
    fn series_that_cannot_be_are_refused() {
        for (given, part) in [
            (vec![("tagcount", "0")], "tagcount=\"0\""),
            (vec![("tagcardinality", "1,0")], "\"0\" is none"),
            (vec![("tagcardinality", "1,x")], "\"x\" is none"),
            (vec![("fieldlength", "1"), ("fieldcount", "60")], "fewer different words"),
            (vec![("timestampkey", "AAAAAAAA")], "another field"),
            (vec![("valuekey", "YCSBTS")], "another field"),
            (vec![("tagcardinality", "4000000000")], "is none"),
            (vec![("tagcardinality", "100"), ("tagvaluelength", "1")], "fewer different words"),
            (vec![("fieldlength", "100000")], "65536 or less"),
        ] {
            let refusal = set(&given).expect_err("a refusal");
            assert!(refusal.contains(part), "{refusal}");
        }
    }
}
