//! What a session reads from: a snapshot that is kept as long as nothing was committed after it.

use crate::failure::Failed;
use crate::file;
use crate::store::Store;
use redb::{ReadOnlyTable, ReadableDatabase, TableError};
use ycsb_plugin_api::Failure;

/// A table of records in a snapshot.
pub(crate) type Reading = ReadOnlyTable<&'static str, &'static [u8]>;

/// The snapshot of a session.
#[derive(Default)]
pub(crate) struct Snapshot {
    kept: Option<Kept>,
}

struct Kept {
    commits: u64,
    name: String,
    /// `None` if there is no such table.
    table: Option<Reading>,
}

impl Snapshot {
    /// The table as it is after all commits so far; `None` if it does not exist.
    pub(crate) fn of(&mut self, store: &Store, table: &str) -> Result<Option<&Reading>, Failure> {
        // Before the snapshot is taken: one that is newer than it says is only taken again too early.
        let commits = store.state().commits();
        let current = self.kept.as_ref().is_some_and(|kept| kept.commits == commits && kept.name == table);
        if !current {
            let reading = take(store, table).map_err(|failed| store.failed(failed))?;
            self.kept = Some(Kept { commits, name: table.to_owned(), table: reading });
        }
        Ok(self.kept.as_ref().and_then(|kept| kept.table.as_ref()))
    }

    /// Lets go of an old snapshot, whose pages redb could not use again.
    pub(crate) fn release_if_old(&mut self, store: &Store) {
        if self.kept.as_ref().is_some_and(|kept| kept.commits != store.state().commits()) {
            self.kept = None;
        }
    }
}

fn take(store: &Store, table: &str) -> Result<Option<Reading>, Failed> {
    let records = file::records(table)?;
    match store.database().begin_read()?.open_table(records) {
        Ok(reading) => Ok(Some(reading)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
