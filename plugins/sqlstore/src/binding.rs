//! Opening: what the binding says of itself, the first connection, the table, and the limits of a record.

use crate::packing::{VOLTDB_MAX_BYTES, largest_packed_bytes};
use crate::rate_limit::RateLimit;
use crate::schema::{self, NAME_MAX};
use crate::session::SqlstoreSession;
use crate::settings::{PROPERTIES, StoreSettings};
use std::time::Instant;
use ycsb_plugin_api::{
    Alias, Binding, Client, Deadline, Env, Failure, Info, Opened, Phase, Settings, capability::*,
};
use ycsb_plugin_postgres::Catalog;

const CAPABILITIES: u64 = READ
    | SCAN
    | SCAN_ORDERED
    | UPDATE
    | UPDATE_CREATES
    | INSERT
    | INSERT_BATCH
    | INSERT_OVERWRITES
    | DETECTS_DUPLICATES
    | DELETE;

/// The binding.
pub struct Sqlstore {
    settings: StoreSettings,
}

impl Binding for Sqlstore {
    const INFO: Info = Info::new("sqlstore")
        .summary("VoltDB's key/value store for YCSB, as a table in PostgreSQL")
        .aliases(&[
            Alias::new("store"),
            Alias::new("voltdb"),
            Alias::new("voltstore"),
            Alias::new("site.ycsb.db.voltdb.VoltClient4"),
            Alias::new("site.ycsb.db.VoltClient4"),
        ])
        .capabilities(CAPABILITIES)
        .properties(PROPERTIES);
    type Session = SqlstoreSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Sqlstore>, Failure> {
        let settings = StoreSettings::read(settings, env)?;
        check_sizes(&settings, env)?;
        let (connector, table, deadline) = (&settings.connector, &settings.table, env.deadline());
        let mut session =
            connector.connect(deadline).map_err(|failure| failure.context("voltdb.url or voltdb.servers"))?;
        if env.fresh() {
            schema::empty(&mut session, table, env.table(), deadline)?;
        }
        let mut catalog = Catalog::of(&mut session, deadline);
        if env.phase() == Phase::Load && settings.create {
            schema::create(&mut catalog, table, settings.max_value_bytes)?;
        }
        schema::check(&mut catalog, table, connector.database())?;
        let durability = catalog.durability()?;
        let mut detail = format!(
            "Store table on PostgreSQL {}, not VoltDB: {}/{}, table {table}, keyspace {:?}",
            session.server_version(),
            session.endpoint(),
            connector.database(),
            env.table()
        );
        if !durability.is_empty() {
            detail.push_str("; ");
            detail.push_str(durability);
        }
        session.close();
        let capabilities = match settings.strict_insert {
            true => CAPABILITIES & !INSERT_OVERWRITES,
            false => CAPABILITIES & !DETECTS_DUPLICATES,
        };
        Ok(Opened::new(Sqlstore { settings }).detail(detail).capabilities(capabilities))
    }

    fn session(&self, _: &Client<'_>) -> Result<SqlstoreSession, Failure> {
        let StoreSettings { connector, table, strict_insert, rate_limit, interrupt, .. } = &self.settings;
        let session = connector.connect(Deadline::at_ns(0))?;
        let rate_limit = rate_limit.map(|per_sec| RateLimit::new(per_sec, Instant::now(), interrupt.clone()));
        Ok(SqlstoreSession::over(session, table, *strict_insert, rate_limit))
    }

    fn interrupt(&self) {
        self.settings.interrupt.raise();
    }
}

/// What the table would refuse is refused before anything is loaded.
fn check_sizes(settings: &StoreSettings, env: &Env<'_>) -> Result<(), Failure> {
    if env.table().len() > NAME_MAX {
        return Err(Failure::bad_request(format!(
            "table={}: the store's keyspace holds at most {NAME_MAX} bytes",
            env.table()
        )));
    }
    let Some(largest_value_bytes) = env.largest_value_bytes() else { return Ok(()) };
    let largest = largest_packed_bytes(env.fields(), largest_value_bytes);
    let limit = settings.max_value_bytes;
    if limit > 0 && largest > limit {
        return Err(Failure::bad_request(format!(
            "a packed record can have {largest} bytes ({} fields of up to {largest_value_bytes}), more than \
             store.maxvalue={limit}; lower fieldcount or fieldlength, or raise the limit",
            env.fields().len()
        )));
    }
    if limit == 0 && largest > VOLTDB_MAX_BYTES {
        env.host().info(format!(
            "a packed record can have {largest} bytes; VoltDB's own table would refuse more than \
             {VOLTDB_MAX_BYTES} (store.maxvalue={VOLTDB_MAX_BYTES} makes this one do so too)"
        ));
    }
    Ok(())
}
