//! The registry of commands. A command is one file and one line here.

use super::{Invocation, bindings, check, describe, explain, new_plugin, report, run, shell};

/// Carries out a benchmark command; the result is the exit code.
pub type Execute = fn(&Invocation) -> i32;

/// How a command reads its words.
#[derive(Clone, Copy)]
pub enum Form {
    /// As YCSB does: a binding name, `-P`, `-p` and the other flags of the table.
    Benchmark(Execute),
    /// In its own way: the words after its name. The result is the exit code.
    Own(fn(&[String]) -> i32),
}

/// A command.
#[derive(Clone, Copy)]
pub struct Command {
    /// The first word.
    pub name: &'static str,
    /// One line for the help.
    pub summary: &'static str,
    /// How it reads its words and what it does.
    pub form: Form,
}

/// What is done where no command is named: YCSB's client form.
pub const CLIENT: Execute = run::execute;

/// All commands, in the order of the help.
pub const COMMANDS: &[Command] = &[
    Command { name: "load", summary: "Execute the load phase", form: Form::Benchmark(CLIENT) },
    Command { name: "run", summary: "Execute the run phase", form: Form::Benchmark(CLIENT) },
    Command { name: "shell", summary: "Interactive mode", form: Form::Benchmark(shell::execute) },
    Command {
        name: "explain",
        summary: "Show every setting and where it comes from; run nothing",
        form: Form::Benchmark(explain::execute),
    },
    Command {
        name: "check",
        summary: "Check that a binding keeps the rules for plugins",
        form: Form::Benchmark(check::execute),
    },
    Command {
        name: "report",
        summary: "Show saved results again; several processes of one run are merged",
        form: Form::Own(report::execute),
    },
    Command {
        name: "describe",
        summary: "Show what a binding can do and which properties it reads, or the host's properties",
        form: Form::Own(describe::execute),
    },
    Command {
        name: "bindings",
        summary: "List the bindings that are installed",
        form: Form::Own(bindings::execute),
    },
    Command {
        name: "new-plugin",
        summary: "Write out a complete small plugin to start from",
        form: Form::Own(new_plugin::execute),
    },
];

/// The command with this name, whatever its form.
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// What a benchmark command of this name does.
pub fn benchmark(name: &str) -> Option<Execute> {
    match find(name)?.form {
        Form::Benchmark(execute) => Some(execute),
        Form::Own(_) => None,
    }
}

/// Names of all commands.
pub fn names() -> Vec<&'static str> {
    COMMANDS.iter().map(|command| command.name).collect()
}
