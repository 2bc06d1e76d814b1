//! A future that ends by its deadline and whose panics end here.

use super::Alarm;
use crate::border::{Panicked, fence, monotonic_ns};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

/// How a guarded future ended.
pub(crate) enum Ended<R> {
    /// By itself.
    Ready(R),
    /// It was dropped at the deadline.
    Late,
    /// It panicked, or its destructor did.
    Panicked(Panicked),
}

/// Runs a future until it ends, panics or suspends past `deadline_ns` (0 = none).
///
/// The deadline is looked at when the future suspends: one that ends late but without suspending has ended.
#[inline]
pub(crate) async fn guarded<F: Future>(future: F, deadline_ns: u64, alarm: &mut Alarm) -> Ended<F::Output> {
    let mut slot = pin!(Some(future));
    let ended = poll_fn(|context| {
        let Some(future) = slot.as_mut().as_pin_mut() else { return Poll::Pending };
        match fence(|| future.poll(context)) {
            Ok(Poll::Ready(result)) => return Poll::Ready(Ended::Ready(result)),
            Err(panicked) => return Poll::Ready(Ended::Panicked(panicked)),
            Ok(Poll::Pending) => {}
        }
        if deadline_ns != 0 {
            let now_ns = monotonic_ns();
            if now_ns >= deadline_ns {
                return Poll::Ready(Ended::Late);
            }
            alarm.wake_by(deadline_ns, now_ns, context.waker());
        }
        Poll::Pending
    })
    .await;
    match fence(|| slot.set(None)) {
        Ok(()) => ended,
        Err(panicked) => Ended::Panicked(panicked),
    }
}
