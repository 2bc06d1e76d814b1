//! Who waits for the next arrival of an open loop.
//!
//! If every free client of a blocking binding took an arrival of its own and slept until then, an open loop at a high
//! rate would wake a thread per arrival, and the wake-ups themselves would make arrivals late. So one free client
//! keeps a lookout for the next arrival, and the others rest until it leaves with one.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The place of the one client that waits for the next arrival.
#[derive(Debug, Default)]
pub(super) struct Lookout {
    taken: AtomicBool,
    resting: AtomicU32,
    /// A resting client has been called and is not there yet: nobody else need be called.
    called: Mutex<bool>,
    call: Condvar,
}

impl Lookout {
    /// Takes the place, once it is free. Returns whether the calling thread had to rest before.
    pub(super) fn take(&self) -> bool {
        if self.try_take() {
            return false;
        }
        let mut called = self.lock();
        // Counted before the last look: whoever leaves after it sees that somebody rests.
        self.resting.fetch_add(1, Ordering::SeqCst);
        while !self.try_take() {
            called = self.call.wait(called).unwrap_or_else(PoisonError::into_inner);
            *called = false;
        }
        self.resting.fetch_sub(1, Ordering::SeqCst);
        true
    }

    /// Leaves the place, and calls one client that rests.
    pub(super) fn leave(&self) {
        self.taken.store(false, Ordering::SeqCst);
        if self.resting.load(Ordering::SeqCst) == 0 {
            return;
        }
        let mut called = self.lock();
        // Counted under the lock: nobody is called who is no longer there to hear it.
        if !*called && self.resting.load(Ordering::SeqCst) != 0 {
            *called = true;
            drop(called);
            self.call.notify_one();
        }
    }

    fn try_take(&self) -> bool {
        self.taken.compare_exchange(false, true, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.called.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn one_client_at_a_time_is_there_and_none_rests_for_ever() {
        let (lookout, inside, turns) =
            (Arc::<Lookout>::default(), Arc::<AtomicU64>::default(), Arc::<AtomicU64>::default());
        let clients: Vec<_> = (0..8)
            .map(|_| {
                let (lookout, inside, turns) =
                    (Arc::clone(&lookout), Arc::clone(&inside), Arc::clone(&turns));
                std::thread::spawn(move || {
                    for _ in 0..5_000 {
                        lookout.take();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        turns.fetch_add(1, Ordering::Relaxed);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        lookout.leave();
                    }
                })
            })
            .collect();
        for client in clients {
            client.join().unwrap();
        }
        assert_eq!(turns.load(Ordering::Relaxed), 40_000);
        assert!(!lookout.take(), "the place is free at the end");
    }
}
