//! A record as one value: the row format of VoltDB's YCSB binding. All integers are 32 bits, big-endian: the
//! number of fields, then for each field the length and bytes of its name and of its value.

use std::ops::Range;
use ycsb_plugin_api::{Failure, Names, Values};

/// VoltDB's limit for a value.
pub(crate) const VOLTDB_MAX_BYTES: u64 = 2056;

/// Appends a packed record.
///
/// # Errors
/// BAD_REQUEST for what 32 bits cannot count.
pub(crate) fn pack(values: Values<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
    put_length(values.len(), out)?;
    for (name, value) in values.iter() {
        for bytes in [name.as_bytes(), value] {
            put_length(bytes.len(), out)?;
            out.extend_from_slice(bytes);
        }
    }
    Ok(())
}

#[inline]
fn put_length(length: usize, out: &mut Vec<u8>) -> Result<(), Failure> {
    let length = i32::try_from(length).map_err(|_| Failure::bad_request("a value is longer than 2 GiB"))?;
    out.extend_from_slice(&length.to_be_bytes());
    Ok(())
}

/// Bytes of the largest packed record with these fields, if each has the longest value.
pub(crate) fn largest_packed_bytes(fields: Names<'_>, largest_value_bytes: u64) -> u64 {
    fields.iter().fold(4, |sum: u64, name| {
        sum.saturating_add(8 + name.len() as u64).saturating_add(largest_value_bytes)
    })
}

/// Where the fields of a packed record lie.
#[derive(Default)]
pub(crate) struct Unpacked {
    fields: Vec<(Range<usize>, Range<usize>)>,
}

impl Unpacked {
    /// Looks through a packed record.
    ///
    /// # Errors
    /// ERROR for lengths that lead out of it, and for bytes that no field accounts for.
    pub(crate) fn read(&mut self, row: &[u8]) -> Result<(), Failure> {
        self.fields.clear();
        let mut at = 0;
        let count = length(row, &mut at)?;
        for _ in 0..count {
            let name = bytes(row, &mut at)?;
            let value = bytes(row, &mut at)?;
            self.fields.push((name, value));
        }
        if at != row.len() {
            return Err(Failure::error(format!(
                "a stored record has {} bytes behind its last field",
                row.len() - at
            )));
        }
        Ok(())
    }

    /// Each field of the record that was read; of those with one name the last.
    pub(crate) fn each(&self, row: &[u8], mut on_field: impl FnMut(&[u8], &[u8])) {
        for (number, (name, value)) in self.fields.iter().enumerate() {
            let name = &row[name.clone()];
            let comes_again = self.fields[number + 1..].iter().any(|(later, _)| &row[later.clone()] == name);
            if !comes_again {
                on_field(name, &row[value.clone()]);
            }
        }
    }
}

/// A length and that many bytes.
#[inline]
fn bytes(row: &[u8], at: &mut usize) -> Result<Range<usize>, Failure> {
    let length = length(row, at)?;
    let range = *at..*at + length;
    if range.end > row.len() {
        return Err(cut_off(row));
    }
    *at = range.end;
    Ok(range)
}

#[inline]
fn length(row: &[u8], at: &mut usize) -> Result<usize, Failure> {
    let (length, _) = row.get(*at..).and_then(<[u8]>::split_first_chunk).ok_or_else(|| cut_off(row))?;
    *at += 4;
    usize::try_from(i32::from_be_bytes(*length))
        .map_err(|_| Failure::error("a stored record has a negative length"))
}

#[cold]
fn cut_off(row: &[u8]) -> Failure {
    Failure::error(format!("a stored record of {} bytes ends within a field", row.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Fields = Vec<(Vec<u8>, Vec<u8>)>;

    fn read(row: &[u8]) -> Result<Fields, Failure> {
        let mut unpacked = Unpacked::default();
        unpacked.read(row)?;
        let mut fields = Vec::new();
        unpacked.each(row, |name, value| fields.push((name.to_vec(), value.to_vec())));
        Ok(fields)
    }

    #[test]
    fn of_two_fields_with_one_name_the_last_counts() {
        let row = b"\0\0\0\x02\0\0\0\x01a\0\0\0\x011\0\0\0\x01a\0\0\0\x012";
        assert_eq!(read(row).unwrap(), [(b"a".to_vec(), b"2".to_vec())]);
    }

    #[test]
    fn a_record_that_is_cut_or_overlong_is_an_error_at_every_byte() {
        let row = b"\0\0\0\x02\0\0\0\x01a\0\0\0\x011\0\0\0\x01b\0\0\0\0";
        assert_eq!(read(row).unwrap().len(), 2);
        for length in 0..row.len() {
            assert!(read(&row[..length]).is_err(), "{length}");
        }
        assert!(
            read(&[&row[..], b"x"].concat()).unwrap_err().text().contains("1 bytes behind its last field")
        );
        assert!(read(b"\xff\xff\xff\xff").unwrap_err().text().contains("negative length"));
        assert!(read(b"\0\0\0\x01\xff\xff\xff\xff").is_err());
        assert!(read(b"\x7f\xff\xff\xff").is_err());
    }
}
