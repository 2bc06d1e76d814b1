//! The table: the key, then a column for each field. A field that a record lacks is NULL.

use crate::failure::told;
use rusqlite::Connection;
use ycsb_plugin_api::{Failure, Names};

/// Name of the column that holds the key, in quotes. No field of a workload is called so.
pub(crate) const KEY: &str = "\"ycsb_key\"";

/// A name in quotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Creates the table if it is not there; with `fresh` it starts empty.
pub(crate) fn create(
    connection: &Connection,
    table: &str,
    fields: Names<'_>,
    fresh: bool,
) -> Result<(), Failure> {
    let name = quoted(table);
    let columns: String = fields.iter().map(|field| format!(", {} BLOB", quoted(field))).collect();
    if fresh {
        connection.execute(&format!("DROP TABLE IF EXISTS {name}"), []).map_err(told)?;
    }
    let create =
        format!("CREATE TABLE IF NOT EXISTS {name} ({KEY} TEXT NOT NULL PRIMARY KEY{columns}) WITHOUT ROWID");
    connection.execute(&create, []).map_err(told)?;
    Ok(())
}

/// The table has to be there.
pub(crate) fn demand(connection: &Connection, table: &str) -> Result<(), Failure> {
    if connection.table_exists(None, table).map_err(told)? {
        return Ok(());
    }
    Err(Failure::not_found().detail(format!("there is no table {table:?}; run the load first")))
}
