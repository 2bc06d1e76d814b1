//! What some measurement types need beside the histogram: averages over units of time, and exact buckets of one
//! millisecond.

use super::histogram::add;
use super::plan::{Form, MeasurePlan};
use super::units::{LiveUnits, Units, merge_units};
use crate::base::os::ZeroedCounters;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// Samples by whole milliseconds, without empty ones. The entry at the number of buckets holds what is longer.
pub type Millis = BTreeMap<u64, u64>;

/// Sums of one series, status and kind of latency.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Aggregates {
    /// By unit of time, with `measurementtype=timeseries`.
    pub units: Units,
    /// By milliseconds, with `measurementtype=histogram`.
    pub millis: Millis,
}

impl Aggregates {
    /// Adds the samples of `other`.
    pub fn merge(&mut self, other: &Aggregates) {
        merge_units(&mut self.units, &other.units);
        for (millis, count) in &other.millis {
            *self.millis.entry(*millis).or_default() += count;
        }
    }
}

/// Which aggregates a run keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    unit_ns: Option<u64>,
    buckets: Option<usize>,
}

impl Kept {
    pub(super) fn by(plan: &MeasurePlan) -> Self {
        Kept {
            unit_ns: plan
                .measurement_type
                .has(Form::TimeSeries)
                .then(|| plan.granularity_ms.saturating_mul(1_000_000)),
            buckets: plan.measurement_type.has(Form::Histogram).then_some(plan.buckets),
        }
    }

    /// Tables for one series, status and kind of latency; none if nothing is kept. Units count from `origin_ns`.
    pub(super) fn tables(self, origin_ns: impl FnOnce() -> u64) -> Option<LiveAggregates> {
        if self.unit_ns.is_none() && self.buckets.is_none() {
            return None;
        }
        Some(LiveAggregates {
            units: self.unit_ns.map(|unit_ns| LiveUnits::new(origin_ns(), unit_ns)),
            millis: self.buckets.map(|buckets| ZeroedCounters::new(buckets + 1)),
        })
    }
}

/// Aggregates that one thread writes while others read.
#[derive(Debug)]
pub(super) struct LiveAggregates {
    units: Option<LiveUnits>,
    millis: Option<ZeroedCounters>,
}

impl LiveAggregates {
    /// Counts a sample that was taken at `at_ns`.
    pub(super) fn record(&self, at_ns: u64, latency_us: u64) {
        if let Some(units) = &self.units {
            units.record(at_ns, latency_us);
        }
        if let Some(millis) = &self.millis {
            let bucket = usize::try_from(latency_us / 1000).unwrap_or(usize::MAX).min(millis.len() - 1);
            add(&millis[bucket], 1);
        }
    }

    /// A copy of what was counted so far.
    pub(super) fn read(&self) -> Aggregates {
        let counts = self.millis.iter().flat_map(|millis| millis.iter());
        Aggregates {
            units: self.units.as_ref().map(LiveUnits::read).unwrap_or_default(),
            millis: (0..)
                .zip(counts.map(|count| count.load(Ordering::Relaxed)))
                .filter(|entry| entry.1 > 0)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::MeasurementType;

    fn tables(measurement_type: MeasurementType) -> Option<LiveAggregates> {
        let plan = MeasurePlan { measurement_type, buckets: 5, ..MeasurePlan::default() };
        Kept::by(&plan).tables(|| 0)
    }

    #[test]
    fn milliseconds_are_cut_to_whole_ones_and_long_latencies_counted_together() {
        let live = tables(MeasurementType::HdrAndHistogram).unwrap();
        for latency_us in [0, 999, 1_000, 4_999, 5_000, 90_000_000, u64::MAX] {
            live.record(1, latency_us);
        }
        let read = live.read();
        assert_eq!(read.millis, Millis::from([(0, 2), (1, 1), (4, 1), (5, 3)]));
        assert!(read.units.is_empty());
        let mut sum = read.clone();
        sum.merge(&read);
        assert_eq!(sum.millis, Millis::from([(0, 4), (1, 2), (4, 2), (5, 6)]));
    }

    #[test]
    fn nothing_is_kept_for_types_that_do_not_need_it() {
        assert!(tables(MeasurementType::Hdr).is_none());
        assert!(tables(MeasurementType::HdrAndRaw).is_none());
    }
}
