//! The help: commands, bindings, flags, made from their tables.

use super::commands::COMMANDS;
use super::flags::{FLAGS, Flag};
use crate::base::streams;
use crate::binding::{Plugin, SearchPath};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Prints the help on standard output; the result is the exit code.
pub(super) fn print(search: &SearchPath) -> i32 {
    streams::out(&text(&bindings(search)));
    0
}

/// Names and summaries of all bindings that are installed, in order of the name.
fn bindings(search: &SearchPath) -> BTreeMap<String, String> {
    let plugins = search.libraries().into_iter().filter_map(|file| Plugin::load(&file).ok());
    plugins
        .flat_map(|plugin| plugin.bindings)
        .map(|info| (info.name.to_owned(), info.summary.to_owned()))
        .collect()
}

fn text(bindings: &BTreeMap<String, String>) -> String {
    let mut text =
        "Usage: ycsb-host COMMAND BINDING [flags]\n       ycsb-host -db BINDING [-load | -t] [flags]\n"
            .to_owned();
    block(&mut text, "Commands", COMMANDS.iter().map(|command| (command.name, command.summary)));
    match bindings.is_empty() {
        true => text.push_str(
            "\nBindings:\n    none found; install plugins beside the program or name their folder with -cp\n",
        ),
        false => block(
            &mut text,
            "Bindings",
            bindings.iter().map(|(name, summary)| (name.as_str(), summary.as_str())),
        ),
    }
    let flags: Vec<(String, &str)> = FLAGS.iter().map(|flag| (usage(flag), flag.help)).collect();
    block(&mut text, "Flags", flags.iter().map(|(usage, help)| (usage.as_str(), *help)));
    text.push_str(
        "\nWorkload files:\n    workloads/ holds YCSB's workloads a to f and templates that name every property.\n",
    );
    text
}

fn usage(flag: &Flag) -> String {
    match flag.takes_value() {
        true => format!("-{} {}", flag.name, flag.value),
        false => format!("-{}", flag.name),
    }
}

fn block<'a>(text: &mut String, title: &str, lines: impl Iterator<Item = (&'a str, &'a str)>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "\n{title}:");
    for (name, summary) in lines {
        let _ = writeln!(text, "    {name:<16} {summary}");
    }
}
