//! The statements, each made when it is first needed.

use crate::table::{DOCUMENT, KEY, Layout, Table, column};
use std::collections::HashMap;
use std::sync::Arc;
use ycsb_plugin_postgres::{Session, StatementId};

/// Stands before each name in the key of a statement; PostgreSQL has no name with it.
const SEPARATOR: char = '\0';

/// What a statement does. Its text follows from this, the table and the names of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Read,
    Scan,
    Update,
    Insert,
    InsertBatch,
    Delete,
}

/// The statements of a session, by what they do and with which fields.
pub(crate) struct Statements {
    table: Arc<Table>,
    known: HashMap<String, StatementId>,
    /// The key that is looked up, made in the same memory each time.
    wanted: String,
    /// Those that name no fields need no look-up.
    read_all: Option<StatementId>,
    scan_all: Option<StatementId>,
    delete: Option<StatementId>,
}

impl Statements {
    pub(crate) fn of(table: Arc<Table>) -> Statements {
        Statements {
            table,
            known: HashMap::new(),
            wanted: String::new(),
            read_all: None,
            scan_all: None,
            delete: None,
        }
    }

    /// The statement that reads a record with all its fields.
    #[inline]
    pub(crate) fn read_all(&mut self, sessions: &mut [Session]) -> StatementId {
        let table = &self.table;
        *self.read_all.get_or_insert_with(|| add(sessions, &text(table, Verb::Read, None)))
    }

    /// The statement that scans records with all their fields.
    pub(crate) fn scan_all(&mut self, sessions: &mut [Session]) -> StatementId {
        let table = &self.table;
        *self.scan_all.get_or_insert_with(|| add(sessions, &text(table, Verb::Scan, None)))
    }

    /// The statement that deletes a record.
    #[inline]
    pub(crate) fn delete(&mut self, sessions: &mut [Session]) -> StatementId {
        let table = &self.table;
        *self.delete.get_or_insert_with(|| add(sessions, &text(table, Verb::Delete, None)))
    }

    /// A statement that names these fields.
    pub(crate) fn naming<'n>(
        &mut self,
        sessions: &mut [Session],
        verb: Verb,
        fields: impl Iterator<Item = &'n str>,
    ) -> StatementId {
        let documents = self.table.layout == Layout::Jsonb;
        self.wanted.clear();
        self.wanted.push((b'0' + verb as u8) as char);
        for field in fields {
            self.wanted.push(SEPARATOR);
            // In a document the names are parameters: only their number counts.
            if !documents {
                self.wanted.push_str(field);
            }
        }
        if let Some(id) = self.known.get(&self.wanted) {
            return *id;
        }
        let names: Vec<&str> = self.wanted.split(SEPARATOR).skip(1).collect();
        let id = add(sessions, &text(&self.table, verb, Some(&names)));
        self.known.insert(self.wanted.clone(), id);
        id
    }
}

/// All shards know the same statements under the same number.
fn add(sessions: &mut [Session], sql: &str) -> StatementId {
    let mut ids = sessions.iter_mut().map(|session| session.add(sql));
    let first = ids.next();
    debug_assert!(ids.all(|id| Some(id) == first), "the shards' statements are numbered alike");
    first.unwrap_or_default()
}

/// The text of a statement.
fn text(table: &Table, verb: Verb, fields: Option<&[&str]>) -> String {
    let (name, key) = (&table.name, column(KEY));
    let all: Vec<&str> = table.fields.iter().map(String::as_str).collect();
    match verb {
        Verb::Delete => format!("DELETE FROM {name} WHERE {key} = $1"),
        Verb::Read => {
            let selected = selected(table.layout, fields, &all, 2);
            format!("SELECT {selected} FROM {name} WHERE {key} = $1")
        }
        Verb::Scan => {
            let selected = selected(table.layout, fields, &all, 3);
            format!("SELECT {key}, {selected} FROM {name} WHERE {key} >= $1 ORDER BY {key} LIMIT $2")
        }
        Verb::Update if table.layout == Layout::Jsonb => {
            let document = column(DOCUMENT);
            format!("UPDATE {name} SET {document} = {document} || $2::jsonb WHERE {key} = $1")
        }
        Verb::Update => {
            let changes = (2..)
                .zip(fields.unwrap_or(&all))
                .map(|(number, field)| format!("{} = ${number}", column(field)));
            format!("UPDATE {name} SET {} WHERE {key} = $1", joined(changes))
        }
        Verb::Insert | Verb::InsertBatch => insert(table, verb, fields.unwrap_or(&all)),
    }
}

fn insert(table: &Table, verb: Verb, fields: &[&str]) -> String {
    let (name, key) = (&table.name, column(KEY));
    let (columns, kinds): (Vec<String>, Vec<&str>) = match table.layout {
        Layout::Jsonb => (vec![key, column(DOCUMENT)], vec!["text", "jsonb"]),
        Layout::Columns => {
            let columns: Vec<String> =
                [key].into_iter().chain(fields.iter().map(|field| column(field))).collect();
            let kinds = vec!["text"; columns.len()];
            (columns, kinds)
        }
    };
    let columns = joined(columns.into_iter());
    match verb {
        // An array per column: one statement for batches of any length. JSON travels as text, which an array
        // needs no version bytes for.
        Verb::InsertBatch => {
            let arrays = joined((1..).zip(&kinds).map(|(number, _)| format!("${number}::text[]")));
            let casts = joined((1..).zip(&kinds).map(|(number, kind)| format!("c{number}::{kind}")));
            let names = joined((1..).zip(&kinds).map(|(number, _)| format!("c{number}")));
            format!("INSERT INTO {name} ({columns}) SELECT {casts} FROM unnest({arrays}) AS r({names})")
        }
        _ => {
            let values = joined((1..).zip(&kinds).map(|(number, _)| format!("${number}")));
            format!("INSERT INTO {name} ({columns}) VALUES ({values})")
        }
    }
}

/// What comes after SELECT; names of fields in a document are parameters from `first` on.
fn selected(layout: Layout, fields: Option<&[&str]>, all: &[&str], first: usize) -> String {
    match (layout, fields) {
        (Layout::Columns, fields) => match fields.unwrap_or(all) {
            // A record without fields still is a row.
            [] => "NULL".to_owned(),
            fields => joined(fields.iter().map(|field| column(field))),
        },
        (Layout::Jsonb, None) => column(DOCUMENT),
        (Layout::Jsonb, Some(fields)) => joined(
            (first..).zip(fields).map(|(number, _)| format!("{} ->> ${number}::text", column(DOCUMENT))),
        ),
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_postgres::QualifiedName;

    fn sql(layout: Layout, verb: Verb, fields: Option<&[&str]>) -> String {
        let fields_of_table = vec!["field0".to_owned(), "Field1".to_owned()];
        text(&Table { name: QualifiedName::of("UserTable"), layout, fields: fields_of_table }, verb, fields)
    }

    #[test]
    fn statements_of_the_column_layout() {
        for (verb, fields, expected) in [
            (Verb::Read, None, r#"SELECT "field0", "field1" FROM "usertable" WHERE "ycsb_key" = $1"#),
            (Verb::Read, Some(&["Field1"][..]), r#"SELECT "field1" FROM "usertable" WHERE "ycsb_key" = $1"#),
            (
                Verb::Scan,
                None,
                r#"SELECT "ycsb_key", "field0", "field1" FROM "usertable" WHERE "ycsb_key" >= $1 ORDER BY "ycsb_key" LIMIT $2"#,
            ),
            (
                Verb::Update,
                Some(&["Field1", "field0"]),
                r#"UPDATE "usertable" SET "field1" = $2, "field0" = $3 WHERE "ycsb_key" = $1"#,
            ),
            (
                Verb::Insert,
                Some(&["field0"]),
                r#"INSERT INTO "usertable" ("ycsb_key", "field0") VALUES ($1, $2)"#,
            ),
            (
                Verb::InsertBatch,
                Some(&["field0"]),
                r#"INSERT INTO "usertable" ("ycsb_key", "field0") SELECT c1::text, c2::text FROM unnest($1::text[], $2::text[]) AS r(c1, c2)"#,
            ),
            (Verb::Delete, None, r#"DELETE FROM "usertable" WHERE "ycsb_key" = $1"#),
        ] {
            assert_eq!(sql(Layout::Columns, verb, fields), expected);
        }
    }

    #[test]
    fn statements_of_the_document_layout() {
        for (verb, fields, expected) in [
            (Verb::Read, None, r#"SELECT "ycsb_value" FROM "usertable" WHERE "ycsb_key" = $1"#),
            (
                Verb::Read,
                Some(&["a", "b"][..]),
                r#"SELECT "ycsb_value" ->> $2::text, "ycsb_value" ->> $3::text FROM "usertable" WHERE "ycsb_key" = $1"#,
            ),
            (
                Verb::Scan,
                Some(&["a"]),
                r#"SELECT "ycsb_key", "ycsb_value" ->> $3::text FROM "usertable" WHERE "ycsb_key" >= $1 ORDER BY "ycsb_key" LIMIT $2"#,
            ),
            (
                Verb::Update,
                Some(&["a"]),
                r#"UPDATE "usertable" SET "ycsb_value" = "ycsb_value" || $2::jsonb WHERE "ycsb_key" = $1"#,
            ),
            (
                Verb::Insert,
                Some(&["a"]),
                r#"INSERT INTO "usertable" ("ycsb_key", "ycsb_value") VALUES ($1, $2)"#,
            ),
            (
                Verb::InsertBatch,
                Some(&["a"]),
                r#"INSERT INTO "usertable" ("ycsb_key", "ycsb_value") SELECT c1::text, c2::jsonb FROM unnest($1::text[], $2::text[]) AS r(c1, c2)"#,
            ),
        ] {
            assert_eq!(sql(Layout::Jsonb, verb, fields), expected);
        }
    }
}
