//! Field lengths from a histogram file.

use crate::base::rng::StreamRng;
use std::path::{Path, PathBuf};

/// Lengths by weight, read from a file with a line `BlockSize<TAB>n` and then a line `index<TAB>weight` for each
/// index from 0 on.
///
/// The draw is YCSB's (tests/golden/fieldlengths.csv): the first row has one more than its weight, and the last
/// row gives its index, not the index plus one, times the block size.
#[derive(Clone, Debug, PartialEq)]
pub struct HistogramFile {
    block_size: u64,
    weights: Vec<u64>,
    total: u64,
}

/// A histogram file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HistogramError {
    /// The file cannot be read.
    #[error("cannot read the field length histogram \"{path}\": {reason}; name a readable file")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// A line is not what it has to be.
    #[error("{path}:{line}: {reason}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong and how it has to be.
        reason: String,
    },
    /// Nothing can be drawn from it.
    #[error("{path}: the field length histogram needs at least two rows and a weight above 0")]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

impl HistogramFile {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, a line is malformed, there are fewer than two rows or no weight.
    pub fn read(path: &Path) -> Result<Self, HistogramError> {
        let text = std::fs::read_to_string(path)
            .map_err(|reason| HistogramError::Unreadable { path: path.to_owned(), reason })?;
        Self::parse(&text, path)
    }

    /// Reads the text of a file; `path` is for messages.
    ///
    /// # Errors
    /// As [`read`](Self::read), but for the file itself.
    pub fn parse(text: &str, path: &Path) -> Result<Self, HistogramError> {
        let wrong =
            |line: usize, reason: String| HistogramError::Line { path: path.to_owned(), line, reason };
        let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim_end()));
        let block_size = lines
            .next()
            .and_then(|(_, line)| line.strip_prefix("BlockSize\t"))
            .and_then(|size| size.trim().parse::<u32>().ok())
            .ok_or_else(|| {
                wrong(1, "the first line has to be BlockSize, a tab and a whole number".to_owned())
            })?;
        let mut weights: Vec<u64> = Vec::new();
        for (number, line) in lines {
            let (index, weight) = line
                .split_once('\t')
                .and_then(|(index, weight)| Some((index.parse::<usize>().ok()?, weight.parse::<u32>().ok()?)))
                .ok_or_else(|| wrong(number, format!("\"{line}\" has to be an index, a tab and a weight")))?;
            if index > weights.len() {
                let expected = weights.len();
                return Err(wrong(number, format!("index {index} comes too early, {expected} is missing")));
            }
            // A repeated index moves the later rows up, as in YCSB.
            weights.insert(index, u64::from(weight));
        }
        let total: u64 = weights.iter().sum();
        if weights.len() < 2 || total == 0 {
            return Err(HistogramError::Empty { path: path.to_owned() });
        }
        Ok(HistogramFile { block_size: u64::from(block_size), weights, total })
    }

    /// Block size times the mean index, which is what ConstantOccupancyWorkload takes for the mean length.
    pub fn mean(&self) -> f64 {
        let weighted: u64 =
            self.weights.iter().enumerate().map(|(index, weight)| index as u64 * weight).sum();
        self.block_size as f64 * (weighted as f64 / self.total as f64)
    }

    /// The largest length that can be drawn.
    pub fn longest(&self) -> u64 {
        (self.weights.len() as u64 - 1) * self.block_size
    }

    /// Draws a length.
    pub fn draw(&self, rng: &mut StreamRng) -> u64 {
        let mut rest = rng.below(self.total) as i64;
        let last = self.weights.len() - 1;
        for (index, &weight) in self.weights[..last].iter().enumerate() {
            rest -= weight as i64;
            if rest <= 0 {
                return (index as u64 + 1) * self.block_size;
            }
        }
        last as u64 * self.block_size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        HistogramFile::parse(text, Path::new("h.txt")).expect_err("a refusal").to_string()
    }

    #[test]
    fn a_refusal_names_file_and_line() {
        assert!(refusal("").starts_with("h.txt:1: the first line has to be BlockSize"));
        assert!(refusal("BlockSize\tten\n0\t1\n1\t1\n").starts_with("h.txt:1: "));
        assert!(refusal("BlockSize\t10\n0\t1\n\n1\t1\n").starts_with("h.txt:3: \"\" has to be"));
        assert!(refusal("BlockSize\t10\n1\t1\n").contains("h.txt:2: index 1 comes too early, 0 is missing"));
        assert!(refusal("BlockSize\t10\n0\t5\n").contains("at least two rows"));
        assert!(refusal("BlockSize\t10\n0\t0\n1\t0\n").contains("a weight above 0"));
        let absent = HistogramFile::read(Path::new("no/such/file")).expect_err("a refusal").to_string();
        assert!(absent.contains("no/such/file"), "{absent}");
    }
}
