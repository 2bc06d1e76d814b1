//! `voltdb.ratelimit`: a session sends no more than so many transactions per second.

use std::thread;
use std::time::{Duration, Instant};
use ycsb_plugin_api::{Deadline, Failure};
use ycsb_plugin_common::Interrupt;

/// How long a wait lasts before it looks whether the run has ended.
const LOOK_AROUND: Duration = Duration::from_millis(100);

/// Spaces the transactions of a session evenly. The wait belongs to the operation, as in YCSB.
pub(crate) struct RateLimit {
    interval: Duration,
    due: Instant,
    interrupt: Interrupt,
}

impl RateLimit {
    /// `now` is when the first transaction may be sent.
    pub(crate) fn new(per_sec: u32, now: Instant, interrupt: Interrupt) -> RateLimit {
        RateLimit { interval: Duration::from_secs(1) / per_sec.max(1), due: now, interrupt }
    }

    /// Takes the next place and returns when it is due.
    fn next(&mut self, now: Instant) -> Instant {
        let due = self.due.max(now);
        self.due = due + self.interval;
        due
    }

    /// Waits for the next place.
    ///
    /// # Errors
    /// TIMEOUT if the deadline or the end of the run comes first.
    pub(crate) fn wait(&mut self, deadline: Deadline) -> Result<(), Failure> {
        let due = self.next(Instant::now());
        loop {
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            let until_deadline = deadline.time_left().unwrap_or(Duration::MAX);
            if until_deadline.is_zero() || self.interrupt.is_raised() {
                return Err(Failure::timeout("voltdb.ratelimit held the operation back beyond its deadline"));
            }
            thread::sleep(left.min(until_deadline).min(LOOK_AROUND));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_spaced_evenly_and_lost_time_is_not_made_up() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut limit = RateLimit::new(100, start, Interrupt::default());
        assert_eq!([limit.next(at(0)), limit.next(at(0)), limit.next(at(0))], [at(0), at(10), at(20)]);
        assert_eq!([limit.next(at(500)), limit.next(at(500))], [at(500), at(510)]);
    }
}
