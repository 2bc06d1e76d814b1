//! The loop of one client of an async binding: asks the host for a step, does it, says how it ended.

use super::dispatch::dispatch;
use super::fence::{Panicked, fence_and_log};
use super::views::OpRef;
use crate::abi::{Handle, Op, Outcome, SessionArgs, Status, Step, status, step};
use crate::pull::{Alarm, LatchGuard, fenced, until};
use crate::{AsyncBinding, AsyncSession, Client};
use std::pin::pin;
use std::ptr::null;
use std::sync::Arc;
use tokio::task::yield_now;

/// The host's side of a client.
pub(super) type NextStep = extern "C" fn(Handle, Status) -> *const Step<'static>;

/// Asks the host for the next step of one client.
pub(super) struct Link {
    next: NextStep,
    client: Handle,
    /// The step that was handed out last.
    step: *const Step<'static>,
}

// SAFETY: by contract `next` may be called from any thread of the plugin, one call at a time for a client;
// a `Link` is not shared, and `Link::next` takes `&mut self`.
unsafe impl Send for Link {}

/// A step of the host, borrowed until the next one is asked for.
enum Turn<'a> {
    Open(&'a SessionArgs<'a>, &'a mut Outcome),
    Run(OpRef<'a>, &'a mut Outcome),
    Wait { until_ns: u64 },
    Yield,
    Stop,
    Unknown,
}

impl Link {
    pub(super) fn new(next: NextStep, client: Handle) -> Link {
        Link { next, client, step: null() }
    }

    #[inline]
    fn next<'a>(&'a mut self, status: Status) -> Turn<'a> {
        self.step = (self.next)(self.client, status);
        let step = self.step.cast::<Step<'a>>();
        // SAFETY: the host keeps the step, and all that it leads to, alive and unchanged until `next` is
        // called again or the task is gone; `'a` is a borrow of `self`, so that neither happens during it.
        let Some(step) = (unsafe { step.as_ref() }) else { return Turn::Stop };
        match step.kind {
            step::RUN => {
                // SAFETY: as above; a RUN step has both, and nobody else writes the outcome meanwhile.
                let (op, outcome): (&'a Op<'a>, _) = unsafe { (&*step.op, &mut *step.outcome) };
                Turn::Run(OpRef::new(op), outcome)
            }
            step::OPEN => {
                // SAFETY: as above; an OPEN step has both.
                let (session, outcome) = unsafe { (&*step.session, &mut *step.outcome) };
                Turn::Open(session, outcome)
            }
            step::WAIT => Turn::Wait { until_ns: step.until_ns },
            step::YIELD => Turn::Yield,
            step::STOP => Turn::Stop,
            _ => Turn::Unknown,
        }
    }

    /// Says in the outcome of the step that its operation was dropped at its deadline.
    #[cold]
    fn late(&mut self) -> Status {
        self.end_step(status::TIMEOUT, |outcome| {
            outcome.clear();
            outcome.set_detail("no answer by the deadline of the operation");
        })
    }

    /// Says in the outcome of the step what panicked.
    #[cold]
    fn panicked(&mut self, panicked: Panicked) -> Status {
        self.end_step(status::PANIC, |outcome| {
            panicked.record(outcome);
        })
    }

    fn end_step(&mut self, status: Status, tell: impl FnOnce(&mut Outcome)) -> Status {
        // SAFETY: as in `next`, which handed out borrows of `self` that have ended by now.
        if let Some(step) = unsafe { self.step.as_ref() } {
            if step.kind == step::RUN {
                // SAFETY: as above; a RUN step has an operation.
                OpRef::new(unsafe { &*step.op }).settle_rows(status);
            }
            // SAFETY: as above.
            if let Some(outcome) = unsafe { step.outcome.as_mut() } {
                tell(outcome);
            }
        }
        status
    }
}

/// All that the task of a client owns. The guard is the last to go: when it is gone, so is the rest.
pub(super) struct ClientTask<B: AsyncBinding> {
    pub(super) session: Option<B::Session>,
    pub(super) alarm: Alarm,
    pub(super) binding: Arc<B>,
    pub(super) link: Link,
    #[expect(dead_code, reason = "held to be dropped")]
    pub(super) guard: LatchGuard,
}

impl<B: AsyncBinding> ClientTask<B> {
    /// Does what the host says until it says STOP.
    ///
    /// The fence is around every stretch of work between two suspensions, so that an operation costs
    /// nothing extra. A panic ends the step it came from, and the session; the work begins anew.
    pub(super) async fn run(mut self) {
        let mut status = status::NONE;
        loop {
            let ended = {
                let ClientTask { session, alarm, binding, link, .. } = &mut self;
                fenced(pin!(work(&**binding, session, alarm, link, status))).await
            };
            close(&mut self.session);
            match ended {
                Ok(()) => break,
                Err(panicked) => status = self.link.panicked(panicked),
            }
        }
    }
}

async fn work<B: AsyncBinding>(
    binding: &B,
    session: &mut Option<B::Session>,
    alarm: &mut Alarm,
    link: &mut Link,
    mut status: Status,
) {
    loop {
        status = match link.next(status) {
            Turn::Run(op, outcome) => match session {
                Some(session) => {
                    // In a block, so that a late operation is dropped before its end is told.
                    let ended = {
                        let future = pin!(execute(session, op, outcome));
                        until(future, op.deadline_ns(), alarm).await
                    };
                    ended.unwrap_or_else(|| link.late())
                }
                None => no_session(outcome),
            },
            Turn::Open(args, outcome) => {
                close(session);
                match pin!(binding.session(&Client(args))).await {
                    Ok(made) => {
                        *session = Some(made);
                        status::OK
                    }
                    Err(failure) => failure.record(outcome),
                }
            }
            Turn::Wait { until_ns } => {
                alarm.until(until_ns).await;
                status::NONE
            }
            Turn::Yield => {
                yield_now().await;
                status::NONE
            }
            Turn::Unknown => status::NOT_IMPLEMENTED,
            Turn::Stop => break,
        };
    }
}

async fn execute<S: AsyncSession>(session: &mut S, op: OpRef<'_>, outcome: &mut Outcome) -> Status {
    macro_rules! wait {
        ($call:expr) => {
            pin!($call).await
        };
    }
    dispatch!(session, op, outcome, wait)
}

#[cold]
fn no_session(outcome: &mut Outcome) -> Status {
    outcome.set_detail("the client has no session: an earlier operation panicked, or none was opened");
    status::PANIC
}

fn close<S>(session: &mut Option<S>) {
    if let Some(session) = session.take() {
        fence_and_log(|| drop(session));
    }
}
