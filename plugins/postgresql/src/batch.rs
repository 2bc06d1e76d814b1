//! Many records in one statement, and each record's own end.

use crate::json;
use crate::session::PostgresqlSession;
use crate::statements::Verb;
use crate::table::Layout;
use ycsb_plugin_api::{Answer, Batch, Deadline, Done, Failure, Record};
use ycsb_plugin_postgres::{Array, Parameter, is_of_the_data};

/// Statements that are sent before their answers are taken. A server that cannot get rid of its answers takes no
/// more statements, so there must not be more answers than the sockets hold.
const PIPELINE: usize = 100;

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
        for some in pending.chunks(PIPELINE) {
            let mut queued = Vec::with_capacity(some.len());
            for Pending { number, record, document } in some {
                let id = self.writing(Verb::Insert, record.values());
                let key = [Parameter::Bytes(record.key().as_bytes())];
                let session = &mut self.sessions[shard];
                let asked = match self.table.layout {
                    Layout::Jsonb => {
                        session.queue(id, key.into_iter().chain([Parameter::Json(document)]), 0, deadline)
                    }
                    Layout::Columns => {
                        let fields = record.values().iter().map(|(_, value)| Parameter::Bytes(value));
                        session.queue(id, key.into_iter().chain(fields), 0, deadline)
                    }
                };
                match asked {
                    Ok(()) => queued.push(*number),
                    Err(refused) => batch.fail(*number, refused),
                }
            }
            let session = &mut self.sessions[shard];
            let sent = session.send();
            for number in queued {
                let ended = match &sent {
                    Ok(()) => session.take(|_| Ok(())).map(drop),
                    Err(lost) => Err(again(lost)),
                };
                if let Err(failure) = ended {
                    batch.fail(number, failure);
                }
            }
        }
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

/// The same failure for another record.
fn again(failure: &Failure) -> Failure {
    use ycsb_plugin_api::abi::status;
    match failure.status() {
        status::TIMEOUT => Failure::timeout(failure),
        status::OVERLOADED => Failure::overloaded(failure),
        status::FORBIDDEN => Failure::forbidden(failure),
        status::SERVICE_UNAVAILABLE => Failure::unavailable(failure),
        _ => Failure::error(failure),
    }
}
