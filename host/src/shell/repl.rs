//! Reads lines, carries them out, prints YCSB's replies.

use super::client::{Command, Reply, Row, ShellClient};
use super::editor::Lines;
use super::grammar::{COMMANDS, Line, parse};
use crate::base::{os, streams};
use crate::binding::{Binding, OpenFailure};
use crate::config::ConfigError;
use crate::engine::{open_binding, open_request};
use crate::experiment::{EXIT_CANNOT_OPEN, EXIT_FAILED, EXIT_USAGE, flush_echo, install_callbacks};
use crate::measure::StatusTable;
use crate::plan::{RunPlan, Settled};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};
use ycsb_plugin_abi::{kind, status};

/// Runs the shell until its input ends; the result is the exit code.
pub fn run_shell(settled: &Settled) -> i32 {
    let plan = match RunPlan::new(settled) {
        Ok(plan) => plan,
        Err(ConfigError(message)) => {
            streams::say(&message);
            return EXIT_USAGE;
        }
    };
    install_callbacks(settled.info().name, &settled.redactor);
    if print("YCSB Command Line client\nType \"help\" for command line help\nStart with \"-help\" for usage info\n").is_err() {
        return EXIT_FAILED;
    }
    let mut request = open_request(&plan, settled.binding, 1);
    // A shell looks at data and writes single records: the table may be absent, but is never emptied.
    (request.phase, request.fresh, request.clients) = (ycsb_plugin_abi::phase::LOAD, false, 1);
    let patience = Duration::from_nanos(plan.connect_timeout_ns) + Duration::from_secs(1);
    let opened = open_binding(&settled.plugin, request, plan.connect_timeout_ns).and_then(|binding| {
        let binding = Arc::new(binding);
        let (table, fields) = (plan.workload.table(), plan.workload.field_names());
        ShellClient::start(&binding, table, fields, patience).map(|client| (binding, client))
    });
    let (binding, client) = match opened {
        Ok(opened) => opened,
        Err(failure) => return not_opened(settled, &plan.statuses, &failure),
    };
    if !binding.connected_to.is_empty() {
        streams::say(&settled.redactor.text(&binding.connected_to));
    }
    flush_echo();
    let mut shell =
        Shell { settled, statuses: &plan.statuses, client, table: plan.workload.table().to_owned() };
    let code = match print("Connected.\n").and_then(|()| shell.converse()) {
        Ok(()) => 0,
        // Nobody reads the answers, or the input broke.
        Err(_) => EXIT_FAILED,
    };
    leave(shell.client, binding, Duration::from_nanos(plan.stop_grace_ns), code)
}

fn not_opened(settled: &Settled, statuses: &StatusTable, failure: &OpenFailure) -> i32 {
    let text = format!(
        "binding {} cannot be opened ({}): {}",
        settled.info().name,
        statuses.info(failure.status).name,
        failure.detail
    );
    streams::say(&settled.redactor.text(&text));
    let code = if failure.status == status::BAD_REQUEST { EXIT_USAGE } else { EXIT_CANNOT_OPEN };
    if failure.status == status::TIMEOUT {
        os::exit_now(code);
    }
    code
}

fn leave(client: ShellClient, binding: Arc<Binding>, patience: Duration, code: i32) -> i32 {
    if !client.end(patience) {
        os::exit_now(code);
    }
    if let Ok(binding) = Arc::try_unwrap(binding) {
        binding.close();
    }
    flush_echo();
    code
}

struct Shell<'a> {
    settled: &'a Settled,
    statuses: &'a StatusTable,
    client: ShellClient,
    table: String,
}

impl Shell<'_> {
    fn converse(&mut self) -> std::io::Result<()> {
        let mut lines = Lines::new();
        while let Some(line) = lines.next()? {
            let began = Instant::now();
            let took = match parse(&line) {
                Line::Empty => continue,
                Line::Quit => return Ok(()),
                Line::Help => {
                    print(&help())?;
                    continue;
                }
                line => self.carry_out(line)?,
            };
            print(&format!("{} ms\n", took.unwrap_or_else(|| began.elapsed()).as_millis()))?;
        }
        // The prompt stands alone on its line when input just ends.
        print("\n")
    }

    /// Carries out a command; the result is how long its operation took, if it was one.
    fn carry_out(&mut self, line: Line) -> std::io::Result<Option<Duration>> {
        let command = |kind, key| Command { kind, table: self.table.clone(), key, ..Command::default() };
        match line {
            Line::Read(key, select) => {
                self.call(Command { select, ..command(kind::READ, key) }, "Return code", show_fields)
            }
            Line::Scan(key, limit, select) => {
                self.call(Command { select, limit, ..command(kind::SCAN, key) }, "Result", show_records)
            }
            Line::Insert(key, values) => {
                self.call(Command { values, ..command(kind::INSERT, key) }, "Result", |_| String::new())
            }
            Line::Update(key, values) => {
                self.call(Command { values, ..command(kind::UPDATE, key) }, "Result", |_| String::new())
            }
            Line::Delete(key) => self.call(command(kind::DELETE, key), "Return result", |_| String::new()),
            Line::Table(name) => {
                self.table = name.unwrap_or_else(|| self.table.clone());
                print(&format!("Using table \"{}\"\n", self.table)).map(|()| None)
            }
            Line::Error(answer) => print(&format!("{answer}\n")).map(|()| None),
            Line::Empty | Line::Help | Line::Quit => Ok(None),
        }
    }

    fn call(
        &self,
        command: Command,
        word: &str,
        show: impl Fn(&Reply) -> String,
    ) -> std::io::Result<Option<Duration>> {
        let Some(reply) = self.client.call(command) else {
            return Err(std::io::Error::other("the session is gone"));
        };
        flush_echo();
        let known = self.statuses.info(reply.status);
        print(&format!("{word}: {}\n{}", known.upstream, show(&reply)))?;
        if !known.success && (!reply.detail.is_empty() || known.name != known.upstream) {
            let text = format!("{}: {}", known.name, reply.detail);
            streams::say(&self.settled.redactor.text(text.trim_end_matches([':', ' '])));
        }
        Ok(Some(reply.took))
    }
}

fn show_row(row: &Row) -> String {
    row.iter().map(|(name, value)| format!("{name}={}\n", String::from_utf8_lossy(value))).collect()
}

fn show_fields(reply: &Reply) -> String {
    reply.rows.iter().map(show_row).collect()
}

fn show_records(reply: &Reply) -> String {
    if reply.rows.is_empty() {
        return "0 records\n".to_owned();
    }
    let line = "-".repeat(32);
    let records = reply.rows.iter().enumerate();
    let shown: String = records.map(|(i, row)| format!("Record {i}\n{}{line}\n", show_row(row))).collect();
    format!("{line}\n{shown}")
}

fn help() -> String {
    let mut text = String::from("Commands:\n");
    for (name, form, what) in COMMANDS {
        text.push_str(&format!("  {:<50} {what}\n", format!("{name} {form}")));
    }
    text
}

/// Answers go to stdout at once: a script may wait for them.
fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
