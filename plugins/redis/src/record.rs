//! A record as a hash: the commands that read and write it, and what comes back.

use crate::command::Commands;
use crate::failure::unexpected;
use crate::reply::Reply;
use ycsb_plugin_api::{Failure, Rows, Select, Values};

/// Asks for a record, or for the wanted fields of it.
#[inline]
pub(crate) fn ask(commands: &mut Commands, key: &str, select: Select<'_>) {
    if select.is_all() {
        commands.start("HGETALL", 1).key(key);
        return;
    }
    commands.start("HMGET", 1 + select.len()).key(key);
    for name in select.iter() {
        commands.word(name);
    }
}

/// Writes fields of a record.
#[inline]
pub(crate) fn write(commands: &mut Commands, key: &str, values: Values<'_>) {
    commands.start("HSET", 1 + 2 * values.len()).key(key);
    for (name, value) in values.iter() {
        commands.word(name).word(value);
    }
}

/// A record that came back.
pub(crate) struct Found<'a> {
    answer: Reply<'a>,
}

impl<'a> Found<'a> {
    /// `None` if there is no such record, or if it has none of the wanted fields.
    pub(crate) fn of(answer: Reply<'a>) -> Result<Option<Found<'a>>, Failure> {
        match answer {
            Reply::Array(mut items) => {
                let exists = items.any(|item| !matches!(item, Reply::Nil));
                Ok(exists.then_some(Found { answer }))
            }
            other => Err(unexpected("a read", other)),
        }
    }

    /// Hands the fields over; those that the record does not have are left out.
    pub(crate) fn hand_over(self, select: Select<'_>, rows: &mut Rows<'_>) {
        let Reply::Array(mut items) = self.answer else { return };
        if select.is_all() {
            while let (Some(Reply::Bulk(name)), Some(Reply::Bulk(value))) = (items.next(), items.next()) {
                rows.field(name, value);
            }
        } else {
            for (name, item) in select.iter().zip(items) {
                if let Reply::Bulk(value) = item {
                    rows.field(name, value);
                }
            }
        }
    }
}
