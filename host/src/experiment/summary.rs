//! What is said on stderr after a phase: what is missing, why operations failed, and the next step.

use super::client_summary as client;
use super::exit::Shortfall;
use crate::engine::{PhaseResult, StopCause};
use crate::plan::RunPlan;
use crate::result::{LoadReceipt, ResultDocument, Verdict};
use crate::schedule::Policy;
use crate::workload::Phase;
use ycsb_plugin_abi::status;

/// The lines, most important last: the verdict.
pub(super) fn lines(
    plan: &RunPlan,
    result: &PhaseResult,
    shortfall: &Shortfall,
    document: &ResultDocument,
) -> Vec<String> {
    let mut lines = Vec::new();
    pacing_lines(plan, result, &mut lines);
    lines.extend(client::response_lines(document));
    lines.extend(client::lag_line(document));
    lines.extend(client::cost_lines(document));
    match result.stop_cause {
        StopCause::Interrupt => lines.push("interrupted: the report covers what was done".to_owned()),
        StopCause::Terminate => lines.push("terminated: the report covers what was done".to_owned()),
        StopCause::OutputClosed => lines.push("stopped: nobody reads the output any more".to_owned()),
        StopCause::LoadErrors => lines.push(
            "the load was stopped because of failed inserts; raise errors.allowed or set \
             core_workload_insertion_keep_going_on_error=true to go on"
                .to_owned(),
        ),
        _ => {}
    }
    abandoned_lines(result, &mut lines);
    if result.slowed_down_ns > 0 {
        lines.push(format!(
            "failures in a row slowed the clients down for {:.3} s, all clients together",
            result.slowed_down_ns as f64 / 1e9
        ));
    }
    cause_lines(plan, document, &mut lines);
    if shortfall.mismatches > 0 {
        lines
            .push(format!("{} verifications failed: the data is not what was written", shortfall.mismatches));
    }
    if let Some(load) = &document.load {
        lines.push(load_line(load));
    }
    if shortfall.failures > 0 {
        let word = if shortfall.too_many_failures { "more than allowed" } else { "within errors.allowed" };
        let rate = document.operations.failures_per_sec.unwrap_or_default();
        lines.push(format!(
            "{} of {} operations failed, {rate:.1} per second ({word})",
            shortfall.failures,
            result.done + result.failed
        ));
    }
    if let Some(failure) = &result.run_failure {
        let name = &plan.statuses.info(failure.status).name;
        lines.push(format!("the plugin's run ended with {name}: {}", failure.detail));
    }
    if let Some(message) = &result.broken {
        lines.push(format!("a fault of this program ended the run: {message}; please report it"));
    }
    lines.extend(document.verdict.iter().flat_map(verdict_lines));
    lines
}

fn cause_lines(plan: &RunPlan, document: &ResultDocument, lines: &mut Vec<String>) {
    for cause in &document.causes {
        let code =
            if cause.backend_code == 0 { String::new() } else { format!(", code {}", cause.backend_code) };
        // A number that nobody declared is an ERROR; it is shown, for the plugin's author.
        let undeclared = !plan.statuses.is_declared(cause.status_number);
        let number = if undeclared { format!(" {}", cause.status_number) } else { String::new() };
        let text = if cause.example.is_empty() { "no details" } else { cause.example.as_str() };
        lines.push(format!(
            "{} {}{number}{code}: {} times, first: {text}",
            cause.name, cause.status, cause.count
        ));
        if let Some(hint) = hint(plan.phase, cause.status_number) {
            lines.push(format!("  {hint}"));
        }
    }
}

fn load_line(load: &LoadReceipt) -> String {
    let planned = load.planned.map(|planned| format!(" of {planned}")).unwrap_or_default();
    let mut line = format!("loaded {}{planned} records", load.loaded);
    if load.duplicates > 0 {
        line.push_str(&format!(", {} inserts found their key in use", load.duplicates));
    }
    if load.retries > 0 {
        line.push_str(&format!(", {} inserts were sent again", load.retries));
    }
    line
}

/// One line for the judgement and one for each reason.
pub(crate) fn verdict_lines(verdict: &Verdict) -> Vec<String> {
    let reasons =
        verdict.reasons.iter().map(|reason| format!("  {}: {}", reason.judgement.word(), reason.text));
    [format!("verdict: {}", verdict.judgement.word())].into_iter().chain(reasons).collect()
}

fn pacing_lines(plan: &RunPlan, result: &PhaseResult, lines: &mut Vec<String>) {
    if !plan.pacing.is_paced() {
        lines.push(
            "latencies are service times of a closed loop: they leave out what waiting for a slow database \
             costs; give -target to measure response times"
                .to_owned(),
        );
        return;
    }
    let tally = result.tally;
    if tally.late > 0 {
        let done = match plan.pacing.policy {
            Policy::CatchUp => "sent back to back".to_owned(),
            Policy::Spread => format!("sent at twice the rate at most, {} held back", tally.held_back),
            Policy::Drop => format!("{} more were left out", tally.dropped),
        };
        lines.push(format!(
            "{} arrivals found no free client in time; throttle.policy={}: {done}",
            tally.late,
            plan.pacing.policy.word()
        ));
    }
}

fn abandoned_lines(result: &PhaseResult, lines: &mut Vec<String>) {
    let list = |calls: &std::collections::BTreeMap<crate::measure::Series, u64>| {
        let shown: Vec<String> = calls.iter().map(|(series, n)| format!("{n} {}", series.name())).collect();
        shown.join(", ")
    };
    if !result.abandoned.overdue.is_empty() {
        lines.push(format!(
            "calls that were overdue and never returned, given up with their clients: {}",
            list(&result.abandoned.overdue)
        ));
    }
    if !result.abandoned.at_stop.is_empty() {
        lines.push(format!(
            "calls in flight at the end that did not return and are in no figure: {}",
            list(&result.abandoned.at_stop)
        ));
    }
    if let Some(total) = result.total {
        let not_done = total.saturating_sub(result.done + result.failed + result.abandoned.calls());
        if not_done > 0 {
            lines.push(format!("not done: {not_done} of {total} operations"));
        }
    }
}

fn hint(phase: Phase, number: u32) -> Option<&'static str> {
    match (phase, number) {
        (Phase::Load, status::DUPLICATE) => {
            Some("the table holds these keys already; load with -p dropdata=true, or into another table")
        }
        (Phase::Run, status::DUPLICATE) => {
            Some("these keys exist already; load again with -p dropdata=true, or set insertstart.run")
        }
        (Phase::Run, status::NOT_FOUND) => {
            Some("records are missing; load with the same recordcount, table and insertorder first")
        }
        (_, status::NOT_IMPLEMENTED) => Some("the binding cannot do this; change the workload's proportions"),
        (_, status::FORBIDDEN) => Some("look at user, password and rights"),
        _ => None,
    }
}
