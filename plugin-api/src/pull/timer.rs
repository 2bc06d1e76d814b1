//! A timer that is about 50 microseconds late, where the runtime's own is a wheel of milliseconds.
//!
//! One thread with a timer slack of a nanosecond sleeps until the first alarm and wakes what is due. Setting
//! an alarm takes a lock that is held for a few steps in a heap, and a system call only if the new alarm is
//! the first of all.

use super::alarm_heap::AlarmHeap;
use crate::border::{monotonic_ns, precise_sleeps};
use std::future::poll_fn;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// How many tasks are woken between two looks at the lock.
const WAKE_BATCH: usize = 256;

/// The timer of a binding. Its thread ends when it is dropped.
pub(crate) struct Timer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    alarms: AlarmHeap,
    wakers: Vec<Option<Waker>>,
    /// When the thread looks again by itself; `u64::MAX` if it waits for a change.
    looks_at_ns: u64,
    ended: bool,
}

impl Timer {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub(crate) fn start() -> io::Result<Timer> {
        let shared = Arc::new(Shared::default());
        let thread = Builder::new().name("ycsb-timer".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || shared.wake_what_is_due()
        })?;
        Ok(Timer { shared, thread: Some(thread) })
    }

    /// Makes room for slots `0..slots`, so that alarms allocate nothing.
    pub(crate) fn reserve(&self, slots: usize) {
        let mut state = self.shared.lock();
        state.alarms.reserve(slots);
        if slots > state.wakers.len() {
            state.wakers.resize(slots, None);
        }
    }

    /// The alarm of a slot for which there is room. One at a time per slot.
    pub(crate) fn alarm(&self, slot: usize) -> Alarm {
        Alarm { shared: Arc::clone(&self.shared), slot: slot as u32, set_to_ns: 0, waker: None }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // The thread runs nothing that could block or panic.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake_what_is_due(&self) {
        precise_sleeps();
        let mut due: Vec<Waker> = Vec::with_capacity(WAKE_BATCH);
        let mut state = self.lock();
        while !state.ended {
            let now_ns = monotonic_ns();
            while due.len() < WAKE_BATCH
                && let Some(slot) = state.alarms.pop_due(now_ns)
            {
                due.extend(state.wakers[slot as usize].take());
            }
            if !due.is_empty() {
                // Nobody has to notify: this thread looks again before it sleeps.
                state.looks_at_ns = 0;
                drop(state);
                due.drain(..).for_each(Waker::wake);
                state = self.lock();
                continue;
            }
            let first_ns = state.alarms.first_ns();
            state.looks_at_ns = first_ns.unwrap_or(u64::MAX);
            state = match first_ns {
                Some(first_ns) => {
                    let wait = Duration::from_nanos(first_ns.saturating_sub(now_ns));
                    self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn set(&self, slot: u32, at_ns: u64, waker: &Waker) {
        let mut state = self.lock();
        state.alarms.set(slot, at_ns);
        let place = &mut state.wakers[slot as usize];
        if !place.as_ref().is_some_and(|known| known.will_wake(waker)) {
            *place = Some(waker.clone());
        }
        if at_ns < state.looks_at_ns {
            state.looks_at_ns = at_ns;
            drop(state);
            self.changed.notify_one();
        }
    }

    fn clear(&self, slot: u32) -> Option<Waker> {
        let mut state = self.lock();
        state.alarms.remove(slot);
        state.wakers[slot as usize].take()
    }
}

/// The alarm of one task.
pub(crate) struct Alarm {
    shared: Arc<Shared>,
    slot: u32,
    /// What the timer knows, which may be past.
    set_to_ns: u64,
    /// Whom the timer wakes.
    waker: Option<Waker>,
}

impl Alarm {
    /// Makes sure that the task is woken at `at_ns` or before.
    ///
    /// An alarm that is set for an earlier time stays: the task looks at the clock when it is woken, and
    /// operations with deadlines of seconds would otherwise each visit the timer.
    pub(crate) fn wake_by(&mut self, at_ns: u64, now_ns: u64, waker: &Waker) {
        let pending = self.set_to_ns > now_ns && self.set_to_ns <= at_ns;
        if pending && self.waker.as_ref().is_some_and(|known| known.will_wake(waker)) {
            return;
        }
        if !self.waker.as_ref().is_some_and(|known| known.will_wake(waker)) {
            self.waker = Some(waker.clone());
        }
        self.set_to_ns = at_ns;
        self.shared.set(self.slot, at_ns, waker);
    }

    /// Waits until `at_ns` of CLOCK_MONOTONIC.
    pub(crate) async fn until(&mut self, at_ns: u64) {
        poll_fn(|context| {
            let now_ns = monotonic_ns();
            if now_ns >= at_ns {
                return Poll::Ready(());
            }
            self.wake_by(at_ns, now_ns, context.waker());
            Poll::Pending
        })
        .await;
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if self.waker.is_some() {
            // Dropped after the lock is free.
            let _waker = self.shared.clear(self.slot);
        }
    }
}
