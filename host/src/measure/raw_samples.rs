//! Every sample of a run (`measurementtype=raw`).

use super::series::Series;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// One operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RawSample {
    /// When it ended, nanoseconds of CLOCK_MONOTONIC.
    pub done_ns: u64,
    /// Service time, whole microseconds.
    pub service_us: u64,
    /// Response time, whole microseconds; the service time where the operation was not due.
    pub response_us: u64,
}

/// A sample in a list that is read while it is extended.
#[derive(Debug, Default)]
pub(super) struct RawSlot {
    done_ns: AtomicU64,
    service_us: AtomicU64,
    response_us: AtomicU64,
}

impl RawSlot {
    pub(super) fn write(&self, sample: RawSample) {
        self.done_ns.store(sample.done_ns, Ordering::Relaxed);
        self.service_us.store(sample.service_us, Ordering::Relaxed);
        self.response_us.store(sample.response_us, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> RawSample {
        RawSample {
            done_ns: self.done_ns.load(Ordering::Relaxed),
            service_us: self.service_us.load(Ordering::Relaxed),
            response_us: self.response_us.load(Ordering::Relaxed),
        }
    }
}

/// Samples by series and status number, each list in the order in which the operations ended.
#[derive(Clone, Debug, Default)]
pub struct RawSamples {
    lists: BTreeMap<(Series, u32), Vec<RawSample>>,
}

impl RawSamples {
    pub(super) fn extend(&mut self, series: Series, status: u32, samples: impl Iterator<Item = RawSample>) {
        self.lists.entry((series, status)).or_default().extend(samples);
    }

    /// Puts the samples of several threads into one order. Samples of one thread and moment keep theirs.
    pub(super) fn sort(&mut self) {
        self.lists.values_mut().for_each(|list| list.sort_by_key(|sample| sample.done_ns));
    }

    /// The samples of a series whose status is one of `statuses`, in the order in which they ended.
    pub fn of(&self, series: Series, statuses: &[u32]) -> Vec<RawSample> {
        let lists = statuses.iter().filter_map(|status| self.lists.get(&(series, *status)));
        let mut samples: Vec<RawSample> = lists.flatten().copied().collect();
        samples.sort_by_key(|sample| sample.done_ns);
        samples
    }
}
