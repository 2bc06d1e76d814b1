//! Counters that all clients share.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

/// Keeps what it holds on cache lines of its own (two, for the adjacent-line prefetcher).
#[derive(Debug, Default)]
#[repr(align(128))]
struct OwnLine<T>(T);

/// Hands out consecutive numbers.
#[derive(Debug)]
pub struct Counter {
    next: OwnLine<AtomicI64>,
}

impl Counter {
    /// The first number to hand out.
    pub fn new(first: i64) -> Self {
        Counter { next: OwnLine(AtomicI64::new(first)) }
    }

    /// The next number.
    #[inline]
    pub fn take(&self) -> i64 {
        self.next.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// Numbers that may be outstanding at once, counted from the oldest.
const WINDOW: usize = 1 << 20;
const WORDS: usize = WINDOW / 64;

/// Hands out consecutive numbers and knows up to which one all were acknowledged.
///
/// A window of flags follows the highest number below which nothing is outstanding. The number after it moves
/// this limit at once; others set a flag, and whoever gets hold of the advancing bit moves the limit over the
/// flags that are set. Nobody waits for it.
/// A number that is still outstanding when the 2^20th number after it is acknowledged (its operation hangs) is
/// taken as acknowledged; YCSB ends the process there.
#[derive(Debug)]
pub struct AcknowledgedCounter {
    next: Counter,
    /// Highest number up to which all are acknowledged.
    limit: OwnLine<AtomicI64>,
    advancing: OwnLine<AtomicBool>,
    /// One bit for each number from `limit + 1` to `limit + WINDOW`, at its number modulo the window.
    window: Box<[AtomicU64]>,
}

impl AcknowledgedCounter {
    /// The first number to hand out; all below count as acknowledged.
    pub fn new(first: i64) -> Self {
        AcknowledgedCounter {
            next: Counter::new(first),
            limit: OwnLine(AtomicI64::new(first - 1)),
            advancing: OwnLine(AtomicBool::new(false)),
            window: (0..WORDS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The next number.
    #[inline]
    pub fn take(&self) -> i64 {
        self.next.take()
    }

    /// The highest number up to which all are acknowledged.
    #[inline]
    pub fn acknowledged(&self) -> i64 {
        self.limit.0.load(Ordering::Acquire)
    }

    /// Marks a number that was handed out before.
    pub fn acknowledge(&self, number: i64) {
        // In order, as with few clients: no flag is needed.
        if self.pass(number) {
            return self.advance();
        }
        while number - self.limit.0.load(Ordering::SeqCst) > WINDOW as i64 {
            self.skip_one();
        }
        if number <= self.limit.0.load(Ordering::SeqCst) {
            return;
        }
        let (word, bit) = self.slot(number);
        word.fetch_or(1 << bit, Ordering::SeqCst);
        self.advance();
    }

    /// Moves the limit from the number before to this one, if it stands there.
    fn pass(&self, number: i64) -> bool {
        self.limit.0.compare_exchange(number - 1, number, Ordering::SeqCst, Ordering::Relaxed).is_ok()
    }

    /// Moves the limit over the flags that are set, unless another thread is at it. That one looks again after
    /// it let go, so no flag is left behind.
    fn advance(&self) {
        while self.is_set(self.limit.0.load(Ordering::SeqCst) + 1) {
            if self.advancing.0.swap(true, Ordering::SeqCst) {
                return;
            }
            self.pass_set_flags();
            self.advancing.0.store(false, Ordering::SeqCst);
        }
    }

    /// Only with the advancing bit. Nobody else moves the limit over a flag that is set.
    fn pass_set_flags(&self) {
        loop {
            let limit = self.limit.0.load(Ordering::SeqCst);
            let (word, bit) = self.slot(limit + 1);
            let count = (word.load(Ordering::SeqCst) >> bit).trailing_ones();
            if count == 0 {
                return;
            }
            // Flags are cleared before the limit moves: only then can their places be taken again.
            let mask = (u64::MAX >> (64 - count)) << bit;
            word.fetch_and(!mask, Ordering::SeqCst);
            self.limit.0.store(limit + i64::from(count), Ordering::SeqCst);
        }
    }

    /// Takes the number after the limit as acknowledged.
    fn skip_one(&self) {
        if self.advancing.0.swap(true, Ordering::SeqCst) {
            std::thread::yield_now();
            return;
        }
        let skipped = self.limit.0.load(Ordering::SeqCst) + 1;
        if !self.is_set(skipped) {
            self.pass(skipped);
        }
        self.pass_set_flags();
        self.advancing.0.store(false, Ordering::SeqCst);
    }

    fn is_set(&self, number: i64) -> bool {
        let (word, bit) = self.slot(number);
        word.load(Ordering::SeqCst) & (1 << bit) != 0
    }

    fn slot(&self, number: i64) -> (&AtomicU64, u32) {
        let slot = number.rem_euclid(WINDOW as i64) as usize;
        (&self.window[slot / 64], (slot % 64) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_passes_only_what_was_acknowledged() {
        let counter = AcknowledgedCounter::new(1000);
        assert_eq!(counter.acknowledged(), 999);
        let numbers: [i64; 5] = std::array::from_fn(|_| counter.take());
        assert_eq!(numbers, [1000, 1001, 1002, 1003, 1004]);
        counter.acknowledge(1001);
        counter.acknowledge(1002);
        assert_eq!(counter.acknowledged(), 999);
        counter.acknowledge(1000);
        assert_eq!(counter.acknowledged(), 1002);
        counter.acknowledge(1004);
        counter.acknowledge(1003);
        assert_eq!(counter.acknowledged(), 1004);
    }

    #[test]
    fn the_window_comes_round() {
        let counter = AcknowledgedCounter::new(-5);
        let last = 3 * WINDOW as i64;
        for _ in -5..=last {
            counter.acknowledge(counter.take());
        }
        assert_eq!(counter.acknowledged(), last);
    }

    #[test]
    fn a_number_that_is_never_acknowledged_is_passed_after_a_window() {
        let counter = AcknowledgedCounter::new(0);
        let lost = [counter.take(), counter.take()];
        let last = 2 + WINDOW as i64;
        (2..=last).for_each(|_| counter.acknowledge(counter.take()));
        assert_eq!(counter.acknowledged(), last);
        counter.acknowledge(lost[0]);
        assert_eq!(counter.acknowledged(), last);
    }

    #[test]
    fn no_flag_is_left_behind_by_many_threads() {
        let counter = AcknowledgedCounter::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..50_000).for_each(|_| counter.acknowledge(counter.take())));
            }
        });
        assert_eq!(counter.acknowledged(), 199_999);
    }
}
