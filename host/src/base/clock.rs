//! Time points: nanoseconds of CLOCK_MONOTONIC.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Something that tells nanoseconds of CLOCK_MONOTONIC, or of a scripted clock in tests.
pub trait Clock: Send + Sync {
    /// Now, in nanoseconds.
    fn now_ns(&self) -> u64;
}

/// A clock that stands still until it is moved: schedules, deadlines and verdicts are tested with it.
#[derive(Clone, Debug, Default)]
pub struct FakeClock {
    now_ns: Arc<AtomicU64>,
}

impl FakeClock {
    /// A clock that shows `now_ns`. Clones show and move the same time.
    pub fn at(now_ns: u64) -> Self {
        FakeClock { now_ns: Arc::new(AtomicU64::new(now_ns)) }
    }

    /// Moves the clock on.
    pub fn advance_ns(&self, by_ns: u64) {
        self.now_ns.fetch_add(by_ns, Ordering::Relaxed);
    }

    /// Sets the clock.
    pub fn set_ns(&self, now_ns: u64) {
        self.now_ns.store(now_ns, Ordering::Relaxed);
    }
}

impl Clock for FakeClock {
    fn now_ns(&self) -> u64 {
        self.now_ns.load(Ordering::Relaxed)
    }
}
