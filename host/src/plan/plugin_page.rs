//! What a plugin says of itself, for people: a page of Markdown, or lines for the terminal.

use super::catalog::{Catalog, Owner};
use super::reference::{cell, meaning, shown_name, table, takes};
use crate::binding::{BindingInfo, Plugin, PresetInfo, capabilities_of, capability_names};
use crate::config::Declaration;
use crate::workload::WorkloadClass;
use std::fmt::Write;

/// The reference page of a library: its bindings, what they can do, their statuses and properties.
///
/// Nothing in it depends on who built the library, so that it can be kept beside the source.
pub fn page(plugin: &Plugin) -> String {
    let mut text = String::new();
    for (number, info) in plugin.bindings.iter().enumerate() {
        let _ = writeln!(text, "{}## {}\n\n{}", if number == 0 { "" } else { "\n" }, info.name, about(info));
        let _ = writeln!(text, "| capability | meaning |\n| --- | --- |");
        for one in capabilities_of(info.capabilities) {
            let _ = writeln!(text, "| {} | {} |", one.name, one.meaning);
        }
        if !info.statuses.is_empty() {
            let _ = writeln!(text, "\n| status of its own | counts as | meaning |\n| --- | --- | --- |");
            for status in &info.statuses {
                let counts = if status.success { "success" } else { "failure" };
                let _ = writeln!(text, "| {} | {counts} | {} |", status.name, cell(status.text));
            }
        }
    }
    for (names, properties) in by_properties(plugin) {
        let _ = write!(text, "\n## Properties of {}\n\n{}", names.join(", "), table(&properties));
    }
    text
}

fn about(info: &BindingInfo) -> String {
    let how = match info.is_async {
        true => "Async: the plugin's own runtime serves all clients.",
        false => "Blocking: one thread of the host calls it for each client.",
    };
    let mut text = format!("{}. {how}\n", info.summary.trim_end_matches('.'));
    if !info.aliases.is_empty() {
        let names: Vec<String> = info.aliases.iter().map(alias).collect();
        let _ = write!(text, "\nAlso called {}.\n", names.join(", "));
    }
    text
}

fn alias(preset: &PresetInfo) -> String {
    if preset.settings.is_empty() {
        return format!("`{}`", preset.alias);
    }
    let settings: Vec<String> =
        preset.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("`{}` (sets `{}`)", preset.alias, settings.join("`, `"))
}

/// The bindings with the same properties together.
fn by_properties(plugin: &Plugin) -> Vec<(Vec<&str>, Vec<Declaration>)> {
    let mut groups: Vec<(Vec<&str>, Vec<Declaration>)> = Vec::new();
    for info in &plugin.bindings {
        let own = properties(info);
        let same = |other: &Vec<Declaration>| table(other) == table(&own);
        match groups.iter_mut().find(|(_, properties)| same(properties)) {
            Some((names, _)) => names.push(info.name),
            None => groups.push((vec![info.name], own)),
        }
    }
    groups
}

/// The binding's declarations. A property of the host that it only gives another spelling is shown as the host
/// has it.
fn properties(info: &BindingInfo) -> Vec<Declaration> {
    let host = Catalog::new(WorkloadClass::Core, None);
    let of_host = |name: &str| host.of(Owner::Host).find(|one| one.name == name).copied();
    let own = info.properties.iter().map(|own| match of_host(own.name) {
        Some(host) => Declaration { aliases: own.aliases, ..host },
        None => *own,
    });
    own.collect()
}

/// Everything that is known of a binding that has not been opened, for the terminal.
pub fn lines(plugin: &Plugin, info: &BindingInfo) -> String {
    let mut text = format!("{} {}: {}\n", info.name, info.version, info.summary);
    let flavour = if info.is_async { "async" } else { "blocking" };
    let _ = writeln!(text, "library       {}", plugin.path.display());
    let _ = writeln!(text, "built with    {}, ycsb-plugin-api {}", info.compiler, info.api_version);
    let _ = writeln!(text, "flavour       {flavour}");
    let _ = writeln!(text, "capabilities  {}", capability_names(info.capabilities));
    for preset in &info.aliases {
        let _ = writeln!(text, "also called   {}", alias(preset).replace('`', ""));
    }
    for status in &info.statuses {
        let counts = if status.success { "success" } else { "failure" };
        let _ = writeln!(text, "status        {} ({counts}): {}", status.name, status.text);
    }
    let declared = properties(info);
    let heading = if declared.is_empty() { "\nno properties\n" } else { "\nproperties\n" };
    text.push_str(heading);
    for one in &declared {
        let default = match one.default {
            Some(default) => format!("={default}"),
            None if one.required => " (has to be given)".to_owned(),
            None => String::new(),
        };
        let _ = writeln!(text, "  {}{default}  [{}]\n      {}", shown_name(one), takes(one), meaning(one));
    }
    text
}
