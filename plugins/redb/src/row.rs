//! How a record is stored: format 1.
//!
//! Name and value of each field, one field after the other, each text preceded by its number of bytes as a
//! LEB128 number. Reading needs no allocation, and a field that is not wanted is stepped over.

use ycsb_plugin_api::{Failure, Rows, Select, Values};

/// Number of this format, kept in the file.
pub(crate) const FORMAT: u64 = 1;

/// Appends a record.
pub(crate) fn encode(values: Values<'_>, out: &mut Vec<u8>) {
    values.iter().for_each(|(name, value)| put_field(name.as_bytes(), value, out));
}

/// Appends `stored` with the fields of `changes` changed or added.
pub(crate) fn merge(stored: &[u8], changes: Values<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
    for field in Fields(stored) {
        let (name, old) = field?;
        let new = changes.iter().find(|(changed, _)| changed.as_bytes() == name);
        put_field(name, new.map_or(old, |(_, value)| value), out);
    }
    for (name, value) in changes.iter() {
        let known = Fields(stored).any(|field| matches!(field, Ok((known, _)) if known == name.as_bytes()));
        if !known {
            put_field(name.as_bytes(), value, out);
        }
    }
    Ok(())
}

/// Hands over the selected fields of a stored record.
pub(crate) fn hand_over(stored: &[u8], select: Select<'_>, rows: &mut Rows<'_>) -> Result<(), Failure> {
    let all = select.is_all();
    for field in Fields(stored) {
        let (name, value) = field?;
        if all || select.iter().any(|wanted| wanted.as_bytes() == name) {
            rows.field(name, value);
        }
    }
    Ok(())
}

fn put_field(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
    put_length(name.len(), out);
    out.extend_from_slice(name);
    put_length(value.len(), out);
    out.extend_from_slice(value);
}

fn put_length(mut length: usize, out: &mut Vec<u8>) {
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
}

/// The fields of a stored record. Ends after a failure.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(&'a [u8], &'a [u8]), Failure>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        match (self.text(), self.text()) {
            (Some(name), Some(value)) => Some(Ok((name, value))),
            _ => {
                self.0 = &[];
                Some(Err(Failure::error("the stored record is damaged")))
            }
        }
    }
}

impl<'a> Fields<'a> {
    #[inline]
    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.length()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    #[inline]
    fn length(&mut self) -> Option<usize> {
        let mut length = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            length |= u64::from(byte & 0x7F).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return usize::try_from(length).ok();
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(fields: &[(&str, &[u8])]) -> Vec<u8> {
        let mut out = Vec::new();
        fields.iter().for_each(|(name, value)| put_field(name.as_bytes(), value, &mut out));
        out
    }

    fn fields(stored: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
        Fields(stored)
            .map(|field| field.map(|(name, value)| (name.to_vec(), value.to_vec())).unwrap())
            .collect()
    }

    #[test]
    fn fields_of_any_length_come_back() {
        let long = vec![7; 70_000];
        for length in [0, 1, 127, 128, 16_383, 16_384, 70_000] {
            let stored = record(&[("f", &long[..length]), ("", b"\0\xff")]);
            let expected = vec![(b"f".to_vec(), long[..length].to_vec()), (Vec::new(), vec![0, 0xff])];
            assert_eq!(fields(&stored), expected, "{length}");
        }
    }

    #[test]
    fn the_format_is_what_it_was() {
        let value = [b'v'; 200];
        let stored = record(&[("ab", b"c"), ("d", &value)]);
        assert_eq!(stored[..8], [2, b'a', b'b', 1, b'c', 1, b'd', 0xC8]);
        assert_eq!(stored[8], 1);
        assert_eq!(stored.len(), 9 + 200);
    }

    #[test]
    fn damage_is_told_and_does_not_panic() {
        let stored = record(&[("field0", b"value"), ("field1", b"")]);
        for length in 1..stored.len() {
            let whole = Fields(&stored[..length]).all(|field| field.is_ok());
            // Between two fields a record may end.
            assert_eq!(whole, length == 13, "{length} bytes");
        }
        assert!(Fields(&[0xFF; 20]).any(|field| field.is_err()));
    }
}
