//! `ycsb-host explain`: every effective setting, its origin and what it overrode. Runs nothing.

use super::check::contradictions;
use super::{EXIT_USAGE, Invocation};
use crate::base::streams;
use crate::plan::explain::explain;

/// Prints the settings on standard output; the result is the exit code.
pub(super) fn execute(invocation: &Invocation) -> i32 {
    let settled = match invocation.settle() {
        Ok(settled) => settled,
        Err(code) => return code,
    };
    streams::out(&settled.redactor.text(&explain(&settled)));
    match contradictions(&settled) {
        Ok(()) => 0,
        Err(reason) => {
            streams::say(&settled.redactor.text(&reason));
            EXIT_USAGE
        }
    }
}
