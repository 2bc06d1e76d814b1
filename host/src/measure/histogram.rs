//! Counts of latencies: a live table with one writer, and the owned copies that reports are made from.

use super::histogram_form::HistogramForm;
use super::layout::{self, BUCKETS, LIMIT_NS};
use crate::base::os::ZeroedCounters;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

/// A histogram that one thread writes while others read.
///
/// Every number is an atomic of its own: a reader may see a sample in one and not yet in another.
#[derive(Debug)]
pub struct LiveHistogram {
    sums: Sums,
    counts: ZeroedCounters,
}

/// Everything that a sample changes besides its bucket, in one cache line.
#[derive(Debug)]
#[repr(align(64))]
struct Sums {
    sum_ns: AtomicU64,
    sum_us: AtomicU64,
    squares_us: AtomicU64,
    least_ns: AtomicU64,
    most_ns: AtomicU64,
    clamped: AtomicU64,
}

impl Default for LiveHistogram {
    fn default() -> Self {
        LiveHistogram {
            sums: Sums {
                sum_ns: AtomicU64::new(0),
                sum_us: AtomicU64::new(0),
                squares_us: AtomicU64::new(0),
                least_ns: AtomicU64::new(u64::MAX),
                most_ns: AtomicU64::new(0),
                clamped: AtomicU64::new(0),
            },
            counts: ZeroedCounters::new(BUCKETS),
        }
    }
}

/// Adds with a load and a store: enough for one writer, and a tenth of the price of a locked addition.
#[inline]
pub(crate) fn add(counter: &AtomicU64, amount: u64) {
    counter.store(counter.load(Ordering::Relaxed).wrapping_add(amount), Ordering::Relaxed);
}

impl LiveHistogram {
    /// Counts one latency. Only the one writer may call this.
    #[inline]
    pub fn record(&self, latency_ns: u64) {
        let sums = &self.sums;
        let latency_us = latency_ns / 1000;
        let squares = f64::from_bits(sums.squares_us.load(Ordering::Relaxed));
        let square = latency_us as f64 * latency_us as f64;
        sums.squares_us.store((squares + square).to_bits(), Ordering::Relaxed);
        add(&sums.sum_ns, latency_ns);
        add(&sums.sum_us, latency_us);
        if latency_ns < sums.least_ns.load(Ordering::Relaxed) {
            sums.least_ns.store(latency_ns, Ordering::Relaxed);
        }
        if latency_ns > sums.most_ns.load(Ordering::Relaxed) {
            sums.most_ns.store(latency_ns, Ordering::Relaxed);
        }
        if latency_ns > LIMIT_NS {
            add(&sums.clamped, 1);
        }
        add(&self.counts[layout::bucket_of(latency_ns)], 1);
    }

    /// A copy of what was counted so far.
    pub fn read(&self) -> Histogram {
        let most_ns = self.sums.most_ns.load(Ordering::Relaxed);
        let least_ns = self.sums.least_ns.load(Ordering::Relaxed);
        if least_ns > most_ns {
            return Histogram::default();
        }
        let range = layout::bucket_of(least_ns)..=layout::bucket_of(most_ns);
        let buckets: Vec<(u32, u64)> = range
            .map(|bucket| (bucket as u32, self.counts[bucket].load(Ordering::Relaxed)))
            .filter(|(_, count)| *count > 0)
            .collect();
        Histogram {
            buckets,
            sum_ns: self.sums.sum_ns.load(Ordering::Relaxed),
            sum_us: self.sums.sum_us.load(Ordering::Relaxed),
            squares_us: f64::from_bits(self.sums.squares_us.load(Ordering::Relaxed)),
            least_ns,
            most_ns,
            clamped: self.sums.clamped.load(Ordering::Relaxed),
        }
    }
}

/// An owned histogram. Adding two gives the histogram of all their samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "HistogramForm", try_from = "HistogramForm")]
pub struct Histogram {
    /// Bucket of [`layout`] and its count, ascending, without empty buckets.
    pub(super) buckets: Vec<(u32, u64)>,
    pub(super) sum_ns: u64,
    pub(super) sum_us: u64,
    pub(super) squares_us: f64,
    pub(super) least_ns: u64,
    pub(super) most_ns: u64,
    pub(super) clamped: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram {
            buckets: Vec::new(),
            sum_ns: 0,
            sum_us: 0,
            squares_us: 0.0,
            least_ns: u64::MAX,
            most_ns: 0,
            clamped: 0,
        }
    }
}

impl Histogram {
    /// Samples.
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|(_, count)| count).sum()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// The smallest sample in nanoseconds; `None` without samples. In a window: of the smallest bucket.
    pub fn min_ns(&self) -> Option<u64> {
        (!self.is_empty()).then_some(self.least_ns)
    }

    /// The largest sample in nanoseconds; `None` without samples. In a window: of the largest bucket.
    pub fn max_ns(&self) -> Option<u64> {
        (!self.is_empty()).then_some(self.most_ns)
    }

    /// Mean in nanoseconds, exact; `None` without samples.
    pub fn mean_ns(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.sum_ns as f64 / self.count() as f64)
    }

    /// Sum of all samples, each cut to whole microseconds.
    pub fn sum_us(&self) -> u64 {
        self.sum_us
    }

    /// Sum of the squares of all samples, each cut to whole microseconds.
    pub fn squares_us(&self) -> f64 {
        self.squares_us
    }

    /// Samples beyond [`LIMIT_NS`], counted in the last bucket.
    pub fn clamped(&self) -> u64 {
        self.clamped
    }

    /// Bucket numbers of [`layout`] with their counts, ascending, without empty ones.
    pub fn buckets(&self) -> &[(u32, u64)] {
        &self.buckets
    }

    /// The latency in nanoseconds that a share of the samples (0..=1) does not exceed: the upper end of the bucket
    /// in which it lies, at most the largest sample. `None` without samples.
    pub fn quantile_ns(&self, share: f64) -> Option<u64> {
        let count = self.count();
        let needed = ((share.clamp(0.0, 1.0) * count as f64).ceil() as u64).clamp(1, count.max(1));
        let mut seen = 0;
        for &(bucket, in_bucket) in &self.buckets {
            seen += in_bucket;
            if seen >= needed {
                return Some(layout::high_ns(bucket as usize).min(self.most_ns));
            }
        }
        None
    }

    /// Counts one latency, in nanoseconds. For copies; a running client writes a [`LiveHistogram`].
    pub fn record(&mut self, latency_ns: u64) {
        let latency_us = latency_ns / 1000;
        self.merge(&Histogram {
            buckets: vec![(layout::bucket_of(latency_ns) as u32, 1)],
            sum_ns: latency_ns,
            sum_us: latency_us,
            squares_us: latency_us as f64 * latency_us as f64,
            least_ns: latency_ns,
            most_ns: latency_ns,
            clamped: u64::from(latency_ns > LIMIT_NS),
        });
    }

    /// Adds the samples of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        self.buckets = combine(&self.buckets, &other.buckets, u64::wrapping_add);
        self.sum_ns = self.sum_ns.wrapping_add(other.sum_ns);
        self.sum_us = self.sum_us.wrapping_add(other.sum_us);
        self.squares_us += other.squares_us;
        self.least_ns = self.least_ns.min(other.least_ns);
        self.most_ns = self.most_ns.max(other.most_ns);
        self.clamped += other.clamped;
    }

    /// The samples that were added since an earlier copy of the same histogram.
    ///
    /// Their extremes are known to the width of a bucket.
    pub fn since(&self, earlier: &Histogram) -> Histogram {
        let buckets = combine(&self.buckets, &earlier.buckets, u64::saturating_sub);
        let (Some(&(first, _)), Some(&(last, _))) = (buckets.first(), buckets.last()) else {
            return Histogram::default();
        };
        Histogram {
            sum_ns: self.sum_ns.wrapping_sub(earlier.sum_ns),
            sum_us: self.sum_us.wrapping_sub(earlier.sum_us),
            squares_us: self.squares_us - earlier.squares_us,
            least_ns: layout::low_ns(first as usize).max(self.least_ns),
            most_ns: layout::high_ns(last as usize).min(self.most_ns),
            clamped: self.clamped - earlier.clamped,
            buckets,
        }
    }
}

/// Joins two ascending lists; buckets that come out as 0 are left out.
fn combine(left: &[(u32, u64)], right: &[(u32, u64)], with: fn(u64, u64) -> u64) -> Vec<(u32, u64)> {
    let mut joined = Vec::with_capacity(left.len().max(right.len()));
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        let bucket = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) => a.0.min(b.0),
            (Some(a), None) => a.0,
            (None, Some(b)) => b.0,
            (None, None) => return joined,
        };
        let of_left = left.next_if(|entry| entry.0 == bucket).map_or(0, |entry| entry.1);
        let of_right = right.next_if(|entry| entry.0 == bucket).map_or(0, |entry| entry.1);
        let count = with(of_left, of_right);
        if count > 0 {
            joined.push((bucket, count));
        }
    }
}

#[cfg(test)]
#[path = "histogram_tests.rs"]
mod tests;
