//! `ycsb-host describe`: the properties of the host and its workloads, or of one binding, as Markdown.

use super::own;
use crate::base::streams;
use crate::binding::{SearchPath, find, requested};
use crate::plan::catalog::host_declarations;
use crate::plan::host_properties::WITHOUT_EFFECT;
use crate::plan::reference::reference;
use crate::workload::WorkloadClass;

#[derive(clap::Parser)]
#[command(bin_name = "ycsb-host describe", about = "Shows properties as Markdown")]
struct Words {
    /// Binding; without one the host and the workloads are described
    binding: Option<String>,
    /// Folders in which plugins are looked for first, with ':' between
    #[arg(long, value_name = "FOLDERS", allow_hyphen_values = true)]
    cp: Vec<String>,
}

/// Prints the reference on standard output; the result is the exit code.
pub(super) fn execute(words: &[String]) -> i32 {
    let words: Words = match own::parse(words) {
        Ok(words) => words,
        Err(code) => return code,
    };
    let text = match words.binding {
        None => of_host(),
        Some(name) => match find(&requested(&name), &SearchPath::new(&words.cp)) {
            Ok((plugin, index)) => {
                let info = &plugin.bindings[index];
                format!(
                    "{}\n\n{}",
                    info.summary,
                    reference(&format!("Binding {}", info.name), &info.properties)
                )
            }
            Err(error) => {
                streams::say(&error.to_string());
                return error.exit_code();
            }
        },
    };
    streams::out(&text);
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
