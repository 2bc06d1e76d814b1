//! Waiting until every task has ended, however it ended.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Counts its guards; [`wait`](Latch::wait) returns when none is left.
#[derive(Default)]
pub(crate) struct Latch {
    guards: Mutex<usize>,
    none_left: Condvar,
}

impl Latch {
    pub(crate) fn guard(self: &Arc<Latch>) -> LatchGuard {
        *self.guards.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        LatchGuard(Arc::clone(self))
    }

    pub(crate) fn wait(&self) {
        let guards = self.guards.lock().unwrap_or_else(PoisonError::into_inner);
        let _none = self.none_left.wait_while(guards, |guards| *guards > 0);
    }
}

/// Holds a [`Latch`] up until it is dropped, by the end of a task, its abortion or a panic.
pub(crate) struct LatchGuard(Arc<Latch>);

impl Drop for LatchGuard {
    fn drop(&mut self) {
        let mut guards = self.0.guards.lock().unwrap_or_else(PoisonError::into_inner);
        *guards -= 1;
        if *guards == 0 {
            self.0.none_left.notify_all();
        }
    }
}
