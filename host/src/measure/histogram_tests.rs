use super::*;
use proptest::prelude::*;

fn of(latencies: &[u64]) -> Histogram {
    let live = LiveHistogram::default();
    latencies.iter().for_each(|latency_ns| live.record(*latency_ns));
    live.read()
}

fn sum(left: &Histogram, right: &Histogram) -> Histogram {
    let mut sum = left.clone();
    sum.merge(right);
    sum
}

/// Latencies whose squares sum exactly in a double, so that histograms can be compared for equality.
fn latencies() -> impl Strategy<Value = Vec<u64>> {
    proptest::collection::vec(0_u64..5_000_000_000, 0..60)
}

proptest! {
    #[test]
    fn a_split_stream_merged_again_equals_the_whole(left in latencies(), right in latencies()) {
        let whole: Vec<u64> = left.iter().chain(&right).copied().collect();
        prop_assert_eq!(sum(&of(&left), &of(&right)), of(&whole));
    }

    #[test]
    fn merging_has_no_order(a in latencies(), b in latencies(), c in latencies()) {
        let (a, b, c) = (of(&a), of(&b), of(&c));
        prop_assert_eq!(sum(&a, &b), sum(&b, &a));
        prop_assert_eq!(sum(&sum(&a, &b), &c), sum(&a, &sum(&b, &c)));
        prop_assert_eq!(&sum(&a, &Histogram::default()), &a);
    }

    #[test]
    fn a_window_holds_what_came_after_its_start(before in latencies(), after in latencies()) {
        let (earlier, added) = (of(&before), of(&after));
        let window = sum(&earlier, &added).since(&earlier);
        prop_assert_eq!(window.buckets(), added.buckets());
        prop_assert_eq!(window.count(), after.len() as u64);
        if let (Some(mean), Some(expected)) = (window.mean_ns(), added.mean_ns()) {
            prop_assert_eq!(mean, expected);
            prop_assert_eq!(window.sum_us(), added.sum_us());
            prop_assert!(window.min_ns() <= added.min_ns() && window.max_ns() >= added.max_ns());
        }
    }

    #[test]
    fn samples_recorded_one_by_one_give_the_same_histogram(samples in latencies()) {
        let mut copy = Histogram::default();
        samples.iter().for_each(|latency_ns| copy.record(*latency_ns));
        prop_assert_eq!(copy, of(&samples));
    }

    #[test]
    fn quantiles_are_within_a_thousandth_of_the_sorted_sample(
        mut samples in proptest::collection::vec(0_u64..20_000_000_000, 1..200),
        share in 0.0..=1.0_f64,
    ) {
        let histogram = of(&samples);
        samples.sort_unstable();
        let needed = ((share * samples.len() as f64).ceil() as usize).max(1);
        let exact = samples[needed - 1];
        let found = histogram.quantile_ns(share).unwrap();
        prop_assert!(found >= exact && (found - exact) as f64 <= exact as f64 / 1000.0, "{} {}", found, exact);
    }
}

#[test]
fn an_empty_histogram_has_no_figures() {
    let empty = LiveHistogram::default().read();
    assert_eq!(empty, Histogram::default());
    assert_eq!((empty.count(), empty.min_ns(), empty.max_ns()), (0, None, None));
    assert_eq!((empty.mean_ns(), empty.quantile_ns(0.5)), (None, None));
}

#[test]
fn a_latency_beyond_the_limit_is_counted_and_counted_as_such() {
    let histogram = of(&[5, LIMIT_NS, LIMIT_NS + 1, u64::MAX / 4]);
    assert_eq!(histogram.count(), 4);
    assert_eq!(histogram.clamped(), 2);
    assert_eq!(histogram.max_ns(), Some(u64::MAX / 4));
    assert_eq!(histogram.quantile_ns(1.0), Some(LIMIT_NS));
}
