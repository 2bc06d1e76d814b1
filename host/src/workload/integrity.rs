//! Values that follow from key and field name, so that what is read can be checked.

use std::fmt::Write;

/// Java's string hash, continued over UTF-16 code units.
#[derive(Clone, Copy, Debug, Default)]
pub struct JavaHash(i32);

impl JavaHash {
    /// Takes in a text.
    pub fn text(self, text: &str) -> Self {
        if text.is_ascii() {
            return self.ascii(text.as_bytes());
        }
        JavaHash(text.encode_utf16().fold(self.0, step))
    }

    /// Takes in ASCII characters.
    #[inline]
    fn ascii(self, bytes: &[u8]) -> Self {
        // Four bytes in one step, whose parts do not wait for one another.
        let (fours, rest) = bytes.as_chunks::<4>();
        let whole = fours.iter().fold(self.0, |hash, four| {
            let [a, b, c, d] = four.map(i32::from);
            hash.wrapping_mul(31 * 31 * 31 * 31).wrapping_add(a * (31 * 31 * 31) + b * (31 * 31) + c * 31 + d)
        });
        JavaHash(rest.iter().fold(whole, |hash, &byte| step(hash, u16::from(byte))))
    }

    /// The hash so far.
    pub fn value(self) -> i32 {
        self.0
    }
}

#[inline]
fn step(hash: i32, unit: u16) -> i32 {
    hash.wrapping_mul(31).wrapping_add(i32::from(unit))
}

/// Appends the value of a field with exactly `length` bytes (tests/golden/deterministic_values.csv).
///
/// It begins with key, colon and field name. Then, while it is too short, a colon and the decimal hash of all
/// that stands before it, that colon included, are added. A byte is the low half of a UTF-16 code unit.
pub fn write_value(key: &str, field: &str, length: usize, value: &mut Vec<u8>) {
    let start = value.len();
    let low_bytes = |text: &str, value: &mut Vec<u8>| {
        if text.is_ascii() {
            value.extend_from_slice(text.as_bytes());
        } else {
            value.extend(text.encode_utf16().map(|unit| unit as u8));
        }
    };
    low_bytes(key, value);
    value.push(b':');
    low_bytes(field, value);
    if value.len() - start < length {
        let mut hash = JavaHash::default().text(key).ascii(b":").text(field);
        let mut buffer = itoa::Buffer::new();
        while value.len() - start < length {
            hash = hash.ascii(b":");
            let digits = buffer.format(hash.value()).as_bytes();
            value.push(b':');
            value.extend_from_slice(digits);
            hash = hash.ascii(digits);
        }
    }
    value.truncate(start + length);
}

/// What a read is expected to return, and what it returned.
///
/// The expected values are made before the operation is sent, so that while it is timed they are only compared.
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    key: String,
    length: usize,
    /// Number of the first field in `values`; they follow one another, `length` bytes each.
    first_field: usize,
    values: Vec<u8>,
    /// The field that is likely to come next.
    next_field: usize,
    cells: usize,
    mismatch: Option<Mismatch>,
}

#[derive(Clone, Debug)]
struct Mismatch {
    field: String,
    found_bytes: usize,
    first_difference: usize,
}

impl Expectation {
    /// Prepares for the fields `first_field..` with these names, of `length` bytes each, of the record `key`.
    pub fn prepare(&mut self, key: &str, first_field: usize, names: &[String], length: usize) {
        self.key.clear();
        self.key.push_str(key);
        (self.first_field, self.next_field, self.length) = (first_field, first_field, length);
        (self.cells, self.mismatch) = (0, None);
        self.values.clear();
        for name in names {
            write_value(key, name, length, &mut self.values);
        }
    }

    /// Compares a field that was returned; `names` are those of the whole record.
    pub fn compare(&mut self, names: &[String], name: &[u8], value: &[u8]) {
        self.cells += 1;
        let guess = names.get(self.next_field).filter(|guess| guess.as_bytes() == name);
        let field = match guess {
            Some(_) => Some(self.next_field),
            None => names.iter().position(|other| other.as_bytes() == name),
        };
        self.next_field = field.map_or(self.next_field, |field| field + 1);
        let prepared = field.and_then(|field| {
            let start = field.checked_sub(self.first_field)? * self.length;
            self.values.get(start..start + self.length)
        });
        match prepared {
            Some(expected) if expected == value => {}
            Some(expected) => self.mismatch = Some(Mismatch::between(name, expected, value)),
            // A field that was not asked for is checked like the others.
            None => {
                let mut expected = Vec::new();
                write_value(&self.key, &String::from_utf8_lossy(name), self.length, &mut expected);
                if expected != value {
                    self.mismatch = Some(Mismatch::between(name, &expected, value));
                }
            }
        }
    }

    /// The result, once everything was compared.
    pub fn result(&self) -> super::Verified {
        match (self.cells, &self.mismatch) {
            (0, _) => super::Verified::Missing,
            (_, None) => super::Verified::Equal,
            (_, Some(_)) => super::Verified::Different,
        }
    }

    /// What differed, or that nothing came back.
    pub fn describe(&self) -> Option<String> {
        let mut text = format!("record {}: ", self.key);
        match (&self.mismatch, self.cells) {
            (Some(Mismatch { field, found_bytes, first_difference }), _) => write!(
                text,
                "field {field} has {found_bytes} bytes that differ from the expected {} from byte {first_difference} on",
                self.length
            ),
            (None, 0) => write!(text, "no field was returned"),
            (None, _) => return None,
        }
        .expect("a String takes everything");
        Some(text)
    }
}

impl Mismatch {
    fn between(name: &[u8], expected: &[u8], found: &[u8]) -> Self {
        let same = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
        Mismatch {
            field: String::from_utf8_lossy(name).into_owned(),
            found_bytes: found.len(),
            first_difference: same,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Verified;

    fn names() -> Vec<String> {
        (0..12).map(|field| format!("field{field}")).collect()
    }

    fn value(key: &str, field: &str, length: usize) -> Vec<u8> {
        let mut value = Vec::new();
        write_value(key, field, length, &mut value);
        value
    }

    #[test]
    fn returned_values_are_compared_in_any_order() {
        let names = names();
        let mut expectation = Expectation::default();
        expectation.prepare("user1", 0, &names, 50);
        for field in ["field3", "field0", "field1", "field11", "field2"] {
            expectation.compare(&names, field.as_bytes(), &value("user1", field, 50));
        }
        assert_eq!((expectation.result(), expectation.describe()), (Verified::Equal, None));
    }

    #[test]
    fn a_difference_names_key_field_and_place() {
        let names = names();
        let mut expectation = Expectation::default();
        expectation.prepare("user1", 4, &names[4..5], 50);
        let mut wrong = value("user1", "field4", 50);
        wrong[20] ^= 1;
        expectation.compare(&names, b"field4", &wrong);
        assert_eq!(expectation.result(), Verified::Different);
        let text = expectation.describe().expect("a description");
        assert!(text.contains("user1") && text.contains("field4") && text.contains("byte 20"), "{text}");
    }

    #[test]
    fn fields_that_were_not_asked_for_are_checked_too() {
        let names = names();
        for (field, found, result) in [
            ("field9", value("user1", "field9", 20), Verified::Equal),
            ("other", value("user1", "other", 20), Verified::Equal),
            ("other", b"something else".to_vec(), Verified::Different),
        ] {
            let mut expectation = Expectation::default();
            expectation.prepare("user1", 4, &names[4..5], 20);
            expectation.compare(&names, field.as_bytes(), &found);
            assert_eq!(expectation.result(), result, "{field}");
        }
    }

    #[test]
    fn an_answer_without_fields_is_missing() {
        let mut expectation = Expectation::default();
        expectation.prepare("user1", 0, &names(), 50);
        assert_eq!(expectation.result(), Verified::Missing);
        assert!(expectation.describe().expect("a description").contains("user1"));
    }

    #[test]
    fn names_beyond_ascii_give_the_low_byte_of_each_code_unit() {
        assert_eq!(value("k", "\u{e9}\u{100}", 4), [b'k', b':', 0xE9, 0x00]);
    }
}
