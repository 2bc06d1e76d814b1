//! Numbers as Java writes them. YCSB's reports are read by scripts that know no other spelling.

/// A positive finite number as decimal digits: `0.d1d2d3... * 10^exponent`, without trailing zeros.
struct Digits {
    digits: String,
    exponent: i32,
}

impl Digits {
    /// The shortest digits that read back as the same number. Of one-digit results the closest two-digit
    /// one is taken if it is as good, as Java does from version 19 on.
    fn shortest(value: f64) -> Self {
        let shortest = Digits::from_scientific(&format!("{value:e}"));
        if shortest.digits.len() > 1 {
            return shortest;
        }
        let two_digits = format!("{value:.1e}");
        if two_digits.parse() == Ok(value) { Digits::from_scientific(&two_digits) } else { shortest }
    }

    fn from_scientific(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let digits = mantissa.replace('.', "");
        let kept = digits.trim_end_matches('0').len().max(1);
        Digits { digits: digits[..kept].to_owned(), exponent: exponent.parse::<i32>().unwrap_or(0) + 1 }
    }

    /// Digits behind the decimal point in plain notation.
    fn fraction_len(&self) -> usize {
        (self.digits.len() as i32 - self.exponent).max(0) as usize
    }

    /// Whole part and fraction in plain notation; the fraction may be empty.
    fn plain(&self) -> (String, String) {
        if self.exponent <= 0 {
            let zeros = "0".repeat(self.exponent.unsigned_abs() as usize);
            return ("0".to_owned(), zeros + &self.digits);
        }
        let whole_len = self.exponent as usize;
        if self.digits.len() <= whole_len {
            return (format!("{:0<whole_len$}", self.digits), String::new());
        }
        let (whole, fraction) = self.digits.split_at(whole_len);
        (whole.to_owned(), fraction.to_owned())
    }
}

/// The texts of numbers that have no digits, and the sign of the others.
fn unusual(value: f64, infinity: &str) -> Result<&'static str, String> {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        Err("NaN".to_owned())
    } else if value.is_infinite() {
        Err(format!("{sign}{infinity}"))
    } else {
        Ok(sign)
    }
}

/// A double as Java's `Double.toString`: `101.0`, `9999999.999`, `1.2345678E7`, `9.99E-4`, `NaN`, `Infinity`.
pub fn double_text(value: f64) -> String {
    let sign = match unusual(value, "Infinity") {
        Ok(sign) => sign,
        Err(text) => return text,
    };
    let value = value.abs();
    if value == 0.0 {
        return format!("{sign}0.0");
    }
    let digits = Digits::shortest(value);
    if (1e-3..1e7).contains(&value) {
        let (whole, fraction) = digits.plain();
        return format!("{sign}{whole}.{}", if fraction.is_empty() { "0" } else { &fraction });
    }
    let (first, rest) = digits.digits.split_at(1);
    format!("{sign}{first}.{}E{}", if rest.is_empty() { "0" } else { rest }, digits.exponent - 1)
}

/// A double with at most two decimals, as in status lines: `101`, `0.12`, `-0`, `NaN`, `∞`.
///
/// The exact binary value is rounded, halves to the even digit; a number whose shortest text has no more than
/// two decimals is written as that text.
pub fn at_most_two_decimals(value: f64) -> String {
    let sign = match unusual(value, "∞") {
        Ok(sign) => sign,
        Err(text) => return text,
    };
    let value = value.abs();
    if value == 0.0 {
        return format!("{sign}0");
    }
    let digits = Digits::shortest(value);
    if digits.fraction_len() <= 2 {
        let (whole, fraction) = digits.plain();
        let point = if fraction.is_empty() { "" } else { "." };
        return format!("{sign}{whole}{point}{fraction}");
    }
    let rounded = format!("{value:.2}");
    format!("{sign}{}", rounded.trim_end_matches('0').trim_end_matches('.'))
}

/// A double with exactly two decimals, as Java's `%.2f`: the digits of its shortest text, halves rounded up.
///
/// For magnitudes below 1e36, far above any latency.
pub fn two_decimals(value: f64) -> String {
    let sign = match unusual(value, "Infinity") {
        Ok(sign) => sign,
        Err(text) => return text,
    };
    let digits = Digits::shortest(value.abs().max(f64::MIN_POSITIVE));
    let (whole, fraction) = digits.plain();
    let hundredths: u128 = format!("{whole}{:0<2.2}", fraction).parse().unwrap_or(u128::MAX - 1);
    let up = fraction.as_bytes().get(2).is_some_and(|digit| *digit >= b'5');
    let rounded = hundredths + u128::from(up);
    format!("{sign}{}.{:02}", rounded / 100, rounded % 100)
}

/// A whole number with an English ordinal suffix: `1st`, `2nd`, `3rd`, `11th`, `21st`.
pub fn ordinal(number: u64) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Java before version 19 wrote one digit too many here; the shortest text is the specified one.
    const NOT_SHORTEST: (&str, &str) = ("0x44b52d02c7e14af6", "1.0E23");

    #[test]
    fn numbers_are_written_as_in_number_format_csv() {
        let golden = include_str!("../../tests/golden/number_format.csv");
        for line in golden.lines().skip(1) {
            let columns: Vec<&str> = line.split(',').collect();
            let [bits, report, status] = columns[..] else { panic!("three columns in {line}") };
            let value = f64::from_bits(u64::from_str_radix(&bits[2..], 16).unwrap());
            if bits == NOT_SHORTEST.0 {
                assert_eq!(double_text(value), NOT_SHORTEST.1);
                assert_eq!(at_most_two_decimals(value), format!("1{}", "0".repeat(23)));
                continue;
            }
            assert_eq!(double_text(value), report, "{line}");
            assert_eq!(at_most_two_decimals(value), status, "{line}");
        }
    }

    #[test]
    fn two_decimals_round_the_shortest_text_half_up() {
        for (value, text) in [
            (101829.0625, "101829.06"),
            (42.0, "42.00"),
            (39734.5, "39734.50"),
            (0.125, "0.13"),
            (0.995, "1.00"),
            (9.999, "10.00"),
            (0.0, "0.00"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(two_decimals(value), text);
        }
    }

    #[test]
    fn ordinals_are_english() {
        let texts = [0, 1, 2, 3, 4, 11, 12, 13, 21, 22, 99, 100, 101, 111].map(ordinal);
        assert_eq!(
            texts,
            [
                "0th", "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "99th", "100th",
                "101st", "111th"
            ]
        );
    }

    proptest! {
        #[test]
        fn a_double_reads_back_as_the_same_number(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            if value.is_finite() {
                prop_assert_eq!(double_text(value).parse::<f64>().unwrap().to_bits(), bits);
            }
        }

        #[test]
        fn two_decimals_are_within_half_a_hundredth(value in 0.0..1e9_f64) {
            for text in [at_most_two_decimals(value), two_decimals(value)] {
                prop_assert!((text.parse::<f64>().unwrap() - value).abs() <= 0.005 + 1e-6, "{} {}", text, value);
            }
        }
    }
}
