//! `ycsb-host explain`: every effective setting, its origin and what it overrode. Runs nothing.

use super::{Invocation, streams};
use crate::plan::explain::explain;

/// Prints the settings on standard output; the result is the exit code.
pub(super) fn execute(invocation: &Invocation) -> i32 {
    match invocation.settle() {
        Ok(settled) => {
            let text = settled.redactor.text(&explain(&settled));
            streams::out(&text);
            0
        }
        Err(code) => code,
    }
}
