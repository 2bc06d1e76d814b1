//! `ycsb-host load`, `ycsb-host run` and YCSB's bare client form.

use super::{Invocation, show_notes};

/// Runs one phase; the result is the exit code.
pub(super) fn execute(invocation: &Invocation) -> i32 {
    match invocation.settle() {
        Ok(settled) => {
            show_notes(&settled);
            eprintln!("ycsb-host: this build has no engine; nothing was run");
            1
        }
        Err(code) => code,
    }
}
