//! The figures that YCSB takes from its HdrHistogram (three digits, microseconds), from our finer counts.

use super::histogram::Histogram;
use super::layout::{YcsbBucket, low_us, ycsb_bucket};

/// Counts in YCSB's layout. All figures are those of HdrHistogram 2.1.12.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct YcsbHistogram {
    /// Ascending, without empty buckets.
    buckets: Vec<(YcsbBucket, u64)>,
    count: u64,
}

impl YcsbHistogram {
    /// The same samples, cut to whole microseconds.
    pub fn of(histogram: &Histogram) -> Self {
        let mut buckets: Vec<(YcsbBucket, u64)> = Vec::new();
        for &(bucket, count) in histogram.buckets() {
            let coarse = ycsb_bucket(low_us(bucket as usize));
            match buckets.last_mut() {
                Some((last, sum)) if *last == coarse => *sum += count,
                _ => buckets.push((coarse, count)),
            }
        }
        let count = buckets.iter().map(|(_, count)| count).sum();
        YcsbHistogram { buckets, count }
    }

    /// Samples.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Buckets with their counts, ascending, without empty ones.
    pub fn buckets(&self) -> &[(YcsbBucket, u64)] {
        &self.buckets
    }

    /// Mean of the middles of the buckets, microseconds; 0 without samples.
    pub fn mean_us(&self) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        let sum: f64 = self.buckets.iter().map(|(bucket, count)| bucket.mid_us as f64 * *count as f64).sum();
        sum / self.count as f64
    }

    /// The lower end of the smallest bucket, microseconds; 0 without samples.
    pub fn min_us(&self) -> u64 {
        self.buckets.first().map_or(0, |(bucket, _)| bucket.low_us)
    }

    /// The upper end of the largest bucket, microseconds; 0 without samples or if that is bucket 0.
    pub fn max_us(&self) -> u64 {
        self.buckets.last().map_or(0, |(bucket, _)| bucket.high_us)
    }

    /// The upper end of the bucket that holds a percentile (0..=100), microseconds; 0 without samples.
    pub fn percentile_us(&self, percentile: f64) -> u64 {
        let asked = percentile.next_down().clamp(0.0, 100.0);
        let needed = ((asked * self.count as f64) / 100.0).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (bucket, count) in &self.buckets {
            seen += count;
            if seen >= needed {
                return if percentile == 0.0 { bucket.low_us } else { bucket.high_us };
            }
        }
        0
    }
}
