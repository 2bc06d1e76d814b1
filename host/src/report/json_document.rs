//! Our own JSON report: one document, nanoseconds, every status apart, no NaN.

use super::input::ReportInput;
use crate::measure::Histogram;
use crate::result::{CauseFacts, OperationCounts, Verdict, causes_of};
use serde::Serialize;
use std::io::{self, Write};

/// Name and version of the form; a change that old readers cannot read is a new version.
const FORMAT: &str = "ycsb-host report 1";

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    runtime_ms: u64,
    throughput_per_sec: Option<f64>,
    successful_operations: u64,
    failed_operations: u64,
    abandoned_operations: u64,
    measurements: Vec<Measurement<'a>>,
    causes: Vec<CauseFacts>,
    failures_of_other_causes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a Verdict>,
}

#[derive(Serialize)]
struct Measurement<'a> {
    name: &'static str,
    status: &'a str,
    success: bool,
    count: u64,
    service: Option<Figures>,
    response: Option<Figures>,
    wait: Option<Figures>,
}

#[derive(Serialize)]
struct Figures {
    count: u64,
    mean_ns: f64,
    min_ns: u64,
    max_ns: u64,
    percentiles: Vec<Percentile>,
    beyond_limit: u64,
}

#[derive(Serialize)]
struct Percentile {
    percentile: f64,
    latency_ns: u64,
}

/// Writes the report as one JSON document with a final newline.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_json_document(input: &ReportInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(input))?;
    writeln!(out)
}

fn document<'a>(input: &ReportInput<'a>) -> Document<'a> {
    let snapshot = input.snapshot;
    let figures = |histogram| Figures::of(histogram, &input.plan.percentiles);
    let abandoned = input.document.map(|document| &document.operations).map_or(0, OperationCounts::abandoned);
    Document {
        format: FORMAT,
        runtime_ms: input.runtime_ms(),
        throughput_per_sec: (input.runtime_ns > 0).then(|| input.throughput_per_sec()),
        successful_operations: snapshot.successful_operations,
        failed_operations: snapshot.failed_operations,
        abandoned_operations: abandoned,
        measurements: snapshot
            .iter()
            .map(|(series, info, outcomes)| Measurement {
                name: series.name(),
                status: &info.name,
                success: info.success,
                count: outcomes.count(),
                service: figures(&outcomes.service),
                response: figures(&outcomes.response),
                wait: figures(&outcomes.wait),
            })
            .collect(),
        causes: causes_of(input.examples, snapshot.statuses()),
        failures_of_other_causes: input.examples.other(),
        verdict: input.document.and_then(|document| document.verdict.as_ref()),
    }
}

impl Figures {
    /// `None` without samples.
    fn of(histogram: &Histogram, percentiles: &[f64]) -> Option<Figures> {
        let percentile = |&percentile: &f64| {
            Some(Percentile { percentile, latency_ns: histogram.quantile_ns(percentile / 100.0)? })
        };
        Some(Figures {
            count: histogram.count(),
            mean_ns: histogram.mean_ns()?,
            min_ns: histogram.min_ns()?,
            max_ns: histogram.max_ns()?,
            percentiles: percentiles.iter().filter_map(percentile).collect(),
            beyond_limit: histogram.clamped(),
        })
    }
}
