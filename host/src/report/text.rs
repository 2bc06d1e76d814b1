//! YCSB's text report: `[METRIC], MEASUREMENT, VALUE` per line.

use super::lines::{Line, Value};
use crate::base::java_text::double_text;
use std::io::{self, Write};

/// Writes the lines.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_text(lines: &[Line], out: &mut dyn Write) -> io::Result<()> {
    lines.iter().try_for_each(|line| {
        writeln!(out, "[{}], {}, {}", line.metric, line.measurement, value_text(line.value))
    })
}

/// A figure as YCSB writes it.
pub(super) fn value_text(value: Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Double(number) => double_text(number),
    }
}
