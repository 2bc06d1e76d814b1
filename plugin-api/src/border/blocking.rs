//! The table of a blocking binding.

use super::dispatch::dispatch;
use super::fence::{fence, fence_and_log};
use super::library::{BindingHead, Opening};
use super::views::OpRef;
use crate::abi::{self, Blocking, Handle, Op, Outcome, SessionArgs, Status, status};
use crate::{Binding, Client, Env, Failure, Session, Settings};

#[repr(C)]
struct OpenBinding<B> {
    head: BindingHead,
    binding: B,
}

struct OpenSession<S> {
    session: S,
    /// After a panic the session may be in any state: it is only released any more.
    dead: bool,
}

trait Table {
    const TABLE: Blocking;
}

impl<B: Binding> Table for B {
    const TABLE: Blocking = Blocking {
        session: session::<B>,
        execute: execute::<B::Session>,
        release: release::<B::Session>,
        interrupt: interrupt::<B>,
    };
}

pub(super) fn open<B: Binding>(
    settings: &Settings<'_>,
    env: &Env<'_>,
    opened: &mut abi::Opened,
) -> Result<Opening, Failure> {
    let crate::Opened { binding, detail, capabilities } = B::open(settings, env)?;
    let binding = Box::new(OpenBinding { head: BindingHead { close: close::<B> }, binding });
    opened.binding = Handle(Box::into_raw(binding).cast());
    opened.blocking = Some(const { &B::TABLE });
    Ok(Opening { detail, capabilities })
}

/// # Safety
/// The handle was made by [`open`] for the same `B` and is not used again.
unsafe fn close<B: Binding>(handle: Handle) {
    // SAFETY: the caller's promise.
    let open = unsafe { Box::from_raw(handle.0.cast::<OpenBinding<B>>()) };
    open.binding.close();
}

/// # Safety
/// The handle was made by [`open`] for the same `B` and is not closed during `'a`.
unsafe fn binding_of<'a, B: Binding>(handle: Handle) -> &'a B {
    // SAFETY: the caller's promise.
    unsafe { &(*handle.0.cast::<OpenBinding<B>>()).binding }
}

extern "C" fn session<B: Binding>(
    binding: Handle,
    args: &SessionArgs<'_>,
    session: &mut Handle,
    outcome: &mut Outcome,
) -> Status {
    *session = Handle::NULL;
    // SAFETY: the host passes a handle that it got with this table and has not closed.
    let binding = unsafe { binding_of::<B>(binding) };
    match fence(|| binding.session(&Client(args))) {
        Ok(Ok(made)) => {
            let made = Box::new(OpenSession { session: made, dead: false });
            *session = Handle(Box::into_raw(made).cast());
            status::OK
        }
        Ok(Err(failure)) => failure.record(outcome),
        Err(panicked) => panicked.record(outcome),
    }
}

extern "C" fn execute<S: Session>(session: Handle, op: &Op<'_>, outcome: &mut Outcome) -> Status {
    // SAFETY: the host passes a handle that `session` of the same table made, has not released it, and makes
    // one call at a time with it.
    let open = unsafe { &mut *session.0.cast::<OpenSession<S>>() };
    if open.dead {
        return dead(outcome);
    }
    let op = OpRef::new(op);
    match fence(|| execute_with(&mut open.session, op, outcome)) {
        Ok(status) => status,
        Err(panicked) => {
            open.dead = true;
            op.settle_rows(status::PANIC);
            panicked.record(outcome)
        }
    }
}

#[cold]
fn dead(outcome: &mut Outcome) -> Status {
    outcome.set_detail("an earlier operation of this session panicked; open a new one");
    status::PANIC
}

#[inline]
fn execute_with<S: Session>(session: &mut S, op: OpRef<'_>, outcome: &mut Outcome) -> Status {
    macro_rules! returned {
        ($call:expr) => {
            $call
        };
    }
    dispatch!(session, op, outcome, returned)
}

extern "C" fn release<S: Session>(session: Handle) {
    if session.is_null() {
        return;
    }
    // SAFETY: the host passes a handle that `session` of the same table made, and passes it once.
    let open = unsafe { Box::from_raw(session.0.cast::<OpenSession<S>>()) };
    fence_and_log(|| drop(open));
}

extern "C" fn interrupt<B: Binding>(binding: Handle) {
    // SAFETY: the host passes a handle that it got with this table and has not closed.
    let binding = unsafe { binding_of::<B>(binding) };
    fence_and_log(|| binding.interrupt());
}
