//! From record numbers to key text.

use crate::base::fnv::fnv64;
use crate::config::{ConfigError, Declaration, Settings};

/// Order of the keys of consecutive records.
pub const INSERTORDER: Declaration = Declaration::one_of("insertorder", "hashed|ordered").default("hashed").help(
    "Order in which a load meets the keys: hashed scatters them over the key space, ordered inserts them in order of their numbers.",
);
/// Least number of digits.
pub const ZEROPADDING: Declaration = Declaration::integer("zeropadding")
    .default("1")
    .range("0..1024")
    .help("Least width of the number in a key, filled with zeros on the left.");

/// What YCSB puts before every number.
const PREFIX: &str = "user";

/// How a record number becomes a key: `user`, zeros, and the number or its hash (tests/golden/keynames.csv).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySpace {
    /// Whether the number is hashed.
    pub hashed: bool,
    /// Least width of the number.
    pub zero_padding: usize,
}

impl KeySpace {
    /// Reads order and padding.
    ///
    /// # Errors
    /// An unknown order, a width out of range.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(KeySpace {
            hashed: settings.one_of(&INSERTORDER)? == "hashed",
            zero_padding: settings.u64(&ZEROPADDING)? as usize,
        })
    }

    /// Appends the key of a record number.
    #[inline]
    pub fn write(&self, number: i64, key: &mut String) {
        let mut buffer = itoa::Buffer::new();
        let digits = buffer.format(if self.hashed { fnv64(number) } else { number });
        key.push_str(PREFIX);
        // The sign counts as a character and comes after the zeros.
        for _ in digits.len()..self.zero_padding {
            key.push('0');
        }
        key.push_str(digits);
    }
}
