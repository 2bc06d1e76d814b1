//! Timestamps: their unit, their distance, and the order in which a client writes them.

use super::properties::{TIMESTAMPINTERVAL, TIMESTAMPUNITS};
use crate::base::rng::StreamRng;
use crate::config::{ConfigError, Settings};
use crate::workload::records::refused;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Unit and distance of timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeScale {
    /// Timestamps of one second: 1000 in milliseconds, otherwise 1.
    per_second: u32,
    /// From one timestamp of a series to the next, in units of the timestamps.
    pub step: i64,
}

impl TimeScale {
    /// Reads unit and interval.
    ///
    /// # Errors
    /// An unknown unit or one that YCSB does not support, an interval out of range.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let interval = settings.i64(&TIMESTAMPINTERVAL)?;
        let unit = settings.text(&TIMESTAMPUNITS)?.trim().to_ascii_uppercase();
        let (per_second, factor) = match unit.as_str() {
            "MILLISECONDS" => (1000, 1),
            "SECONDS" => (1, 1),
            // Timestamps are seconds from here on.
            "MINUTES" => (1, 60),
            "HOURS" => (1, 3600),
            "DAYS" => (1, 86_400),
            "NANOSECONDS" | "MICROSECONDS" => {
                let reason = "is not supported, as in YCSB; use MILLISECONDS or a longer unit";
                return Err(refused(settings, &TIMESTAMPUNITS, reason));
            }
            _ => {
                let reason = "must be MILLISECONDS, SECONDS, MINUTES, HOURS or DAYS";
                return Err(refused(settings, &TIMESTAMPUNITS, reason));
            }
        };
        Ok(TimeScale { per_second, step: interval * factor })
    }

    /// A point in time as a timestamp.
    pub fn timestamp(&self, time: SystemTime) -> i64 {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        (since.as_millis() * u128::from(self.per_second) / 1000) as i64
    }
}

/// The timestamps that one client writes, in order.
#[derive(Clone, Debug)]
pub struct Timeline {
    step: i64,
    /// The timestamp from which all others are counted.
    origin: i64,
    order: Order,
    taken: u64,
    /// The first timestamp: queries are counted from it.
    pub start: i64,
    /// The timestamp that is written now; `None` once all were.
    pub current: Option<i64>,
}

#[derive(Clone, Debug)]
enum Order {
    Ascending,
    Shuffled(Permutation),
}

impl Timeline {
    /// One timestamp after the other, without end.
    pub fn ascending(start: i64, step: i64) -> Self {
        Timeline { step, origin: start, order: Order::Ascending, taken: 0, start, current: Some(start) }
    }

    /// `count` timestamps in random order, beginning one step before `start`.
    pub fn shuffled(start: i64, step: i64, count: u64, rng: &mut StreamRng) -> Self {
        let order = Permutation::new(count, rng);
        let origin = start - step;
        let first = origin + order.item(0) as i64 * step;
        Timeline { step, origin, order: Order::Shuffled(order), taken: 0, start: first, current: Some(first) }
    }

    /// Goes on to the next timestamp.
    pub fn advance(&mut self) {
        self.taken += 1;
        let offset = match &self.order {
            Order::Ascending => Some(self.taken),
            Order::Shuffled(order) => (self.taken < order.items).then(|| order.item(self.taken)),
        };
        self.current = offset.map(|offset| self.origin.wrapping_add((offset as i64).wrapping_mul(self.step)));
    }

    /// A timestamp between the first and the present one, the latter excluded; the first if they are the same.
    pub fn earlier(&self, rng: &mut StreamRng) -> i64 {
        let elapsed = (self.current.unwrap_or(self.start) - self.start) / self.step;
        if elapsed <= 0 {
            return self.start;
        }
        self.start + rng.below(elapsed as u64) as i64 * self.step
    }
}

/// A random order of `0..items` that needs no memory: a Feistel network over the next larger square of a power
/// of two, walked until it lands among the items.
#[derive(Clone, Debug)]
struct Permutation {
    items: u64,
    half_bits: u32,
    keys: [u64; 4],
}

impl Permutation {
    fn new(items: u64, rng: &mut StreamRng) -> Self {
        let bits = 64 - items.saturating_sub(1).leading_zeros();
        Permutation {
            items,
            half_bits: bits.div_ceil(2).max(1),
            keys: std::array::from_fn(|_| rng.next_u64()),
        }
    }

    fn item(&self, index: u64) -> u64 {
        let mut item = index;
        loop {
            item = self.mix(item);
            if item < self.items {
                return item;
            }
        }
    }

    fn mix(&self, item: u64) -> u64 {
        let mask = (1u64 << self.half_bits) - 1;
        let (mut left, mut right) = (item >> self.half_bits, item & mask);
        for key in self.keys {
            let hash = (right ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let hash = (hash ^ (hash >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32;
            (left, right) = (right, left ^ (hash & mask));
        }
        left << self.half_bits | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffled_timeline_meets_every_timestamp_once() {
        for count in [1u64, 2, 11, 1000] {
            let mut rng = StreamRng::new(count, 0);
            let mut timeline = Timeline::shuffled(1_483_228_800, 60, count, &mut rng);
            assert_eq!(timeline.current, Some(timeline.start));
            let mut met = Vec::new();
            while let Some(timestamp) = timeline.current {
                met.push(timestamp);
                timeline.advance();
            }
            assert!(count < 10 || !met.is_sorted());
            met.sort_unstable();
            let expected: Vec<i64> = (0..count as i64).map(|k| 1_483_228_800 - 60 + 60 * k).collect();
            assert_eq!(met, expected);
        }
    }

    #[test]
    fn earlier_timestamps_lie_on_the_grid() {
        let mut rng = StreamRng::new(1, 0);
        let mut timeline = Timeline::ascending(100, 10);
        assert_eq!(timeline.earlier(&mut rng), 100);
        (0..5).for_each(|_| timeline.advance());
        assert_eq!(timeline.current, Some(150));
        let drawn: std::collections::BTreeSet<i64> = (0..200).map(|_| timeline.earlier(&mut rng)).collect();
        assert_eq!(drawn, [100, 110, 120, 130, 140].into());
    }
}
