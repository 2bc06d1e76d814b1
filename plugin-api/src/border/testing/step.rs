//! What a client is told to do, and how it ended.

use crate::abi::{Status, kind, step};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Names and values.
type Fields = Vec<(String, Vec<u8>)>;

/// A step of a client.
#[derive(Clone, Debug)]
pub struct Do {
    pub(super) step: u32,
    pub(super) kind: u32,
    pub(super) key: String,
    pub(super) fields: Fields,
    pub(super) select: Vec<String>,
    pub(super) rows: Vec<(String, Fields)>,
    pub(super) limit: u64,
    pub(super) time: Duration,
    pub(super) wants_rows: bool,
    pub(super) null_slices: bool,
    pub(super) times: u64,
    pub(super) call: Option<Call>,
}

/// What the test does between two operations.
#[derive(Clone)]
pub(super) struct Call(pub(super) Arc<dyn Fn() + Send + Sync>);

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Call")
    }
}

impl Do {
    fn control(step: u32) -> Do {
        Do {
            step,
            kind: 0,
            key: String::new(),
            fields: Vec::new(),
            select: Vec::new(),
            rows: Vec::new(),
            limit: 0,
            time: Duration::ZERO,
            wants_rows: true,
            null_slices: false,
            times: 1,
            call: None,
        }
    }

    /// An operation of any kind, known or not.
    pub fn operation(kind: u32, key: &str) -> Do {
        Do { kind, key: key.to_owned(), ..Do::control(step::RUN) }
    }

    /// Open the session, or open it again.
    pub fn open() -> Do {
        Do::control(step::OPEN)
    }

    /// Wait for some time from now.
    pub fn wait(time: Duration) -> Do {
        Do { time, ..Do::control(step::WAIT) }
    }

    /// Let other clients run.
    pub fn yield_now() -> Do {
        Do::control(step::YIELD)
    }

    /// Let the test do something, such as kill the server, while the session stays open.
    pub fn call(what: impl Fn() + Send + Sync + 'static) -> Do {
        Do { call: Some(Call(Arc::new(what))), ..Do::yield_now() }
    }

    /// Read a record.
    pub fn read(key: &str) -> Do {
        Do::operation(kind::READ, key)
    }

    /// Read up to `limit` records.
    pub fn scan(key: &str, limit: u64) -> Do {
        Do { limit, ..Do::operation(kind::SCAN, key) }
    }

    /// Change fields of a record.
    pub fn update(key: &str, fields: &[(&str, &[u8])]) -> Do {
        Do { fields: owned(fields), ..Do::operation(kind::UPDATE, key) }
    }

    /// Write a record.
    pub fn insert(key: &str, fields: &[(&str, &[u8])]) -> Do {
        Do { fields: owned(fields), ..Do::operation(kind::INSERT, key) }
    }

    /// Remove a record.
    pub fn delete(key: &str) -> Do {
        Do::operation(kind::DELETE, key)
    }

    /// Write records, each with the same fields.
    pub fn insert_batch(keys: &[&str], fields: &[(&str, &[u8])]) -> Do {
        let rows = keys.iter().map(|key| ((*key).to_owned(), owned(fields))).collect();
        Do { rows, ..Do::operation(kind::INSERT_BATCH, "") }
    }

    /// Say goodbye.
    pub fn end() -> Do {
        Do::operation(kind::END, "")
    }

    /// Of a read or scan: only these fields.
    pub fn select(mut self, names: &[&str]) -> Do {
        self.select = names.iter().map(|name| (*name).to_owned()).collect();
        self
    }

    /// With a deadline this far from when the step begins.
    pub fn within(mut self, time: Duration) -> Do {
        self.time = time;
        self
    }

    /// The host does not look at the rows.
    pub fn unwatched(mut self) -> Do {
        self.wants_rows = false;
        self
    }

    /// Hands empty slices over as NULL with length 0.
    pub fn null_slices(mut self) -> Do {
        self.null_slices = true;
        self
    }

    /// Does the operation many times; [`Ended`] tells of the last, and how long all took.
    pub fn times(mut self, times: u64) -> Do {
        self.times = times.max(1);
        self
    }
}

fn owned(fields: &[(&str, &[u8])]) -> Fields {
    fields.iter().map(|(name, value)| ((*name).to_owned(), value.to_vec())).collect()
}

/// How a step ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Its status.
    pub status: Status,
    /// The plugin's words.
    pub detail: String,
    /// The code of driver or server.
    pub backend_code: i64,
    /// Bits of [`outcome_flag`](crate::abi::outcome_flag).
    pub flags: u32,
    /// Rows that the plugin counted.
    pub row_count: u64,
    /// Time that the server reported.
    pub server_ns: u64,
    /// Rows that were handed over.
    pub rows: Vec<ReturnedRow>,
    /// Statuses of the records of a batch.
    pub row_status: Vec<Status>,
    /// From the beginning of the step to its end.
    pub took: Duration,
    /// Of a wait: how late it ended.
    pub late: Duration,
}

impl Ended {
    /// The keys of the rows.
    pub fn keys(&self) -> Vec<String> {
        self.rows.iter().map(|row| String::from_utf8_lossy(&row.key).into_owned()).collect()
    }
}

/// The statuses of some steps.
pub fn statuses(ended: &[Ended]) -> Vec<Status> {
    ended.iter().map(|ended| ended.status).collect()
}

/// A row that a plugin handed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReturnedRow {
    /// Its key.
    pub key: Vec<u8>,
    /// Names and values.
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
}

impl ReturnedRow {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&[u8]> {
        self.fields.iter().find(|(given, _)| given == name.as_bytes()).map(|(_, value)| value.as_slice())
    }
}
