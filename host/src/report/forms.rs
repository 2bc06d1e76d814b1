//! The lines of one measurement in each of YCSB's forms.

use super::lines::Line;
use crate::base::java_text::{double_text, ordinal};
use crate::measure::{Block, Form, MeasurePlan, UnitSums, YcsbHistogram};

/// Names and counts of `Return=` lines.
type Returns<'a> = &'a [(String, u64)];

/// The lines of `block` under `name`.
pub(super) fn lines(
    form: Form,
    name: &str,
    block: &Block,
    returns: Returns<'_>,
    plan: &MeasurePlan,
) -> Vec<Line> {
    match form {
        Form::Hdr => hdr(name, block, returns, plan),
        Form::Histogram => histogram(name, block, returns, plan),
        Form::TimeSeries => time_series(name, block, returns, plan),
        Form::Raw => raw(name, block, returns, plan),
    }
}

fn return_lines<'a>(name: &'a str, returns: Returns<'a>) -> impl Iterator<Item = Line> + 'a {
    returns.iter().map(move |(status, count)| Line::integer(name, &format!("Return={status}"), *count))
}

fn hdr(name: &str, block: &Block, returns: Returns<'_>, plan: &MeasurePlan) -> Vec<Line> {
    let histogram = YcsbHistogram::of(&block.latencies);
    let mut lines = vec![
        Line::integer(name, "Operations", histogram.count()),
        Line::double(name, "AverageLatency(us)", histogram.mean_us()),
        Line::integer(name, "MinLatency(us)", histogram.min_us()),
        Line::integer(name, "MaxLatency(us)", histogram.max_us()),
    ];
    lines.extend(plan.percentiles.iter().map(|percentile| {
        let label = format!("{}PercentileLatency(us)", percentile_label(*percentile));
        Line::integer(name, &label, histogram.percentile_us(*percentile))
    }));
    lines.extend(return_lines(name, returns));
    if plan.verbose {
        lines.extend(
            histogram
                .buckets()
                .iter()
                .map(|(bucket, count)| Line::double(name, &bucket.high_us.to_string(), *count as f64)),
        );
    }
    lines
}

/// `95th` for whole numbers, `99.9` for others.
pub(super) fn percentile_label(percentile: f64) -> String {
    if percentile.fract() == 0.0 { ordinal(percentile as u64) } else { double_text(percentile) }
}

/// Count, mean, smallest and largest of exact sums; NaN and -1 where there is nothing.
fn exact_lines(name: &str, block: &Block) -> [Line; 4] {
    let latencies = &block.latencies;
    let whole_us =
        |latency_ns: Option<u64>| latency_ns.map_or(-1, |latency_ns| i128::from(latency_ns / 1000));
    [
        Line::integer(name, "Operations", latencies.count()),
        Line::double(name, "AverageLatency(us)", latencies.sum_us() as f64 / latencies.count() as f64),
        Line::integer(name, "MinLatency(us)", whole_us(latencies.min_ns())),
        Line::integer(name, "MaxLatency(us)", whole_us(latencies.max_ns())),
    ]
}

fn histogram(name: &str, block: &Block, returns: Returns<'_>, plan: &MeasurePlan) -> Vec<Line> {
    let [operations, average, least, most] = exact_lines(name, block);
    let count = block.latencies.count() as f64;
    let mean_us = block.latencies.sum_us() as f64 / count;
    let variance = block.latencies.squares_us() / count - mean_us * mean_us;
    let mut lines =
        vec![operations, average, Line::double(name, "LatencyVariance(us)", variance), least, most];
    for (label, share) in [("95thPercentileLatency(us)", 0.95), ("99thPercentileLatency(us)", 0.99)] {
        if let Some(bucket) = millis_of_share(block, share, plan.buckets as u64) {
            lines.push(Line::integer(name, label, bucket * 1000));
        }
    }
    lines.extend(return_lines(name, returns));
    if plan.verbose {
        let in_bucket = |bucket| block.aggregates.millis.get(&bucket).copied().unwrap_or(0);
        let buckets = plan.buckets as u64;
        lines.extend((0..buckets).map(|bucket| Line::integer(name, &bucket.to_string(), in_bucket(bucket))));
        lines.push(Line::integer(name, &format!(">{buckets}"), in_bucket(buckets)));
    }
    lines
}

/// The first bucket at which a share of all samples is reached; `None` if that lies beyond the buckets.
fn millis_of_share(block: &Block, share: f64, buckets: u64) -> Option<u64> {
    let total = block.latencies.count() as f64;
    let mut seen = 0;
    for (&bucket, count) in block.aggregates.millis.range(..buckets) {
        seen += count;
        if seen as f64 / total >= share {
            return Some(bucket);
        }
    }
    None
}

fn time_series(name: &str, block: &Block, returns: Returns<'_>, plan: &MeasurePlan) -> Vec<Line> {
    let mut lines = exact_lines(name, block).to_vec();
    lines.extend(return_lines(name, returns));
    let unit_line = |(unit, sums): (&u64, &UnitSums)| {
        let offset_ms = unit * plan.granularity_ms;
        Line::double(name, &offset_ms.to_string(), sums.sum_us as f64 / sums.count as f64)
    };
    if block.aggregates.units.is_empty() {
        lines.push(Line::double(name, "0", f64::NAN));
    }
    lines.extend(block.aggregates.units.iter().map(unit_line));
    lines
}

const RAW_FRACTIONS: [(&str, f64); 8] = [
    ("p1", 0.01),
    ("p5", 0.05),
    ("p50", 0.5),
    ("p90", 0.9),
    ("p95", 0.95),
    ("p99", 0.99),
    ("p99.9", 0.999),
    ("p99.99", 0.9999),
];

fn raw(name: &str, block: &Block, returns: Returns<'_>, plan: &MeasurePlan) -> Vec<Line> {
    let mut sorted: Vec<u64> = block.raw.iter().map(|(_, latency_us)| *latency_us).collect();
    sorted.sort_unstable();
    let mut lines = vec![Line::integer(name, "Total Operations", sorted.len() as u64)];
    if let (true, Some(least), Some(most)) = (plan.raw_summary, sorted.first(), sorted.last()) {
        let sum: u128 = sorted.iter().map(|latency_us| u128::from(*latency_us)).sum();
        lines.push(Line::integer(name, "Below is a summary of latency in microseconds:", -1));
        lines.push(Line::double(name, "Average", sum as f64 / sorted.len() as f64));
        lines.push(Line::integer(name, "Min", *least));
        lines.push(Line::integer(name, "Max", *most));
        lines.extend(RAW_FRACTIONS.iter().map(|(label, fraction)| {
            let position = (sorted.len() as f64 * fraction) as usize;
            Line::integer(name, label, sorted[position.min(sorted.len() - 1)])
        }));
    }
    lines.extend(return_lines(name, returns));
    lines
}
