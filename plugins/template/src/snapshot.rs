//! The file that keeps the tables: a line that says what it is, then counted tables, records and fields.
//! Every text and value follows its length, a `u32` in little-endian order.

use crate::store::{Fields, Table, Tables};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;
use ycsb_plugin_api::Failure;

const MAGIC: &[u8] = b"ycsb-template 1\n";

/// Writes the tables into the file, which is replaced as a whole.
///
/// # Errors
/// What the system says, with the name of the file.
pub(crate) fn save(path: &Path, tables: &Tables) -> Result<(), Failure> {
    let beside = path.with_extension("new");
    let write = || -> io::Result<()> {
        let mut out = BufWriter::new(File::create(&beside)?);
        out.write_all(MAGIC)?;
        put_count(&mut out, tables.len())?;
        for (name, table) in tables {
            put(&mut out, name.as_bytes())?;
            put_count(&mut out, table.len())?;
            for (key, fields) in table {
                put(&mut out, key.as_bytes())?;
                put_count(&mut out, fields.len())?;
                for (name, value) in fields {
                    put(&mut out, name.as_bytes())?;
                    put(&mut out, value)?;
                }
            }
        }
        out.into_inner()?.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| Failure::from_io(&error).context(format!("writing {}", path.display())))
}

/// Reads the tables from the file; `None` if there is no such file.
///
/// # Errors
/// What the system says, or that the file is not one of this plugin; with its name.
pub(crate) fn load(path: &Path) -> Result<Option<Tables>, Failure> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file,
    };
    file.and_then(read_tables)
        .map(Some)
        .map_err(|error| Failure::from_io(&error).context(format!("reading {}", path.display())))
}

fn read_tables(file: File) -> io::Result<Tables> {
    let mut input = BufReader::new(file);
    let mut magic = [0; MAGIC.len()];
    input.read_exact(&mut magic).map_err(|_| not_ours())?;
    if magic != MAGIC {
        return Err(not_ours());
    }
    let mut tables = Tables::new();
    for _ in 0..take_count(&mut input)? {
        let name = take_text(&mut input)?;
        let mut table = Table::new();
        for _ in 0..take_count(&mut input)? {
            let key = take_text(&mut input)?;
            let mut fields = Fields::new();
            for _ in 0..take_count(&mut input)? {
                fields.insert(take_text(&mut input)?, take(&mut input)?);
            }
            table.insert(key, fields);
        }
        tables.insert(name, table);
    }
    Ok(tables)
}

fn not_ours() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "not a file of the template plugin; name another in template.file")
}

fn put_count(out: &mut impl Write, count: usize) -> io::Result<()> {
    let count = u32::try_from(count).map_err(|_| io::Error::new(ErrorKind::InvalidInput, "more than 4 G"))?;
    out.write_all(&count.to_le_bytes())
}

fn put(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    put_count(out, bytes.len())?;
    out.write_all(bytes)
}

fn take_count(input: &mut impl Read) -> io::Result<u32> {
    let mut count = [0; 4];
    input.read_exact(&mut count)?;
    Ok(u32::from_le_bytes(count))
}

/// Reads what is there and no more: a damaged length must not allocate gigabytes.
fn take(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let length = take_count(input)?;
    let mut bytes = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut bytes)?;
    if bytes.len() < length as usize {
        return Err(io::Error::new(ErrorKind::InvalidData, "the file ends too early; load it again"));
    }
    Ok(bytes)
}

fn take_text(input: &mut impl Read) -> io::Result<String> {
    String::from_utf8(take(input)?).map_err(|_| io::Error::new(ErrorKind::InvalidData, "a name is not UTF-8"))
}
