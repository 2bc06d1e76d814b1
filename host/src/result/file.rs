//! Result documents as files: written whole or not at all, read with a word on what is wrong.

use super::document::{FORMAT, ResultDocument, VERSION};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a file holds no document that can be used.
#[derive(Debug, thiserror::Error)]
pub enum ResultFileError {
    /// It cannot be read.
    #[error("{}: {source}; name the file that --out wrote", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is something else.
    #[error("{}: is no result document ({reason}); name a file that --out wrote", path.display())]
    NoDocument {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A later program wrote it.
    #[error(
        "{}: is a result document of version {version}, this program reads up to {VERSION}; use the program that \
         wrote it",
        path.display()
    )]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// It cannot be written.
    #[error("{}: {source}; choose a file that can be written", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// Reads a document.
///
/// # Errors
/// A file that cannot be read, that is no document, or that a later program wrote.
pub fn read_document(path: &Path) -> Result<ResultDocument, ResultFileError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ResultFileError::Unreadable { path: path.to_owned(), source })?;
    let no_document = |reason: String| ResultFileError::NoDocument { path: path.to_owned(), reason };
    let head: Head = serde_json::from_str(&text).map_err(|error| no_document(error.to_string()))?;
    if head.format != FORMAT {
        return Err(no_document(format!("its format is \"{}\"", head.format)));
    }
    if head.version > VERSION {
        return Err(ResultFileError::TooNew { path: path.to_owned(), version: head.version });
    }
    serde_json::from_str(&text).map_err(|error| no_document(error.to_string()))
}

/// Writes a value as JSON in place of what the file holds: readers see the old content or the new one, never a part.
/// What is no regular file, as a pipe, is written into.
///
/// # Errors
/// A file or folder that cannot be written.
pub fn write_replacing(path: &Path, value: &impl Serialize) -> Result<(), ResultFileError> {
    replace(path, value).map_err(|source| ResultFileError::Unwritable { path: path.to_owned(), source })
}

fn replace(path: &Path, value: &impl Serialize) -> io::Result<()> {
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return write_json(std::fs::OpenOptions::new().write(true).open(path)?, value);
    }
    let beside = temporary(path);
    let written = std::fs::File::create(&beside)
        .and_then(|file| write_json(file, value))
        .and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // The reason is reported; a file that was left behind is not worth another message.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

fn write_json(file: std::fs::File, value: &impl Serialize) -> io::Result<()> {
    let mut out = io::BufWriter::new(file);
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)?;
    out.flush()
}

/// The file that is written before it is renamed: in the same folder, one per process.
fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// Whether a document can be written there: nothing is left behind, and what the file holds is not touched.
///
/// # Errors
/// What the operating system says against it.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(found) if found.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(found) if !found.is_file() => Ok(()),
        _ => {
            let beside = temporary(path);
            std::fs::File::create(&beside)?;
            std::fs::remove_file(&beside)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::testing;

    #[test]
    fn a_document_that_was_written_is_read_back_and_nothing_else_lies_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        let document = testing::document(1);
        for _ in 0..2 {
            write_replacing(&path, &document).unwrap();
            assert_eq!(read_document(&path).unwrap(), document);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_document_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let refusal = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read_document(&path).unwrap_err().to_string()
        };
        assert!(refusal("[OVERALL], RunTime(ms), 5").contains("is no result document"));
        assert!(refusal("{\"format\":\"x\",\"version\":1}").contains("its format is \"x\""));
        assert!(refusal("{\"format\":\"ycsb-host result\",\"version\":7}").contains("version 7"));
        assert!(refusal("{\"format\":\"ycsb-host result\",\"version\":1}").contains("missing field"));
        std::fs::remove_file(&path).unwrap();
        assert!(read_document(&path).unwrap_err().to_string().contains("name the file that --out wrote"));
    }

    #[test]
    fn fields_of_later_programs_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let mut value = serde_json::to_value(testing::document(1)).unwrap();
        value["something_new"] = 5.into();
        write_replacing(&path, &value).unwrap();
        assert_eq!(read_document(&path).unwrap(), testing::document(1));
    }

    #[test]
    fn a_place_that_cannot_be_written_is_found_before_the_run() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_writable(&folder.path().join("missing/r.json")).is_err());
        assert!(check_writable(folder.path()).is_err());
        let path = folder.path().join("r.json");
        check_writable(&path).unwrap();
        assert!(!path.exists());
    }
}
