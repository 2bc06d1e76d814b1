//! Borrowed views of host memory that may travel between the threads of a plugin.

use crate::abi::abi_stable::std_types::{RSlice, RStr};
use crate::abi::{Field, Op, Row, Sink, bytes_of, kind, status, wants};

/// The elements of a slice from the host, where NULL with length 0 means empty.
#[inline]
pub(crate) fn slice_of<'a, T>(slice: RSlice<'a, T>) -> &'a [T] {
    if slice.is_empty() { &[] } else { slice.as_slice() }
}

/// An operation, read only.
#[derive(Clone, Copy)]
pub(crate) struct OpRef<'a>(&'a Op<'a>);

// SAFETY: nothing that `OpRef` gives out is mutable: its methods leave out `row_status`, and the sink goes
// through `SinkRef`. The host does not touch an operation before the client's next step, whichever threads
// of the plugin work on it until then.
unsafe impl Send for OpRef<'_> {}
// SAFETY: as above.
unsafe impl Sync for OpRef<'_> {}

impl<'a> OpRef<'a> {
    #[inline]
    pub(super) fn new(op: &'a Op<'a>) -> OpRef<'a> {
        OpRef(op)
    }

    #[inline]
    pub(crate) fn kind(self) -> u32 {
        self.0.kind
    }

    #[inline]
    pub(crate) fn table(self) -> &'a str {
        self.0.table.as_str()
    }

    #[inline]
    pub(crate) fn key(self) -> &'a str {
        self.0.key.as_str()
    }

    #[inline]
    pub(crate) fn fields(self) -> &'a [Field<'a>] {
        slice_of(self.0.fields)
    }

    #[inline]
    pub(crate) fn select(self) -> &'a [RStr<'a>] {
        slice_of(self.0.select)
    }

    #[inline]
    pub(crate) fn rows(self) -> &'a [Row<'a>] {
        slice_of(self.0.rows)
    }

    #[inline]
    pub(crate) fn limit(self) -> u64 {
        self.0.limit
    }

    #[inline]
    pub(crate) fn deadline_ns(self) -> u64 {
        self.0.deadline_ns
    }

    #[inline]
    pub(super) fn sink(self) -> SinkRef<'a> {
        SinkRef(self.0.sink)
    }

    /// The statuses of an INSERT_BATCH, as many as there are rows; empty if the host gave none.
    ///
    /// # Safety
    /// At most one may exist at a time for one operation.
    #[inline]
    pub(super) unsafe fn row_status(self) -> RowStatus<'a> {
        let pointer = self.0.row_status;
        if pointer.is_null() {
            return RowStatus(&mut []);
        }
        // SAFETY: by contract the pointer leads to one slot per row, which only the plugin touches until
        // the operation ends; the caller holds the only view.
        RowStatus(unsafe { core::slice::from_raw_parts_mut(pointer, self.rows().len()) })
    }

    /// Says how the rows ended that a panic or a deadline left untold.
    #[cold]
    pub(super) fn settle_rows(self, status: u32) {
        if self.kind() == kind::INSERT_BATCH {
            // SAFETY: the operation has ended, and with it the view that it had.
            unsafe { self.row_status() }.settle(status);
        }
    }
}

/// Marks a record of a batch whose end nobody has told yet.
pub(crate) const UNTOLD: u32 = status::NONE;

/// The statuses of the rows of a batch, in host memory.
pub(crate) struct RowStatus<'a>(pub(crate) &'a mut [u32]);

impl RowStatus<'_> {
    /// Gives all rows that are untold a status.
    pub(crate) fn settle(&mut self, status: u32) {
        self.0.iter_mut().filter(|slot| **slot == UNTOLD).for_each(|slot| *slot = status);
    }
}

/// Where rows go.
#[derive(Clone, Copy)]
pub(crate) struct SinkRef<'a>(&'a Sink<'a>);

// SAFETY: the host's callbacks may be called from any thread of the plugin that works on the operation, one
// at a time; `Rows` calls them through `&mut self`.
unsafe impl Send for SinkRef<'_> {}
// SAFETY: as above, a shared reference calls nothing.
unsafe impl Sync for SinkRef<'_> {}

impl SinkRef<'_> {
    #[inline]
    pub(crate) fn wants_values(self) -> bool {
        self.0.wants == wants::VALUES
    }

    pub(crate) fn row(self, key: &[u8]) {
        (self.0.row)(self.0.ctx, RSlice::from_slice(key));
    }

    pub(crate) fn field(self, name: &[u8], value: &[u8]) {
        (self.0.field)(self.0.ctx, RSlice::from_slice(name), RSlice::from_slice(value));
    }
}

/// Name and value of a field.
#[inline]
pub(crate) fn name_and_value<'a>(field: &'a Field<'a>) -> (&'a str, &'a [u8]) {
    (field.name.as_str(), bytes_of(field.value))
}
