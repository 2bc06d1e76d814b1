//! The store that all sessions share: one write transaction at a time, gathered from many writes.
//!
//! A commit costs as much as several writes. So writes of all sessions go into one open transaction, which
//! is committed when it holds [`GROUP`] writes. What is acknowledged is visible at once: as long as the open
//! transaction holds writes, [`Store::state`] says so, and readers go through it; after
//! [`READS_PER_GROUP`] of them it is committed, so that readers do not queue for long. With
//! `redb.durability=immediate` a write is acknowledged after its durable commit, which serves all sessions
//! that were waiting to write.

use crate::failure::{self, Failed};
use crate::file;
use crate::settings::WhenDurable;
use redb::{Database, Durability, ReadableDatabase, Table, WriteTransaction};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use ycsb_plugin_api::Failure;

/// Writes per commit. Ten already save most of the cost; hundreds make one write in so many slow.
const GROUP: u64 = 64;

/// Reads through the open transaction before it is committed: together they cost about one commit.
const READS_PER_GROUP: u64 = 8;

/// How long a writer waits for another one to commit for it, before it does so itself.
const OTHERS_COMMIT_WITHIN: Duration = Duration::from_millis(20);

/// A table open for writing.
pub(crate) type Writing<'t> = Table<'t, &'static str, &'static [u8]>;

/// What reads depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State(u64);

impl State {
    /// Number of commits.
    pub(crate) fn commits(self) -> u64 {
        self.0 >> 1
    }

    /// Whether there are writes that only the open transaction has.
    pub(crate) fn has_open_writes(self) -> bool {
        self.0 & 1 != 0
    }
}

pub(crate) struct Store {
    database: Database,
    path: PathBuf,
    durable: WhenDurable,
    state: AtomicU64,
    /// Sessions that want to write and do not have the lock yet; counted for `immediate` only.
    arriving: AtomicUsize,
    writer: Mutex<Writer>,
    committed: Condvar,
    /// Why the store is of no use any more.
    broken: OnceLock<String>,
}

#[derive(Default)]
struct Writer {
    open: Option<WriteTransaction>,
    /// Writes in the open transaction.
    gathered: u64,
    /// Those of them that were acknowledged.
    acknowledged: u64,
    /// Reads that went through it.
    reads: u64,
    /// Writes that no durable commit covers, those in the open transaction among them.
    not_durable: u64,
    /// Acknowledged writes that were undone.
    lost: u64,
}

impl Writer {
    fn forget_group(&mut self) {
        (self.gathered, self.acknowledged, self.reads) = (0, 0, 0);
    }
}

impl Store {
    pub(crate) fn new(database: Database, path: PathBuf, durable: WhenDurable) -> Store {
        Store {
            database,
            path,
            durable,
            state: AtomicU64::new(0),
            arriving: AtomicUsize::new(0),
            writer: Mutex::default(),
            committed: Condvar::new(),
            broken: OnceLock::new(),
        }
    }

    /// What reads depend on, at this moment.
    pub(crate) fn state(&self) -> State {
        State(self.state.load(SeqCst))
    }

    pub(crate) fn database(&self) -> &impl ReadableDatabase {
        &self.database
    }

    /// Changes a table: `change` tells how many writes it made. When this returns, later reads of all
    /// sessions see them.
    pub(crate) fn write(
        &self,
        table: &str,
        change: impl FnOnce(&mut Writing<'_>) -> Result<u64, Failed>,
    ) -> Result<(), Failure> {
        let mut writer = self.writer_in_turn();
        let before = self.state().commits();
        let refused = match self.change(&mut writer, table, change) {
            Ok(()) => None,
            Err(Failed::Refused(failure)) => Some(failure),
            Err(Failed::Store(error)) => return Err(self.give_up(&mut writer, &error)),
        };
        if self.durable == WhenDurable::AtOnce {
            self.share_commit(writer, before)?;
        } else {
            self.commit_full_group(&mut writer)?;
        }
        refused.map_or(Ok(()), Err)
    }

    fn change(
        &self,
        writer: &mut Writer,
        table: &str,
        change: impl FnOnce(&mut Writing<'_>) -> Result<u64, Failed>,
    ) -> Result<(), Failed> {
        let records = file::records(table)?;
        let open = match writer.open.take() {
            Some(open) => open,
            None => self.database.begin_write()?,
        };
        let open = writer.open.insert(open);
        let writes = change(&mut open.open_table(records)?)?;
        writer.gathered += writes;
        writer.not_durable += writes;
        Ok(())
    }

    /// Reads through the open transaction. `None` if there is none with writes (any more): then a snapshot
    /// taken now sees everything that is acknowledged.
    pub(crate) fn read_open<R>(
        &self,
        table: &str,
        read: impl FnOnce(&Writing<'_>) -> Result<R, Failed>,
    ) -> Result<Option<R>, Failure> {
        let mut writer = self.writer();
        if writer.gathered == 0 {
            return Ok(None);
        }
        if writer.reads == READS_PER_GROUP {
            self.commit(&mut writer, Durability::None)?;
            return Ok(None);
        }
        writer.reads += 1;
        let Some(open) = &writer.open else { return Ok(None) };
        let result =
            open.open_table(file::records(table)?).map_err(Failed::from).and_then(|records| read(&records));
        match result {
            Ok(result) => Ok(Some(result)),
            Err(Failed::Refused(failure)) => Err(failure),
            Err(Failed::Store(error)) => Err(self.give_up(&mut writer, &error)),
        }
    }

    /// Makes all acknowledged writes visible to snapshots.
    pub(crate) fn publish(&self) -> Result<(), Failure> {
        let mut writer = self.writer();
        if writer.gathered > 0 { self.commit(&mut writer, Durability::None) } else { Ok(()) }
    }

    /// Brings all writes to the disk.
    pub(crate) fn persist(&self) -> Result<(), Failure> {
        let mut writer = self.writer();
        let published = match writer.gathered {
            0 => Ok(()),
            _ => self.commit(&mut writer, Durability::None),
        };
        let persisted = published.and_then(|()| match writer.not_durable {
            0 => Ok(()),
            _ => self.commit(&mut writer, Durability::Immediate),
        });
        let lost = std::mem::take(&mut writer.lost) + std::mem::take(&mut writer.not_durable);
        match (persisted, lost) {
            (persisted, 0) => persisted,
            (persisted, lost) => {
                let cause = persisted.err().unwrap_or_else(|| self.no_more());
                Err(cause.context(format!("acknowledged writes lost: {lost}")))
            }
        }
    }

    /// A failure of redb outside the open transaction.
    pub(crate) fn failed(&self, failed: Failed) -> Failure {
        match failed {
            Failed::Refused(failure) => failure,
            Failed::Store(error) => self.told(&error),
        }
    }

    /// Commits the open transaction if it holds enough writes; otherwise readers have to know of them.
    fn commit_full_group(&self, writer: &mut Writer) -> Result<(), Failure> {
        let due = matches!(self.durable, WhenDurable::AfterWrites(limit) if writer.not_durable >= limit);
        if writer.gathered >= GROUP || due {
            // Readers need not wait for the disk, so that a durable commit comes after a quick one.
            self.commit(writer, Durability::None)?;
        } else if writer.gathered > 0 {
            writer.acknowledged = writer.gathered;
            self.state.fetch_or(1, SeqCst);
        }
        if due { self.commit(writer, Durability::Immediate) } else { Ok(()) }
    }

    /// Commits for all sessions that have written, unless one is about to write and will do so.
    fn share_commit(&self, mut writer: MutexGuard<'_, Writer>, before: u64) -> Result<(), Failure> {
        let mut waited = false;
        while writer.gathered > 0 && self.state().commits() == before {
            if waited || self.arriving.load(SeqCst) == 0 || writer.gathered >= GROUP {
                return self.commit(&mut writer, Durability::Immediate);
            }
            let woken = self.committed.wait_timeout(writer, OTHERS_COMMIT_WITHIN);
            let (again, wait) = woken.unwrap_or_else(PoisonError::into_inner);
            (writer, waited) = (again, wait.timed_out());
        }
        if self.broken.get().is_some() && self.state().commits() == before {
            return Err(self.no_more());
        }
        Ok(())
    }

    /// Commits the open transaction, or an empty one, which makes the earlier ones durable.
    fn commit(&self, writer: &mut Writer, durability: Durability) -> Result<(), Failure> {
        match self.commit_open(writer.open.take(), durability) {
            Ok(()) => {}
            Err(Failed::Store(error)) => return Err(self.give_up(writer, &error)),
            Err(Failed::Refused(failure)) => return Err(failure),
        }
        writer.forget_group();
        if matches!(durability, Durability::Immediate) {
            writer.not_durable = 0;
        }
        self.state.store((self.state().commits() + 1) << 1, SeqCst);
        self.committed.notify_all();
        Ok(())
    }

    fn commit_open(&self, open: Option<WriteTransaction>, durability: Durability) -> Result<(), Failed> {
        let mut open = match open {
            Some(open) => open,
            None => self.database.begin_write()?,
        };
        open.set_durability(durability)?;
        Ok(open.commit()?)
    }

    /// Undoes the open transaction after a failure of redb.
    fn give_up(&self, writer: &mut Writer, error: &redb::Error) -> Failure {
        let failure = self.told(error);
        self.undo(writer);
        failure
    }

    fn undo(&self, writer: &mut Writer) {
        // Aborting only forgets pages in memory; a second failure would say nothing new.
        let _ = writer.open.take().map(WriteTransaction::abort);
        writer.lost += writer.acknowledged;
        writer.not_durable = writer.not_durable.saturating_sub(writer.gathered);
        writer.forget_group();
        self.state.store(self.state().commits() << 1, SeqCst);
        self.committed.notify_all();
    }

    /// Says what redb failed of. After the first failure it refuses everything without saying why, so that
    /// the first cause is remembered.
    fn told(&self, error: &redb::Error) -> Failure {
        if matches!(error, redb::Error::PreviousIo) {
            return self.no_more();
        }
        let failure = failure::of_operation(error).context(self.path.display());
        let _ = self.broken.set(failure.text().to_owned());
        failure
    }

    fn no_more(&self) -> Failure {
        let cause = self.broken.get().map_or("an earlier failure", String::as_str);
        Failure::unavailable(format!("the store gave up: {cause}"))
    }

    /// The lock, for a write. Who waits for it is counted, so that one durable commit serves many.
    fn writer_in_turn(&self) -> MutexGuard<'_, Writer> {
        if !matches!(self.durable, WhenDurable::AtOnce) {
            return self.writer();
        }
        self.arriving.fetch_add(1, SeqCst);
        let writer = self.writer();
        self.arriving.fetch_sub(1, SeqCst);
        writer
    }

    /// The lock. A panic while it was held left the open transaction half written, so it is undone.
    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(|poisoned| {
            self.writer.clear_poison();
            let mut writer = poisoned.into_inner();
            self.undo(&mut writer);
            writer
        })
    }
}
