//! What a rule asks a session, and what comes back: operations as owned data.

use crate::binding::OpBuilder;
use std::collections::BTreeMap;
use ycsb_plugin_abi::{Status, kind};

/// Fields of a record by name.
pub(super) type Record = BTreeMap<String, Vec<u8>>;

/// One operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) kind: u32,
    pub(super) key: String,
    fields: Record,
    select: Vec<String>,
    rows: Vec<(String, Record)>,
    limit: u64,
    deadline_ns: u64,
    wants_values: bool,
}

impl Question {
    /// An operation of any kind without arguments.
    pub(super) fn of_kind(kind: u32, key: &str) -> Question {
        Question { kind, key: key.to_owned(), ..Question::default() }
    }

    /// Reads all fields of a record and hands them over.
    pub(super) fn read(key: &str) -> Question {
        Question { wants_values: true, ..Question::of_kind(kind::READ, key) }
    }

    /// Reads records from a key on and hands them over.
    pub(super) fn scan(key: &str, limit: u64) -> Question {
        Question { wants_values: true, limit, ..Question::of_kind(kind::SCAN, key) }
    }

    /// Changes fields of a record.
    pub(super) fn update(key: &str, fields: &Record) -> Question {
        Question { fields: fields.clone(), ..Question::of_kind(kind::UPDATE, key) }
    }

    /// Writes a whole record.
    pub(super) fn insert(key: &str, fields: &Record) -> Question {
        Question { fields: fields.clone(), ..Question::of_kind(kind::INSERT, key) }
    }

    /// Removes a record.
    pub(super) fn delete(key: &str) -> Question {
        Question::of_kind(kind::DELETE, key)
    }

    /// Writes whole records with one call.
    pub(super) fn insert_batch(rows: Vec<(String, Record)>) -> Question {
        Question { rows, ..Question::of_kind(kind::INSERT_BATCH, "") }
    }

    /// Says goodbye.
    pub(super) fn end() -> Question {
        Question::of_kind(kind::END, "")
    }

    /// Wants these fields only.
    pub(super) fn select(mut self, names: &[&str]) -> Question {
        self.select = names.iter().map(|name| (*name).to_owned()).collect();
        self
    }

    /// Has a deadline: nanoseconds of CLOCK_MONOTONIC.
    pub(super) fn deadline_ns(mut self, at_ns: u64) -> Question {
        self.deadline_ns = at_ns;
        self
    }

    /// Does not want rows to be handed over.
    pub(super) fn without_values(mut self) -> Question {
        self.wants_values = false;
        self
    }

    /// Describes the operation at the border.
    pub(super) fn fill<'a>(&'a self, op: &mut OpBuilder<'_, 'a>) {
        op.begin(self.kind, &self.key, self.deadline_ns);
        for (key, fields) in &self.rows {
            op.row(key);
            fields.iter().for_each(|(name, value)| op.field(name, value));
        }
        self.fields.iter().for_each(|(name, value)| op.field(name, value));
        self.select.iter().for_each(|name| op.select(name));
        op.limit(self.limit);
        if self.wants_values {
            op.want_values();
        }
    }

    /// The operation in words, for messages.
    pub(super) fn told(&self) -> String {
        let key = shown(self.key.as_bytes());
        let name = kind_name(self.kind);
        match self.kind {
            kind::SCAN => format!("{name} of {} from {key}", self.limit),
            kind::INSERT_BATCH => format!("{name} of {} rows", self.rows.len()),
            kind::END => name.to_owned(),
            _ => format!("{name} of {key}"),
        }
    }
}

/// A row as it was handed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReturnedRow {
    /// Empty if the store does not return it.
    pub(super) key: Vec<u8>,
    /// In the order in which they came.
    pub(super) fields: Vec<(Vec<u8>, Vec<u8>)>,
}

/// How an operation, or the opening of a session, ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) status: Status,
    /// Name of the status, or its number if nobody declares it.
    pub(super) name: String,
    pub(super) is_success: bool,
    pub(super) detail: String,
    /// What the outcome says of rows.
    pub(super) counted_rows: u64,
    pub(super) rows: Vec<ReturnedRow>,
    /// INSERT_BATCH: one per row.
    pub(super) row_status: Vec<Status>,
    pub(super) took_ns: u64,
}

/// The name of an operation kind.
pub(super) fn kind_name(number: u32) -> &'static str {
    match number {
        kind::READ => "READ",
        kind::SCAN => "SCAN",
        kind::UPDATE => "UPDATE",
        kind::INSERT => "INSERT",
        kind::DELETE => "DELETE",
        kind::INSERT_BATCH => "INSERT_BATCH",
        kind::END => "END",
        _ => "an operation of unknown kind",
    }
}

/// Bytes in quotes, cut to what a message can take.
pub(super) fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 60;
    let text: String = bytes.iter().take(MOST).flat_map(|byte| byte.escape_ascii()).map(char::from).collect();
    match bytes.len() > MOST {
        true => format!("\"{text}...\" ({} bytes)", bytes.len()),
        false => format!("\"{text}\""),
    }
}
