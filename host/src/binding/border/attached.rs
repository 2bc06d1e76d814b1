//! A client of a blocking binding between two of its turns.

use super::cell::{self, ClientCell, Turns};
use ycsb_plugin_abi::{Blocking, Handle, Status, status, step};

/// A client of a blocking binding, with its session. Between two turns it may go on in another thread.
///
/// One that is dropped without [`detach`](super::Binding::detach) is left behind with its session.
pub struct AttachedClient<T: Turns> {
    raw: *mut ClientCell<T>,
    session: Handle,
    status: Status,
}

// SAFETY: the cell may be sent; the contract lets a session be used from any thread, one call at a time,
// which the exclusive reference of a turn guarantees.
unsafe impl<T: Turns> Send for AttachedClient<T> {}

impl<T: Turns> AttachedClient<T> {
    /// A client without a session.
    pub fn new(cell: Box<ClientCell<T>>) -> Self {
        AttachedClient { raw: cell::into_raw(cell), session: Handle::NULL, status: status::NONE }
    }

    /// The state machine.
    pub fn turns(&self) -> &T {
        // SAFETY: nothing is in flight between two turns, and a turn borrows the client exclusively.
        unsafe { cell::turns(self.raw) }
    }

    #[inline(always)]
    pub(super) fn turn(&mut self, table: &Blocking, binding: Handle) -> bool {
        // SAFETY: `raw` came from a box that nobody else has; no operation is in flight, because `execute`
        // and `session` returned.
        let slot = unsafe { cell::advance(self.raw, self.status) };
        self.status = match slot.step.kind {
            step::OPEN => {
                release(table, &mut self.session);
                // SAFETY: the step points to arguments inside the cell, which outlives the call.
                let args = unsafe { &*slot.step.session };
                (table.session)(binding, args, &mut self.session, &mut slot.outcome)
            }
            step::RUN => (table.execute)(self.session, &slot.op, &mut slot.outcome),
            step::WAIT => {
                let until_ns = slot.step.until_ns;
                // SAFETY: as above; the wait borrows the turns alone.
                unsafe { cell::turns(self.raw) }.wait(until_ns);
                status::NONE
            }
            step::YIELD => status::NONE,
            _ => return false,
        };
        true
    }

    pub(super) fn detach(mut self, table: &Blocking) -> Box<ClientCell<T>> {
        release(table, &mut self.session);
        // SAFETY: `raw` came from `into_raw` and no call can see it any more.
        unsafe { cell::from_raw(self.raw) }
    }
}

fn release(table: &Blocking, session: &mut Handle) {
    if !session.is_null() {
        (table.release)(*session);
        *session = Handle::NULL;
    }
}
