//! The loop of one client of an async binding: asks the host for a step, does it, says how it ended.

use super::dispatch::dispatch;
use super::fence::fence;
use super::views::OpRef;
use crate::abi::{Handle, Op, Outcome, SessionArgs, Status, Step, status, step};
use crate::pull::{Alarm, Ended, LatchGuard, guarded};
use crate::{AsyncBinding, AsyncSession, Client};
use std::sync::Arc;
use tokio::task::yield_now;

/// The host's side of a client.
pub(super) type NextStep = extern "C" fn(Handle, Status) -> *const Step<'static>;

/// Asks the host for the next step of one client.
pub(super) struct Link {
    pub(super) next: NextStep,
    pub(super) client: Handle,
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
    #[inline]
    fn next<'a>(&'a mut self, status: Status) -> Turn<'a> {
        let step = (self.next)(self.client, status).cast::<Step<'a>>();
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
    pub(super) async fn work(mut self) {
        let mut status = status::NONE;
        loop {
            status = match self.link.next(status) {
                Turn::Run(op, outcome) => run(&mut self.session, op, outcome, &mut self.alarm).await,
                Turn::Open(args, outcome) => {
                    open(&*self.binding, &mut self.session, args, outcome, &mut self.alarm).await
                }
                Turn::Wait { until_ns } => {
                    self.alarm.until(until_ns).await;
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
        close(&mut self.session);
    }
}

#[inline]
async fn run<S: AsyncSession>(
    session: &mut Option<S>,
    op: OpRef<'_>,
    outcome: &mut Outcome,
    alarm: &mut Alarm,
) -> Status {
    let Some(open) = session else {
        outcome.set_detail("the client has no session: an earlier operation panicked, or none was opened");
        return status::PANIC;
    };
    match guarded(execute(open, op, outcome), op.deadline_ns(), alarm).await {
        Ended::Ready(status) => status,
        Ended::Late => {
            op.settle_rows(status::TIMEOUT);
            outcome.clear();
            outcome.set_detail("no answer by the deadline of the operation");
            status::TIMEOUT
        }
        Ended::Panicked(panicked) => {
            close(session);
            op.settle_rows(status::PANIC);
            panicked.record(outcome)
        }
    }
}

async fn execute<S: AsyncSession>(session: &mut S, op: OpRef<'_>, outcome: &mut Outcome) -> Status {
    dispatch!(session, op, outcome, .await)
}

async fn open<B: AsyncBinding>(
    binding: &B,
    session: &mut Option<B::Session>,
    args: &SessionArgs<'_>,
    outcome: &mut Outcome,
    alarm: &mut Alarm,
) -> Status {
    close(session);
    // The block puts the call itself, not only the future it returns, inside the fence.
    match guarded(async { binding.session(&Client(args)).await }, 0, alarm).await {
        Ended::Ready(Ok(made)) => {
            *session = Some(made);
            status::OK
        }
        Ended::Ready(Err(failure)) => failure.record(outcome),
        Ended::Late => status::TIMEOUT,
        Ended::Panicked(panicked) => panicked.record(outcome),
    }
}

fn close<S>(session: &mut Option<S>) {
    if let Some(session) = session.take() {
        let _ = fence(|| drop(session));
    }
}
