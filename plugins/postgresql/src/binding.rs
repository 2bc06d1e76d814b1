//! Opening: what the binding says of itself, the first connections, and the table.

use crate::schema;
use crate::session::PostgresqlSession;
use crate::settings::{PROPERTIES, PostgresqlSettings};
use crate::table::{Layout, Table};
use std::sync::Arc;
use ycsb_plugin_api::{
    Alias, Binding, Client, Deadline, Env, Failure, Info, Opened, Phase, Settings, capability::*,
};
use ycsb_plugin_postgres::{Catalog, Connector, KeyOrder, Session};

const CAPABILITIES: u64 =
    READ | SCAN | SCAN_ORDERED | UPDATE | INSERT | INSERT_BATCH | DELETE | DETECTS_DUPLICATES | PROJECTION;

const JSONB: &[(&str, &str)] = &[("postgresql.layout", "jsonb")];

/// The binding.
pub struct Postgresql {
    settings: PostgresqlSettings,
    table: Arc<Table>,
}

impl Binding for Postgresql {
    const INFO: Info = Info::new("postgresql")
        .summary("PostgreSQL: a column per field, or a JSONB document per record")
        .aliases(&[
            Alias::new("jdbc"),
            Alias::new("site.ycsb.db.JdbcDBClient"),
            Alias::new("postgrenosql").presets(JSONB),
            Alias::new("site.ycsb.postgrenosql.PostgreNoSQLDBClient").presets(JSONB),
        ])
        .capabilities(CAPABILITIES)
        .properties(PROPERTIES);
    type Session = PostgresqlSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Postgresql>, Failure> {
        let settings = PostgresqlSettings::read(settings, env)?;
        let table = Arc::new(Table::of(env.table(), settings.layout, env.fields())?);
        let mut opening = Opening { capabilities: CAPABILITIES, places: Vec::new(), notes: Vec::new() };
        for shard in &settings.shards {
            opening.look_at(shard, &settings, &table, env)?;
        }
        let detail = opening.detail(&table);
        let binding = Postgresql { settings, table };
        Ok(Opened::new(binding).detail(detail).capabilities(opening.capabilities))
    }

    fn session(&self, _: &Client<'_>) -> Result<PostgresqlSession, Failure> {
        let connect = |shard: &Connector| shard.connect(Deadline::at_ns(0));
        let sessions = self.settings.shards.iter().map(connect).collect::<Result<Vec<Session>, _>>()?;
        Ok(PostgresqlSession::over(sessions, Arc::clone(&self.table), self.settings.fetch_rows))
    }

    fn interrupt(&self) {
        self.settings.interrupt.raise();
    }
}

/// What the first visit to each shard found out.
struct Opening {
    capabilities: u64,
    places: Vec<String>,
    notes: Vec<String>,
}

impl Opening {
    fn look_at(
        &mut self,
        shard: &Connector,
        settings: &PostgresqlSettings,
        table: &Table,
        env: &Env<'_>,
    ) -> Result<(), Failure> {
        let mut session =
            shard.connect(env.deadline()).map_err(|failure| failure.context("postgresql.url"))?;
        let mut catalog = Catalog::of(&mut session, env.deadline());
        if env.fresh() {
            schema::empty(&mut catalog, table)?;
        }
        if env.phase() == Phase::Load && settings.create {
            schema::create(&mut catalog, table)?;
        }
        let facts = schema::check(&mut catalog, table, shard.database())?;
        let durability = catalog.durability()?;
        if let KeyOrder::Collation(name) = facts.order {
            self.capabilities &= !SCAN_ORDERED;
            self.note(format!("scans in the order of collation {name}"));
        }
        if !facts.unique {
            self.capabilities &= !DETECTS_DUPLICATES;
            env.host().warn(format!(
                "table {} has no primary key or unique index on ycsb_key: every operation reads all of it, and \
                 duplicates are not seen",
                table.name
            ));
        }
        if !durability.is_empty() {
            self.note(durability.to_owned());
        }
        self.places.push(format!(
            "PostgreSQL {} at {}/{}",
            session.server_version(),
            session.endpoint(),
            shard.database()
        ));
        session.close();
        Ok(())
    }

    /// What several shards say is said once.
    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn detail(&self, table: &Table) -> String {
        let layout = match table.layout {
            Layout::Columns => "a column per field",
            Layout::Jsonb => "JSONB documents",
        };
        let notes: String = self.notes.iter().map(|note| format!("; {note}")).collect();
        format!("{}, table {}, {layout}{notes}", self.places.join(" and "), table.name)
    }
}
