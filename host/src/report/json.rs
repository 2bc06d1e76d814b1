//! YCSB's two JSON exporters. The first writes a sequence of objects, which is no JSON document.

use super::lines::{Line, Value};
use super::text::value_text;
use std::io::{self, Write};

/// Writes one object per line of the report, separated by blanks, as YCSB's JSONMeasurementsExporter.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_json_sequence(lines: &[Line], out: &mut dyn Write) -> io::Result<()> {
    for (position, line) in lines.iter().enumerate() {
        let separator = if position == 0 { "" } else { " " };
        write!(out, "{separator}{{\n{}\n}}", object_body(line))?;
    }
    Ok(())
}

/// Writes an array of objects, as YCSB's JSONArrayMeasurementsExporter.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_json_array(lines: &[Line], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "[ ")?;
    for (position, line) in lines.iter().enumerate() {
        let separator = if position == 0 { "" } else { ", " };
        write!(out, "{separator}{{\n{}\n}}", object_body(line))?;
    }
    write!(out, "{}]", if lines.is_empty() { "" } else { " " })
}

fn object_body(line: &Line) -> String {
    let value = match line.value {
        Value::Double(number) if !number.is_finite() => quoted(&value_text(line.value)),
        value => value_text(value),
    };
    format!(
        "  \"metric\" : {},\n  \"measurement\" : {},\n  \"value\" : {value}",
        quoted(&line.metric),
        quoted(&line.measurement)
    )
}

/// A JSON text. Quotes, backslashes and control characters are escaped; `/` and everything else is not.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value as Json;

    fn written(write: fn(&[Line], &mut dyn Write) -> io::Result<()>, lines: &[Line]) -> String {
        let mut out = Vec::new();
        write(lines, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn both_exporters_write_what_json_exporters_json_shows() {
        let golden: Json =
            serde_json::from_str(include_str!("../../tests/golden/json_exporters.json")).unwrap();
        let lines = [
            Line::integer("READ", "int", 5),
            Line::integer("READ", "long", 5_000_000_000_i64),
            Line::double("READ", "double", 5.0),
            Line::double("READ", "nan", f64::NAN),
            Line::double("READ", "inf", f64::INFINITY),
            Line::double("READ", "sci", 12_345_678.0),
            Line::integer("A\"B\\é\n", "x/y", -1),
        ];
        let array = [lines[0].clone(), lines[3].clone()];
        let ours = serde_json::json!({
            "json": written(write_json_sequence, &lines),
            "jsonarray": written(write_json_array, &array),
            "json_empty": written(write_json_sequence, &[]),
            "jsonarray_empty": written(write_json_array, &[]),
        });
        assert_eq!(ours, golden);
    }
}
