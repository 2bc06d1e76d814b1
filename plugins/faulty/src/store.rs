//! The store of all sessions of this process, and the faults that lie in what is kept and returned.

use crate::fault::Fault;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use ycsb_plugin_api::{Answer, Batch, Delete, Done, Failure, Read, Rows, Scan, Select, Values, Write};

type Fields = BTreeMap<String, Vec<u8>>;
type Records = BTreeMap<String, Fields>;

static TABLES: Mutex<BTreeMap<String, Records>> = Mutex::new(BTreeMap::new());

/// The tables. A panic while they were locked left them whole: every change is one insertion.
fn tables() -> MutexGuard<'static, BTreeMap<String, Records>> {
    TABLES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Fault {
    fn table(self, name: &str) -> String {
        let name = if self == Fault::SharesTables { "" } else { name };
        name.to_owned()
    }

    fn key(self, key: &str) -> String {
        if self == Fault::FoldsCase { key.to_lowercase() } else { key.to_owned() }
    }

    fn fields(self, values: Values<'_>) -> Fields {
        let kept = values.iter().filter(|(_, value)| self != Fault::LosesEmpty || !value.is_empty());
        let longest = if self == Fault::CutsValues { 1000 } else { usize::MAX };
        kept.map(|(name, value)| (name.to_owned(), value[..value.len().min(longest)].to_vec())).collect()
    }

    fn hand_over(self, fields: &Fields, select: Select<'_>, rows: &mut Rows<'_>) {
        for (name, value) in fields {
            if self == Fault::IgnoresSelect || select.wants(name) {
                rows.field(name, value);
            }
        }
    }

    /// Empties a table, if it is to be empty.
    pub(crate) fn start(self, table: &str, fresh: bool) {
        if fresh && self != Fault::KeepsOnFresh {
            tables().remove(&self.table(table));
        }
    }

    pub(crate) fn read(self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        let tables = tables();
        match tables.get(&self.table(op.table())).and_then(|records| records.get(&self.key(op.key()))) {
            Some(fields) => self.hand_over(fields, op.select(), rows),
            None if self == Fault::NotFoundAsOk => {}
            None => return Err(Failure::not_found()),
        }
        Ok(Done::OK)
    }

    pub(crate) fn scan(self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        let tables = tables();
        let Some(records) = tables.get(&self.table(op.table())) else { return Ok(Done::OK) };
        let limit = op.limit() + usize::from(self == Fault::IgnoresLimit);
        let mut found: Vec<_> = records.range(self.key(op.key())..).take(limit).collect();
        if self == Fault::UnorderedScan {
            found.reverse();
        }
        for (key, fields) in found {
            rows.row(key);
            self.hand_over(fields, op.select(), rows);
        }
        Ok(Done::OK)
    }

    pub(crate) fn insert(self, op: Write<'_>) -> Answer {
        self.insert_one(op.table(), op.key(), op.values())
    }

    pub(crate) fn insert_batch(self, batch: &mut Batch<'_>) -> Answer {
        for (index, record) in batch.records().enumerate() {
            if let Err(failure) = self.insert_one(batch.table(), record.key(), record.values()) {
                batch.fail(index, failure);
            }
        }
        Ok(Done::OK)
    }

    fn insert_one(self, table: &str, key: &str, values: Values<'_>) -> Answer {
        let mut tables = tables();
        let records = tables.entry(self.table(table)).or_default();
        let key = self.key(key);
        if records.contains_key(&key) && self != Fault::OverwritesSilently {
            return Err(Failure::duplicate());
        }
        records.insert(key, self.fields(values));
        Ok(Done::OK)
    }

    pub(crate) fn update(self, op: Write<'_>) -> Answer {
        let mut tables = tables();
        let records = tables.entry(self.table(op.table())).or_default();
        let key = self.key(op.key());
        if !records.contains_key(&key) && self != Fault::UpdateCreates {
            return Err(Failure::not_found());
        }
        let record = records.entry(key).or_default();
        if self == Fault::UpdateReplaces {
            record.clear();
        }
        record.extend(self.fields(op.values()));
        Ok(Done::OK)
    }

    pub(crate) fn delete(self, op: Delete<'_>) -> Answer {
        let mut tables = tables();
        let records = tables.entry(self.table(op.table())).or_default();
        records.remove(&self.key(op.key())).map(|_| Done::OK).ok_or_else(Failure::not_found)
    }
}
