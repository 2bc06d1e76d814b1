//! What the server's catalog says of a table.

use crate::{Parameter, QualifiedName, Session};
use ycsb_plugin_api::{Deadline, Failure};

/// Keeps two programs from creating the same schema at once. Any number does, as long as all use the same.
const SCHEMA_LOCK: i64 = 0x7963_7362;

const COLUMNS: &str = "SELECT a.attname::text, t.typname::text, coalesce(c.collname::text, '') \
     FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_collation c ON c.oid = a.attcollation \
     WHERE a.attrelid = to_regclass($1::text) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";

const UNIQUE: &str = "SELECT string_agg(a.attname::text, ',' ORDER BY k.place) \
     FROM pg_index i CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY k(number, place) \
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number \
     WHERE i.indrelid = to_regclass($1::text) AND i.indisunique AND i.indisvalid AND i.indpred IS NULL \
     AND k.place <= i.indnkeyatts GROUP BY i.indexrelid";

/// The name is that of the database's own collation, whose provider older servers do not have.
const DEFAULT_COLLATION: &str = "SELECT CASE coalesce(to_jsonb(d)->>'datlocprovider', 'c') WHEN 'i' THEN 'ICU' \
     WHEN 'b' THEN coalesce(to_jsonb(d)->>'datlocale', d.datcollate::text) ELSE d.datcollate::text END \
     FROM pg_database d WHERE d.datname = current_database()";

/// Asks the server's catalog.
pub struct Catalog<'s> {
    session: &'s mut Session,
    deadline: Deadline,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Its columns, in their order.
    pub columns: Vec<Column>,
    /// Names of the columns, separated by commas, over which a unique index or primary key lies.
    pub unique: Vec<String>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Name of its type, as in `varchar`, `text`, `bytea`, `jsonb`.
    pub kind: String,
    /// The order of its values.
    pub order: KeyOrder,
}

impl Column {
    /// Whether it holds text.
    pub fn is_text(&self) -> bool {
        matches!(self.kind.as_str(), "text" | "varchar" | "bpchar")
    }
}

/// The order in which an index goes through a column's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// By their bytes.
    Bytes,
    /// By the collation of this name.
    Collation(String),
}

impl Relation {
    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl Catalog<'_> {
    /// Asks through a session.
    pub fn of(session: &mut Session, deadline: Deadline) -> Catalog<'_> {
        Catalog { session, deadline }
    }

    /// A table, if there is one.
    ///
    /// # Errors
    /// What the server or the connection says.
    pub fn relation(&mut self, name: &QualifiedName) -> Result<Option<Relation>, Failure> {
        let name = name.to_string();
        let (columns, unique) = (self.session.add(COLUMNS), self.session.add(UNIQUE));
        let default = self.session.add(DEFAULT_COLLATION);
        let mut default_order = KeyOrder::Bytes;
        self.session.run(default, [], self.deadline, |mut row| {
            default_order = order(row.text()?, &KeyOrder::Bytes);
            Ok(())
        })?;
        let mut relation = Relation { columns: Vec::new(), unique: Vec::new() };
        self.session.run(columns, [Parameter::Bytes(name.as_bytes())], self.deadline, |mut row| {
            relation.columns.push(Column {
                name: row.text()?.to_owned(),
                kind: row.text()?.to_owned(),
                order: order(row.text()?, &default_order),
            });
            Ok(())
        })?;
        self.session.run(unique, [Parameter::Bytes(name.as_bytes())], self.deadline, |mut row| {
            relation.unique.push(row.text()?.to_owned());
            Ok(())
        })?;
        Ok(Some(relation).filter(|relation| !relation.columns.is_empty()))
    }

    /// Whether there is a function with this signature.
    ///
    /// # Errors
    /// What the server or the connection says.
    pub fn has_function(&mut self, signature: &str) -> Result<bool, Failure> {
        let statement = self.session.add("SELECT to_regprocedure($1::text)::text");
        let mut found = false;
        self.session.run(statement, [Parameter::Bytes(signature.as_bytes())], self.deadline, |mut row| {
            found = row.column()?.is_some();
            Ok(())
        })?;
        Ok(found)
    }

    /// What a crash of the server may lose of what it acknowledged; empty if nothing.
    ///
    /// # Errors
    /// What the server or the connection says.
    pub fn durability(&mut self) -> Result<&'static str, Failure> {
        let statement =
            self.session.add("SELECT current_setting('fsync'), current_setting('synchronous_commit')");
        let mut durability = "";
        self.session.run(statement, [], self.deadline, |mut row| {
            durability = match (row.text()?, row.text()?) {
                ("off", _) => "a crash of the machine may lose everything (fsync off)",
                (_, "off") => "a crash may lose the last moments (synchronous_commit off)",
                _ => "",
            };
            Ok(())
        })?;
        Ok(durability)
    }

    /// Runs statements that create, as one transaction, and one program at a time.
    ///
    /// # Errors
    /// What the server or the connection says.
    pub fn create(&mut self, statements: &str) -> Result<(), Failure> {
        let script = format!("SELECT pg_advisory_xact_lock({SCHEMA_LOCK}); {statements}");
        self.session.script(&script, self.deadline, |_| Ok(()))
    }
}

fn order(collation: &str, default: &KeyOrder) -> KeyOrder {
    match collation {
        "default" => default.clone(),
        "" | "C" | "POSIX" | "ucs_basic" | "pg_c_utf8" | "C.UTF-8" | "C.utf8" => KeyOrder::Bytes,
        other => KeyOrder::Collation(other.to_owned()),
    }
}
