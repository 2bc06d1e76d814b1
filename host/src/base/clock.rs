//! Time points: nanoseconds of CLOCK_MONOTONIC, read from the processor's counter where that is reliable.

use super::os;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};

/// Something that tells nanoseconds of CLOCK_MONOTONIC, or of a scripted clock in tests.
pub trait Clock: Send + Sync + 'static {
    /// Now, in nanoseconds.
    fn now_ns(&self) -> u64;
}

/// The clock of the host: the processor's time stamp counter, tied to CLOCK_MONOTONIC.
///
/// A read costs about 11 ns where `clock_gettime` costs 25. [`HostClock::anchor`], called once a second,
/// ties the counter to the kernel's clock again without ever going back. If the two disagree by more than
/// the counter's rate explains, every later read asks the kernel.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostClock;

/// Disagreement between counter and kernel over one anchoring period above which the counter counts as
/// unreliable: 500 parts per million is more than any crystal or frequency correction explains.
const TOLERATED_PPM: u64 = 500;
/// Disagreement that is always tolerated: the two clocks are read one after the other, and the thread may be
/// taken off the processor in between.
const TOLERATED_NS: u64 = 200_000;
/// Ticks and nanoseconds are related by a fixed-point number with this many fraction bits.
const FRACTION_BITS: u32 = 32;

struct Anchor {
    counter: quanta::Clock,
    by_kernel: AtomicBool,
    sequence: AtomicU64,
    ticks: AtomicU64,
    ns: AtomicU64,
    ns_per_tick: AtomicU64,
    first_ticks: u64,
    first_ns: u64,
}

static ANCHOR: OnceLock<Anchor> = OnceLock::new();

impl Anchor {
    fn new() -> Self {
        let counter = quanta::Clock::new();
        let (first_ticks, first_ns) = read_both(&counter);
        let anchor = Anchor {
            counter,
            by_kernel: AtomicBool::new(false),
            sequence: AtomicU64::new(0),
            ticks: AtomicU64::new(first_ticks),
            ns: AtomicU64::new(first_ns),
            ns_per_tick: AtomicU64::new(0),
            first_ticks,
            first_ns,
        };
        // The crate has measured the rate of the counter; a long span gives it with all its digits, and the first
        // anchoring improves on that.
        let span: u64 = 1 << 30;
        let span_ns = anchor.counter.delta_as_nanos(0, span);
        anchor.ns_per_tick.store(ratio(span_ns, span), Ordering::Relaxed);
        anchor
    }

    #[inline]
    fn now_ns(&self) -> u64 {
        if self.by_kernel.load(Ordering::Relaxed) {
            return os::monotonic_ns();
        }
        loop {
            let before = self.sequence.load(Ordering::Acquire);
            let ticks = self.ticks.load(Ordering::Relaxed);
            let ns = self.ns.load(Ordering::Relaxed);
            let ns_per_tick = self.ns_per_tick.load(Ordering::Relaxed);
            let now = self.counter.raw();
            fence(Ordering::Acquire);
            if before & 1 == 0 && self.sequence.load(Ordering::Relaxed) == before {
                return ns + scale(now.saturating_sub(ticks), ns_per_tick);
            }
            std::hint::spin_loop();
        }
    }

    fn publish(&self, ticks: u64, ns: u64, ns_per_tick: u64) {
        let before = self.sequence.load(Ordering::Relaxed);
        self.sequence.store(before + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        self.ticks.store(ticks, Ordering::Relaxed);
        self.ns.store(ns, Ordering::Relaxed);
        self.ns_per_tick.store(ns_per_tick, Ordering::Relaxed);
        self.sequence.store(before + 2, Ordering::Release);
    }
}

/// How a re-anchoring went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchored {
    /// The counter was off by this many nanoseconds, which later reads make up for gradually.
    Corrected {
        /// Counter minus kernel, in nanoseconds.
        off_by_ns: i64,
    },
    /// The counter disagreed with the kernel: from now on every read asks the kernel.
    Unreliable {
        /// Counter minus kernel, in nanoseconds.
        off_by_ns: i64,
    },
    /// The kernel is asked anyway.
    ByKernel,
}

impl HostClock {
    /// The clock; the first call measures the counter's rate, which takes about a millisecond.
    pub fn new() -> Self {
        ANCHOR.get_or_init(Anchor::new);
        HostClock
    }

    /// Ties the counter to the kernel's clock again. To be called about once a second, by one thread.
    pub fn anchor(&self) -> Anchored {
        let anchor = ANCHOR.get_or_init(Anchor::new);
        if anchor.by_kernel.load(Ordering::Relaxed) {
            return Anchored::ByKernel;
        }
        let (ticks, kernel_ns) = read_both(&anchor.counter);
        let old_ticks = anchor.ticks.load(Ordering::Relaxed);
        let old_ns = anchor.ns.load(Ordering::Relaxed);
        let shown_ns =
            old_ns + scale(ticks.saturating_sub(old_ticks), anchor.ns_per_tick.load(Ordering::Relaxed));
        let off_by_ns = shown_ns as i64 - kernel_ns as i64;
        let period_ns = kernel_ns.saturating_sub(old_ns);
        if off_by_ns.unsigned_abs() > TOLERATED_NS + period_ns / 1_000_000 * TOLERATED_PPM {
            anchor.by_kernel.store(true, Ordering::Relaxed);
            return Anchored::Unreliable { off_by_ns };
        }
        // The rate over the whole life so far, bent so that what is off is made up for within the next
        // second: shown time never jumps and never goes back.
        let rate = ratio(kernel_ns - anchor.first_ns, (ticks - anchor.first_ticks).max(1));
        let bend = (rate as i128 * i128::from(off_by_ns) / 1_000_000_000) as i64;
        anchor.publish(ticks, shown_ns, rate.saturating_add_signed(-bend));
        Anchored::Corrected { off_by_ns }
    }

    /// Which source is read, for reports.
    pub fn source(&self) -> &'static str {
        match ANCHOR.get() {
            Some(anchor) if !anchor.by_kernel.load(Ordering::Relaxed) => "processor counter",
            _ => "CLOCK_MONOTONIC",
        }
    }
}

impl Clock for HostClock {
    #[inline]
    fn now_ns(&self) -> u64 {
        ANCHOR.get_or_init(Anchor::new).now_ns()
    }
}

fn ratio(ns: u64, ticks: u64) -> u64 {
    ((u128::from(ns) << FRACTION_BITS) / u128::from(ticks)) as u64
}

#[inline]
fn scale(ticks: u64, ns_per_tick: u64) -> u64 {
    ((u128::from(ticks) * u128::from(ns_per_tick)) >> FRACTION_BITS) as u64
}

/// Reads both clocks as close together as possible: the best of five.
fn read_both(counter: &quanta::Clock) -> (u64, u64) {
    let mut best = (u64::MAX, 0, 0);
    for _ in 0..5 {
        let before = counter.raw();
        let ns = os::monotonic_ns();
        let after = counter.raw();
        let width = after.saturating_sub(before);
        if width < best.0 {
            best = (width, before + width / 2, ns);
        }
    }
    (best.1, best.2)
}

/// A clock that stands still until it is moved: schedules, deadlines and verdicts are tested with it.
#[derive(Clone, Debug, Default)]
pub struct FakeClock {
    now_ns: Arc<AtomicU64>,
    step_ns: u64,
}

impl FakeClock {
    /// A clock that shows `now_ns`. Clones show and move the same time.
    pub fn at(now_ns: u64) -> Self {
        FakeClock { now_ns: Arc::new(AtomicU64::new(now_ns)), step_ns: 0 }
    }

    /// A clock that every read moves on by `step_ns`, as reading takes time.
    pub fn stepping(now_ns: u64, step_ns: u64) -> Self {
        FakeClock { now_ns: Arc::new(AtomicU64::new(now_ns)), step_ns }
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
        self.now_ns.fetch_add(self.step_ns, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_shows_the_kernels_time_and_never_goes_back() {
        let clock = HostClock::new();
        let mut last = clock.now_ns();
        for round in 0..2_000_000 {
            if round % 100_000 == 0 {
                clock.anchor();
            }
            let now = clock.now_ns();
            assert!(now >= last);
            last = now;
        }
        let (shown, kernel) = (clock.now_ns(), os::monotonic_ns());
        // The thread may be taken off the processor between the two reads; a second is beyond that.
        assert!(shown.abs_diff(kernel) < 1_000_000_000, "{shown} {kernel}");
    }

    #[test]
    fn scaling_is_exact_over_a_century() {
        let rate = ratio(1_000_000_000, 2_000_000_000);
        assert_eq!(scale(2 * 3_600_000_000_000_000_000, rate), 3_600_000_000_000_000_000);
    }
}
