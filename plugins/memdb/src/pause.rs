//! Waiting, in both flavours.

use crate::script::Pause;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use ycsb_plugin_api::{Deadline, Failure};

/// Lets blocked calls end when the host wants the run to end.
#[derive(Default)]
pub(crate) struct Interrupt {
    raised: Mutex<bool>,
    changed: Condvar,
}

impl Interrupt {
    /// Ends every pause but those that block for ever.
    pub(crate) fn raise(&self) {
        *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits on the calling thread.
    pub(crate) fn wait(&self, pause: Pause, deadline: Deadline) -> Result<(), Failure> {
        let time = match pause {
            Pause::None => return Ok(()),
            Pause::Blocked => loop {
                thread::park();
            },
            Pause::Suspended => None,
            Pause::For(time) => Some(time),
        };
        let (bound, late) = bounded(time, deadline);
        if self.raised_within(bound) {
            return Err(Failure::unavailable("interrupted by the end of the run"));
        }
        late
    }

    /// Whether the interrupt comes within a time, or at all.
    fn raised_within(&self, time: Option<Duration>) -> bool {
        let end = time.map(|time| Instant::now() + time);
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        while !*raised {
            raised = match end.map(|end| end.saturating_duration_since(Instant::now())) {
                None => self.changed.wait(raised).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return false,
                Some(left) => {
                    self.changed.wait_timeout(raised, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        true
    }
}

/// Waits as a task.
pub(crate) async fn suspend(pause: Pause, deadline: Deadline) -> Result<(), Failure> {
    let time = match pause {
        Pause::None => return Ok(()),
        Pause::Blocked => loop {
            thread::park();
        },
        Pause::Suspended => return std::future::pending().await,
        Pause::For(time) => time,
    };
    let (bound, late) = bounded(Some(time), deadline);
    tokio::time::sleep(bound.unwrap_or(time)).await;
    late
}

/// The time until a pause or the deadline ends, and how the call fails if it is the deadline. A call that
/// hangs does not know of deadlines.
fn bounded(time: Option<Duration>, deadline: Deadline) -> (Option<Duration>, Result<(), Failure>) {
    match (time, deadline.time_left()) {
        (Some(time), Some(left)) if left < time => {
            (Some(left), Err(Failure::timeout("the scripted delay is longer than the deadline")))
        }
        (time, _) => (time, Ok(())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_api::abi::status;

    #[test]
    fn an_interrupt_ends_a_call_that_hangs() {
        let interrupt = Interrupt::default();
        let ended = thread::scope(|scope| {
            let call = scope.spawn(|| interrupt.wait(Pause::Suspended, Deadline::at_ns(0)));
            interrupt.raise();
            call.join().unwrap()
        });
        assert_eq!(ended.unwrap_err().status(), status::SERVICE_UNAVAILABLE);
    }

    #[test]
    fn a_delay_beyond_the_deadline_is_a_time_out_at_the_deadline() {
        let interrupt = Interrupt::default();
        let hour = Pause::For(Duration::from_secs(3600));
        let ended = interrupt.wait(hour, Deadline::at_ns(1)).unwrap_err();
        assert_eq!(ended.status(), status::TIMEOUT);
    }
}
