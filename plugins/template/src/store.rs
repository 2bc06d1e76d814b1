//! The store: tables of records, ordered by key.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Fields of a record by name.
pub(crate) type Fields = BTreeMap<String, Vec<u8>>;
/// Records by key.
pub(crate) type Table = BTreeMap<String, Fields>;
/// Tables by name.
pub(crate) type Tables = BTreeMap<String, Table>;

/// All tables, shared by the sessions.
pub(crate) struct Store {
    tables: RwLock<Tables>,
    sessions: AtomicUsize,
}

impl Store {
    pub(crate) fn new(tables: Tables) -> Store {
        Store { tables: RwLock::new(tables), sessions: AtomicUsize::new(0) }
    }

    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Tables> {
        self.tables.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of records of a table.
    pub(crate) fn len(&self, table: &str) -> usize {
        self.read().get(table).map_or(0, Table::len)
    }

    /// Counts a session in.
    pub(crate) fn enter(&self) {
        self.sessions.fetch_add(1, Ordering::AcqRel);
    }

    /// Counts a session out; whether it was the last.
    pub(crate) fn leave(&self) -> bool {
        self.sessions.fetch_sub(1, Ordering::AcqRel) == 1
    }
}
