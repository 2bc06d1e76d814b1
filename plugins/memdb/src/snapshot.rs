//! The store as a file: `mem.file`.
//!
//! After a line that names the format come the tables. Every list begins with its length and every text
//! with its number of bytes, as 64-bit numbers, least significant byte first.

use crate::store::{Record, Store};
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use ycsb_plugin_api::Failure;

const FORMAT: &[u8] = b"ycsb-host memdb 1\n";

/// Reads a file. `None` if there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Store>, Failure> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::from_io(&error).context(format!("mem.file {}", path.display()))),
    };
    let store = bytes.strip_prefix(FORMAT).and_then(|bytes| Bytes(bytes).store());
    store.map(Some).ok_or_else(|| {
        Failure::unexpected_state(format!(
            "mem.file {} is not a file that memdb of this version wrote; remove it or name another",
            path.display()
        ))
    })
}

/// Writes a file anew; until it is complete the old one stays.
pub(crate) fn write(store: &Store, path: &Path) -> Result<(), Failure> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let written = File::create(&unfinished)
        .and_then(|file| {
            let mut out = BufWriter::new(file);
            put_store(&mut out, store)?;
            out.into_inner()?.sync_all()
        })
        .and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|error| {
        // What is incomplete is of no use; that it cannot be removed either would hide the cause.
        let _ = fs::remove_file(&unfinished);
        Failure::from_io(&error).context(format!("writing mem.file {}", path.display()))
    })
}

fn put_store(out: &mut impl Write, store: &Store) -> io::Result<()> {
    out.write_all(FORMAT)?;
    let tables = store.tables();
    put_length(out, tables.len())?;
    for (name, table) in tables {
        put(out, name.as_bytes())?;
        let records = table.records();
        put_length(out, records.len())?;
        for (key, record) in records.iter() {
            put(out, key.as_bytes())?;
            put_length(out, record.fields().len())?;
            for (field, value) in record.fields() {
                put(out, field.as_bytes())?;
                put(out, value)?;
            }
        }
    }
    Ok(())
}

fn put(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    put_length(out, bytes.len())?;
    out.write_all(bytes)
}

fn put_length(out: &mut impl Write, length: usize) -> io::Result<()> {
    out.write_all(&(length as u64).to_le_bytes())
}

/// What is still to be read. `None` means that the bytes are not what they should be.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn store(mut self) -> Option<Store> {
        let store = Store::default();
        for _ in 0..self.length()? {
            let table = store.table(self.text()?);
            let mut records = table.records_mut();
            for _ in 0..self.length()? {
                let key = self.text()?;
                let fields: Option<Vec<_>> =
                    (0..self.length()?).map(|_| Some((self.text()?, self.bytes()?))).collect();
                records.insert(key.into(), Record::of(fields?.into_iter()));
            }
        }
        self.0.is_empty().then_some(store)
    }

    fn length(&mut self) -> Option<usize> {
        let (length, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        usize::try_from(u64::from_le_bytes(*length)).ok()
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.length()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_api::abi::status;

    fn store() -> Store {
        let store = Store::default();
        for (table, key) in [("t", "k1"), ("t", "k2"), ("u", "k")] {
            let record = Record::of([("f", &b"\xff\0"[..]), ("g", b"")].into_iter());
            store.table(table).records_mut().insert(key.into(), record);
        }
        store
    }

    #[test]
    fn what_was_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        write(&store(), &path).unwrap();
        let read = read(&path).unwrap().unwrap();
        let contents = |store: &Store| -> Vec<_> {
            let tables = store.tables().into_iter();
            tables.map(|(name, table)| (name, table.records().clone())).collect()
        };
        assert_eq!(contents(&read), contents(&store()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_cut_anywhere_is_refused() {
        let mut whole = Vec::new();
        put_store(&mut whole, &store()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(read(&path).unwrap_err().status(), status::UNEXPECTED_STATE, "{length} bytes");
        }
    }

    #[test]
    fn an_absent_file_is_no_error_and_an_impossible_one_names_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none").join("records");
        assert!(read(&path).unwrap().is_none());
        let failure = write(&store(), &path).unwrap_err();
        assert!(failure.text().contains(&*path.to_string_lossy()), "{}", failure.text());
    }
}
