//! Raw samples as text: a header per measurement, then `NAME,milliseconds since 1970,microseconds` per operation.

use super::input::ReportInput;
use crate::measure::Form;
use std::io::{self, Write};

/// Writes the samples of all measurements in report order; nothing unless the measurement type keeps them.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_raw(input: &ReportInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let forms = input.plan.measurement_type.forms();
    let Some((prefix, _)) = forms.iter().find(|(_, form)| *form == Form::Raw) else { return Ok(()) };
    for block in input.blocks() {
        let name = format!("{prefix}{}", block.name);
        writeln!(out, "{name} latency raw data: op, timestamp(ms), latency(us)")?;
        for (done_ns, latency_us) in &block.raw {
            let epoch_ms = input.clock_zero_epoch_ms + (done_ns / 1_000_000) as i64;
            writeln!(out, "{name},{epoch_ms},{latency_us}")?;
        }
    }
    Ok(())
}
