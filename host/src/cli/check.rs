//! `ycsb-host check`: the conformance kit, on the binding, server and properties that were given.

use super::{EXIT_USAGE, Invocation, echo, show_notes};
use crate::base::os::{self, DivertedOutput};
use crate::base::streams;
use crate::binding::SearchPath;
use crate::conformance::{self, CheckError, Conformance, KitSettings, Progress, report};
use crate::experiment::{EXIT_CANNOT_OPEN, EXIT_FAILED};
use crate::plan::{Owner, Refusal, Settled, choose};
use crate::workload::WORKLOAD;
use std::io::Write;
use ycsb_plugin_abi::status;

/// The workload whose properties may be given; the kit runs none.
const CORE_WORKLOAD: &str = "site.ycsb.workloads.CoreWorkload";

/// Checks all rules; the result is the exit code.
pub(super) fn execute(invocation: &Invocation) -> i32 {
    let (settled, own) = match settle(invocation) {
        Ok(settled) => settled,
        Err(refusal) => {
            streams::say(&refusal.to_string());
            return refusal.exit_code();
        }
    };
    show_notes(&settled);
    let diverted = DivertedOutput::begin().ok();
    let outcome = conformance::check(&settled, &own, diverted.as_ref(), &mut |progress| {
        if !own.json {
            show_progress(&settled, diverted.as_ref(), &progress);
        }
    });
    drop(diverted);
    match outcome {
        Ok(conformance) => show(&settled, &own, &conformance),
        Err(error) => refused(&settled, &error),
    }
}

fn settle(invocation: &Invocation) -> Result<(Settled, KitSettings), Refusal> {
    let mut sources = invocation.sources.clone();
    sources.add_preset(WORKLOAD.name, CORE_WORKLOAD, "check");
    let choice = choose(&sources, &SearchPath::new(&invocation.class_path)).map(|mut choice| {
        choice.catalog.add(Owner::Host, conformance::DECLARATIONS);
        choice
    });
    let known = choice.as_ref().ok().map(|choice| &choice.catalog);
    streams::echo(&echo::command_line(&invocation.typed, known));
    invocation.notes.iter().for_each(|note| streams::say(note));
    let settled = choice?.settle(sources, &|name| std::env::var(name).ok())?;
    let own = KitSettings::read(&settled.settings)?;
    Ok((settled, own))
}

/// Rules are shown as they are checked: some of them take seconds.
fn show_progress(settled: &Settled, diverted: Option<&DivertedOutput>, progress: &Progress<'_>) {
    let text = match progress {
        Progress::Opened(survey) => report::heading(settled, survey),
        Progress::Checked(one) => report::line(one),
    };
    let text = settled.redactor.text(&text);
    match diverted {
        // A reader that went away is no reason to stop.
        Some(diverted) => drop(diverted.stdout().write_all(text.as_bytes())),
        None => streams::out(&text),
    }
}

fn show(settled: &Settled, own: &KitSettings, conformance: &Conformance) -> i32 {
    let text = match own.json {
        true => format!("{:#}\n", report::document(settled, conformance)),
        false => report::summary(conformance),
    };
    streams::out(&settled.redactor.text(&text));
    let name = settled.info().name;
    for line in &conformance.log {
        streams::say(&settled.redactor.text(&format!("{name} logged: {line}")));
    }
    if let Some(reason) = &conformance.left_behind {
        let text = format!("records of the check may be left in the store: {reason}");
        streams::say(&settled.redactor.text(&text));
    }
    let [_, failed, _] = conformance.counts();
    let code = if failed > 0 { EXIT_FAILED } else { 0 };
    if conformance.is_stuck {
        os::exit_now(code);
    }
    code
}

fn refused(settled: &Settled, error: &CheckError) -> i32 {
    let text = match error {
        CheckError::Setting(error) => error.to_string(),
        CheckError::NotOpened { .. } => format!("binding {} {error}", settled.info().name),
    };
    streams::say(&settled.redactor.text(&text));
    match error {
        CheckError::Setting(_) => EXIT_USAGE,
        CheckError::NotOpened { failure, .. } => match failure.status {
            status::BAD_REQUEST => EXIT_USAGE,
            // The thread that opens may still be inside of the plugin.
            status::TIMEOUT => os::exit_now(EXIT_CANNOT_OPEN),
            _ => EXIT_CANNOT_OPEN,
        },
    }
}
