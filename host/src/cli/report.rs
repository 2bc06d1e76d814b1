//! `ycsb-host report`: shows saved result documents again; several processes of one run are merged.

use super::{EXIT_USAGE, own};
use crate::analysis::verdict;
use crate::base::streams;
use crate::experiment::{cost_lines, lag_line, response_lines, verdict_lines};
use crate::report::{Exporter, SavedRun};
use crate::result::{ResultDocument, merge, read_document, write_replacing};
use std::path::PathBuf;

#[derive(clap::Parser)]
#[command(bin_name = "ycsb-host report", about = "Shows saved results; several files are merged")]
struct Words {
    /// Result documents that --out wrote: one, or those of processes that worked side by side
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Form: text, json or jsonarray
    #[arg(long, value_name = "FORM", default_value = "text")]
    exporter: String,
    /// Writes the merged document to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Prints the report on standard output and the rest on standard error; the result is the exit code.
pub(super) fn execute(words: &[String]) -> i32 {
    let words: Words = match own::parse(words) {
        Ok(words) => words,
        Err(code) => return code,
    };
    match show(&words) {
        Ok(()) => 0,
        Err(reason) => {
            streams::say(&reason);
            EXIT_USAGE
        }
    }
}

fn show(words: &Words) -> Result<(), String> {
    let exporter = Exporter::named(&words.exporter)
        .ok_or_else(|| format!("--exporter \"{}\": there are text, json and jsonarray", words.exporter))?;
    let document = merged(&words.files)?;
    let saved = SavedRun::of(&document).map_err(|error| error.to_string())?;
    let mut report = Vec::new();
    exporter.write(&saved.input(), &mut report).map_err(|error| error.to_string())?;
    streams::out(&String::from_utf8_lossy(&report));
    for process in &document.processes {
        streams::say(&format!(
            "{} of {} by {} clients, {} {} ({})",
            document.phase,
            document.workload,
            process.plan.clients,
            process.plugin.name,
            process.plugin.version,
            process.plugin.connected_to
        ));
    }
    if !document.complete {
        streams::say(
            "the run had not ended when this was written: the report covers what was done until then",
        );
    }
    let lines = response_lines(&document).into_iter().chain(lag_line(&document)).chain(cost_lines(&document));
    lines.for_each(|line| streams::say(&line));
    document.verdict.iter().flat_map(verdict_lines).for_each(|line| streams::say(&line));
    match &words.out {
        Some(path) => write_replacing(path, &document).map_err(|error| error.to_string()),
        None => Ok(()),
    }
}

/// All documents as one, with a verdict of its own unless there is only one of them.
fn merged(files: &[PathBuf]) -> Result<ResultDocument, String> {
    let read = |path: &PathBuf| read_document(path).map_err(|error| error.to_string());
    let (first, others) = files.split_first().ok_or("no file; name what --out wrote")?;
    let mut document = read(first)?;
    for path in others {
        document = merge(&document, &read(path)?)
            .map_err(|error| format!("{} and {}: {error}", first.display(), path.display()))?;
    }
    if document.verdict.is_none() && document.complete {
        document.verdict = Some(verdict(&document));
    }
    Ok(document)
}
