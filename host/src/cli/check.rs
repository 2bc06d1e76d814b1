//! `ycsb-host check`: says whether a load or run would start. Runs nothing, opens nothing.

use super::{EXIT_USAGE, Invocation, show_notes};
use crate::base::streams;
use crate::live::StatusPlan;
use crate::plan::{RunPlan, Settled};
use crate::report::{ExportPlan, check_destinations};

/// Checks all settings; the result is the exit code.
pub(super) fn execute(invocation: &Invocation) -> i32 {
    let settled = match invocation.settle() {
        Ok(settled) => settled,
        Err(code) => return code,
    };
    show_notes(&settled);
    match contradictions(&settled) {
        Ok(()) => {
            streams::say("the settings can be used");
            0
        }
        Err(reason) => {
            streams::say(&settled.redactor.text(&reason));
            EXIT_USAGE
        }
    }
}

/// Makes every plan that a run needs: what contradicts each other shows there.
pub(super) fn contradictions(settled: &Settled) -> Result<(), String> {
    let plans = || {
        RunPlan::new(settled)?;
        ExportPlan::from_settings(&settled.settings)?;
        check_destinations(&settled.settings)?;
        StatusPlan::from_settings(&settled.settings).map(drop)
    };
    plans().map_err(|error: crate::config::ConfigError| error.0)
}
