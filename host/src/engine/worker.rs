//! What a client needs of the thread that it runs on: its recorder, fairness, and waiting.

use super::control::Control;
use crate::base::clock::{Clock, HostClock};
use crate::base::os;
use crate::measure::{Recorder, RecorderSet};
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// No time: a wait for the start of the run.
pub const UNTIL_START_NS: u64 = u64::MAX;

/// The thread behind a client. Two kinds exist, and the client's code is compiled for each of them.
pub trait Worker: Send + 'static {
    /// Calls with the recorder of the thread that is running the client now.
    fn with_recorder<R>(&self, call: impl FnOnce(&Recorder) -> R) -> R;

    /// Whether this client has had so many turns in a row on this thread that others must have theirs.
    fn has_to_yield(&self, client: usize) -> bool;

    /// Longest wait after which the client looks again whether it has to stop, in nanoseconds.
    fn longest_wait_ns(&self) -> u64;

    /// Waits until a time or [`UNTIL_START_NS`], a stop or the start of the run.
    fn wait(&self, until_ns: u64);
}

/// A thread of the host that runs one client of a blocking binding.
#[derive(Debug)]
pub struct OwnThread {
    recorder: Recorder,
    clock: HostClock,
    control: Arc<Control>,
    spins: bool,
}

impl OwnThread {
    /// For the calling thread. `spins` burns processor time instead of sleeping (`spin.sleep`).
    pub fn new(recorders: &RecorderSet, control: Arc<Control>, spins: bool) -> Self {
        control.register_sleeper(std::thread::current());
        os::wake_this_thread_precisely();
        OwnThread { recorder: recorders.recorder(), clock: HostClock::new(), control, spins }
    }
}

impl Worker for OwnThread {
    #[inline]
    fn with_recorder<R>(&self, call: impl FnOnce(&Recorder) -> R) -> R {
        call(&self.recorder)
    }

    #[inline]
    fn has_to_yield(&self, _client: usize) -> bool {
        false
    }

    fn longest_wait_ns(&self) -> u64 {
        u64::MAX
    }

    fn wait(&self, until_ns: u64) {
        // Whoever waits without end waits for the start, which may have come since that was decided: then nobody
        // wakes this thread again.
        let was_started = until_ns != UNTIL_START_NS && self.control.started_ns().is_some();
        loop {
            let now_ns = self.clock.now_ns();
            if now_ns >= until_ns
                || self.control.is_stopping()
                || self.control.started_ns().is_some() != was_started
            {
                return;
            }
            let is_short = until_ns - now_ns <= SHORT_WAIT_NS;
            let permit = if is_short { SpinPermit::take(self.control.clients().len()) } else { None };
            if was_started && (self.spins || permit.is_some()) {
                while self.clock.now_ns() < until_ns && !self.control.is_stopping() {
                    std::hint::spin_loop();
                }
            } else if until_ns == UNTIL_START_NS {
                std::thread::park();
            } else {
                std::thread::park_timeout(Duration::from_nanos(until_ns - now_ns));
            }
        }
    }
}

/// A wait that is at most this long is spun: falling asleep and waking up takes as much processor time, and makes
/// the operation late besides.
const SHORT_WAIT_NS: u64 = 20_000;
/// Threads that spin at this moment.
static SPINNING: AtomicUsize = AtomicUsize::new(0);

/// Leave to spin through a short wait.
struct SpinPermit;

impl SpinPermit {
    /// For one of so many clients. Where they are more than there are processors, at most half of these are spun on:
    /// a thread that spins while another one waits for the processor makes that one late.
    fn take(clients: usize) -> Option<SpinPermit> {
        let processors = os::processors();
        let most = if clients <= processors { processors } else { processors / 2 };
        if SPINNING.fetch_add(1, Ordering::Relaxed) < most {
            return Some(SpinPermit);
        }
        SPINNING.fetch_sub(1, Ordering::Relaxed);
        None
    }
}

impl Drop for SpinPermit {
    fn drop(&mut self) {
        SPINNING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Turns in a row after which a client lets others run.
const TURNS_IN_A_ROW: u32 = 128;
/// How long a client of an async binding waits before it looks for a stop again. Nobody can wake it.
const LONGEST_PULL_WAIT_NS: u64 = 100_000_000;

static NEXT_EPOCH: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// The recorder of this thread, and the set that it belongs to.
    static RECORDER: RefCell<Option<(u64, Recorder)>> = const { RefCell::new(None) };
    /// The client that had the last turn on this thread, and how many in a row.
    static STREAK: Cell<(usize, u32)> = const { Cell::new((usize::MAX, 0)) };
}

/// A thread of an async binding's runtime: several clients, any of them at any time.
#[derive(Clone, Debug)]
pub struct PulledThread {
    recorders: Arc<RecorderSet>,
    epoch: u64,
}

impl PulledThread {
    /// For all clients of one phase.
    pub fn new(recorders: Arc<RecorderSet>) -> Self {
        PulledThread { recorders, epoch: NEXT_EPOCH.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Worker for PulledThread {
    #[inline]
    fn with_recorder<R>(&self, call: impl FnOnce(&Recorder) -> R) -> R {
        RECORDER.with_borrow_mut(|slot| match slot {
            Some((epoch, recorder)) if *epoch == self.epoch => call(recorder),
            _ => call(&slot.insert((self.epoch, self.recorders.recorder())).1),
        })
    }

    #[inline]
    fn has_to_yield(&self, client: usize) -> bool {
        let (last, turns) = STREAK.get();
        let turns = if last == client { turns + 1 } else { 1 };
        let too_many = turns >= TURNS_IN_A_ROW;
        STREAK.set((client, if too_many { 0 } else { turns }));
        too_many
    }

    fn longest_wait_ns(&self) -> u64 {
        LONGEST_PULL_WAIT_NS
    }

    /// The plugin's timer does the waiting.
    fn wait(&self, _until_ns: u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{MeasurePlan, StatusTable};

    #[test]
    fn a_wait_for_a_start_that_has_come_meanwhile_ends_at_once() {
        let control = Arc::new(Control::new(1, 0));
        let recorders = RecorderSet::new(&MeasurePlan::default(), StatusTable::default());
        let worker = OwnThread::new(&recorders, Arc::clone(&control), false);
        control.client_opened(&HostClock::new(), |_| {});
        // The start woke this thread once: a second wait shows that it does not count on that.
        worker.wait(UNTIL_START_NS);
        worker.wait(UNTIL_START_NS);
    }
}
