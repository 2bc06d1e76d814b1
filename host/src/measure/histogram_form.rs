//! A histogram as it stands in files.
//!
//! Buckets are named by their smallest latency, so that a file can be read without knowing their numbers.

use super::histogram::Histogram;
use super::layout;
use serde::{Deserialize, Serialize};

/// The form of a [`Histogram`] in files. Latencies are nanoseconds but where the name says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HistogramForm {
    /// Samples.
    count: u64,
    /// Sum of all samples.
    sum_ns: u64,
    /// Sum of all samples, each cut to whole microseconds.
    sum_us: u64,
    /// Sum of the squares of the same.
    squares_us: f64,
    /// Smallest sample; absent without samples.
    min_ns: Option<u64>,
    /// Largest sample; absent without samples.
    max_ns: Option<u64>,
    /// Samples beyond what has a bucket of its own.
    beyond_limit: u64,
    /// Smallest latency of each bucket that is not empty, and its count, ascending.
    buckets: Vec<(u64, u64)>,
}

impl From<Histogram> for HistogramForm {
    fn from(histogram: Histogram) -> Self {
        HistogramForm {
            count: histogram.count(),
            sum_ns: histogram.sum_ns,
            sum_us: histogram.sum_us,
            squares_us: histogram.squares_us,
            min_ns: histogram.min_ns(),
            max_ns: histogram.max_ns(),
            beyond_limit: histogram.clamped,
            buckets: histogram
                .buckets
                .iter()
                .map(|(bucket, count)| (layout::low_ns(*bucket as usize), *count))
                .collect(),
        }
    }
}

/// Why a form is no histogram.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistogramFormError {
    /// A latency at which no bucket begins.
    #[error("{0} ns is not the smallest latency of any bucket")]
    NoBucket(u64),
    /// Buckets are not in ascending order, or one is empty.
    #[error("the bucket of {0} ns is empty or out of order")]
    OutOfOrder(u64),
    /// The counts do not add up.
    #[error("the buckets hold {counted} samples where {expected} are announced")]
    Count {
        /// Sum of the buckets.
        counted: u64,
        /// What the form announces.
        expected: u64,
    },
    /// Smallest and largest sample are missing or contradict each other.
    #[error("smallest and largest sample do not fit the buckets")]
    Extremes,
}

impl TryFrom<HistogramForm> for Histogram {
    type Error = HistogramFormError;

    fn try_from(form: HistogramForm) -> Result<Self, Self::Error> {
        let mut buckets: Vec<(u32, u64)> = Vec::with_capacity(form.buckets.len());
        let mut counted = 0_u64;
        for (low_ns, count) in form.buckets {
            let bucket = layout::bucket_of(low_ns);
            if layout::low_ns(bucket) != low_ns {
                return Err(HistogramFormError::NoBucket(low_ns));
            }
            if count == 0 || buckets.last().is_some_and(|(last, _)| *last as usize >= bucket) {
                return Err(HistogramFormError::OutOfOrder(low_ns));
            }
            counted = counted.saturating_add(count);
            buckets.push((bucket as u32, count));
        }
        if counted != form.count {
            return Err(HistogramFormError::Count { counted, expected: form.count });
        }
        let (least_ns, most_ns) = match (form.min_ns, form.max_ns, buckets.is_empty()) {
            (None, None, true) => return Ok(Histogram::default()),
            (Some(min_ns), Some(max_ns), false) if min_ns <= max_ns => (min_ns, max_ns),
            _ => return Err(HistogramFormError::Extremes),
        };
        Ok(Histogram {
            buckets,
            sum_ns: form.sum_ns,
            sum_us: form.sum_us,
            squares_us: form.squares_us,
            least_ns,
            most_ns,
            clamped: form.beyond_limit,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(json: &str) -> Result<Histogram, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    proptest! {
        #[test]
        fn a_histogram_that_was_written_is_read_back(
            samples in proptest::collection::vec(0_u64..90_000_000_000, 0..50)
        ) {
            let mut histogram = Histogram::default();
            samples.iter().for_each(|latency_ns| histogram.record(*latency_ns));
            let json = serde_json::to_string(&histogram).unwrap();
            prop_assert_eq!(read(&json).unwrap(), histogram);
        }
    }

    #[test]
    fn a_histogram_is_written_with_names_that_say_what_they_are() {
        let mut histogram = Histogram::default();
        [1_500, 1_500, 4_000_000].iter().for_each(|latency_ns| histogram.record(*latency_ns));
        assert_eq!(
            serde_json::to_value(&histogram).unwrap(),
            serde_json::json!({
                "count": 3, "sum_ns": 4_003_000, "sum_us": 4_002, "squares_us": 16_000_002.0, "min_ns": 1_500,
                "max_ns": 4_000_000, "beyond_limit": 0, "buckets": [[1_500, 2], [4_000_000, 1]]
            })
        );
    }

    #[test]
    fn forms_that_contradict_themselves_are_refused() {
        let form = |count: u64, min: &str, buckets: &str| {
            read(&format!(
                "{{\"count\":{count},\"sum_ns\":1,\"sum_us\":0,\"squares_us\":0,\"min_ns\":{min},\"max_ns\":9,\
                 \"beyond_limit\":0,\"buckets\":{buckets}}}"
            ))
        };
        assert!(form(1, "9", "[[9,1]]").is_ok());
        for (count, min, buckets, reason) in [
            (2, "9", "[[9,1]]", "hold 1 samples where 2"),
            (1, "9", "[[4000001,1]]", "smallest latency of any bucket"),
            (2, "9", "[[9,1],[5,1]]", "out of order"),
            (0, "9", "[[9,0]]", "empty"),
            (1, "10", "[[9,1]]", "smallest and largest"),
            (1, "null", "[[9,1]]", "smallest and largest"),
            (0, "9", "[]", "smallest and largest"),
        ] {
            let error = form(count, min, buckets).unwrap_err();
            assert!(error.contains(reason), "{error} for {buckets}");
        }
    }
}
