//! `ycsb-host explain`: every effective setting, its origin and what it overrode. Runs nothing.

use super::Invocation;
use crate::plan::explain::explain;
use std::io::Write;

/// Prints the settings on standard output; the result is the exit code.
pub(super) fn execute(invocation: &Invocation) -> i32 {
    match invocation.settle() {
        Ok(settled) => {
            let text = settled.redactor.text(&explain(&settled));
            // A reader that has seen enough, as `head` has, is no failure.
            let _ = std::io::stdout().write_all(text.as_bytes());
            0
        }
        Err(code) => code,
    }
}
