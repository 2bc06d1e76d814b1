//! The operations.

use crate::settings::TemplateSettings;
use crate::snapshot;
use crate::store::{Fields, Store};
use std::sync::Arc;
use ycsb_plugin_api::{
    Answer, Batch, Delete, Done, Failure, Read, Record, Rows, Scan, Select, Session, Values, Write,
};

/// One client.
pub struct TemplateSession {
    store: Arc<Store>,
    settings: Arc<TemplateSettings>,
}

impl TemplateSession {
    pub(crate) fn new(store: Arc<Store>, settings: Arc<TemplateSettings>) -> TemplateSession {
        store.enter();
        TemplateSession { store, settings }
    }

    /// The fields of a record to store, or why they cannot be.
    fn checked(&self, values: Values<'_>) -> Result<Fields, Failure> {
        let max_bytes = self.settings.max_value_bytes;
        if let Some((name, value)) = values.iter().find(|(_, value)| value.len() > max_bytes) {
            return Err(Failure::bad_request(format!(
                "{name:?} has {} bytes, template.maxvalue is {max_bytes}",
                value.len()
            )));
        }
        Ok(values.iter().map(|(name, value)| (name.to_owned(), value.to_vec())).collect())
    }

    fn insert_new(&self, table: &str, key: &str, values: Values<'_>) -> Result<(), Failure> {
        let fields = self.checked(values)?;
        let mut tables = self.store.write();
        let records = tables.entry(table.to_owned()).or_default();
        if records.contains_key(key) {
            return Err(Failure::duplicate());
        }
        records.insert(key.to_owned(), fields);
        Ok(())
    }
}

fn hand_over(fields: &Fields, select: Select<'_>, rows: &mut Rows<'_>) {
    for (name, value) in fields.iter().filter(|(name, _)| select.wants(name)) {
        rows.field(name, value);
    }
}

impl Session for TemplateSession {
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        let tables = self.store.read();
        let record = tables.get(op.table()).and_then(|records| records.get(op.key()));
        hand_over(record.ok_or_else(Failure::not_found)?, op.select(), rows);
        Ok(Done::OK)
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        let tables = self.store.read();
        let records =
            tables.get(op.table()).into_iter().flat_map(|records| records.range(op.key().to_owned()..));
        for (key, fields) in records.take(op.limit()) {
            rows.row(key);
            hand_over(fields, op.select(), rows);
        }
        Ok(Done::OK)
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        let fields = self.checked(op.values())?;
        let mut tables = self.store.write();
        let record = tables.get_mut(op.table()).and_then(|records| records.get_mut(op.key()));
        record.ok_or_else(Failure::not_found)?.extend(fields);
        Ok(Done::OK)
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        self.insert_new(op.table(), op.key(), op.values())?;
        Ok(Done::OK)
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        let mut tables = self.store.write();
        let removed = tables.get_mut(op.table()).and_then(|records| records.remove(op.key()));
        removed.map(|_| Done::OK).ok_or_else(Failure::not_found)
    }

    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        let records: Vec<Record<'_>> = batch.records().collect();
        for (index, record) in records.into_iter().enumerate() {
            if let Err(failure) = self.insert_new(batch.table(), record.key(), record.values()) {
                batch.fail(index, failure);
            }
        }
        Ok(Done::OK)
    }

    /// The last session to say goodbye writes the file, so that a full disk is an error of the run.
    fn end(&mut self) -> Answer {
        if self.store.leave()
            && let Some(file) = &self.settings.file
        {
            snapshot::save(file, &self.store.read())?;
        }
        Ok(Done::OK)
    }
}
