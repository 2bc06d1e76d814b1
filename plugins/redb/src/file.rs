//! Opening the file: what has to be there, what is made, and what is said if it cannot be.

use crate::failure::{self, Failed};
use crate::row;
use crate::settings::Options;
use redb::{Database, ReadableDatabase, ReadableTableMetadata, TableDefinition, TableError, TableHandle};
use std::fs;
use std::path::Path;
use ycsb_plugin_api::{Env, Failure, Phase};

/// A table of records: key, and the record as `row` stores it.
pub(crate) type Records<'a> = TableDefinition<'a, &'static str, &'static [u8]>;

/// What the file says of itself.
const ABOUT: TableDefinition<'static, &str, u64> = TableDefinition::new("ycsb-host");
const ROW_FORMAT: &str = "row format";

/// The table of that name. The name of the file's own table is refused.
pub(crate) fn records(table: &str) -> Result<Records<'_>, Failure> {
    if table == ABOUT.name() {
        return Err(Failure::bad_request(format!("the table name {table:?} is taken; choose another one")));
    }
    Ok(TableDefinition::new(table))
}

/// An opened file with the table of the run.
pub(crate) struct Opened {
    pub(crate) database: Database,
    pub(crate) records: u64,
}

/// Opens the file as the phase wants it.
pub(crate) fn open(options: &Options, env: &Env<'_>) -> Result<Opened, Failure> {
    let path = options.path.as_path();
    if env.phase() == Phase::Run && matches!(path.try_exists(), Ok(false)) {
        return Err(Failure::not_found()
            .detail(format!("there is no database at {}; load it first, or set redb.path", path.display())));
    }
    if options.default_path
        && let Some(folder) = path.parent()
    {
        fs::create_dir_all(folder).map_err(|error| {
            let next = format!("the folder {} cannot be made ({error}); set redb.path", folder.display());
            Failure::from_io(&error).detail(next)
        })?;
    }
    let mut builder = Database::builder();
    builder.set_cache_size(options.cache_bytes);
    let opened = match env.phase() {
        Phase::Load => builder.create(path),
        Phase::Run => builder.open(path),
    };
    let database = opened.map_err(|error| failure::of_open(&error.into(), path))?;
    let prepared = check_format(&database, path).and_then(|known| match env.phase() {
        Phase::Load => make_table(&database, env.table(), env.fresh(), known),
        Phase::Run => count(&database, env.table(), path),
    });
    match prepared {
        Ok(records) => Ok(Opened { database, records }),
        Err(Failed::Refused(failure)) => Err(failure),
        Err(Failed::Store(error)) => Err(failure::of_open(&error, path)),
    }
}

/// Whether the file names its format; if it does it has to be ours.
fn check_format(database: &Database, path: &Path) -> Result<bool, Failed> {
    let reading = database.begin_read()?;
    let format = match reading.open_table(ABOUT) {
        Ok(about) => about.get(ROW_FORMAT)?.map(|format| format.value()),
        Err(TableError::TableDoesNotExist(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let path = path.display();
    match format {
        Some(row::FORMAT) => Ok(true),
        Some(other) => Err(Failed::Refused(Failure::unexpected_state(format!(
            "{path} holds records in format {other}, and this plugin knows format {}: use the release that \
             wrote them, or remove the file and load again",
            row::FORMAT
        )))),
        None if reading.list_tables()?.next().is_some() => Err(Failed::Refused(Failure::unexpected_state(
            format!("{path} is a redb database of another program; choose another redb.path"),
        ))),
        None => Ok(false),
    }
}

fn make_table(database: &Database, table: &str, fresh: bool, known: bool) -> Result<u64, Failed> {
    let records = records(table)?;
    let writing = database.begin_write()?;
    if fresh {
        writing.delete_table(records)?;
    }
    let count = writing.open_table(records)?.len()?;
    if !known {
        writing.open_table(ABOUT)?.insert(ROW_FORMAT, row::FORMAT)?;
    }
    writing.commit()?;
    Ok(count)
}

fn count(database: &Database, table: &str, path: &Path) -> Result<u64, Failed> {
    match database.begin_read()?.open_table(records(table)?) {
        Ok(records) => Ok(records.len()?),
        Err(TableError::TableDoesNotExist(_)) => Err(Failed::Refused(
            Failure::not_found()
                .detail(format!("there is no table {table} in {}; load it first", path.display())),
        )),
        Err(error) => Err(error.into()),
    }
}
