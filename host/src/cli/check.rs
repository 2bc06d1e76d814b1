//! `ycsb-host check`: says whether a load or run would start. Runs nothing, opens nothing.

use super::{Invocation, show_notes, streams};

/// Checks all settings; the result is the exit code.
pub(super) fn execute(invocation: &Invocation) -> i32 {
    match invocation.settle() {
        Ok(settled) => {
            show_notes(&settled);
            streams::say("the settings can be used");
            0
        }
        Err(code) => code,
    }
}
