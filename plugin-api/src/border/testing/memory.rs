//! The memory of an operation on the host's side.

use super::step::{Do, Ended, ReturnedRow};
use crate::abi::abi_stable::std_types::{RSlice, RStr};
use crate::abi::{Field, Handle, Op, Outcome, Row, Sink, Status, as_bytes, as_text, bytes_of, status, wants};
use std::marker::PhantomData;
use std::ptr::{NonNull, null, null_mut};

/// A step with all that its operation leads to. Everything in it is on the heap and stays where it is.
pub(super) struct Prepared {
    pub(super) what: &'static Do,
    pub(super) op: Box<Op<'static>>,
    pub(super) outcome: Box<Outcome>,
    row_status: Vec<u32>,
    rows: NonNull<Vec<ReturnedRow>>,
    sink: NonNull<Sink<'static>>,
}

// SAFETY: the raw pointers lead to memory that this struct owns.
unsafe impl Send for Prepared {}

impl Prepared {
    pub(super) fn new(what: Do, table: &'static str) -> Prepared {
        // Lasts as long as the test, and so do the slices that lead to it.
        let what: &'static Do = Box::leak(Box::new(what));
        let rows = NonNull::from(Box::leak(Box::<Vec<ReturnedRow>>::default()));
        let sink = NonNull::from(Box::leak(Box::new(Sink {
            ctx: Handle(rows.as_ptr().cast()),
            wants: if what.wants_rows { wants::VALUES } else { wants::NONE },
            row,
            field,
            lifetime: PhantomData,
        })));
        let mut row_status = vec![status::ERROR; what.rows.len()];
        let records = what
            .rows
            .iter()
            .map(|(key, fields)| Row { key: as_text(key), fields: list(what, fields_of(fields)) });
        let op = Box::new(Op {
            kind: what.kind,
            flags: 0,
            table: as_text(table),
            key: as_text(&what.key),
            fields: list(what, fields_of(&what.fields)),
            select: list(what, what.select.iter().map(|name| as_text(name)).collect::<Vec<RStr<'static>>>()),
            rows: list(what, records.collect()),
            row_status: if row_status.is_empty() { null_mut() } else { row_status.as_mut_ptr() },
            limit: what.limit,
            deadline_ns: 0,
            // SAFETY: freed when this struct is dropped, and with it the operation.
            sink: unsafe { sink.as_ref() },
            extra: list(what, Vec::new()),
        });
        Prepared { op, outcome: Box::new(Outcome::EMPTY), row_status, rows, sink, what }
    }

    /// Makes ready for another go.
    pub(super) fn reset(&mut self, deadline_ns: u64) {
        self.op.deadline_ns = deadline_ns;
        self.outcome.clear();
        self.row_status.fill(status::ERROR);
        // SAFETY: no operation runs, so that no callback has the rows.
        unsafe { self.rows.as_mut() }.clear();
    }

    pub(super) fn ended(&self, status: Status) -> Ended {
        Ended {
            status,
            detail: self.outcome.detail_text().into_owned(),
            backend_code: self.outcome.backend_code,
            flags: self.outcome.flags,
            row_count: self.outcome.rows,
            server_ns: self.outcome.server_ns,
            // SAFETY: the operation has ended, so that no callback has the rows.
            rows: unsafe { self.rows.as_ref() }.clone(),
            row_status: self.row_status.clone(),
            ..Ended::default()
        }
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // SAFETY: made from boxes in `new`, freed once, and nothing uses the operation any more.
        unsafe {
            drop(Box::from_raw(self.sink.as_ptr()));
            drop(Box::from_raw(self.rows.as_ptr()));
        }
    }
}

fn fields_of(fields: &'static [(String, Vec<u8>)]) -> Vec<Field<'static>> {
    fields.iter().map(|(name, value)| Field { name: as_text(name), value: as_bytes(value) }).collect()
}

/// A slice that lasts as long as the test.
fn list<T>(what: &Do, items: Vec<T>) -> RSlice<'static, T> {
    if items.is_empty() && what.null_slices {
        // SAFETY: a slice without elements is never read; that it may be NULL is what the flag tests.
        return unsafe { RSlice::from_raw_parts(null(), 0) };
    }
    RSlice::from_slice(items.leak())
}

/// # Safety
/// The handle is the `ctx` of a sink made by [`Prepared::new`], whose operation runs.
unsafe fn rows_of<'a>(ctx: Handle) -> &'a mut Vec<ReturnedRow> {
    // SAFETY: the caller's promise; callbacks of one operation are not concurrent.
    unsafe { &mut *ctx.0.cast::<Vec<ReturnedRow>>() }
}

extern "C" fn row(ctx: Handle, key: RSlice<'_, u8>) {
    // SAFETY: called by the plugin with the handle of its sink.
    unsafe { rows_of(ctx) }.push(ReturnedRow { key: bytes_of(key).to_vec(), fields: Vec::new() });
}

extern "C" fn field(ctx: Handle, name: RSlice<'_, u8>, value: RSlice<'_, u8>) {
    // SAFETY: called by the plugin with the handle of its sink.
    let rows = unsafe { rows_of(ctx) };
    if let Some(row) = rows.last_mut() {
        row.fields.push((bytes_of(name).to_vec(), bytes_of(value).to_vec()));
    }
}
