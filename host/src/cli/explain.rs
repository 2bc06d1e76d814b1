//! `ycsb-host explain`: every effective setting, its origin and what it overrode. Runs nothing.

use super::{EXIT_USAGE, Invocation};
use crate::base::streams;
use crate::config::ConfigError;
use crate::experiment::ResultFiles;
use crate::live::StatusPlan;
use crate::plan::explain::explain;
use crate::plan::{RunPlan, Settled};
use crate::report::{ExportPlan, check_destinations};

/// Prints the settings on standard output; the result is the exit code.
pub(super) fn execute(invocation: &Invocation) -> i32 {
    let settled = match invocation.settle() {
        Ok(settled) => settled,
        Err(code) => return code,
    };
    streams::out(&settled.redactor.text(&explain(&settled)));
    match contradictions(&settled) {
        Ok(()) => 0,
        Err(ConfigError(reason)) => {
            streams::say(&settled.redactor.text(&reason));
            EXIT_USAGE
        }
    }
}

/// Makes every plan that a run needs: what contradicts each other shows there.
fn contradictions(settled: &Settled) -> Result<(), ConfigError> {
    let files = ResultFiles::new(&RunPlan::new(settled)?)?;
    files.remarks.iter().for_each(|remark| streams::say(&settled.redactor.text(remark)));
    ExportPlan::from_settings(&settled.settings)?;
    check_destinations(&settled.settings)?;
    StatusPlan::from_settings(&settled.settings).map(drop)
}
