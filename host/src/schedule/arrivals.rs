//! Arrivals that all clients share: an open loop.

use super::{Pacing, Process};
use crate::base::rng::StreamRng;
use std::sync::Mutex;

/// The stream of the seed's random numbers that arrivals are drawn from; clients use small numbers.
const RNG_STREAM: u64 = u64::MAX;

/// The arrivals of an open loop, each of which is given to one client. Order is shared by definition, hence
/// the lock; it is held for a few nanoseconds.
#[derive(Debug)]
pub struct SharedArrivals {
    process: Process,
    interval_ns: f64,
    next: Mutex<NextArrival>,
}

#[derive(Debug)]
struct NextArrival {
    start_ns: u64,
    offset_ns: f64,
    rng: StreamRng,
}

impl SharedArrivals {
    /// Arrivals at the pace of `pacing`; [`start`](Self::start) sets their zero.
    pub fn new(pacing: &Pacing, seed: u64) -> Self {
        let next = NextArrival { start_ns: 0, offset_ns: 0.0, rng: StreamRng::new(seed, RNG_STREAM) };
        SharedArrivals { process: pacing.process, interval_ns: pacing.interval_ns(), next: Mutex::new(next) }
    }

    /// Sets the time of the first arrival (even) or of the start of the process (Poisson).
    pub fn start(&self, start_ns: u64) {
        let mut next = self.lock();
        next.start_ns = start_ns;
        if self.process == Process::Poisson {
            next.offset_ns = exponential(&mut next.rng, self.interval_ns);
        }
    }

    /// Takes the next arrival; `not_before_ns` leaves out and counts those before it.
    pub(super) fn take(&self, not_before_ns: u64) -> (u64, u64) {
        let mut next = self.lock();
        let mut dropped = 0;
        loop {
            let due_ns = next.start_ns + next.offset_ns as u64;
            next.offset_ns += match self.process {
                Process::Even => self.interval_ns,
                Process::Poisson => exponential(&mut next.rng, self.interval_ns),
            };
            if due_ns >= not_before_ns {
                return (due_ns, dropped);
            }
            dropped += 1;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, NextArrival> {
        self.next.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// An exponentially distributed distance.
pub(super) fn exponential(rng: &mut StreamRng, mean_ns: f64) -> f64 {
    -mean_ns * (1.0 - rng.next_f64()).ln()
}
