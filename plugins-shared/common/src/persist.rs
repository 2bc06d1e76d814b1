//! Connecting anew in the middle of a run.

use crate::Interrupt;
use std::thread;
use std::time::{Duration, Instant};
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::{Deadline, Failure};

const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// For how long, and with which pauses, attempts are repeated while the server is down or starting.
///
/// A server that restarts would otherwise be met with thousands of refused operations in the second that it
/// needs, and a load would be through before it is back. The wait belongs to the operation that makes it.
pub struct Patience {
    limit: Duration,
    began: Instant,
    pause: Duration,
}

impl Patience {
    /// For attempts that begin now and are repeated until the limit.
    pub fn until(limit: Duration) -> Patience {
        Patience { limit, began: Instant::now(), pause: FIRST_PAUSE }
    }

    /// How long to wait before the next attempt.
    ///
    /// # Errors
    /// The failure, if waiting cannot mend it or has gone on for long enough.
    pub fn pause_after(&mut self, failure: Failure) -> Result<Duration, Failure> {
        let may_pass = matches!(failure.status(), status::SERVICE_UNAVAILABLE | status::OVERLOADED);
        if !may_pass || self.began.elapsed() + self.pause >= self.limit {
            return Err(failure);
        }
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST_PAUSE);
        Ok(pause)
    }
}

/// Repeats an attempt while the server is down or starting, until `limit` or the deadline has passed; the calling
/// thread sleeps in between.
///
/// # Errors
/// How the last attempt failed.
pub fn persist<T>(
    limit: Duration,
    deadline: Deadline,
    interrupt: &Interrupt,
    mut attempt: impl FnMut() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut patience = Patience::until(deadline.time_left().map_or(limit, |left| left.min(limit)));
    loop {
        match attempt() {
            Ok(made) => return Ok(made),
            Err(failure) if interrupt.is_raised() => return Err(failure),
            Err(failure) => thread::sleep(patience.pause_after(failure)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_DEADLINE: Deadline = Deadline::at_ns(0);

    #[test]
    fn a_server_that_comes_back_is_met() {
        let mut attempts = 0;
        let made = persist(Duration::from_secs(60), NO_DEADLINE, &Interrupt::default(), || {
            attempts += 1;
            if attempts < 3 { Err(Failure::unavailable("refused")) } else { Ok(attempts) }
        });
        assert_eq!(made.ok(), Some(3));
    }

    #[test]
    fn what_waiting_cannot_mend_fails_at_once() {
        let mut attempts = 0;
        let made: Result<(), _> = persist(Duration::MAX, NO_DEADLINE, &Interrupt::default(), || {
            attempts += 1;
            Err(Failure::forbidden("wrong password"))
        });
        assert_eq!((made.unwrap_err().status(), attempts), (status::FORBIDDEN, 1));
    }

    #[test]
    fn an_interrupt_and_a_limit_end_the_attempts() {
        let interrupt = Interrupt::default();
        interrupt.raise();
        let refused = || Err::<(), _>(Failure::unavailable("refused"));
        assert!(persist(Duration::MAX, NO_DEADLINE, &interrupt, refused).is_err());
        assert!(persist(Duration::ZERO, NO_DEADLINE, &Interrupt::default(), refused).is_err());
    }
}
