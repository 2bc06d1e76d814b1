//! Why operations failed: one example text per cause, in bounded memory.

use super::series::Series;
use std::collections::BTreeMap;

/// Causes that are told apart; further ones are counted together.
const MAX_CAUSES: usize = 64;

/// What makes failures the same: where, how, and the code or the shape of the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cause {
    /// What was attempted.
    pub series: Series,
    /// Status number as it was returned, also one that nobody declared.
    pub status: u32,
    /// Code of the driver or server; 0 = none.
    pub backend_code: i64,
    /// The text with its numbers left out, where there is no code; empty otherwise.
    shape: String,
}

/// Failures of one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// How many.
    pub count: u64,
    /// The text of the first.
    pub detail: String,
}

/// Causes of failure with their counts and one example each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorExamples {
    causes: BTreeMap<Cause, Example>,
    other: u64,
}

impl ErrorExamples {
    /// Counts one failure.
    pub fn note(&mut self, series: Series, status: u32, backend_code: i64, detail: &str) {
        self.note_many(series, status, backend_code, detail, 1);
    }

    /// Counts failures of one cause, as they are read from a file; `detail` is the text of the first.
    pub fn note_many(&mut self, series: Series, status: u32, backend_code: i64, detail: &str, count: u64) {
        let shape = if backend_code == 0 { shape_of(detail) } else { String::new() };
        self.add(Cause { series, status, backend_code, shape }, count, detail);
    }

    /// Counts failures whose cause is not known any more.
    pub fn add_other(&mut self, count: u64) {
        self.other += count;
    }

    /// The same with every text as `rewrite` gives it, as when secrets are taken out.
    pub fn rewritten(mut self, rewrite: impl Fn(&str) -> String) -> Self {
        for example in self.causes.values_mut() {
            example.detail = rewrite(&example.detail);
        }
        self
    }

    fn add(&mut self, cause: Cause, count: u64, detail: &str) {
        if let Some(example) = self.causes.get_mut(&cause) {
            example.count += count;
        } else if self.causes.len() < MAX_CAUSES {
            self.causes.insert(cause, Example { count, detail: detail.to_owned() });
        } else {
            self.other += count;
        }
    }

    /// Adds the failures of another collection.
    pub fn merge(&mut self, other: &ErrorExamples) {
        for (cause, example) in &other.causes {
            self.add(cause.clone(), example.count, &example.detail);
        }
        self.other += other.other;
    }

    /// The causes, most frequent first.
    pub fn causes(&self) -> Vec<(&Cause, &Example)> {
        let mut causes: Vec<_> = self.causes.iter().collect();
        causes.sort_by_key(|(_, example)| std::cmp::Reverse(example.count));
        causes
    }

    /// Failures whose cause found no place any more.
    pub fn other(&self) -> u64 {
        self.other
    }

    /// Whether no failure was noted.
    pub fn is_empty(&self) -> bool {
        self.causes.is_empty() && self.other == 0
    }
}

/// The text with every word that holds a digit replaced, so that keys, ports and times do not make causes.
fn shape_of(detail: &str) -> String {
    detail
        .split(' ')
        .map(|word| if word.contains(|letter: char| letter.is_ascii_digit()) { "#" } else { word })
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_abi::status::{ERROR, TIMEOUT};

    #[test]
    fn texts_that_differ_in_numbers_are_one_cause_with_the_first_as_example() {
        let mut examples = ErrorExamples::default();
        for key in 0..1000 {
            examples.note(Series::Read, ERROR, 0, &format!("key user{key} is locked"));
        }
        let causes = examples.causes();
        assert_eq!(causes.len(), 1);
        assert_eq!(*causes[0].1, Example { count: 1000, detail: "key user0 is locked".into() });
    }

    #[test]
    fn series_status_and_code_tell_causes_apart_most_frequent_first() {
        let mut examples = ErrorExamples::default();
        examples.note(Series::Read, ERROR, 7, "a");
        examples.note(Series::Read, TIMEOUT, 7, "b");
        examples.note(Series::Update, TIMEOUT, 8, "c");
        examples.note(Series::Update, TIMEOUT, 8, "another text of the same code");
        let seen: Vec<(u64, &str)> =
            examples.causes().iter().map(|(_, example)| (example.count, example.detail.as_str())).collect();
        assert_eq!(seen, [(2, "c"), (1, "b"), (1, "a")]);
    }

    #[test]
    fn memory_is_bounded_and_nothing_is_lost_from_the_counts() {
        let mut examples = ErrorExamples::default();
        for code in 1..=500 {
            examples.note(Series::Insert, ERROR, code, "x");
        }
        let mut merged = examples.clone();
        merged.merge(&examples);
        assert_eq!(merged.causes().len(), MAX_CAUSES);
        assert_eq!(merged.causes().iter().map(|(_, e)| e.count).sum::<u64>() + merged.other(), 1000);
    }
}
