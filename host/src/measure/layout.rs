//! Which latencies share a bucket.
//!
//! Latencies are counted in units of 1/1024 microsecond, with 1024 buckets per power of two: relative width at
//! most 1/1024 everywhere, single nanoseconds below two microseconds. Since a whole microsecond is 1024 units,
//! every bucket lies inside one bucket of the layout that YCSB's reports are made from (HdrHistogram, three
//! digits, unit one microsecond), so that those follow exactly from the same counts.

/// Units per microsecond.
const UNITS_PER_US: u64 = 1 << UNIT_BITS;
const UNIT_BITS: u32 = 10;
/// log2 of the buckets per power of two; the first two powers share one width.
const BUCKET_BITS: u32 = 10;
/// Latencies up to 2^36 microseconds, 19 hours, have a bucket of their own.
const LARGEST_BITS: u32 = 36 + UNIT_BITS;

/// Number of buckets.
pub const BUCKETS: usize = ((LARGEST_BITS - BUCKET_BITS + 1) << BUCKET_BITS) as usize;

/// The largest latency that is told apart; what is longer is counted as this.
pub const LIMIT_NS: u64 = (1 << (LARGEST_BITS - 7)) * 125 - 1;

/// The bucket of a latency, at most `BUCKETS - 1`.
#[inline]
pub fn bucket_of(latency_ns: u64) -> usize {
    let units = units_of(latency_ns);
    let shift = u64::BITS - 1 - (units | UNITS_PER_US).leading_zeros() - BUCKET_BITS;
    ((u64::from(shift) << BUCKET_BITS) + (units >> shift)) as usize
}

/// Units that have begun: 1024/1000 = 128/125 of the nanoseconds, cut at the limit.
#[inline]
fn units_of(latency_ns: u64) -> u64 {
    latency_ns.min(LIMIT_NS) * 128 / 125
}

/// First unit of a bucket, and the number of its units.
fn units_in(bucket: usize) -> (u64, u64) {
    let bucket = bucket as u64;
    if bucket < 2 << BUCKET_BITS {
        return (bucket, 1);
    }
    let shift = (bucket >> BUCKET_BITS) - 1;
    ((bucket - (shift << BUCKET_BITS)) << shift, 1 << shift)
}

/// The smallest latency of a bucket, in nanoseconds.
pub fn low_ns(bucket: usize) -> u64 {
    first_ns(units_in(bucket).0)
}

/// The largest latency of a bucket, in nanoseconds.
pub fn high_ns(bucket: usize) -> u64 {
    let (first, width) = units_in(bucket);
    first_ns(first + width) - 1
}

/// The first nanosecond that belongs to a unit or a later one.
fn first_ns(unit: u64) -> u64 {
    (unit * 125).div_ceil(128)
}

/// The microseconds, cut to whole ones, of the smallest latency of a bucket.
pub fn low_us(bucket: usize) -> u64 {
    units_in(bucket).0 >> UNIT_BITS
}

/// A bucket of YCSB's layout: microseconds `low..=high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YcsbBucket {
    /// Smallest value.
    pub low_us: u64,
    /// Largest value, the one that reports show.
    pub high_us: u64,
    /// The value that stands for the bucket in averages.
    pub mid_us: u64,
}

/// The bucket of YCSB's layout that holds a number of microseconds: exact below 2048, then 1024 per power of two.
pub fn ycsb_bucket(value_us: u64) -> YcsbBucket {
    let shift = (u64::BITS - 1 - (value_us | 1024).leading_zeros()) - 10;
    let width = 1_u64 << shift;
    let low_us = value_us & !(width - 1);
    YcsbBucket { low_us, high_us: low_us + (width - 1), mid_us: low_us + width / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn buckets_follow_one_another_without_gap_or_overlap() {
        let mut next_ns = 0;
        for bucket in 0..BUCKETS {
            let (low, end) = (low_ns(bucket), high_ns(bucket) + 1);
            assert_eq!(low, next_ns, "bucket {bucket}");
            for inside in [low, end.saturating_sub(1)] {
                // Below two microseconds some units hold no whole nanosecond.
                if low < end {
                    assert_eq!(bucket_of(inside), bucket);
                }
            }
            next_ns = end;
        }
        assert_eq!(next_ns, LIMIT_NS + 1);
        assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn nanoseconds_are_told_apart_below_two_microseconds() {
        let buckets: Vec<usize> = (0..2_000).map(bucket_of).collect();
        assert!(buckets.windows(2).all(|pair| pair[0] < pair[1]));
    }

    proptest! {
        #[test]
        fn a_bucket_lies_inside_one_bucket_of_ycsb(latency_ns in 0..=LIMIT_NS) {
            let bucket = bucket_of(latency_ns);
            let of_latency = ycsb_bucket(latency_ns / 1000);
            prop_assert_eq!(ycsb_bucket(low_us(bucket)), of_latency);
            prop_assert_eq!(ycsb_bucket(low_ns(bucket) / 1000), of_latency);
            prop_assert_eq!(ycsb_bucket(high_ns(bucket) / 1000), of_latency);
        }

        #[test]
        fn a_bucket_is_at_most_a_thousandth_wide(latency_ns in 0..=LIMIT_NS) {
            let bucket = bucket_of(latency_ns);
            let width = high_ns(bucket) - low_ns(bucket) + 1;
            prop_assert!(low_ns(bucket) <= latency_ns && latency_ns <= high_ns(bucket));
            prop_assert!(width == 1 || (width - 1) * 1000 <= low_ns(bucket));
        }
    }
}
