//! Averages over units of time (`measurementtype=timeseries`), kept while the clients run.

use super::append_log::AppendLog;
use super::histogram::add;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Samples of one unit of time, in whole microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitSums {
    /// Samples.
    pub count: u64,
    /// Their sum.
    pub sum_us: u64,
    /// The smallest.
    pub min_us: u64,
    /// The largest.
    pub max_us: u64,
}

/// Sums by number of the unit, counted from the first sample of the measurement. Units without samples are absent.
pub type Units = BTreeMap<u64, UnitSums>;

/// Adds the samples of `other` to `units`.
pub(super) fn merge_units(units: &mut Units, other: &Units) {
    for (unit, added) in other {
        units
            .entry(*unit)
            .and_modify(|sums| {
                sums.count += added.count;
                sums.sum_us += added.sum_us;
                sums.min_us = sums.min_us.min(added.min_us);
                sums.max_us = sums.max_us.max(added.max_us);
            })
            .or_insert(*added);
    }
}

#[derive(Debug, Default)]
struct UnitSlot {
    unit: AtomicU64,
    count: AtomicU64,
    sum_us: AtomicU64,
    min_us: AtomicU64,
    max_us: AtomicU64,
}

/// Units of one series and status, written by one thread.
#[derive(Debug)]
pub(super) struct LiveUnits {
    origin_ns: u64,
    unit_ns: u64,
    slots: AppendLog<UnitSlot>,
}

impl LiveUnits {
    /// Units of `unit_ns` nanoseconds from `origin_ns` on.
    pub(super) fn new(origin_ns: u64, unit_ns: u64) -> Self {
        LiveUnits { origin_ns, unit_ns: unit_ns.max(1), slots: AppendLog::new(64) }
    }

    /// Counts a sample that was taken at `at_ns`. One that is older than the unit in progress counts there.
    pub(super) fn record(&self, at_ns: u64, latency_us: u64) {
        let unit = at_ns.saturating_sub(self.origin_ns) / self.unit_ns;
        let last = self.slots.len().checked_sub(1).and_then(|last| self.slots.get(last));
        match last {
            Some(slot) if unit <= slot.unit.load(Ordering::Relaxed) => {
                add(&slot.count, 1);
                add(&slot.sum_us, latency_us);
                slot.min_us.fetch_min(latency_us, Ordering::Relaxed);
                slot.max_us.fetch_max(latency_us, Ordering::Relaxed);
            }
            _ => self.slots.push(|slot| {
                slot.unit.store(unit, Ordering::Relaxed);
                slot.count.store(1, Ordering::Relaxed);
                slot.sum_us.store(latency_us, Ordering::Relaxed);
                slot.min_us.store(latency_us, Ordering::Relaxed);
                slot.max_us.store(latency_us, Ordering::Relaxed);
            }),
        }
    }

    /// A copy of what was counted so far.
    pub(super) fn read(&self) -> Units {
        let sums = |slot: &UnitSlot| UnitSums {
            count: slot.count.load(Ordering::Relaxed),
            sum_us: slot.sum_us.load(Ordering::Relaxed),
            min_us: slot.min_us.load(Ordering::Relaxed),
            max_us: slot.max_us.load(Ordering::Relaxed),
        };
        self.slots.iter().map(|slot| (slot.unit.load(Ordering::Relaxed), sums(slot))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_summed_by_the_unit_in_which_they_were_taken() {
        let units = LiveUnits::new(1_000, 100);
        for (at_ns, latency_us) in [(1_000, 5), (1_099, 7), (1_100, 1), (1_540, 9), (1_530, 3), (900, 2)] {
            units.record(at_ns, latency_us);
        }
        let sums = |count, sum_us, min_us, max_us| UnitSums { count, sum_us, min_us, max_us };
        let expected = [(0, sums(2, 12, 5, 7)), (1, sums(1, 1, 1, 1)), (5, sums(3, 14, 2, 9))];
        assert_eq!(units.read(), Units::from(expected));
    }

    #[test]
    fn merging_adds_what_two_threads_counted() {
        let (left, right) = (LiveUnits::new(0, 10), LiveUnits::new(0, 10));
        left.record(5, 4);
        right.record(6, 8);
        right.record(25, 1);
        let mut merged = left.read();
        merge_units(&mut merged, &right.read());
        assert_eq!(merged[&0], UnitSums { count: 2, sum_us: 12, min_us: 4, max_us: 8 });
        assert_eq!(merged[&2].count, 1);
    }
}
