//! Records that a run inserts: which come next, and which of them can be read.

use crate::generator::AcknowledgedCounter;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits in which failed inserts are remembered.
const FAILED_BITS: u64 = 1 << 20;

/// Places of new records, shared by the clients of a process.
///
/// A record can be read once its insert and all before it have ended, and if it succeeded. Failures are
/// remembered in a fixed number of bits, by place modulo their number: a million inserts later a failure hides
/// a record that exists, which no reader notices.
#[derive(Debug)]
pub struct Inserts {
    first: i64,
    counter: AcknowledgedCounter,
    /// Made with the first failure.
    failed: OnceLock<Box<[AtomicU64]>>,
}

impl Inserts {
    /// The first place to take; all below can be read.
    pub fn new(first: i64) -> Self {
        Inserts { first, counter: AcknowledgedCounter::new(first), failed: OnceLock::new() }
    }

    /// The next place.
    #[inline]
    pub fn take(&self) -> i64 {
        self.counter.take()
    }

    /// The insert at a place ended.
    pub fn ended(&self, place: i64, success: bool) {
        if !success {
            let (word, bit) = slot(place);
            let failed =
                self.failed.get_or_init(|| (0..FAILED_BITS / 64).map(|_| AtomicU64::new(0)).collect());
            failed[word].fetch_or(bit, Ordering::Relaxed);
        }
        // Moves the limit, after which the bit is visible to whoever sees the new limit.
        self.counter.acknowledge(place);
    }

    /// The highest place up to which all inserts ended.
    #[inline]
    pub fn newest(&self) -> i64 {
        self.counter.acknowledged()
    }

    /// Whether a place can be read.
    #[inline]
    pub fn exists(&self, place: i64) -> bool {
        (0..=self.newest()).contains(&place) && (place < self.first || !self.has_failed(place))
    }

    fn has_failed(&self, place: i64) -> bool {
        let (word, bit) = slot(place);
        self.failed.get().is_some_and(|failed| failed[word].load(Ordering::Relaxed) & bit != 0)
    }
}

fn slot(place: i64) -> (usize, u64) {
    let bit = place as u64 % FAILED_BITS;
    ((bit / 64) as usize, 1 << (bit % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_exists_once_all_before_it_ended_and_it_succeeded() {
        let inserts = Inserts::new(100);
        let places: [i64; 4] = std::array::from_fn(|_| inserts.take());
        assert!(inserts.exists(0) && inserts.exists(99) && !inserts.exists(100) && !inserts.exists(-1));
        inserts.ended(places[1], true);
        assert!(!inserts.exists(places[1]), "the one before is still on its way");
        inserts.ended(places[0], false);
        inserts.ended(places[2], true);
        assert_eq!(places.map(|place| inserts.exists(place)), [false, true, true, false]);
        assert_eq!(inserts.newest(), places[2]);
    }

    #[test]
    fn failures_of_new_records_never_hide_the_old_ones() {
        let inserts = Inserts::new(FAILED_BITS as i64 + 10);
        inserts.ended(inserts.take(), false);
        assert!(inserts.exists(10));
    }
}
