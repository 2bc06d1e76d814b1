//! SQLite for ycsb-host: one file, one connection per session, one column per field.
#![forbid(unsafe_code)]

mod failure;
mod schema;
mod session;
mod settings;

use failure::told;
use rusqlite::Connection;
use session::SqliteSession;
use settings::SqliteSettings;
use ycsb_plugin_api::capability::{
    DELETE, DETECTS_DUPLICATES, INSERT, INSERT_BATCH, PROJECTION, READ, SCAN, SCAN_ORDERED, UPDATE,
};
use ycsb_plugin_api::{Binding, Client, Env, Failure, Info, Opened, Phase, Settings, export_plugin};

/// What `open` makes. Each session has a connection of its own, so there is nothing to share.
pub struct Sqlite {
    settings: SqliteSettings,
}

impl Binding for Sqlite {
    const INFO: Info = Info::new("sqlite")
        .summary("SQLite: a table in a file, one column per field")
        .capabilities(
            READ | SCAN
                | UPDATE
                | INSERT
                | DELETE
                | INSERT_BATCH
                | SCAN_ORDERED
                | PROJECTION
                | DETECTS_DUPLICATES,
        )
        .properties(settings::PROPERTIES);
    type Session = SqliteSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Sqlite>, Failure> {
        let settings = SqliteSettings::read(settings)?;
        if env.phase() == Phase::Run && !settings.path.exists() {
            return Err(Failure::not_found()
                .detail(format!("{} does not exist; run the load first", settings.path.display())));
        }
        let connection = settings.connect()?;
        // Readers go on while one writes. The file remembers it.
        let journal: String = connection
            .pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))
            .map_err(told)?;
        match env.phase() {
            Phase::Load => schema::create(&connection, env.table(), env.fields(), env.fresh())?,
            Phase::Run => schema::demand(&connection, env.table())?,
        }
        let detail = format!(
            "SQLite {}, {}, table {:?}, journal {journal}, synchronous {}",
            rusqlite::version(),
            settings.path.display(),
            env.table(),
            settings.synchronous,
        );
        Ok(Opened::new(Sqlite { settings }).detail(detail))
    }

    fn session(&self, _: &Client<'_>) -> Result<SqliteSession, Failure> {
        let connection: Connection = self.settings.connect()?;
        Ok(SqliteSession::new(connection, self.settings.busy))
    }
}

export_plugin!(blocking Sqlite);
