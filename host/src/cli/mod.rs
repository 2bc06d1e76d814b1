//! Layer 10: commands and flags.
//!
//! [`parse`] turns words into a [`Request`]; [`run`] carries it out and says the exit code. A command is one
//! file here and one line in `commands.rs`.

mod args;
mod bindings;
mod check;
pub mod commands;
mod describe;
mod echo;
mod explain;
pub mod flags;
mod help;
mod new_plugin;
mod own;
mod report;
mod run;
mod shell;
mod words;

use crate::base::streams;
use crate::binding::SearchPath;
use crate::config::Sources;
pub use crate::experiment::EXIT_USAGE;
use crate::plan::{Settled, choose};
use commands::{Command, Execute, Form};
use std::ffi::OsString;

/// A mistake in the words (exit code 2).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// What was asked for.
pub enum Request {
    /// The help, with the bindings found in these folders.
    Help(Vec<String>),
    /// The version.
    Version,
    /// A command that reads its words itself.
    Own(&'static Command, Vec<String>),
    /// A command that takes the flags and properties of a benchmark.
    Benchmark(Invocation),
}

/// A benchmark command with everything that was given to it.
pub struct Invocation {
    /// What is done.
    pub execute: Execute,
    /// The words as typed.
    pub typed: Vec<String>,
    /// Files and arguments.
    pub sources: Sources,
    /// Values of `-cp`.
    pub class_path: Vec<String>,
    /// Remarks on the words, one sentence each.
    pub notes: Vec<String>,
}

/// Reads the words behind the program's name.
///
/// # Errors
/// Any mistake in the words; property files that cannot be read.
pub fn parse(typed: &[String]) -> Result<Request, UsageError> {
    let Some(first) = typed.first() else {
        return Err(UsageError(
            "no command; try ycsb-host run basic -P workloads/workloada, or --help".to_owned(),
        ));
    };
    if first == "help" {
        return Ok(Request::Help(Vec::new()));
    }
    if let Some(command) = commands::find(first)
        && matches!(command.form, Form::Own(_))
    {
        return Ok(Request::Own(command, typed[1..].to_vec()));
    }
    args::parse_benchmark(typed)
}

/// Reads the words behind the program's name and does what they ask for; the result is the exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> i32 {
    let typed: Result<Vec<String>, OsString> = words.into_iter().map(OsString::into_string).collect();
    let typed = match typed {
        Ok(typed) => typed,
        Err(word) => {
            streams::say(&format!(
                "the argument {word:?} is not UTF-8; rename the file or correct the argument"
            ));
            return EXIT_USAGE;
        }
    };
    match parse(&typed) {
        Ok(Request::Help(class_path)) => help::print(&SearchPath::new(&class_path)),
        Ok(Request::Version) => {
            streams::out(&format!("ycsb-host {}\n", env!("CARGO_PKG_VERSION")));
            0
        }
        Ok(Request::Own(command, words)) => match command.form {
            Form::Own(execute) => execute(&words),
            Form::Benchmark(_) => unreachable!("parse gives Own for commands of their own form only"),
        },
        Ok(Request::Benchmark(invocation)) => (invocation.execute)(&invocation),
        Err(error) => {
            streams::echo(&echo::command_line(&typed, None));
            streams::say(&error.to_string());
            EXIT_USAGE
        }
    }
}

impl Invocation {
    /// Echoes the command line on standard error, checks all settings and shows the notes on them.
    ///
    /// # Errors
    /// The exit code, after the reason has been shown.
    pub fn settle(&self) -> Result<Settled, i32> {
        self.settle_with(self.sources.clone())
    }

    /// The same with these sources in place of what was typed.
    fn settle_with(&self, sources: Sources) -> Result<Settled, i32> {
        let choice = choose(&sources, &SearchPath::new(&self.class_path));
        let known = choice.as_ref().ok().map(|choice| &choice.catalog);
        streams::echo(&echo::command_line(&self.typed, known));
        for note in &self.notes {
            streams::say(note);
        }
        let environment = |name: &str| std::env::var(name).ok();
        let settled = choice.and_then(|choice| choice.settle(sources, &environment));
        match settled {
            Ok(settled) => Ok(settled),
            Err(refusal) => {
                streams::say(&refusal.to_string());
                Err(refusal.exit_code())
            }
        }
    }
}

impl Invocation {
    /// The words as they may be shown and kept.
    fn shown_words(&self, settled: &Settled) -> String {
        let line = echo::command_line(&self.typed, Some(&settled.catalog));
        line.trim_start_matches("Command line:").trim_start().to_owned()
    }
}

/// Shows the notes that deserve a word before a run.
fn show_notes(settled: &Settled) {
    for note in settled.notes.iter().filter(|note| !note.quiet) {
        streams::say(&note.text);
    }
}
