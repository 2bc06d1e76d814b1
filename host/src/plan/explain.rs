//! Every effective setting, where it comes from and what it overrode, as text.

use super::catalog::{Owner, Standing};
use super::host_properties::THREADCOUNT;
use super::settle::Settled;
use crate::config::redact::shown_value;
use crate::config::{Declaration, Settings};
use crate::workload::Phase;

/// One block per owner, one line per property, overridden values below it.
pub fn explain(settled: &Settled) -> String {
    let info = settled.info();
    let phase = match settled.phase {
        Phase::Load => "load",
        Phase::Run => "run",
    };
    let mut text = format!(
        "phase {phase}\nworkload {}\nbinding {} {} ({})\n",
        settled.catalog.workload().class(),
        info.name,
        info.version,
        settled.plugin.path.display()
    );
    // A workload that works out counts puts them into the settings when it is made.
    let mut settings = settled.settings.clone();
    let clients = settings.u64(&THREADCOUNT).unwrap_or(1);
    let _ = settled.catalog.workload().make(&mut settings, settled.phase, clients as usize);
    for (owner, title) in [(Owner::Workload, "workload"), (Owner::Host, "host"), (Owner::Binding, info.name)]
    {
        let lines: Vec<String> = settled
            .catalog
            .of(owner)
            .filter(|declaration| !declaration.prefix)
            .filter_map(|declaration| setting(&settings, declaration.name, Some(declaration)))
            .collect();
        block(&mut text, &format!("properties of {title}"), lines);
    }
    block(&mut text, "not read in this run", unread(settled));
    block(&mut text, "notes", settled.notes.iter().map(|note| format!("  {}\n", note.text)).collect());
    text
}

fn block(text: &mut String, title: &str, lines: Vec<String>) {
    if !lines.is_empty() {
        text.push_str(&format!("\n{title}\n{}", lines.concat()));
    }
}

/// Given names that the catalog does not hold under their own name: prefixes, names of others, unknown ones.
fn unread(settled: &Settled) -> Vec<String> {
    let names = settled.settings.iter().map(|(name, _)| name);
    names
        .filter(|name| match settled.catalog.standing(name) {
            Standing::Declared(declaration) => declaration.prefix,
            Standing::Elsewhere(_) | Standing::Unknown => true,
        })
        .filter_map(|name| setting(&settled.settings, name, None))
        .collect()
}

fn setting(settings: &Settings, name: &str, declaration: Option<&Declaration>) -> Option<String> {
    let shown = |value: &str| shown_value(name, declaration, value);
    let Some(given) = settings.given(name) else {
        // A property without effect that nobody gave is no setting.
        let declaration = declaration.filter(|one| !one.no_effect)?;
        return Some(match declaration.default {
            Some(default) => format!("  {name}={}  [default]\n", shown(default)),
            None => format!("  {name} is not set\n"),
        });
    };
    let mut line = format!("  {name}={}  [{}]\n", shown(&given.value), given.origin);
    for overridden in settings.overridden(name) {
        line.push_str(&format!("    overrides {}  [{}]\n", shown(&overridden.value), overridden.origin));
    }
    Some(line)
}
