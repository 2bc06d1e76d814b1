//! The properties of the plugin, and connections made by them.

use crate::failure::told;
use rusqlite::Connection;
use std::path::PathBuf;
use std::time::Duration;
use ycsb_plugin_api::{Failure, Property, Settings};

/// Every property that the plugin reads.
pub(crate) const PROPERTIES: &[Property] = &[
    Property::file("sqlite.path").required().help("The database file; a load creates it."),
    Property::one_of("sqlite.synchronous", &["off", "normal", "full"])
        .default("normal")
        .help("How far a write has to be on its way to the disk before it is acknowledged, as in SQLite."),
    Property::duration("sqlite.busy")
        .default("5s")
        .help("Longest wait for another session's write; after that the operation ends with OVERLOADED."),
];

/// The values of the properties.
pub(crate) struct SqliteSettings {
    pub(crate) path: PathBuf,
    pub(crate) synchronous: String,
    pub(crate) busy: Duration,
}

impl SqliteSettings {
    pub(crate) fn read(settings: &Settings<'_>) -> Result<SqliteSettings, Failure> {
        Ok(SqliteSettings {
            path: settings.get("sqlite.path")?,
            synchronous: settings.get("sqlite.synchronous")?,
            busy: settings.get("sqlite.busy")?,
        })
    }

    /// A new connection.
    pub(crate) fn connect(&self) -> Result<Connection, Failure> {
        let connect = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(&self.path)?;
            connection.busy_timeout(self.busy)?;
            connection.pragma_update(None, "synchronous", &self.synchronous)?;
            Ok(connection)
        };
        connect().map_err(|error| told(error).context(self.path.display()))
    }
}
