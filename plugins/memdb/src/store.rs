//! The records: tables of ordered keys, shared by all sessions.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use ycsb_plugin_api::{Answer, Done, Failure, Rows, Select, Values};

/// The fields of a record, in the order in which they were first written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record(Vec<(Box<str>, Box<[u8]>)>);

impl Record {
    /// A record of these fields.
    pub(crate) fn of<'a>(fields: impl Iterator<Item = (&'a str, &'a [u8])>) -> Record {
        let mut record = Record::default();
        fields.for_each(|(name, value)| record.set(name, value));
        record
    }

    fn set(&mut self, name: &str, value: &[u8]) {
        match self.0.iter_mut().find(|(known, _)| &**known == name) {
            // The usual update writes as many bytes as there were.
            Some((_, old)) if old.len() == value.len() => old.copy_from_slice(value),
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.into(), value.into())),
        }
    }

    /// Names and values.
    pub(crate) fn fields(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    fn hand_over(&self, select: Select<'_>, rows: &mut Rows<'_>) {
        self.fields()
            .filter(|(name, _)| select.wants(name))
            .for_each(|(name, value)| rows.field(name, value));
    }

    /// Hands over every field; `corrupt` returns a wrong byte per field.
    pub(crate) fn hand_over_all(&self, corrupt: bool, rows: &mut Rows<'_>) {
        for (name, value) in self.fields() {
            match corrupt {
                true => rows.field(name, wrong(value)),
                false => rows.field(name, value),
            }
        }
    }

    /// Hands the record over with the first byte of every value turned into another one.
    fn hand_over_corrupted(&self, select: Select<'_>, rows: &mut Rows<'_>) {
        for (name, value) in self.fields().filter(|(name, _)| select.wants(name)) {
            rows.field(name, wrong(value));
        }
    }
}

/// The value with its first byte turned into another one.
fn wrong(value: &[u8]) -> Vec<u8> {
    let mut wrong = value.to_vec();
    wrong.iter_mut().take(1).for_each(|byte| *byte ^= 1);
    wrong
}

/// One table. A panic while it is locked leaves whole records, so that poison is of no account.
#[derive(Debug, Default)]
pub(crate) struct Table(RwLock<BTreeMap<Box<str>, Record>>);

impl Table {
    pub(crate) fn records(&self) -> RwLockReadGuard<'_, BTreeMap<Box<str>, Record>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn records_mut(&self) -> RwLockWriteGuard<'_, BTreeMap<Box<str>, Record>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a record; `corrupt` returns a wrong byte per field.
    pub(crate) fn read(&self, key: &str, select: Select<'_>, corrupt: bool, rows: &mut Rows<'_>) -> Answer {
        match self.records().get(key) {
            None => return Err(Failure::not_found()),
            Some(record) if corrupt => record.hand_over_corrupted(select, rows),
            Some(record) => record.hand_over(select, rows),
        }
        Ok(Done::OK)
    }

    pub(crate) fn scan(&self, key: &str, limit: usize, select: Select<'_>, rows: &mut Rows<'_>) -> Answer {
        let records = self.records();
        for (key, record) in records.range::<str, _>((Bound::Included(key), Bound::Unbounded)).take(limit) {
            rows.row(&**key);
            record.hand_over(select, rows);
        }
        Ok(Done::OK)
    }

    pub(crate) fn update(&self, key: &str, values: Values<'_>) -> Answer {
        let mut records = self.records_mut();
        let record = records.get_mut(key).ok_or(Failure::not_found())?;
        values.iter().for_each(|(name, value)| record.set(name, value));
        Ok(Done::OK)
    }

    pub(crate) fn insert(&self, key: &str, values: Values<'_>) -> Answer {
        let record = Record::of(values.iter());
        let mut records = self.records_mut();
        if records.contains_key(key) {
            return Err(Failure::duplicate());
        }
        records.insert(key.into(), record);
        Ok(Done::OK)
    }

    pub(crate) fn delete(&self, key: &str) -> Answer {
        self.records_mut().remove(key).map(|_| Done::OK).ok_or(Failure::not_found())
    }
}

/// Tables by name.
#[derive(Debug, Default)]
pub(crate) struct Store(Mutex<BTreeMap<String, Arc<Table>>>);

impl Store {
    /// A table, made if it does not exist.
    pub(crate) fn table(&self, name: &str) -> Arc<Table> {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match tables.get(name) {
            Some(table) => Arc::clone(table),
            None => Arc::clone(tables.entry(name.to_owned()).or_default()),
        }
    }

    /// All tables with their names.
    pub(crate) fn tables(&self) -> Vec<(String, Arc<Table>)> {
        let tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tables.iter().map(|(name, table)| (name.clone(), Arc::clone(table))).collect()
    }
}

/// The store of a name, which lives as long as the process.
pub(crate) fn shared(name: &str) -> Arc<Store> {
    static STORES: Mutex<BTreeMap<String, Arc<Store>>> = Mutex::new(BTreeMap::new());
    let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(stores.entry(name.to_owned()).or_default())
}
