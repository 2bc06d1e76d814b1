//! What both flavours have in common: opening, and operations without their waiting.

use crate::pause::Interrupt;
use crate::script::{Cue, Pause, Script};
use crate::settings::{Options, Refused};
use crate::snapshot;
use crate::store::{self, Store, Table};
use crate::time_series::{self, Points};
use crate::verdict::{Forced, STATUSES};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use ycsb_plugin_api::{
    Answer, Batch, Client, Delete, Done, Env, Failure, Info, Opened, Phase, Read, Rows, Scan, Settings,
    Values, Write, capability::*,
};

const CAPABILITIES: u64 = READ
    | SCAN
    | UPDATE
    | INSERT
    | DELETE
    | INSERT_BATCH
    | SCAN_ORDERED
    | PROJECTION
    | DETECTS_DUPLICATES
    | SHARED_CONNECTIONS;

/// What a binding of this library says of itself.
pub(crate) const fn info(name: &'static str, summary: &'static str) -> Info {
    Info::new(name)
        .summary(summary)
        .capabilities(CAPABILITIES)
        .properties(crate::settings::PROPERTIES)
        .statuses(STATUSES)
}

/// An opened binding.
pub(crate) struct Shared {
    store: Arc<Store>,
    file: Option<PathBuf>,
    script: Option<Script>,
    points: Points,
    refused_sessions: Refused,
    end_fails: bool,
    corrupt_every: u64,
    reads: AtomicU64,
    /// Capability bits of operations that it says it cannot do.
    without: u64,
    /// Sessions that have not ended yet.
    live: AtomicUsize,
    /// Whether there is something to write to the file.
    changed: AtomicBool,
    pub(crate) interrupt: Interrupt,
}

/// Opens a binding of either flavour.
pub(crate) fn open<B>(
    settings: &Settings<'_>,
    env: &Env<'_>,
    hang_blocks: bool,
    binding: impl FnOnce(Arc<Shared>) -> B,
) -> Result<Opened<B>, Failure> {
    let options = Options::read(settings, env, hang_blocks)?;
    match options.open_failure {
        Some(Forced::Failure(refusal)) => {
            return Err(refusal.failure().detail("open refused (mem.openfail)"));
        }
        Some(Forced::Panic) => panic!("open exploded"),
        Some(Forced::Success(_)) | None => {}
    }
    let store = match &options.file {
        None => store::shared(&options.store),
        Some(path) => match snapshot::read(path)? {
            Some(store) => Arc::new(store),
            None if env.phase() == Phase::Load || options.prefill.is_some() => Arc::default(),
            None => {
                return Err(Failure::not_found()
                    .detail(format!("there is no mem.file {}; load it first", path.display())));
            }
        },
    };
    let table = store.table(env.table());
    if env.fresh() {
        table.records_mut().clear();
    }
    if let Some(prefill) = &options.prefill {
        prefill.fill(&table, &env.fields().iter().collect::<Vec<_>>());
    }
    let detail = format!(
        "{} in memory, table {}, {} records",
        match &options.file {
            Some(path) => format!("records of {}", path.display()),
            None => format!("store {:?}", options.store),
        },
        env.table(),
        table.records().len(),
    );
    let shared = Arc::new(Shared {
        store,
        file: options.file,
        script: options.script,
        points: options.points,
        refused_sessions: options.refused_sessions,
        end_fails: options.end_fails,
        corrupt_every: options.corrupt_every,
        reads: AtomicU64::new(0),
        without: options.without,
        live: AtomicUsize::new(0),
        changed: AtomicBool::new(env.fresh() || options.prefill.is_some()),
        interrupt: Interrupt::default(),
    });
    Ok(Opened::new(binding(shared)).detail(detail).capabilities(CAPABILITIES & !options.without))
}

/// One client's place in a binding.
pub(crate) struct Seat {
    pub(crate) shared: Arc<Shared>,
    table: Arc<Table>,
    table_name: String,
    ended: bool,
}

impl Seat {
    /// Opens a session.
    pub(crate) fn take(shared: &Arc<Shared>, client: &Client<'_>) -> Result<Seat, Failure> {
        match shared.refused_sessions {
            Refused::All => return Err(Failure::error("init refused (mem.initfail)")),
            Refused::Client(index) if index == client.index() => {
                return Err(Failure::error(format!("init of client {index} refused (mem.initfail)")));
            }
            Refused::Client(_) | Refused::None => {}
        }
        shared.live.fetch_add(1, Ordering::AcqRel);
        Ok(Seat {
            shared: Arc::clone(shared),
            table: shared.store.table(client.table()),
            table_name: client.table().to_owned(),
            ended: false,
        })
    }

    /// Counts a call of an operation: what it has to wait for, and its part in the script.
    pub(crate) fn cue(&self, operation: u64, records: usize) -> Result<Option<Cue>, Failure> {
        if self.shared.without & operation != 0 {
            return Err(Failure::not_implemented());
        }
        Ok(self.shared.script.as_ref().map(|script| script.cue(operation, records as u64)))
    }

    pub(crate) fn read(&mut self, cue: Option<Cue>, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        let every = self.shared.corrupt_every;
        let corrupt =
            every != 0 && (self.shared.reads.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(every);
        self.go_to(op.table());
        self.answer(cue, || match self.shared.points.query(op.select()) {
            Some(query) => query.read(&self.table, op.key(), corrupt, rows),
            None => self.table.read(op.key(), op.select(), corrupt, rows),
        })
    }

    pub(crate) fn scan(&mut self, cue: Option<Cue>, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        self.go_to(op.table());
        self.answer(cue, || match self.shared.points.query(op.select()) {
            Some(query) => query.scan(&self.table, op.key(), op.limit(), rows),
            None => self.table.scan(op.key(), op.limit(), op.select(), rows),
        })
    }

    pub(crate) fn update(&mut self, cue: Option<Cue>, op: Write<'_>) -> Answer {
        self.go_to(op.table());
        self.answer(cue, || self.changing(|table| self.update_in(table, op.key(), op.values())))
    }

    pub(crate) fn insert(&mut self, cue: Option<Cue>, op: Write<'_>) -> Answer {
        self.go_to(op.table());
        self.answer(cue, || self.changing(|table| self.insert_into(table, op.key(), op.values())))
    }

    pub(crate) fn delete(&mut self, cue: Option<Cue>, op: Delete<'_>) -> Answer {
        self.go_to(op.table());
        self.answer(cue, || self.changing(|table| table.delete(op.key())))
    }

    pub(crate) fn insert_batch(&mut self, cue: Option<Cue>, batch: &mut Batch<'_>) -> Answer {
        self.go_to(batch.table());
        for (index, record) in batch.records().enumerate() {
            let insert = || self.changing(|table| self.insert_into(table, record.key(), record.values()));
            let ended = match (&self.shared.script, cue) {
                (Some(script), Some(cue)) => script.answer(cue, index as u64, insert),
                _ => insert(),
            };
            if let Err(failure) = ended {
                batch.fail(index, failure);
            }
        }
        match (&self.shared.script, cue) {
            (Some(script), Some(cue)) => Ok(script.success_of_batch(cue)),
            _ => Ok(Done::OK),
        }
    }

    /// The last call. The last of all sessions writes the file.
    pub(crate) fn end(&mut self) -> Answer {
        let last =
            !std::mem::replace(&mut self.ended, true) && self.shared.live.fetch_sub(1, Ordering::AcqRel) == 1;
        if let (true, Some(path)) = (last, &self.shared.file)
            && self.shared.changed.swap(false, Ordering::AcqRel)
        {
            snapshot::write(&self.shared.store, path)?;
        }
        if self.shared.end_fails {
            return Err(Failure::error("cleanup refused (mem.cleanupfail)"));
        }
        Ok(Done::OK)
    }

    fn insert_into(&self, table: &Table, key: &str, values: Values<'_>) -> Answer {
        match self.shared.points.key_of(key, values) {
            Some(point) => time_series::put(table, point, values),
            None => table.insert(key, values),
        }
    }

    fn update_in(&self, table: &Table, key: &str, values: Values<'_>) -> Answer {
        match self.shared.points.key_of(key, values) {
            Some(point) => time_series::put(table, point, values),
            None => table.update(key, values),
        }
    }

    fn changing(&self, write: impl FnOnce(&Table) -> Answer) -> Answer {
        if self.shared.file.is_some() {
            self.shared.changed.store(true, Ordering::Release);
        }
        write(&self.table)
    }

    fn answer(&self, cue: Option<Cue>, operation: impl FnOnce() -> Answer) -> Answer {
        match (&self.shared.script, cue) {
            (Some(script), Some(cue)) => script.answer(cue, 0, operation),
            _ => operation(),
        }
    }

    fn go_to(&mut self, table: &str) {
        if self.table_name != table {
            self.table = self.shared.store.table(table);
            table.clone_into(&mut self.table_name);
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if !self.ended {
            self.shared.live.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// What a call has to wait for.
pub(crate) fn pause_of(cue: Option<Cue>) -> Pause {
    cue.map_or(Pause::None, |cue| cue.pause)
}
