//! Many records in one statement, and each record's own end.

use crate::packing::pack;
use crate::session::{SqlstoreSession, row_of};
use ycsb_plugin_api::{Answer, Batch, Done, Failure};
use ycsb_plugin_postgres::{Array, Parameter, is_of_the_data};

/// A record on its way into a row.
struct Pending<'a> {
    /// Its place in the batch.
    number: usize,
    key: &'a str,
    packed: Vec<u8>,
}

impl SqlstoreSession {
    /// One statement; where that fails because of a record, or because a key comes twice, each record by itself.
    pub(crate) fn insert_all(&mut self, batch: &mut Batch<'_>) -> Answer {
        self.begin(batch.deadline())?;
        let (table, deadline) = (batch.table(), batch.deadline());
        let mut pending = Vec::with_capacity(batch.len());
        for (number, record) in batch.records().enumerate() {
            let mut packed = Vec::new();
            match pack(record.values(), &mut packed) {
                Ok(()) => pending.push(Pending { number, key: record.key(), packed }),
                Err(refused) => batch.fail(number, refused),
            }
        }
        if pending.is_empty() {
            return Ok(Done::OK);
        }
        let keys: Vec<&[u8]> = pending.iter().map(|pending| pending.key.as_bytes()).collect();
        let values: Vec<&[u8]> = pending.iter().map(|pending| &pending.packed[..]).collect();
        let parameters = [
            Parameter::Bytes(table.as_bytes()),
            Parameter::Array(Array::of_text(&keys)),
            Parameter::Array(Array::of_bytes(&values)),
        ];
        // A strict insert returns the keys that were new, in the order in which they were sent.
        let mut missing = pending.iter();
        let strict = self.strict_insert;
        let answer = self.session.run(self.statements.insert_all, parameters, deadline, |mut row| {
            let written = row.bytes()?;
            let skipped = missing.by_ref().take_while(|pending| pending.key.as_bytes() != written);
            skipped.for_each(|pending| batch.fail(pending.number, Failure::duplicate()));
            Ok(())
        });
        match answer {
            Ok(_) => {
                if strict {
                    missing.for_each(|pending| batch.fail(pending.number, Failure::duplicate()));
                }
                Ok(Done::OK)
            }
            Err(failure) if is_of_the_data(&failure) => {
                self.insert_one_by_one(&pending, batch);
                Ok(Done::OK)
            }
            Err(failure) => Err(failure),
        }
    }

    fn insert_one_by_one(&mut self, pending: &[Pending<'_>], batch: &mut Batch<'_>) {
        let (table, deadline, id) = (batch.table(), batch.deadline(), self.statements.insert);
        self.session.one_by_one(
            pending,
            |session, Pending { key, packed, .. }| {
                let [keyspace, key] = row_of(table, key);
                session.queue(id, [keyspace, key, Parameter::Bytes(packed)], 0, deadline)
            },
            |Pending { number, .. }, answer| match answer {
                Ok(0) => batch.fail(*number, Failure::duplicate()),
                Ok(_) => {}
                Err(failure) => batch.fail(*number, failure),
            },
        );
    }
}
