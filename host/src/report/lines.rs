//! The lines of YCSB's report: what every exporter writes, in order.

use super::forms;
use super::input::ReportInput;
use crate::measure::{Block, MeasurePlan};

/// One entry of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What was measured, as in `OVERALL` or `READ`.
    pub metric: String,
    /// Which figure, as in `AverageLatency(us)`.
    pub measurement: String,
    /// The figure.
    pub value: Value,
}

/// A figure: whole numbers and doubles are written differently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(i128),
    /// A double, also NaN and the infinities.
    Double(f64),
}

impl Line {
    /// A line with a whole number.
    pub fn integer(metric: &str, measurement: &str, value: impl Into<i128>) -> Self {
        Line {
            metric: metric.to_owned(),
            measurement: measurement.to_owned(),
            value: Value::Integer(value.into()),
        }
    }

    /// A line with a double.
    pub fn double(metric: &str, measurement: &str, value: f64) -> Self {
        Line { metric: metric.to_owned(), measurement: measurement.to_owned(), value: Value::Double(value) }
    }
}

/// All lines of a report.
///
/// Throughput is of successful operations. There is no garbage collector here: its totals are 0.
pub fn report_lines(input: &ReportInput<'_>) -> Vec<Line> {
    let mut lines = vec![
        Line::integer("OVERALL", "RunTime(ms)", input.runtime_ms()),
        Line::double("OVERALL", "Throughput(ops/sec)", input.throughput_per_sec()),
        Line::integer("TOTAL_GCs", "Count", 0),
        Line::integer("TOTAL_GC_TIME", "Time(ms)", 0),
        Line::double("TOTAL_GC_TIME_%", "Time(%)", 0.0),
    ];
    if let Some(process) = &input.process {
        lines.extend([
            Line::integer("MAX_MEM_USED", "MBs", process.max_memory_mb),
            Line::integer("MIN_MEM_USED", "MBs", process.min_memory_mb),
            Line::integer("MAX_THREADS", "Count", process.max_threads),
            Line::integer("MIN_THREADS", "Count", process.min_threads),
            Line::double("MAX_SYS_LOAD_AVG", "Load", process.max_load),
            Line::double("MIN_SYS_LOAD_AVG", "Load", process.min_load),
        ]);
    }
    for block in input.blocks() {
        lines.extend(block_lines(&block, input.plan));
    }
    lines
}

/// The lines of one measurement in every form that the measurement type asks for. Return lines stand in the first.
pub fn block_lines(block: &Block, plan: &MeasurePlan) -> Vec<Line> {
    let forms = plan.measurement_type.forms();
    forms
        .iter()
        .zip(0..)
        .flat_map(|((prefix, form), position)| {
            let name = format!("{prefix}{}", block.name);
            let returns = if position == 0 { block.returns.as_slice() } else { &[] };
            forms::lines(*form, &name, block, returns, plan)
        })
        .collect()
}
