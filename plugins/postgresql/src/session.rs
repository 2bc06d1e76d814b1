//! The operations.

use crate::json;
use crate::shards::{merged_scan, shard_of};
use crate::statements::{Statements, Verb};
use crate::table::{Layout, Table};
use std::iter::once;
use std::sync::Arc;
use ycsb_plugin_api::{
    Answer, Batch, Delete, Done, Failure, Read, Rows, Scan, Session as Operations, Values, Write,
};
use ycsb_plugin_postgres::{Parameter, Session, StatementId, one_row};

/// One client's connections, one per shard.
pub struct PostgresqlSession {
    pub(crate) sessions: Vec<Session>,
    pub(crate) statements: Statements,
    pub(crate) table: Arc<Table>,
    fetch_rows: i32,
    /// The document that is being written.
    json: Vec<u8>,
}

impl PostgresqlSession {
    pub(crate) fn over(sessions: Vec<Session>, table: Arc<Table>, fetch_rows: i32) -> PostgresqlSession {
        let statements = Statements::of(Arc::clone(&table));
        PostgresqlSession { sessions, statements, table, fetch_rows, json: Vec::new() }
    }

    /// Where a key lies.
    #[inline]
    pub(crate) fn shard_of(&self, key: &str) -> usize {
        shard_of(key, self.sessions.len())
    }

    /// The statement that writes these fields.
    pub(crate) fn writing(&mut self, verb: Verb, values: Values<'_>) -> StatementId {
        // The document's fields are not in the statement.
        let names = values.iter().map(|(name, _)| name);
        let names = names.take(if self.table.layout == Layout::Jsonb { 0 } else { usize::MAX });
        self.statements.naming(&mut self.sessions, verb, names)
    }

    /// Inserts or updates and returns how many rows there were.
    fn write(&mut self, verb: Verb, op: Write<'_>) -> Result<u64, Failure> {
        let (key, values) = (op.key(), op.values());
        let id = self.writing(verb, values);
        let session_number = self.shard_of(key);
        let session = &mut self.sessions[session_number];
        let key_first = once(Parameter::Bytes(key.as_bytes()));
        match self.table.layout {
            Layout::Columns => {
                let fields = values.iter().map(|(_, value)| Parameter::Bytes(value));
                session.run(id, key_first.chain(fields), op.deadline(), |_| Ok(()))
            }
            Layout::Jsonb => {
                self.json.clear();
                json::write(key, values, &mut self.json)?;
                let document = once(Parameter::Json(&self.json));
                session.run(id, key_first.chain(document), op.deadline(), |_| Ok(()))
            }
        }
    }
}

impl Operations for PostgresqlSession {
    #[inline]
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        let select = op.select();
        let id = match select.is_all() {
            true => self.statements.read_all(&mut self.sessions),
            false => self.statements.naming(&mut self.sessions, Verb::Read, select.iter()),
        };
        let (table, shard) = (&self.table, self.shard_of(op.key()));
        let parameters = once(op.key()).chain(select.iter().take(table.name_parameters()));
        let parameters = parameters.map(|text| Parameter::Bytes(text.as_bytes()));
        let on_row = |row: ycsb_plugin_postgres::Row<'_>| table.hand_over(row, select, rows);
        one_row(op.key(), self.sessions[shard].run(id, parameters, op.deadline(), on_row)?)
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        if op.limit() == 0 {
            return Ok(Done::OK);
        }
        let select = op.select();
        let id = match select.is_all() {
            true => self.statements.scan_all(&mut self.sessions),
            false => self.statements.naming(&mut self.sessions, Verb::Scan, select.iter()),
        };
        let (table, fetch_rows) = (&self.table, self.fetch_rows);
        let limit = i64::try_from(op.limit()).unwrap_or(i64::MAX);
        let ask = |session: &mut Session| {
            let names = select.iter().take(table.name_parameters());
            let names = names.map(|name| Parameter::Bytes(name.as_bytes()));
            let range = [Parameter::Bytes(op.key().as_bytes()), Parameter::Integer(limit)];
            session.queue(id, range.into_iter().chain(names), fetch_rows, op.deadline())
        };
        if let [session] = self.sessions.as_mut_slice() {
            ask(session)?;
            session.send()?;
            session.take(|mut row| {
                rows.row(row.bytes()?);
                table.hand_over(row, select, rows)
            })?;
            return Ok(Done::OK);
        }
        merged_scan(&mut self.sessions, op.limit(), ask, |key, row| {
            rows.row(key);
            table.hand_over(row, select, rows)
        })?;
        Ok(Done::OK)
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        if op.values().is_empty() && self.table.layout == Layout::Columns {
            return Err(Failure::bad_request(format!("an update of {:?} names no field", op.key())));
        }
        one_row(op.key(), self.write(Verb::Update, op)?)
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        one_row(op.key(), self.write(Verb::Insert, op)?)
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        let id = self.statements.delete(&mut self.sessions);
        let shard = self.shard_of(op.key());
        let key = [Parameter::Bytes(op.key().as_bytes())];
        one_row(op.key(), self.sessions[shard].run(id, key, op.deadline(), |_| Ok(()))?)
    }

    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        self.insert_all(batch)
    }

    fn end(&mut self) -> Answer {
        self.sessions.iter_mut().for_each(Session::close);
        Ok(Done::OK)
    }
}
