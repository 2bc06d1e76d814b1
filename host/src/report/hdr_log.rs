//! Interval logs that HdrHistogram's tools read: format 1.3, histograms in the V2 compressed encoding.
//!
//! YCSB writes one file per measurement, in microseconds and without tags. Our own log holds all measurements
//! in nanoseconds, each line tagged with its measurement.

use super::export::ReportError;
use crate::base::local_time::LocalTime;
use crate::measure::{
    Block, Form, Histogram, Interval, MeasurePlan, Snapshot, YcsbHistogram, blocks, layout,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// One log file.
#[derive(Debug)]
struct Log {
    out: BufWriter<File>,
    start_epoch_ms: i64,
}

/// Start and end of an interval, milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
struct Span {
    from_ms: i64,
    to_ms: i64,
}

/// All interval logs of a run.
#[derive(Debug)]
pub struct HdrLogs {
    plan: MeasurePlan,
    zone: LocalTime,
    /// By path; `None` after a failure.
    logs: BTreeMap<PathBuf, Option<Log>>,
    errors: Vec<ReportError>,
}

impl HdrLogs {
    /// The logs that the plan asks for; no file is made before its first sample.
    pub fn new(plan: &MeasurePlan, zone: LocalTime) -> Self {
        HdrLogs { plan: plan.clone(), zone, logs: BTreeMap::new(), errors: Vec::new() }
    }

    /// Adds one line per measurement: what was measured between two moments, milliseconds since 1970.
    pub fn interval(&mut self, window: &Snapshot, from_epoch_ms: i64, to_epoch_ms: i64) {
        let span = Span { from_ms: from_epoch_ms, to_ms: to_epoch_ms };
        if let Some(prefix) = self.plan.hdr_file_prefix.clone() {
            let forms = self.plan.measurement_type.forms();
            for (form_prefix, _) in forms.iter().filter(|(_, form)| *form == Form::Hdr) {
                for block in blocks(window, &self.plan, None) {
                    let name = format!("{form_prefix}{}", block.name);
                    let path = PathBuf::from(format!("{prefix}{name}.hdr"));
                    self.add_line(&path, &name, &block, span, &|| {
                        in_microseconds("", span, &block.latencies)
                    });
                }
            }
        }
        if let Some(path) = self.plan.hdr_log.clone() {
            let everything = MeasurePlan { interval: Interval::Both, ..self.plan.clone() };
            for block in blocks(window, &everything, None).iter().filter(|block| !block.latencies.is_empty())
            {
                let tag = format!("Tag={},", block.name);
                self.add_line(&path, "all measurements", block, span, &|| {
                    in_nanoseconds(&tag, span, &block.latencies)
                });
            }
        }
    }

    fn add_line(
        &mut self,
        path: &Path,
        title: &str,
        block: &Block,
        span: Span,
        line: &dyn Fn() -> IntervalLine,
    ) {
        let result = match self.logs.get_mut(path) {
            Some(Some(log)) => log.write(&line()),
            Some(None) => Ok(()),
            None if block.latencies.is_empty() => Ok(()),
            None => match Log::create(path, title, span.from_ms, &self.zone) {
                Ok(mut log) => {
                    let result = log.write(&line());
                    self.logs.insert(path.to_owned(), Some(log));
                    result
                }
                Err(error) => Err(error),
            },
        };
        if let Err(source) = result {
            self.logs.insert(path.to_owned(), None);
            self.errors.push(ReportError::HdrLog { path: path.to_owned(), source });
        }
    }

    /// Closes the files. What is returned is every log that could not be written.
    pub fn finish(mut self) -> Vec<ReportError> {
        for (path, log) in self.logs {
            if let Some(Err(source)) = log.map(|mut log| log.out.flush()) {
                self.errors.push(ReportError::HdrLog { path, source });
            }
        }
        self.errors
    }
}

/// The parts of a line; times are turned into offsets when it is written.
struct IntervalLine {
    tag: String,
    span: Span,
    max: f64,
    encoded: String,
}

/// Values are microseconds. The format divides its maximum by a million whatever the unit.
fn in_microseconds(tag: &str, span: Span, latencies: &Histogram) -> IntervalLine {
    let coarse = YcsbHistogram::of(latencies);
    let counts = coarse.buckets().iter().map(|(bucket, count)| (bucket.low_us, *count));
    IntervalLine { tag: tag.to_owned(), span, max: coarse.max_us() as f64 / 1e6, encoded: encoded(counts) }
}

/// Values are the middles of our buckets in nanoseconds; the maximum is in milliseconds.
fn in_nanoseconds(tag: &str, span: Span, latencies: &Histogram) -> IntervalLine {
    let middle = |bucket: usize| layout::low_ns(bucket).midpoint(layout::high_ns(bucket));
    let counts = latencies.buckets().iter().map(|(bucket, count)| (middle(*bucket as usize), *count));
    let max = latencies.max_ns().unwrap_or(0) as f64 / 1e6;
    IntervalLine { tag: tag.to_owned(), span, max, encoded: encoded(counts) }
}

/// Base64 of the V2 compressed encoding of a three-digit histogram.
fn encoded(counts: impl Iterator<Item = (u64, u64)>) -> String {
    let mut histogram = hdrhistogram::Histogram::<u64>::new(3).expect("three digits are within 0 to 5");
    histogram.auto(true);
    for (value, count) in counts {
        histogram.record_n(value, count).expect("a histogram that resizes takes every 64-bit value");
    }
    let mut bytes = Vec::new();
    V2DeflateSerializer::new()
        .serialize(&histogram, &mut bytes)
        .expect("counts fit the encoding and a vector takes every byte");
    STANDARD.encode(bytes)
}

impl Log {
    fn create(path: &Path, title: &str, start_epoch_ms: i64, zone: &LocalTime) -> io::Result<Log> {
        let mut out = BufWriter::new(File::create(path)?);
        let seconds = start_epoch_ms as f64 / 1000.0;
        writeln!(out, "#[Logging for: {title}]")?;
        writeln!(out, "#[Histogram log format version 1.3]")?;
        let date = zone.java_date_text(start_epoch_ms);
        writeln!(out, "#[StartTime: {seconds:.3} (seconds since epoch), {date}]")?;
        writeln!(
            out,
            "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\""
        )?;
        Ok(Log { out, start_epoch_ms })
    }

    /// Writes a line and hands it on at once: a killed process leaves a readable log.
    fn write(&mut self, line: &IntervalLine) -> io::Result<()> {
        let IntervalLine { tag, span, max, encoded } = line;
        let start = (span.from_ms - self.start_epoch_ms) as f64 / 1000.0;
        let length = (span.to_ms - span.from_ms) as f64 / 1000.0;
        writeln!(self.out, "{tag}{start:.3},{length:.3},{max:.3},{encoded}")?;
        self.out.flush()
    }
}

#[cfg(test)]
#[path = "hdr_log_tests.rs"]
mod tests;
