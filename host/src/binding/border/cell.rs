//! One client as a plugin sees it: a handle, and behind it the state machine and the buffers that steps and
//! operations point into.

use std::panic::{AssertUnwindSafe, catch_unwind};
use ycsb_plugin_abi::abi_stable::std_types::{RSlice, RStr};
use ycsb_plugin_abi::{
    Field, Handle, Op, Outcome, Row, SessionArgs, Sink, Status, Step, as_text, bytes_of, kind, status, step,
    wants,
};

/// What a client does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Open the session, or open it again.
    Open,
    /// Execute the operation that [`Turns::fill`] describes.
    Run,
    /// Wait until this time (CLOCK_MONOTONIC, nanoseconds).
    Wait(u64),
    /// Let other clients run.
    Yield,
    /// Nothing more.
    Stop,
}

/// How the last turn ended.
pub struct Ended<'a> {
    /// `status::NONE` if nothing ended.
    pub status: Status,
    /// Details.
    pub outcome: &'a Outcome,
    /// INSERT_BATCH: one status per row.
    pub row_status: &'a [Status],
}

/// The state machine of a client, written without any knowledge of how it is called.
///
/// `Data` is what operations borrow from: it is not touched between [`fill`](Turns::fill) and the following
/// [`next`](Turns::next), while `self` receives rows in between.
pub trait Turns: Send + 'static {
    /// Buffers that operations borrow from.
    type Data: Send + 'static;

    /// Ends the last turn and decides on the next.
    fn next(&mut self, data: &mut Self::Data, ended: Ended<'_>) -> Turn;

    /// Describes the operation of a [`Turn::Run`].
    fn fill<'a>(data: &'a Self::Data, op: &mut OpBuilder<'_, 'a>);

    /// The operation is about to be handed over: the last thing that happens before.
    fn sent(&mut self);

    /// A row of the operation in flight begins.
    fn row(&mut self, key: &[u8]);

    /// A field of the row that began last.
    fn field(&mut self, name: &[u8], value: &[u8]);

    /// Waits until a time. Blocking bindings only.
    fn wait(&mut self, until_ns: u64);

    /// The state machine itself panicked; the run has to end.
    fn broken(&mut self, message: &str);
}

/// A client: its state machine, what operations borrow from, and the structs at the border.
pub struct ClientCell<T: Turns> {
    turns: T,
    data: T::Data,
    slot: Slot,
}

/// The structs at the border. Their lifetimes are written as `'static` and hold for one operation.
pub(super) struct Slot {
    pub(super) step: Step<'static>,
    pub(super) op: Op<'static>,
    pub(super) outcome: Outcome,
    session: Box<SessionArgs<'static>>,
    fields: Vec<Field<'static>>,
    select: Vec<RStr<'static>>,
    rows: Vec<Row<'static>>,
    row_starts: Vec<(RStr<'static>, usize)>,
    row_status: Vec<Status>,
    sink: [&'static Sink<'static>; 2],
}

// SAFETY: the pointers inside point into the cell itself or to leaked memory; one thread at a time uses it.
unsafe impl<T: Turns> Send for ClientCell<T> {}

impl<T: Turns> ClientCell<T> {
    /// A client that has not begun. `table` and `fields` are shared by all clients of a run.
    pub fn new(
        turns: T,
        data: T::Data,
        index: u64,
        count: u64,
        table: &'static str,
        fields: &'static [RStr<'static>],
    ) -> Box<Self> {
        let session = SessionArgs { index, count, table: as_text(table), fields: RSlice::from_slice(fields) };
        let slot = Slot {
            step: Step {
                kind: step::STOP,
                until_ns: 0,
                session: std::ptr::null(),
                op: std::ptr::null(),
                outcome: std::ptr::null_mut(),
            },
            op: Op {
                kind: kind::END,
                flags: 0,
                table: as_text(table),
                key: as_text(""),
                fields: RSlice::EMPTY,
                select: RSlice::EMPTY,
                rows: RSlice::EMPTY,
                row_status: std::ptr::null_mut(),
                limit: 0,
                deadline_ns: 0,
                sink: &NO_SINK.0,
                extra: RSlice::EMPTY,
            },
            outcome: Outcome::EMPTY,
            session: Box::new(session),
            fields: Vec::new(),
            select: Vec::new(),
            rows: Vec::new(),
            row_starts: Vec::new(),
            row_status: Vec::new(),
            sink: [&NO_SINK.0; 2],
        };
        Box::new(ClientCell { turns, data, slot })
    }

    /// The state machine.
    pub fn turns(&self) -> &T {
        &self.turns
    }
}

struct SyncSink(Sink<'static>);
// SAFETY: it holds no context and its functions do nothing.
unsafe impl Sync for SyncSink {}
static NO_SINK: SyncSink = SyncSink(Sink {
    ctx: Handle::NULL,
    wants: wants::NONE,
    row: ignore_row,
    field: ignore_field,
    lifetime: std::marker::PhantomData,
});

extern "C" fn ignore_row(_: Handle, _: RSlice<'_, u8>) {}
extern "C" fn ignore_field(_: Handle, _: RSlice<'_, u8>, _: RSlice<'_, u8>) {}

/// Gives a cell its final address. Its two sinks are leaked with it: a stuck call may still hold them.
pub(super) fn into_raw<T: Turns>(cell: Box<ClientCell<T>>) -> *mut ClientCell<T> {
    let raw = Box::into_raw(cell);
    let sink = |wants| {
        let sink = Sink {
            ctx: Handle(raw.cast()),
            wants,
            row: take_row::<T>,
            field: take_field::<T>,
            lifetime: std::marker::PhantomData,
        };
        &*Box::leak(Box::new(sink))
    };
    // SAFETY: `raw` was just made from a box and nobody else has it.
    unsafe { (*raw).slot.sink = [sink(wants::NONE), sink(wants::VALUES)] };
    raw
}

/// Takes a cell back.
///
/// # Safety
/// `raw` came from [`into_raw`] and no call into a plugin can see it any more.
pub(super) unsafe fn from_raw<T: Turns>(raw: *mut ClientCell<T>) -> Box<ClientCell<T>> {
    // SAFETY: by the caller's promise.
    unsafe { Box::from_raw(raw) }
}

/// The state machine behind a raw cell.
///
/// # Safety
/// `raw` came from [`into_raw`]; nobody else uses the state machine during the borrow.
pub(super) unsafe fn turns<'a, T: Turns>(raw: *mut ClientCell<T>) -> &'a mut T {
    // SAFETY: by the caller's promise.
    unsafe { &mut (*raw).turns }
}

/// Ends the client's last turn, decides on the next and prepares it.
///
/// # Safety
/// `raw` came from [`into_raw`], no operation of it is in flight, and nobody else uses it during the call.
#[inline]
pub(super) unsafe fn advance<'a, T: Turns>(raw: *mut ClientCell<T>, status: Status) -> &'a mut Slot {
    // SAFETY: by the caller's promise.
    let cell = unsafe { &mut *raw };
    let attempt = catch_unwind(AssertUnwindSafe(|| step_on(cell, status)));
    if let Err(payload) = attempt {
        let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        // A payload's destructor may panic itself.
        std::mem::forget(payload);
        let _ = catch_unwind(AssertUnwindSafe(|| cell.turns.broken(&text)));
        cell.slot.step.kind = step::STOP;
    }
    &mut cell.slot
}

#[inline]
fn step_on<T: Turns>(cell: &mut ClientCell<T>, status: Status) {
    let ClientCell { turns, data, slot } = cell;
    let ended = Ended { status, outcome: &slot.outcome, row_status: &slot.row_status };
    let turn = turns.next(data, ended);
    slot.outcome.clear();
    slot.step.outcome = &mut slot.outcome;
    match turn {
        Turn::Run => {
            slot.prepare::<T>(data);
            slot.step.kind = step::RUN;
            turns.sent();
        }
        Turn::Wait(until_ns) => {
            slot.step.kind = step::WAIT;
            slot.step.until_ns = until_ns;
        }
        Turn::Yield => slot.step.kind = step::YIELD,
        Turn::Open => {
            slot.step.kind = step::OPEN;
            slot.step.session = &raw const *slot.session;
        }
        Turn::Stop => slot.step.kind = step::STOP,
    }
}

impl Slot {
    #[inline]
    fn prepare<T: Turns>(&mut self, data: &T::Data) {
        self.fields.clear();
        self.select.clear();
        self.row_starts.clear();
        self.op.limit = 0;
        self.op.sink = self.sink[0];
        let mut builder = OpBuilder { slot: self, borrowed: std::marker::PhantomData };
        // SAFETY of the lifetimes that the builder extends: `data` lives in the same cell and is not touched
        // before the operation has ended (see `Turns`).
        T::fill(data, &mut builder);
        self.op.fields = extend_slice(&self.fields);
        self.op.select = extend_slice(&self.select);
        self.step.op = &self.op;
        if self.row_starts.is_empty() {
            self.op.rows = RSlice::EMPTY;
            self.op.row_status = std::ptr::null_mut();
        } else {
            self.prepare_rows();
        }
    }

    /// Says of every row of the batch that it was written.
    #[inline]
    pub(super) fn accept_rows(&mut self) {
        self.row_status.fill(status::OK);
    }

    #[cold]
    fn prepare_rows(&mut self) {
        self.rows.clear();
        for (row, (key, start)) in self.row_starts.iter().enumerate() {
            let end = self.row_starts.get(row + 1).map_or(self.fields.len(), |next| next.1);
            self.rows.push(Row { key: *key, fields: extend_slice(&self.fields[*start..end]) });
        }
        self.row_status.clear();
        self.row_status.resize(self.rows.len(), status::ERROR);
        self.op.fields = RSlice::EMPTY;
        self.op.rows = extend_slice(&self.rows);
        self.op.row_status = self.row_status.as_mut_ptr();
    }
}

fn extend_slice<T>(slice: &[T]) -> RSlice<'static, T> {
    // SAFETY: the slice is a buffer of the cell, which stays where it is and unchanged until the operation
    // has ended.
    unsafe { RSlice::from_raw_parts(slice.as_ptr(), slice.len()) }
}

fn extend_text(text: &str) -> RStr<'static> {
    // SAFETY: as in `extend_slice`; the bytes were UTF-8 already.
    unsafe { RStr::from_raw_parts(text.as_ptr(), text.len()) }
}

/// Writes one operation. What it is given has to live in the client's data (`'a`).
pub struct OpBuilder<'s, 'a> {
    slot: &'s mut Slot,
    borrowed: std::marker::PhantomData<&'a ()>,
}

impl<'a> OpBuilder<'_, 'a> {
    /// Sets the operation kind, the key and the deadline (0 = none).
    #[inline]
    pub fn begin(&mut self, kind: u32, key: &'a str, deadline_ns: u64) {
        self.slot.op.kind = kind;
        self.slot.op.key = extend_text(key);
        self.slot.op.deadline_ns = deadline_ns;
    }

    /// Names another table than that of the run. Only for clients that name one for every operation.
    pub fn table(&mut self, table: &'a str) {
        self.slot.op.table = extend_text(table);
    }

    /// Adds a field to write; after [`row`](Self::row) it belongs to that row.
    #[inline]
    pub fn field(&mut self, name: &'a str, value: &'a [u8]) {
        self.slot.fields.push(Field { name: extend_text(name), value: extend_slice(value) });
    }

    /// Adds a wanted field. Without any, all fields are wanted.
    #[inline]
    pub fn select(&mut self, name: &'a str) {
        self.slot.select.push(extend_text(name));
    }

    /// Begins a row of a batch.
    pub fn row(&mut self, key: &'a str) {
        let start = self.slot.fields.len();
        self.slot.row_starts.push((extend_text(key), start));
    }

    /// Sets the number of rows that a scan wants.
    pub fn limit(&mut self, rows: u64) {
        self.slot.op.limit = rows;
    }

    /// Asks for rows to be handed over.
    pub fn want_values(&mut self) {
        self.slot.op.sink = self.slot.sink[1];
    }
}

/// The function that an async plugin calls.
pub(super) extern "C" fn next<T: Turns>(client: Handle, status: Status) -> *const Step<'static> {
    // SAFETY: the handle is one of those given to `run`; the plugin calls with it from the task that runs
    // this client, after the operation of the last step has ended.
    &unsafe { advance(client.0.cast::<ClientCell<T>>(), status) }.step
}

extern "C" fn take_row<T: Turns>(client: Handle, key: RSlice<'_, u8>) {
    into_turns::<T>(client, |turns| turns.row(bytes_of(key)));
}

extern "C" fn take_field<T: Turns>(client: Handle, name: RSlice<'_, u8>, value: RSlice<'_, u8>) {
    into_turns::<T>(client, |turns| turns.field(bytes_of(name), bytes_of(value)));
}

fn into_turns<T: Turns>(client: Handle, call: impl FnOnce(&mut T)) {
    // SAFETY: the context of a sink is the cell that it was made for; a plugin calls it during an operation
    // of that client and not concurrently, and the state machine is not borrowed by anything in flight.
    let turns = unsafe { turns(client.0.cast::<ClientCell<T>>()) };
    if catch_unwind(AssertUnwindSafe(|| call(turns))).is_err() {
        let _ = catch_unwind(AssertUnwindSafe(|| turns.broken("a row could not be taken")));
    }
}
