//! The operations.

use crate::packing::{Unpacked, pack};
use crate::rate_limit::RateLimit;
use crate::schema::merge_function;
use ycsb_plugin_api::{
    Answer, Batch, Deadline, Delete, Done, Failure, Read, Rows, Scan, Select, Session as Operations, Write,
};
use ycsb_plugin_postgres::{Parameter, QualifiedName, Session, StatementId, one_row};

/// One client's connection.
pub struct SqlstoreSession {
    pub(crate) session: Session,
    pub(crate) statements: Statements,
    pub(crate) strict_insert: bool,
    rate_limit: Option<RateLimit>,
    /// The record that is being sent.
    packed: Vec<u8>,
    /// The record that came back.
    unpacked: Unpacked,
}

/// Each statement of the store.
#[derive(Clone, Copy)]
pub(crate) struct Statements {
    get: StatementId,
    scan: StatementId,
    put: StatementId,
    delete: StatementId,
    pub(crate) insert: StatementId,
    pub(crate) insert_all: StatementId,
}

impl Statements {
    fn of(session: &mut Session, table: &QualifiedName, strict_insert: bool) -> Statements {
        let merge = merge_function(table);
        let merging = format!(
            "ON CONFLICT (keyspace, key) DO UPDATE SET value = {merge}(stored.value, excluded.value)"
        );
        let into = format!("INSERT INTO {table} AS stored (keyspace, key, value)");
        let on_conflict = if strict_insert { "ON CONFLICT DO NOTHING" } else { &merging };
        let returning = if strict_insert { " RETURNING key" } else { "" };
        Statements {
            get: session.add(&format!("SELECT value FROM {table} WHERE keyspace = $1 AND key = $2")),
            scan: session.add(&format!(
                "SELECT key, value FROM {table} WHERE keyspace = $1 AND key >= $2 ORDER BY key LIMIT $3"
            )),
            put: session.add(&format!("{into} VALUES ($1, $2, $3) {merging}")),
            delete: session.add(&format!("DELETE FROM {table} WHERE keyspace = $1 AND key = $2")),
            insert: session.add(&format!("{into} VALUES ($1, $2, $3) {on_conflict}")),
            insert_all: session.add(&format!(
                "{into} SELECT $1::bytea, k, v FROM unnest($2::text[], $3::bytea[]) AS r(k, v) \
                 {on_conflict}{returning}"
            )),
        }
    }
}

impl SqlstoreSession {
    pub(crate) fn over(
        mut session: Session,
        table: &QualifiedName,
        strict_insert: bool,
        rate_limit: Option<RateLimit>,
    ) -> SqlstoreSession {
        let statements = Statements::of(&mut session, table, strict_insert);
        let (packed, unpacked) = (Vec::new(), Unpacked::default());
        SqlstoreSession { session, statements, strict_insert, rate_limit, packed, unpacked }
    }

    /// Waits where the rate is limited.
    #[inline]
    pub(crate) fn begin(&mut self, deadline: Deadline) -> Result<(), Failure> {
        match &mut self.rate_limit {
            None => Ok(()),
            Some(limit) => limit.wait(deadline),
        }
    }

    fn write(&mut self, id: StatementId, op: Write<'_>) -> Result<u64, Failure> {
        self.begin(op.deadline())?;
        self.packed.clear();
        pack(op.values(), &mut self.packed)?;
        let [keyspace, key] = row_of(op.table(), op.key());
        self.session.run(id, [keyspace, key, Parameter::Bytes(&self.packed)], op.deadline(), |_| Ok(()))
    }
}

impl Operations for SqlstoreSession {
    #[inline]
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        self.begin(op.deadline())?;
        let unpacked = &mut self.unpacked;
        let row = row_of(op.table(), op.key());
        let count = self.session.run(self.statements.get, row, op.deadline(), |mut row| {
            hand_over(row.bytes()?, unpacked, op.select(), rows)
        })?;
        one_row(op.key(), count)
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        if op.limit() == 0 {
            return Ok(Done::OK);
        }
        self.begin(op.deadline())?;
        let unpacked = &mut self.unpacked;
        let [keyspace, key] = row_of(op.table(), op.key());
        let limit = Parameter::Integer(i64::try_from(op.limit()).unwrap_or(i64::MAX));
        self.session.run(self.statements.scan, [keyspace, key, limit], op.deadline(), |mut row| {
            rows.row(row.bytes()?);
            hand_over(row.bytes()?, unpacked, op.select(), rows)
        })?;
        Ok(Done::OK)
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        self.write(self.statements.put, op)?;
        Ok(Done::OK)
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        match self.write(self.statements.insert, op)? {
            0 => Err(Failure::duplicate()),
            _ => Ok(Done::OK),
        }
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        self.begin(op.deadline())?;
        let row = row_of(op.table(), op.key());
        one_row(op.key(), self.session.run(self.statements.delete, row, op.deadline(), |_| Ok(()))?)
    }

    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        self.insert_all(batch)
    }

    fn end(&mut self) -> Answer {
        self.session.close();
        Ok(Done::OK)
    }
}

/// What a row is found by: the keyspace is the name of the workload's table.
#[inline]
pub(crate) fn row_of<'a>(table: &'a str, key: &'a str) -> [Parameter<'a>; 2] {
    [Parameter::Bytes(table.as_bytes()), Parameter::Bytes(key.as_bytes())]
}

#[inline]
fn hand_over(
    packed: &[u8],
    unpacked: &mut Unpacked,
    select: Select<'_>,
    rows: &mut Rows<'_>,
) -> Result<(), Failure> {
    unpacked.read(packed)?;
    let wanted = |name: &[u8]| select.is_all() || select.iter().any(|wanted| wanted.as_bytes() == name);
    unpacked.each(packed, |name, value| {
        if wanted(name) {
            rows.field(name, value);
        }
    });
    Ok(())
}
