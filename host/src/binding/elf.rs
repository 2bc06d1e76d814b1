//! Looks at a library file before the dynamic loader does: a truncated file would kill the process there.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Why a file is no library that could be loaded here. The text completes "plugin NAME: ...".
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ElfError {
    /// The file system's answer.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// A directory, a device, a socket.
    #[error("is not a regular file")]
    NotAFile,
    /// Nothing in it.
    #[error("is empty")]
    Empty,
    /// Something else than a shared library.
    #[error("is not a shared library (no ELF header)")]
    NotElf,
    /// For another machine.
    #[error("was built for another machine ({0})")]
    OtherMachine(String),
    /// Shorter than its own header says.
    #[error("is truncated: its header speaks of {expected} bytes, the file has {actual}")]
    Truncated {
        /// Bytes that the header speaks of.
        expected: u64,
        /// Bytes that are there.
        actual: u64,
    },
}

const HEADER_BYTES: usize = 64;
const PROGRAM_HEADER_BYTES: u64 = 56;
const TYPE_SHARED: u16 = 3;
const SEGMENT_LOAD: u32 = 1;
#[cfg(target_arch = "x86_64")]
const THIS_MACHINE: u16 = 62;
#[cfg(target_arch = "aarch64")]
const THIS_MACHINE: u16 = 183;

/// Checks type, class, machine, and that every load segment lies inside the file.
pub(super) fn check(path: &Path) -> Result<(), ElfError> {
    let unreadable = |e: std::io::Error| ElfError::Unreadable(e.to_string());
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(ElfError::NotAFile);
    }
    let mut file = File::open(path).map_err(unreadable)?;
    check_bytes(&mut file, metadata.len())
}

fn check_bytes(file: &mut (impl Read + Seek), actual: u64) -> Result<(), ElfError> {
    let unreadable = |e: std::io::Error| ElfError::Unreadable(e.to_string());
    if actual == 0 {
        return Err(ElfError::Empty);
    }
    let mut header = [0u8; HEADER_BYTES];
    let mut magic = [0u8; 4];
    if actual < 4 {
        return Err(ElfError::NotElf);
    }
    file.read_exact(&mut magic).map_err(unreadable)?;
    if &magic != b"\x7fELF" {
        return Err(ElfError::NotElf);
    }
    let truncated = |expected| ElfError::Truncated { expected, actual };
    if actual < HEADER_BYTES as u64 {
        return Err(truncated(HEADER_BYTES as u64));
    }
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    file.read_exact(&mut header).map_err(unreadable)?;
    let (u16_at, u64_at) = (|at| le_u16(&header, at), |at| le_u64(&header, at));
    let (class, byte_order, kind, machine) = (header[4], header[5], u16_at(16), u16_at(18));
    if class != 2 || byte_order != 1 || machine != THIS_MACHINE {
        return Err(ElfError::OtherMachine(format!(
            "class {class}, byte order {byte_order}, machine {machine}"
        )));
    }
    if kind != TYPE_SHARED {
        return Err(ElfError::NotElf);
    }
    let (table, entry_bytes, entries) = (u64_at(32), u64::from(u16_at(54)), u64::from(u16_at(56)));
    let table_end = table.saturating_add(entry_bytes.saturating_mul(entries));
    if table_end > actual {
        return Err(truncated(table_end));
    }
    if entry_bytes < PROGRAM_HEADER_BYTES {
        return Err(ElfError::NotElf);
    }
    for entry in 0..entries {
        let mut segment = [0u8; PROGRAM_HEADER_BYTES as usize];
        file.seek(SeekFrom::Start(table + entry * entry_bytes)).map_err(unreadable)?;
        file.read_exact(&mut segment).map_err(unreadable)?;
        let kind = u32::from_le_bytes(segment[0..4].try_into().expect("four bytes"));
        let end = le_u64(&segment, 8).saturating_add(le_u64(&segment, 32));
        if kind == SEGMENT_LOAD && end > actual {
            return Err(truncated(end));
        }
    }
    Ok(())
}

fn le_u16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

fn le_u64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    fn check_slice(bytes: &[u8]) -> Result<(), ElfError> {
        check_bytes(&mut Cursor::new(bytes), bytes.len() as u64)
    }

    #[test]
    fn files_that_are_no_library_are_told_apart() {
        assert_eq!(check_slice(b""), Err(ElfError::Empty));
        assert_eq!(check_slice(b"abc"), Err(ElfError::NotElf));
        assert_eq!(check_slice(b"just some text in a file"), Err(ElfError::NotElf));
        assert_eq!(check(Path::new("/")), Err(ElfError::NotAFile));
        assert!(matches!(check(Path::new("/no/such/file")), Err(ElfError::Unreadable(_))));
    }

    /// This very test program is a position-independent executable: a valid file of the right machine.
    #[test]
    fn a_whole_file_passes_and_every_cut_of_it_is_refused() {
        let whole = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(check_slice(&whole), Ok(()));
        for length in [3, 10, 63, 64, 500, 4096] {
            assert!(check_slice(&whole[..length]).is_err(), "cut to {length}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = check_slice(&bytes);
            if bytes.len() > 20 {
                bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
                bytes[16..20].copy_from_slice(&[3, 0, THIS_MACHINE as u8, 0]);
                let _ = check_slice(&bytes);
            }
        }
    }
}
