//! What a binding is told about the run when it is opened, and who a session is.

use crate::abi::abi_stable::std_types::{RSlice, RStr};
use crate::abi::{HostApi, OpenArgs, SessionArgs, as_bytes, log_level, open_flag, phase};
use crate::border::{monotonic_ns, slice_of};
use std::time::Duration;

/// What the run is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The records are about to be written: create what is missing.
    Load,
    /// The records are expected to be there: an absent table is [`Failure::not_found`](crate::Failure).
    Run,
}

/// The circumstances of an `open`.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    args: &'a OpenArgs<'a>,
    host: &'static HostApi,
}

impl<'a> Env<'a> {
    pub(crate) fn new(args: &'a OpenArgs<'a>, host: &'static HostApi) -> Env<'a> {
        Env { args, host }
    }

    /// Load or run.
    pub fn phase(&self) -> Phase {
        if self.args.phase == phase::LOAD { Phase::Load } else { Phase::Run }
    }

    /// Whether to start from an empty table (`dropdata=true`; in the load phase only).
    pub fn fresh(&self) -> bool {
        self.args.flags & open_flag::FRESH != 0
    }

    /// Number of sessions that will be opened, at least 1.
    pub fn clients(&self) -> usize {
        usize::try_from(self.args.clients).unwrap_or(usize::MAX).max(1)
    }

    /// Number of threads that an async binding's runtime has, at least 1.
    pub fn workers(&self) -> usize {
        (self.args.workers as usize).max(1)
    }

    /// The table.
    pub fn table(&self) -> &'a str {
        self.args.table.as_str()
    }

    /// The names of all fields of a record.
    pub fn fields(&self) -> Names<'a> {
        Names(slice_of(self.args.fields))
    }

    /// Records in a full batch; 1 means that no batch is sent.
    pub fn batch_size(&self) -> usize {
        usize::try_from(self.args.batch_size).unwrap_or(usize::MAX).max(1)
    }

    /// Records expected in the table when the phase ends, if that is known.
    pub fn expected_records(&self) -> Option<u64> {
        Some(self.args.expected_records).filter(|records| *records != 0)
    }

    /// Bytes of the longest value that the workload writes, if that is known: for stores with a limit.
    pub fn largest_value_bytes(&self) -> Option<u64> {
        Some(self.args.largest_value_bytes).filter(|bytes| *bytes != 0)
    }

    /// By when `open` has to have returned.
    pub fn deadline(&self) -> Deadline {
        Deadline::at_ns(self.args.deadline_ns)
    }

    /// The host, to log or echo; may be kept.
    pub fn host(&self) -> Host {
        Host(self.host)
    }
}

/// Who a session is.
#[derive(Clone, Copy)]
pub struct Client<'a>(pub(crate) &'a SessionArgs<'a>);

impl<'a> Client<'a> {
    /// Which client, from 0.
    pub fn index(&self) -> usize {
        usize::try_from(self.0.index).unwrap_or(usize::MAX)
    }

    /// Number of clients.
    pub fn count(&self) -> usize {
        usize::try_from(self.0.count).unwrap_or(usize::MAX)
    }

    /// The table.
    pub fn table(&self) -> &'a str {
        self.0.table.as_str()
    }

    /// The names of all fields of a record: enough to prepare statements.
    pub fn fields(&self) -> Names<'a> {
        Names(slice_of(self.0.fields))
    }
}

/// Names of fields.
#[derive(Clone, Copy)]
pub struct Names<'a>(&'a [RStr<'a>]);

impl<'a> Names<'a> {
    /// Each name.
    pub fn iter(self) -> impl ExactSizeIterator<Item = &'a str> {
        self.0.iter().map(|name| name.as_str())
    }

    /// Number of names.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

/// A point in time after which an answer is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    at_ns: u64,
}

impl Deadline {
    /// Nanoseconds of CLOCK_MONOTONIC; 0 means that there is no deadline.
    pub const fn at_ns(at_ns: u64) -> Deadline {
        Deadline { at_ns }
    }

    /// Nanoseconds of CLOCK_MONOTONIC, if there is a deadline.
    pub const fn as_ns(self) -> Option<u64> {
        if self.at_ns == 0 { None } else { Some(self.at_ns) }
    }

    /// The time that is left (zero if it has passed), or `None` if there is no deadline. Reads the clock.
    pub fn time_left(self) -> Option<Duration> {
        self.as_ns().map(|at_ns| Duration::from_nanos(at_ns.saturating_sub(monotonic_ns())))
    }
}

/// The host, as far as a plugin may talk to it. Plugins print nothing themselves.
#[derive(Clone, Copy)]
pub struct Host(&'static HostApi);

impl Host {
    /// Something failed.
    pub fn error(self, text: impl AsRef<str>) {
        self.log(log_level::ERROR, text.as_ref());
    }

    /// Something that a user should look at.
    pub fn warn(self, text: impl AsRef<str>) {
        self.log(log_level::WARN, text.as_ref());
    }

    /// Something worth knowing once.
    pub fn info(self, text: impl AsRef<str>) {
        self.log(log_level::INFO, text.as_ref());
    }

    /// For the author of the plugin.
    pub fn debug(self, text: impl AsRef<str>) {
        self.log(log_level::DEBUG, text.as_ref());
    }

    /// Writes bytes to stdout as they are: for bindings whose job is to echo. Lines are not split as long as
    /// each call writes whole lines.
    pub fn echo(self, bytes: impl AsRef<[u8]>) {
        (self.0.echo)(as_bytes(bytes.as_ref()));
    }

    fn log(self, level: u32, text: &str) {
        (self.0.log)(level, RSlice::from_slice(text.as_bytes()));
    }
}
