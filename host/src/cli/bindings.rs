//! `ycsb-host bindings`: which bindings are installed, where, and which files could not be used.

use super::own;
use crate::base::streams;
use crate::binding::{Plugin, SearchPath, UPSTREAM};
use std::collections::BTreeSet;
use std::fmt::Write as _;

#[derive(clap::Parser)]
#[command(bin_name = "ycsb-host bindings", about = "Lists installed bindings")]
struct Words {
    /// Folders in which plugins are looked for first, with ':' between
    #[arg(long, value_name = "FOLDERS", allow_hyphen_values = true)]
    cp: Vec<String>,
    /// Shows the bindings of YCSB for which no plugin is installed too
    #[arg(long)]
    all: bool,
}

/// Prints the list on standard output; the result is the exit code.
pub(super) fn execute(words: &[String]) -> i32 {
    let words: Words = match own::parse(words) {
        Ok(words) => words,
        Err(code) => return code,
    };
    let search = SearchPath::new(&words.cp);
    let mut text = String::new();
    let mut answered: BTreeSet<&str> = BTreeSet::new();
    for file in search.libraries() {
        let plugin = match Plugin::load(&file) {
            Ok(plugin) => plugin,
            Err(error) => {
                streams::say(&error.to_string());
                continue;
            }
        };
        for info in &plugin.bindings {
            answered.insert(info.name);
            answered.extend(info.aliases.iter().map(|preset| preset.alias));
            let flavour = if info.is_async { "async" } else { "blocking" };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{:<16} {} ({flavour}, {})", info.name, info.summary, info.version);
            let _ = writeln!(text, "{:<16} {}, {}", "", plugin.path.display(), info.compiler);
            let aliases: Vec<&str> = info.aliases.iter().map(|preset| preset.alias).collect();
            if !aliases.is_empty() {
                let _ = writeln!(text, "{:<16} also {}", "", aliases.join(", "));
            }
        }
    }
    if text.is_empty() {
        streams::say(&format!(
            "no plugins found; looked in {}; name their folder with -cp",
            search.describe()
        ));
    }
    if words.all {
        let missing = UPSTREAM.iter().map(|known| known.name).filter(|name| !answered.contains(name));
        let missing: BTreeSet<&str> = missing.collect();
        let _ = writeln!(text, "\nKnown to YCSB, no plugin installed:");
        for name in missing {
            let _ = writeln!(text, "{name}");
        }
    }
    streams::out(&text);
    0
}
