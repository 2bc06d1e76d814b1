//! What a status line says of each measurement.

use crate::base::java_text::{at_most_two_decimals, two_decimals};
use crate::measure::{Block, Form, MeasurePlan, YcsbHistogram};

const PERCENTILES: [(&str, f64); 5] =
    [("50", 50.0), ("90", 90.0), ("99", 99.0), ("99.9", 99.9), ("99.99", 99.99)];

/// One summary per measurement of a window, each followed by a blank. The parts of a composite type stand on
/// lines of their own.
pub fn summaries(window: &[Block], plan: &MeasurePlan) -> String {
    let of_block = |block: &Block| {
        let forms = plan.measurement_type.forms().iter();
        let parts: Vec<String> =
            forms.map(|(prefix, form)| summary(*form, &format!("{prefix}{}", block.name), block)).collect();
        parts.join("\n") + " "
    };
    window.iter().map(of_block).collect()
}

fn summary(form: Form, name: &str, block: &Block) -> String {
    let latencies = &block.latencies;
    let mean_us = latencies.sum_us() as f64 / latencies.count() as f64;
    match form {
        Form::Hdr => hdr(name, &YcsbHistogram::of(latencies)),
        _ if latencies.is_empty() => String::new(),
        Form::Histogram | Form::TimeSeries => {
            format!("[{name} AverageLatency(us)={}]", at_most_two_decimals(mean_us))
        }
        Form::Raw => {
            format!("{name} count: {}, average latency(us): {}", latencies.count(), two_decimals(mean_us))
        }
    }
}

fn hdr(name: &str, histogram: &YcsbHistogram) -> String {
    let percentiles: String = PERCENTILES
        .iter()
        .map(|(label, percentile)| format!(", {label}={}", histogram.percentile_us(*percentile)))
        .collect();
    format!(
        "[{name}: Count={}, Max={}, Min={}, Avg={}{percentiles}]",
        histogram.count(),
        histogram.max_us(),
        histogram.min_us(),
        at_most_two_decimals(histogram.mean_us())
    )
}
