//! `ycsb-host load`, `ycsb-host run` and YCSB's bare client form.

use super::{Invocation, show_notes};
use crate::experiment::one_run;

/// Runs one phase; the result is the exit code.
pub(super) fn execute(invocation: &Invocation) -> i32 {
    match invocation.settle() {
        Ok(settled) => {
            show_notes(&settled);
            one_run(&settled, &invocation.shown_words(&settled))
        }
        Err(code) => code,
    }
}
