//! Taking time: never beyond the deadline of the operation, and not when the run has to end.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use ycsb_plugin_api::{Deadline, Failure};

/// Where all clients of a binding take their time.
#[derive(Default)]
pub(crate) struct Delays {
    state: Mutex<State>,
    /// For those who take time.
    interrupted: Condvar,
    /// For those who wait for others.
    free: Condvar,
}

#[derive(Default)]
struct State {
    interrupted: bool,
    together: usize,
    alone: bool,
}

impl Delays {
    /// Ends all delays, those to come too.
    pub(crate) fn interrupt(&self) {
        self.state().interrupted = true;
        self.interrupted.notify_all();
        self.free.notify_all();
    }

    /// Takes some time, whatever the others do.
    pub(crate) fn take(&self, time: Duration, deadline: Deadline) -> Result<(), Failure> {
        let (end, late) = end_of(time, deadline);
        self.pass(self.state(), end)?;
        late
    }

    /// Takes some time while nobody is taking time alone.
    pub(crate) fn take_together(&self, time: Duration, deadline: Deadline) -> Result<(), Failure> {
        let mut state = self.wait_until(deadline, |state| !state.alone)?;
        state.together += 1;
        let (end, late) = end_of(time, deadline);
        let passed = self.pass(state, end);
        let mut state = self.state();
        state.together -= 1;
        if state.together == 0 {
            self.free.notify_all();
        }
        passed.and(late)
    }

    /// Takes some time while nobody else does.
    pub(crate) fn take_alone(&self, time: Duration, deadline: Deadline) -> Result<(), Failure> {
        let mut state = self.wait_until(deadline, |state| !state.alone)?;
        state.alone = true;
        drop(state);
        let passed = self.wait_until(deadline, |state| state.together == 0).and_then(|state| {
            let (end, late) = end_of(time, deadline);
            self.pass(state, end).and(late)
        });
        self.state().alone = false;
        self.free.notify_all();
        passed
    }

    fn pass(&self, mut state: MutexGuard<'_, State>, end: Instant) -> Result<(), Failure> {
        loop {
            if state.interrupted {
                return Err(Failure::unavailable("interrupted by the end of the run"));
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            let woken = self.interrupted.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn wait_until(
        &self,
        deadline: Deadline,
        free: impl Fn(&State) -> bool,
    ) -> Result<MutexGuard<'_, State>, Failure> {
        let mut state = self.state();
        while !free(&state) && !state.interrupted {
            state = match deadline.time_left() {
                None => self.free.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return Err(too_late()),
                Some(left) => self.free.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
        Ok(state)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When a delay that begins now ends, and how the operation ends if that is its deadline.
fn end_of(time: Duration, deadline: Deadline) -> (Instant, Result<(), Failure>) {
    let now = Instant::now();
    match deadline.time_left() {
        Some(left) if left < time => (now + left, Err(too_late())),
        _ => (now + time, Ok(())),
    }
}

fn too_late() -> Failure {
    Failure::timeout("the simulated delay is longer than the deadline")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use ycsb_plugin_api::abi::status;

    const HOUR: Duration = Duration::from_secs(3600);
    const NONE: Deadline = Deadline::at_ns(0);
    const LONG_AGO: Deadline = Deadline::at_ns(1);

    #[test]
    fn a_delay_beyond_the_deadline_is_a_time_out_at_the_deadline() {
        let delays = Delays::default();
        for ended in [
            delays.take(HOUR, LONG_AGO),
            delays.take_together(HOUR, LONG_AGO),
            delays.take_alone(HOUR, LONG_AGO),
        ] {
            assert_eq!(ended.unwrap_err().status(), status::TIMEOUT);
        }
    }

    #[test]
    fn an_interrupt_ends_delays_and_waits() {
        let delays = Delays::default();
        thread::scope(|scope| {
            let takes = [
                scope.spawn(|| delays.take(HOUR, NONE)),
                scope.spawn(|| delays.take_together(HOUR, NONE)),
                scope.spawn(|| delays.take_alone(HOUR, NONE)),
            ];
            delays.interrupt();
            for take in takes {
                assert_eq!(take.join().unwrap().unwrap_err().status(), status::SERVICE_UNAVAILABLE);
            }
        });
    }

    #[test]
    fn while_one_takes_time_alone_the_others_wait() {
        let delays = Delays::default();
        thread::scope(|scope| {
            scope.spawn(|| delays.take_alone(HOUR, NONE));
            while !delays.state().alone {
                thread::yield_now();
            }
            let together = delays.take_together(Duration::ZERO, LONG_AGO).unwrap_err();
            assert_eq!(together.status(), status::TIMEOUT);
            delays.interrupt();
        });
    }

    #[test]
    fn afterwards_everybody_gets_on() {
        let delays = Delays::default();
        delays.take_alone(Duration::from_micros(1), NONE).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        delays.take_together(Duration::from_micros(1), NONE).unwrap();
                        delays.take_alone(Duration::from_micros(1), NONE).unwrap();
                    }
                });
            }
        });
        let state = delays.state();
        assert!(!state.alone && state.together == 0);
    }
}
