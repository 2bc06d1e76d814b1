//! Futures that end by a deadline, and futures whose panics end here.
//!
//! Both borrow the future: the future of a database driver may be kilobytes large, and every move copies all
//! of it.

use super::Alarm;
use crate::border::{Panicked, fence, monotonic_ns};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Waits for a future until it suspends past `deadline_ns` (0 = never); `None` if it did.
///
/// The deadline is looked at when the future suspends: one that ends late but without suspending has ended.
#[inline]
pub(crate) async fn until<F: Future>(
    mut future: Pin<&mut F>,
    deadline_ns: u64,
    alarm: &mut Alarm,
) -> Option<F::Output> {
    poll_fn(|context| {
        if let Poll::Ready(result) = future.as_mut().poll(context) {
            return Poll::Ready(Some(result));
        }
        if deadline_ns != 0 {
            let now_ns = monotonic_ns();
            if now_ns >= deadline_ns {
                return Poll::Ready(None);
            }
            alarm.wake_by(deadline_ns, now_ns, context.waker());
        }
        Poll::Pending
    })
    .await
}

/// Waits for a future; a panic of it ends here. After one, the future must not be used again.
pub(crate) async fn fenced<F: Future>(mut future: Pin<&mut F>) -> Result<F::Output, Panicked> {
    poll_fn(|context| match fence(|| future.as_mut().poll(context)) {
        Ok(poll) => poll.map(Ok),
        Err(panicked) => Poll::Ready(Err(panicked)),
    })
    .await
}
