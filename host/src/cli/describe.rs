//! `ycsb-host describe`: what a plugin says of itself; without one, the properties of the host and its workloads.

use super::own;
use crate::base::streams;
use crate::binding::{SearchPath, find, requested};
use crate::plan::catalog::host_declarations;
use crate::plan::host_properties::WITHOUT_EFFECT;
use crate::plan::plugin_page;
use crate::plan::reference::reference;
use crate::workload::WorkloadClass;

#[derive(clap::Parser)]
#[command(
    bin_name = "ycsb-host describe",
    about = "Shows what a binding can do and which properties it reads"
)]
struct Words {
    /// Binding: a name, a class name of YCSB or the path of a plugin; without one the properties of the host
    /// and its workloads are shown as Markdown
    binding: Option<String>,
    /// The same as BINDING
    #[arg(long, value_name = "NAME", conflicts_with = "binding")]
    db: Option<String>,
    /// Shows the reference page of the plugin, with all its bindings
    #[arg(long)]
    markdown: bool,
    /// Folders in which plugins are looked for first, with ':' between
    #[arg(long, value_name = "FOLDERS", allow_hyphen_values = true)]
    cp: Vec<String>,
}

/// Prints the description on standard output; the result is the exit code.
pub(super) fn execute(words: &[String]) -> i32 {
    let words: Words = match own::parse(words) {
        Ok(words) => words,
        Err(code) => return code,
    };
    let Some(name) = words.db.or(words.binding) else {
        streams::out(&of_host());
        return 0;
    };
    match find(&requested(&name), &SearchPath::new(&words.cp)) {
        Ok((plugin, _)) if words.markdown => streams::out(&plugin_page::page(&plugin)),
        Ok((plugin, index)) => streams::out(&plugin_page::lines(&plugin, &plugin.bindings[index])),
        Err(error) => {
            streams::say(&error.to_string());
            return error.exit_code();
        }
    }
    0
}

fn of_host() -> String {
    let mut parts = vec![reference("Host", host_declarations().into_iter().flatten())];
    for class in WorkloadClass::ALL {
        parts.push(reference(&format!("Workload {}", class.class()), class.declarations()));
    }
    parts.push(reference("Known names without effect", WITHOUT_EFFECT));
    parts.join("\n")
}
