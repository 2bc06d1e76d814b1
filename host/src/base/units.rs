//! Texts with units: durations and byte counts, read and written.

/// Nanoseconds of one microsecond.
pub const NS_PER_US: u64 = 1_000;
/// Nanoseconds of one millisecond.
pub const NS_PER_MS: u64 = 1_000_000;
/// Nanoseconds of one second.
pub const NS_PER_S: u64 = 1_000_000_000;

const DURATION_UNITS: [(&str, u64); 7] = [
    ("ns", 1),
    ("us", NS_PER_US),
    ("µs", NS_PER_US),
    ("ms", NS_PER_MS),
    ("s", NS_PER_S),
    ("m", 60 * NS_PER_S),
    ("h", 3600 * NS_PER_S),
];

const BYTE_UNITS: [(&str, u64); 4] = [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];

/// Reads `500ms`, `1.5 s`, `10m` or `1h30m` as nanoseconds.
///
/// A plain number counts `bare_unit_ns` nanoseconds each; where that is 0 only a plain `0` is accepted.
///
/// # Errors
/// A sentence that says what is wrong with the text, without repeating it.
pub fn parse_duration_ns(text: &str, bare_unit_ns: u64) -> Result<u64, String> {
    let text = text.trim();
    let mut rest = text;
    let mut total_ns = 0_u64;
    loop {
        let (number, unit, after) = number_and_unit(rest)?;
        let unit_ns = if unit.is_empty() {
            if rest.len() != text.len() {
                return Err("the last number has no unit (us, ms, s, m or h)".to_owned());
            }
            if bare_unit_ns == 0 && number != 0.0 {
                return Err("a duration needs a unit: us, ms, s, m or h, as in 10s".to_owned());
            }
            bare_unit_ns
        } else {
            DURATION_UNITS
                .iter()
                .find(|(name, _)| *name == unit)
                .map(|(_, unit_ns)| *unit_ns)
                .ok_or_else(|| format!("\"{unit}\" is no unit of time; there are us, ms, s, m and h"))?
        };
        total_ns =
            scaled(number, unit_ns).and_then(|part| total_ns.checked_add(part)).ok_or_else(too_large)?;
        rest = after.trim_start();
        if rest.is_empty() {
            return Ok(total_ns);
        }
    }
}

/// Reads `4096`, `64KiB`, `1.5 GiB` as a number of bytes.
///
/// # Errors
/// A sentence that says what is wrong with the text, without repeating it.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit, rest) = number_and_unit(text.trim())?;
    let unit_bytes = if unit.is_empty() {
        1
    } else {
        BYTE_UNITS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(unit))
            .map(|(_, bytes)| *bytes)
            .ok_or_else(|| format!("\"{unit}\" is no unit of bytes; there are KiB, MiB and GiB"))?
    };
    if !rest.trim().is_empty() {
        return Err("is more than one number with one unit (KiB, MiB or GiB)".to_owned());
    }
    scaled(number, unit_bytes).ok_or_else(too_large)
}

/// Writes nanoseconds with the largest unit that keeps at most three decimals, as in `1.5s` or `250us`.
pub fn format_duration_ns(duration_ns: u64) -> String {
    let (unit, unit_ns) = [("h", 3600 * NS_PER_S), ("m", 60 * NS_PER_S)]
        .into_iter()
        .find(|(_, unit_ns)| duration_ns >= *unit_ns && duration_ns.is_multiple_of(*unit_ns))
        .or_else(|| {
            [("s", NS_PER_S), ("ms", NS_PER_MS), ("us", NS_PER_US)]
                .into_iter()
                .find(|(_, unit_ns)| duration_ns >= *unit_ns)
        })
        .unwrap_or(("ns", 1));
    let text = format!("{:.3}", duration_ns as f64 / unit_ns as f64);
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

fn too_large() -> String {
    "is too large".to_owned()
}

/// Splits `12.5 ms rest` into 12.5, `ms` and ` rest`.
fn number_and_unit(text: &str) -> Result<(f64, &str, &str), String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().map_err(|_| match text.as_bytes().first() {
        None => "is empty".to_owned(),
        Some(b'-') => "is negative".to_owned(),
        Some(_) => "has no number where one is expected".to_owned(),
    })?;
    let rest = &text[digits..];
    let blanks = rest.len() - rest.trim_start().len();
    let unit_end = rest[blanks..].find(|c: char| !c.is_alphabetic()).map_or(rest.len(), |at| blanks + at);
    Ok((number, &rest[blanks..unit_end], &rest[unit_end..]))
}

/// `number * unit` rounded, unless it leaves the range.
fn scaled(number: f64, unit: u64) -> Option<u64> {
    // Whole numbers are multiplied as integers: a double is exact only up to 2^53.
    if number.fract() == 0.0 && number <= 9e15 {
        return (number as u64).checked_mul(unit);
    }
    let product = (number * unit as f64).round();
    (product < 1.8e19).then_some(product as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_with_their_units() {
        for (text, expected_ns) in [
            ("10s", 10 * NS_PER_S),
            ("10 s", 10 * NS_PER_S),
            ("500ms", 500 * NS_PER_MS),
            ("250us", 250 * NS_PER_US),
            ("1.5s", 1_500 * NS_PER_MS),
            ("2m", 120 * NS_PER_S),
            ("1h30m", 5_400 * NS_PER_S),
            ("0", 0),
        ] {
            assert_eq!(parse_duration_ns(text, 0), Ok(expected_ns), "{text}");
        }
        assert_eq!(parse_duration_ns("7", NS_PER_S), Ok(7 * NS_PER_S));
    }

    #[test]
    fn durations_that_cannot_be_used_say_why() {
        for (text, part) in [
            ("10", "needs a unit"),
            ("10 parsecs", "no unit of time"),
            ("", "is empty"),
            ("-1s", "is negative"),
            ("s", "no number"),
            ("1m30", "last number has no unit"),
            ("99999999999999h", "too large"),
            ("1s //x", "no number"),
        ] {
            let reason = parse_duration_ns(text, 0).expect_err(text);
            assert!(reason.contains(part), "{text}: {reason}");
        }
    }

    #[test]
    fn byte_counts_are_read_with_their_units() {
        for (text, expected) in
            [("0", 0), ("4096", 4096), ("64KiB", 65_536), ("64 mib", 64 << 20), ("1.5GiB", 3 << 29)]
        {
            assert_eq!(parse_bytes(text), Ok(expected), "{text}");
        }
        assert!(parse_bytes("5MB").expect_err("MB").contains("KiB, MiB and GiB"));
        assert!(parse_bytes("5MiB 3").is_err());
    }

    #[test]
    fn durations_are_written_as_they_are_read() {
        for text in ["1h", "90m", "10s", "1.5s", "250us", "2ms", "17ns", "61s"] {
            let duration_ns = parse_duration_ns(text, 0).expect(text);
            assert_eq!(format_duration_ns(duration_ns), text);
        }
    }
}
