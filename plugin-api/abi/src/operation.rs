//! One operation as plain borrowed data, and what comes back from it.

use crate::Handle;
use abi_stable::StableAbi;
use abi_stable::std_types::{RSlice, RStr};

/// Operation kinds. A kind that a plugin does not know is answered with `NOT_IMPLEMENTED`.
pub mod kind {
    /// Read the record `key`.
    pub const READ: u32 = 1;
    /// Read up to `limit` records from `key` on.
    pub const SCAN: u32 = 2;
    /// Change `fields` of the record `key`; fields that are not named survive.
    pub const UPDATE: u32 = 3;
    /// Write the whole record `key`.
    pub const INSERT: u32 = 4;
    /// Remove the record `key`.
    pub const DELETE: u32 = 5;
    /// Write `rows`, one status each in `row_status`.
    pub const INSERT_BATCH: u32 = 6;
    /// Reserved for client libraries that cannot be told not to buffer.
    pub const FLUSH: u32 = 7;
    /// The last operation of a session: say goodbye. Measured as CLEANUP.
    pub const END: u32 = 8;
}

/// Bits of [`Op::flags`]. None is defined yet.
pub mod op_flag {}

/// What a binding can do: bits of a manifest's and an opened binding's capabilities.
pub mod capability {
    /// Reads one record.
    pub const READ: u64 = 1 << 0;
    /// Reads a range of records.
    pub const SCAN: u64 = 1 << 1;
    /// Changes some fields of a record.
    pub const UPDATE: u64 = 1 << 2;
    /// Writes a whole record.
    pub const INSERT: u64 = 1 << 3;
    /// Removes a record.
    pub const DELETE: u64 = 1 << 4;
    /// Writes many records in one call.
    pub const INSERT_BATCH: u64 = 1 << 5;
    /// Scans come in ascending order of the key's bytes.
    pub const SCAN_ORDERED: u64 = 1 << 8;
    /// The database itself selects the wanted fields.
    pub const PROJECTION: u64 = 1 << 9;
    /// An update of an absent record creates it.
    pub const UPDATE_CREATES: u64 = 1 << 10;
    /// An insert of an existing key replaces or merges.
    pub const INSERT_OVERWRITES: u64 = 1 << 11;
    /// An insert of an existing key is answered with DUPLICATE.
    pub const DETECTS_DUPLICATES: u64 = 1 << 12;
    /// Writes are not acknowledged.
    pub const UNACKNOWLEDGED_WRITES: u64 = 1 << 13;
    /// Reserved for client libraries that cannot be told not to buffer.
    pub const BUFFERS_WRITES: u64 = 1 << 16;
    /// Sessions share connections.
    pub const SHARED_CONNECTIONS: u64 = 1 << 17;
    /// An async operation may hold up a thread of the runtime.
    pub const MAY_BLOCK_RUNTIME: u64 = 1 << 18;
    /// Answers without a store behind it: no key probing, no rules about data.
    pub const KEEPS_NOTHING: u64 = 1 << 19;
}

/// A field of a record: its name and its value.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct Field<'a> {
    /// Name, UTF-8.
    pub name: RStr<'a>,
    /// Value, any bytes.
    pub value: RSlice<'a, u8>,
}

/// A record of an INSERT_BATCH.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct Row<'a> {
    /// Key, UTF-8.
    pub key: RStr<'a>,
    /// All fields of the record.
    pub fields: RSlice<'a, Field<'a>>,
}

/// One operation. Owned by the host, borrowed by the plugin from the call until it returns (in the pull
/// model: until the client's next step, or until its task is dropped).
#[repr(C)]
#[derive(StableAbi)]
pub struct Op<'a> {
    /// One of [`kind`].
    pub kind: u32,
    /// Bits of [`op_flag`].
    pub flags: u32,
    /// Table, UTF-8.
    pub table: RStr<'a>,
    /// Key, UTF-8; the first key of a SCAN.
    pub key: RStr<'a>,
    /// Values to write: UPDATE and INSERT.
    pub fields: RSlice<'a, Field<'a>>,
    /// Fields wanted by READ and SCAN; empty means all.
    pub select: RSlice<'a, RStr<'a>>,
    /// Records to write: INSERT_BATCH.
    pub rows: RSlice<'a, Row<'a>>,
    /// INSERT_BATCH: one status per row, filled with ERROR by the host before the call; null otherwise.
    pub row_status: *mut u32,
    /// SCAN: the largest number of rows wanted.
    pub limit: u64,
    /// Nanoseconds of CLOCK_MONOTONIC after which the answer is of no use; 0 means none.
    pub deadline_ns: u64,
    /// Where returned rows go. Never null.
    pub sink: &'a Sink<'a>,
    /// For kinds that are not invented yet.
    pub extra: RSlice<'a, u8>,
}

/// Values of [`Sink::wants`]. They never change what is asked of the database, only whether rows are handed
/// over afterwards.
pub mod wants {
    /// The host does not look at rows.
    pub const NONE: u32 = 0;
    /// The host wants every row and field.
    pub const VALUES: u32 = 1;
}

/// Where the rows of a READ or SCAN go.
#[repr(C)]
#[derive(StableAbi)]
pub struct Sink<'a> {
    /// Belongs to the host; passed back in every callback.
    pub ctx: Handle,
    /// One of [`wants`].
    pub wants: u32,
    /// Starts a row. The key may be empty if the store does not return it.
    pub row: extern "C" fn(Handle, RSlice<'_, u8>),
    /// A field of the row that was started last: name and value.
    pub field: extern "C" fn(Handle, RSlice<'_, u8>, RSlice<'_, u8>),
    /// Ties the sink to the operation it was passed with.
    pub lifetime: core::marker::PhantomData<&'a ()>,
}

/// Bits of [`Outcome::flags`].
pub mod outcome_flag {
    /// The operation had no effect and may be sent again.
    pub const RETRY_SAFE: u32 = 1 << 0;
}

/// Details of how something ended, in memory of the host.
///
/// `rows` is cleared by the host before every SCAN and INSERT_BATCH and always written by them. On a plain
/// OK nothing else is touched; the host clears what was touched.
#[repr(C)]
#[derive(StableAbi)]
pub struct Outcome {
    /// Bits of [`outcome_flag`].
    pub flags: u32,
    /// Number of bytes of `detail` in use. Larger values than its size are read as its size.
    pub detail_len: u32,
    /// Code of the driver or the server, 0 = none.
    pub backend_code: i64,
    /// Rows returned or written.
    pub rows: u64,
    /// Time reported by the server in nanoseconds, 0 = unknown.
    pub server_ns: u64,
    /// UTF-8 text, cut at a character boundary.
    pub detail: [u8; 240],
}

impl Outcome {
    /// An outcome that says nothing.
    pub const EMPTY: Outcome =
        Outcome { flags: 0, detail_len: 0, backend_code: 0, rows: 0, server_ns: 0, detail: [0; 240] };

    /// Writes a text into `detail`, cut at a character boundary.
    pub fn set_detail(&mut self, text: &str) {
        let mut end = text.len().min(self.detail.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.detail[..end].copy_from_slice(&text.as_bytes()[..end]);
        self.detail_len = end as u32;
    }

    /// The text in `detail`. Bytes that are not UTF-8 are replaced, a length beyond the buffer is cut.
    pub fn detail_text(&self) -> std::borrow::Cow<'_, str> {
        let end = (self.detail_len as usize).min(self.detail.len());
        String::from_utf8_lossy(&self.detail[..end])
    }

    /// Forgets everything but costs only what was touched.
    pub fn clear(&mut self) {
        self.flags = 0;
        self.detail_len = 0;
        self.backend_code = 0;
        self.rows = 0;
        self.server_ns = 0;
    }
}
