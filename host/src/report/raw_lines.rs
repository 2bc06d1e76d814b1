//! Raw samples as text: a header per measurement, then `NAME,milliseconds since 1970,microseconds` per operation.

use crate::measure::{Block, Form, MeasurePlan};
use std::io::{self, Write};

/// Writes the samples of all measurements in order; nothing unless the measurement type keeps them.
///
/// `clock_zero_epoch_ms` are the milliseconds since 1970 at which CLOCK_MONOTONIC was 0.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_raw(
    blocks: &[Block],
    plan: &MeasurePlan,
    clock_zero_epoch_ms: i64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let forms = plan.measurement_type.forms();
    let Some((prefix, _)) = forms.iter().find(|(_, form)| *form == Form::Raw) else { return Ok(()) };
    for block in blocks {
        let name = format!("{prefix}{}", block.name);
        writeln!(out, "{name} latency raw data: op, timestamp(ms), latency(us)")?;
        for (done_ns, latency_us) in &block.raw {
            let epoch_ms = clock_zero_epoch_ms + (done_ns / 1_000_000) as i64;
            writeln!(out, "{name},{epoch_ms},{latency_us}")?;
        }
    }
    Ok(())
}
