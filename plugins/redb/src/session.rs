//! The binding and its operations.

use crate::failure::Failed;
use crate::file;
use crate::row;
use crate::settings::{self, Options, WhenDurable};
use crate::snapshot::Snapshot;
use crate::store::{Store, Writing};
use redb::ReadableTable;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use ycsb_plugin_api::{
    Answer, Batch, Binding, Client, Delete, Done, Env, Failure, Host, Info, Opened, Read, Rows, Scan,
    Session, Settings, Write, capability::*,
};

/// The binding `redb`.
pub struct Redb {
    shared: Arc<Shared>,
    host: Host,
}

struct Shared {
    store: Store,
    /// Sessions that have not ended yet.
    live: AtomicUsize,
}

/// One client of `redb`.
pub struct RedbSession {
    shared: Arc<Shared>,
    snapshot: Snapshot,
    /// Records on their way into the store.
    encoded: Vec<u8>,
    ended: bool,
}

impl Binding for Redb {
    const INFO: Info = Info::new("redb")
        .summary("The embedded key-value store redb: one file, no server")
        .capabilities(
            READ | SCAN
                | UPDATE
                | INSERT
                | DELETE
                | INSERT_BATCH
                | SCAN_ORDERED
                | PROJECTION
                | DETECTS_DUPLICATES
                | SHARED_CONNECTIONS,
        )
        .properties(settings::PROPERTIES);
    type Session = RedbSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Redb>, Failure> {
        let options = Options::read(settings)?;
        let opened = file::open(&options, env)?;
        let detail = format!(
            "file {}, table {}, {} records, {}",
            options.path.display(),
            env.table(),
            opened.records,
            match options.durable {
                WhenDurable::AtEnd => "durable at the end of the phase".to_owned(),
                WhenDurable::AfterWrites(writes) => format!("durable every {writes} writes"),
                WhenDurable::AtOnce => "every write durable".to_owned(),
            },
        );
        let store = Store::new(opened.database, options.path, options.durable);
        let shared = Arc::new(Shared { store, live: AtomicUsize::new(0) });
        Ok(Opened::new(Redb { shared, host: env.host() }).detail(detail))
    }

    fn session(&self, _: &Client<'_>) -> Result<RedbSession, Failure> {
        self.shared.live.fetch_add(1, Ordering::AcqRel);
        Ok(RedbSession {
            shared: Arc::clone(&self.shared),
            snapshot: Snapshot::default(),
            encoded: Vec::new(),
            ended: false,
        })
    }

    /// Sessions that were given up did not end, so that the last durable commit may be still to come.
    fn close(self) {
        if let Err(failure) = self.shared.store.persist() {
            self.host.error(failure.text());
        }
    }
}

impl Session for RedbSession {
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        let store = &self.shared.store;
        if store.state().has_open_writes() {
            let read = store.read_open(op.table(), |records| read(records, op, rows))?;
            if let Some(found) = read {
                return found_or_not(found);
            }
        }
        match self.snapshot.of(store, op.table())? {
            Some(records) => found_or_not(read(records, op, rows).map_err(|failed| store.failed(failed))?),
            None => Err(Failure::not_found()),
        }
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        let store = &self.shared.store;
        if store.state().has_open_writes() {
            store.publish()?;
        }
        if let Some(records) = self.snapshot.of(store, op.table())? {
            scan(records, op, rows).map_err(|failed| store.failed(failed))?;
        }
        Ok(Done::OK)
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        let encoded = &mut self.encoded;
        self.shared.store.write(op.table(), |records| {
            encoded.clear();
            match records.get(op.key())? {
                Some(stored) => row::merge(stored.value(), op.values(), encoded)?,
                None => return Err(Failed::Refused(Failure::not_found())),
            }
            records.insert(op.key(), encoded.as_slice())?;
            Ok(1)
        })?;
        self.wrote()
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        self.encoded.clear();
        row::encode(op.values(), &mut self.encoded);
        let encoded = self.encoded.as_slice();
        self.shared.store.write(op.table(), |records| {
            if !insert_new(records, op.key(), encoded)? {
                return Err(Failed::Refused(Failure::duplicate()));
            }
            Ok(1)
        })?;
        self.wrote()
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        self.shared.store.write(op.table(), |records| match records.remove(op.key())? {
            Some(_) => Ok(1),
            None => Err(Failed::Refused(Failure::not_found())),
        })?;
        self.wrote()
    }

    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        let encoded = &mut self.encoded;
        let (store, table) = (&self.shared.store, batch.table());
        store.write(table, |records| {
            let mut written = 0;
            for (index, record) in batch.records().enumerate() {
                encoded.clear();
                row::encode(record.values(), encoded);
                match insert_new(records, record.key(), encoded) {
                    Ok(true) => written += 1,
                    Ok(false) => batch.fail(index, Failure::duplicate()),
                    Err(Failed::Refused(failure)) => batch.fail(index, failure),
                    Err(failed) => return Err(failed),
                }
            }
            Ok(written)
        })?;
        self.wrote()
    }

    /// The last of all sessions brings everything to the disk.
    fn end(&mut self) -> Answer {
        self.snapshot = Snapshot::default();
        if self.leave() == Some(1) {
            self.shared.store.persist()?;
        }
        Ok(Done::OK)
    }
}

impl RedbSession {
    fn wrote(&mut self) -> Answer {
        self.snapshot.release_if_old(&self.shared.store);
        Ok(Done::OK)
    }

    /// Counts the session as ended, once. How many were live before.
    fn leave(&mut self) -> Option<usize> {
        let first = !std::mem::replace(&mut self.ended, true);
        first.then(|| self.shared.live.fetch_sub(1, Ordering::AcqRel))
    }
}

impl Drop for RedbSession {
    fn drop(&mut self) {
        self.leave();
    }
}

fn found_or_not(found: bool) -> Answer {
    if found { Ok(Done::OK) } else { Err(Failure::not_found()) }
}

fn read(
    records: &impl ReadableTable<&'static str, &'static [u8]>,
    op: Read<'_>,
    rows: &mut Rows<'_>,
) -> Result<bool, Failed> {
    match records.get(op.key())? {
        Some(stored) => {
            row::hand_over(stored.value(), op.select(), rows)?;
            Ok(true)
        }
        None => Ok(false),
    }
}

fn scan(
    records: &impl ReadableTable<&'static str, &'static [u8]>,
    op: Scan<'_>,
    rows: &mut Rows<'_>,
) -> Result<(), Failed> {
    if op.limit() == 0 {
        return Ok(());
    }
    for entry in records.range(op.key()..)?.take(op.limit()) {
        let (key, stored) = entry?;
        rows.row(key.value());
        row::hand_over(stored.value(), op.select(), rows)?;
    }
    Ok(())
}

/// Writes a record unless there is one of that key.
fn insert_new(records: &mut Writing<'_>, key: &str, encoded: &[u8]) -> Result<bool, Failed> {
    if records.get(key)?.is_some() {
        return Ok(false);
    }
    records.insert(key, encoded)?;
    Ok(true)
}
