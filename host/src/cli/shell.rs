//! `ycsb-host shell`: the interactive shell.

use super::{Invocation, show_notes};
use crate::shell::run_shell;

/// Runs the shell; the result is the exit code.
pub(super) fn execute(invocation: &Invocation) -> i32 {
    // A shell needs no workload; one that is given still names the table and the fields.
    let mut sources = invocation.sources.clone();
    sources.add_preset("workload", "core", "shell");
    sources.add_argument("dotransactions", "false", "shell");
    match invocation.settle_with(sources) {
        Ok(settled) => {
            show_notes(&settled);
            run_shell(&settled)
        }
        Err(code) => code,
    }
}
