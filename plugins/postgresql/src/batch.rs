//! Many records in one statement, and each record's own end.

use crate::json;
use crate::session::PostgresqlSession;
use crate::statements::Verb;
use crate::table::Layout;
use ycsb_plugin_api::{Answer, Batch, Deadline, Done, Failure, Record};
use ycsb_plugin_postgres::{Array, Parameter, again, is_of_the_data};

/// A record on its way into a row.
struct Pending<'a> {
    /// Its place in the batch.
    number: usize,
    record: Record<'a>,
    /// In the document layout: its document.
    document: Vec<u8>,
}

impl PostgresqlSession {
    /// One statement per shard; where that fails because of a record, each record by itself.
    pub(crate) fn insert_all(&mut self, batch: &mut Batch<'_>) -> Answer {
        let mut shards: Vec<Vec<Pending<'_>>> = self.sessions.iter().map(|_| Vec::new()).collect();
        for (number, record) in batch.records().enumerate() {
            let mut document = Vec::new();
            if self.table.layout == Layout::Jsonb
                && let Err(refused) = json::write(record.key(), record.values(), &mut document)
            {
                batch.fail(number, refused);
                continue;
            }
            shards[self.shard_of(record.key())].push(Pending { number, record, document });
        }
        let deadline = batch.deadline();
        for (shard, pending) in shards.iter().enumerate().filter(|(_, pending)| !pending.is_empty()) {
            let whole = match same_fields(pending) || self.table.layout == Layout::Jsonb {
                true => self.insert_at_once(shard, pending, deadline),
                false => Err(None),
            };
            match whole {
                Ok(()) => {}
                Err(Some(lost)) => {
                    for Pending { number, .. } in pending {
                        batch.fail(*number, again(&lost));
                    }
                }
                Err(None) => self.insert_one_by_one(shard, pending, deadline, batch),
            }
        }
        Ok(Done::OK)
    }

    /// The inner error is `None` if the records are worth another try.
    fn insert_at_once(
        &mut self,
        shard: usize,
        pending: &[Pending<'_>],
        deadline: Deadline,
    ) -> Result<(), Option<Failure>> {
        let Some(first) = pending.first() else { return Ok(()) };
        let id = self.writing(Verb::InsertBatch, first.record.values());
        let columns: Vec<Vec<&[u8]>> = match self.table.layout {
            Layout::Jsonb => vec![pending.iter().map(|pending| &pending.document[..]).collect()],
            Layout::Columns => {
                let mut columns = vec![Vec::with_capacity(pending.len()); first.record.values().len()];
                for Pending { record, .. } in pending {
                    for (column, (_, value)) in columns.iter_mut().zip(record.values().iter()) {
                        column.push(value);
                    }
                }
                columns
            }
        };
        let keys: Vec<&[u8]> = pending.iter().map(|pending| pending.record.key().as_bytes()).collect();
        let arrays = [&keys].into_iter().chain(&columns);
        let parameters = arrays.map(|elements| Parameter::Array(Array::of_text(elements)));
        match self.sessions[shard].run(id, parameters, deadline, |_| Ok(())) {
            Ok(_) => Ok(()),
            Err(failure) if is_of_the_data(&failure) => Err(None),
            Err(failure) => Err(Some(failure)),
        }
    }

    fn insert_one_by_one(
        &mut self,
        shard: usize,
        pending: &[Pending<'_>],
        deadline: Deadline,
        batch: &mut Batch<'_>,
    ) {
        let with_statements: Vec<_> = pending
            .iter()
            .map(|pending| (pending, self.writing(Verb::Insert, pending.record.values())))
            .collect();
        let layout = self.table.layout;
        self.sessions[shard].one_by_one(
            &with_statements,
            |session, (Pending { record, document, .. }, id)| {
                let key = [Parameter::Bytes(record.key().as_bytes())].into_iter();
                match layout {
                    Layout::Jsonb => session.queue(*id, key.chain([Parameter::Json(document)]), 0, deadline),
                    Layout::Columns => {
                        let fields = record.values().iter().map(|(_, value)| Parameter::Bytes(value));
                        session.queue(*id, key.chain(fields), 0, deadline)
                    }
                }
            },
            |(Pending { number, .. }, _), answer| {
                if let Err(failure) = answer {
                    batch.fail(*number, failure);
                }
            },
        );
    }
}

/// Whether one statement fits all.
fn same_fields(pending: &[Pending<'_>]) -> bool {
    let Some(first) = pending.first() else { return true };
    let names = |pending: &Pending<'_>| {
        pending.record.values().iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    let expected = names(first);
    pending.iter().all(|pending| {
        let values = pending.record.values();
        values.len() == expected.len()
            && values.iter().zip(&expected).all(|((name, _), expected)| name == expected)
    })
}
