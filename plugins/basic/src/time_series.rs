//! Reading the fields of the time series workload.

use std::fmt::{self, Display};

/// Names and delimiters of the workload.
#[derive(Clone, Debug)]
pub(crate) struct TimeSeries {
    pub(crate) timestamp_key: String,
    pub(crate) value_key: String,
    pub(crate) pair_delimiter: String,
    pub(crate) span_delimiter: String,
}

/// A number as the workload writes it: eight bytes, the highest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i64),
    Float(f64),
}

impl TimeSeries {
    /// The number in a field that is no tag. `None` for a tag, and for bytes that are no number.
    pub(crate) fn number(&self, field: &str, bytes: &[u8]) -> Option<Number> {
        if field == self.timestamp_key {
            timestamp(bytes).map(Number::Integer)
        } else if field == self.value_key {
            Some(Number::of(u64::from_be_bytes(bytes.try_into().ok()?)))
        } else {
            None
        }
    }

    /// The first timestamp of a token of a read: `YCSBTS=1483228800` or `YCSBTS=1483228800,1483228860`.
    pub(crate) fn timestamp_of(&self, token: &str) -> Option<i64> {
        let times = token.strip_prefix(&self.timestamp_key)?.strip_prefix(&self.pair_delimiter)?;
        times.split(&self.span_delimiter).next()?.parse().ok()
    }
}

/// A timestamp of eight bytes.
pub(crate) fn timestamp(bytes: &[u8]) -> Option<i64> {
    bytes.try_into().ok().map(i64::from_be_bytes)
}

impl Number {
    /// Tells integers from doubles by their bits. The workload's integers are 32 bits wide, changed by a
    /// timestamp at most: as doubles they would be denormal or no numbers, which it does not draw.
    fn of(bits: u64) -> Number {
        let integer = bits as i64;
        if (-(1_i64 << 52)..1 << 52).contains(&integer) {
            Number::Integer(integer)
        } else {
            Number::Float(f64::from_bits(bits))
        }
    }
}

/// An integer plainly, a double as Java writes it: `57174.40908124246`, `2.5E-4`.
impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(integer) => integer.fmt(f),
            Number::Float(float) if (1e-3..1e7).contains(&float.abs()) => write!(f, "{float:?}"),
            Number::Float(float) => {
                let text = format!("{float:E}");
                match text.split_once('E') {
                    Some((digits, exponent)) if !digits.contains('.') => write!(f, "{digits}.0E{exponent}"),
                    _ => f.write_str(&text),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series() -> TimeSeries {
        let text = str::to_owned;
        TimeSeries {
            timestamp_key: text("YCSBTS"),
            value_key: text("YCSBV"),
            pair_delimiter: text("="),
            span_delimiter: text(","),
        }
    }

    fn shown(field: &str, bytes: &[u8]) -> Option<String> {
        series().number(field, bytes).map(|number| number.to_string())
    }

    #[test]
    fn numbers_are_shown_as_what_they_are() {
        let float = |value: f64| shown("YCSBV", &value.to_be_bytes()).unwrap();
        assert_eq!(float(57174.40908124246), "57174.40908124246");
        assert_eq!([float(100_000.0), float(0.5), float(0.001)], ["100000.0", "0.5", "0.001"]);
        assert_eq!([float(0.00025), float(2e-5)], ["2.5E-4", "2.0E-5"]);
        let integer = |value: i64| shown("YCSBV", &value.to_be_bytes()).unwrap();
        assert_eq!([integer(425_112_257), integer(-948_061_654)], ["425112257", "-948061654"]);
        assert_eq!(integer(-1 ^ 1_483_228_800_000), (-1_i64 ^ 1_483_228_800_000).to_string());
        assert_eq!(shown("YCSBTS", &1_483_228_800_i64.to_be_bytes()).unwrap(), "1483228800");
    }

    #[test]
    fn tags_and_bytes_that_are_no_number_are_text() {
        assert_eq!(shown("AA", b"12345678"), None);
        assert_eq!(shown("YCSBV", b"short"), None);
    }

    #[test]
    fn timestamps_are_found_in_tokens() {
        let found = ["YCSBTS=5", "YCSBTS=5,9", "AA=AB", "YCSBTS"].map(|token| series().timestamp_of(token));
        assert_eq!(found, [Some(5), Some(5), None, None]);
    }
}
