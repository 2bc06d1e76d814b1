//! Real database servers for the tests of plugins, through `scripts/services`, and the host to run them with.
//!
//! A test that needs a server begins with
//! ```no_run
//! # use ycsb_test_services::Service;
//! # fn test() {
//! let Some(server) = Service::up("redis", &[]) else { return };
//! let port = server.fact("PORT");
//! # let _ = port; }
//! ```
//! Where the server cannot be installed the test says so and passes; under `CI=true` it fails. A test that kills,
//! stops or reconfigures a server takes one of its own, `NAME@TAG`, and ends it with [`Service::down`].
#![forbid(unsafe_code)]

mod program;

pub use program::{Program, Ran, STOCK, split};

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// A server that runs.
#[derive(Clone, Debug)]
pub struct Service {
    name: String,
    facts: HashMap<String, String>,
}

/// What has been started in this process, or could not be.
static STARTED: Mutex<Option<HashMap<String, Option<Service>>>> = Mutex::new(None);

impl Service {
    /// Starts a server, once per process, with `KEY=VALUE` settings of its own. `None`, and a line that says
    /// why, if it cannot be installed here.
    ///
    /// # Panics
    /// If it does not start although it is installed, and under `CI=true` also if it is not.
    pub fn up(name: &str, settings: &[&str]) -> Option<Service> {
        let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
        let started = started.get_or_insert_default();
        if let Some(service) = started.get(name) {
            return service.clone();
        }
        let service = start(name, settings);
        started.insert(name.to_owned(), service.clone());
        service
    }

    /// One of the assignments that `scripts/services env` prints.
    ///
    /// # Panics
    /// If there is no such assignment.
    pub fn fact(&self, key: &str) -> &str {
        self.facts.get(key).unwrap_or_else(|| panic!("{} has no {key}: {:?}", self.name, self.facts))
    }

    /// The name by which `scripts/services` knows it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `kill`, `start`, `stop` or `cont`; with an empty `node` all of its processes.
    ///
    /// # Panics
    /// If that fails.
    pub fn signal(&self, command: &str, node: &str) {
        let name = if node.is_empty() { self.name.clone() } else { format!("{}/{node}", self.name) };
        succeed(&[command, &name]);
    }

    /// What `scripts/services properties` prints, as a command line's words.
    ///
    /// # Panics
    /// If that fails.
    pub fn properties(&self, binding: &str) -> Vec<String> {
        let output = succeed(&["properties", "--binding", binding, &self.name]);
        String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect()
    }

    /// Ends it and deletes its data: for servers of one test alone.
    ///
    /// # Panics
    /// If that fails.
    pub fn down(self) {
        succeed(&["down", &self.name]);
        let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
        started.get_or_insert_default().remove(&self.name);
    }
}

fn start(name: &str, settings: &[&str]) -> Option<Service> {
    // A server of one test alone is in whatever state the test left it, if that failed the last time.
    if name.contains('@') {
        services(&["down", name]);
    }
    let mut arguments = vec!["up", name];
    for setting in settings {
        arguments.extend(["--setting", setting]);
    }
    let output = services(&arguments);
    match output.status.code() {
        Some(0) => {}
        Some(3) => {
            let reason = text(&output);
            assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs {name}: {reason}");
            // Past the test harness, which would keep the line of a test that passes to itself.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {reason}");
            return None;
        }
        _ => panic!("scripts/services up {name}: {}", text(&output)),
    }
    let output = succeed(&["env", name]);
    let facts = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.trim_matches('\'').to_owned()))
        .collect();
    Some(Service { name: name.to_owned(), facts })
}

fn succeed(arguments: &[&str]) -> Output {
    let output = services(arguments);
    assert!(output.status.success(), "scripts/services {}: {}", arguments.join(" "), text(&output));
    output
}

fn services(arguments: &[&str]) -> Output {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scripts/services");
    Command::new(script).args(arguments).output().expect("scripts/services can be run")
}

fn text(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).trim().to_owned()
}
