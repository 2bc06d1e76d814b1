//! The operations. Statements are prepared once per connection and kept by rusqlite under their text.

use crate::failure::told;
use crate::schema::{KEY, quoted};
use rusqlite::{Connection, Row, ToSql, params_from_iter};
use std::time::Duration;
use ycsb_plugin_api::{
    Answer, Batch, Deadline, Delete, Done, Failure, Read, Rows, Scan, Select, Session, Values, Write,
};

/// Statements that a connection keeps: more than a workload has.
const STATEMENTS: usize = 64;

/// One client.
pub struct SqliteSession {
    connection: Connection,
    busy: Duration,
}

impl SqliteSession {
    pub(crate) fn new(connection: Connection, busy: Duration) -> SqliteSession {
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        SqliteSession { connection, busy }
    }

    /// Waits for other sessions no longer than the operation may take.
    fn hurry(&self, deadline: Deadline) -> Result<(), Failure> {
        let Some(left) = deadline.time_left() else { return Ok(()) };
        if left.is_zero() {
            return Err(Failure::timeout("the deadline had passed before anything was sent"));
        }
        self.connection.busy_timeout(left.min(self.busy)).map_err(told)
    }

    /// Number of rows that a statement changed.
    fn change(&self, sql: &str, values: Values<'_>, key: &str) -> Result<usize, Failure> {
        let mut statement = self.connection.prepare_cached(sql).map_err(told)?;
        let values: Vec<&[u8]> = values.iter().map(|(_, value)| value).collect();
        let values = values.iter().map(|value| value as &dyn ToSql);
        statement.execute(params_from_iter(values.chain([&key as &dyn ToSql]))).map_err(told)
    }

    fn insert_one(&self, table: &str, key: &str, values: Values<'_>) -> Result<(), Failure> {
        let names: String = values.iter().map(|(name, _)| format!("{}, ", quoted(name))).collect();
        let sql =
            format!("INSERT INTO {} ({names}{KEY}) VALUES ({}?)", quoted(table), "?, ".repeat(values.len()));
        self.change(&sql, values, key).map(drop)
    }
}

/// The columns that are wanted, the key first.
fn columns(select: Select<'_>) -> String {
    if select.is_all() {
        return "*".to_owned();
    }
    let names = select.iter().map(|name| format!(", {}", quoted(name)));
    std::iter::once(KEY.to_owned()).chain(names).collect()
}

/// Hands over all columns but the key. A NULL is a field that the record does not have.
fn hand_over(row: &Row<'_>, names: &[String], rows: &mut Rows<'_>) -> rusqlite::Result<()> {
    for (index, name) in names.iter().enumerate().skip(1) {
        if let Some(value) = row.get_ref(index)?.as_bytes_or_null()? {
            rows.field(name, value);
        }
    }
    Ok(())
}

fn names_of(statement: &rusqlite::Statement<'_>) -> Vec<String> {
    statement.column_names().map(str::to_owned).collect()
}

impl Session for SqliteSession {
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        self.hurry(op.deadline())?;
        let sql = format!("SELECT {} FROM {} WHERE {KEY} = ?", columns(op.select()), quoted(op.table()));
        let mut statement = self.connection.prepare_cached(&sql).map_err(told)?;
        let names = names_of(&statement);
        let mut found = statement.query([op.key()]).map_err(told)?;
        let row = found.next().map_err(told)?.ok_or_else(Failure::not_found)?;
        hand_over(row, &names, rows).map_err(told)?;
        Ok(Done::OK)
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        self.hurry(op.deadline())?;
        let sql = format!(
            "SELECT {} FROM {} WHERE {KEY} >= ? ORDER BY {KEY} LIMIT ?",
            columns(op.select()),
            quoted(op.table())
        );
        let mut statement = self.connection.prepare_cached(&sql).map_err(told)?;
        let names = names_of(&statement);
        let limit = i64::try_from(op.limit()).unwrap_or(i64::MAX);
        let mut found = statement.query((op.key(), limit)).map_err(told)?;
        while let Some(row) = found.next().map_err(told)? {
            rows.row(row.get_ref(0).and_then(|key| Ok(key.as_bytes()?)).map_err(told)?);
            hand_over(row, &names, rows).map_err(told)?;
        }
        Ok(Done::OK)
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        self.hurry(op.deadline())?;
        let set: Vec<String> = op.values().iter().map(|(name, _)| format!("{} = ?", quoted(name))).collect();
        let sql = format!("UPDATE {} SET {} WHERE {KEY} = ?", quoted(op.table()), set.join(", "));
        match self.change(&sql, op.values(), op.key())? {
            0 => Err(Failure::not_found()),
            _ => Ok(Done::OK),
        }
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        self.hurry(op.deadline())?;
        self.insert_one(op.table(), op.key(), op.values())?;
        Ok(Done::OK)
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        self.hurry(op.deadline())?;
        let sql = format!("DELETE FROM {} WHERE {KEY} = ?", quoted(op.table()));
        let mut statement = self.connection.prepare_cached(&sql).map_err(told)?;
        match statement.execute([op.key()]).map_err(told)? {
            0 => Err(Failure::not_found()),
            _ => Ok(Done::OK),
        }
    }

    /// One transaction. A record that cannot be inserted leaves the others alone.
    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        self.hurry(batch.deadline())?;
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(told)?;
        for (index, record) in batch.records().enumerate() {
            if let Err(failure) = self.insert_one(batch.table(), record.key(), record.values()) {
                batch.fail(index, failure);
            }
        }
        self.connection.execute_batch("COMMIT").map_err(|error| {
            // Nothing of it was written, and the next operation must not find a transaction open.
            let _ = self.connection.execute_batch("ROLLBACK");
            told(error)
        })?;
        Ok(Done::OK)
    }
}
