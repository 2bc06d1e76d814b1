//! Servers from scripts/services.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// A server that runs.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    name: String,
    facts: HashMap<String, String>,
}

static STARTED: Mutex<Option<HashMap<String, Option<Service>>>> = Mutex::new(None);

impl Service {
    /// Starts a server, once per process. `None`, and a line that says why, if it cannot be installed here.
    ///
    /// # Panics
    /// If it does not start although it is installed, and under CI=true also if it is not.
    pub(crate) fn up(name: &str, settings: &[&str]) -> Option<Service> {
        let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
        let started = started.get_or_insert_default();
        if let Some(service) = started.get(name) {
            return service.clone();
        }
        let service = start(name, settings);
        started.insert(name.to_owned(), service.clone());
        service
    }

    /// One of the assignments of `scripts/services env`.
    pub(crate) fn fact(&self, key: &str) -> &str {
        self.facts.get(key).unwrap_or_else(|| panic!("{} has no {key}: {:?}", self.name, self.facts))
    }

    /// `kill`, `start`, `stop` or `cont`; `node` is empty for all nodes.
    pub(crate) fn signal(&self, command: &str, node: &str) {
        let name = if node.is_empty() { self.name.clone() } else { format!("{}/{node}", self.name) };
        let output = services(&[command, &name]);
        assert!(output.status.success(), "scripts/services {command} {name}: {}", text(&output));
    }

    /// Ends it and deletes its data: for servers of one test alone.
    pub(crate) fn down(self) {
        let output = services(&["down", &self.name]);
        assert!(output.status.success(), "scripts/services down {}: {}", self.name, text(&output));
    }
}

fn start(name: &str, settings: &[&str]) -> Option<Service> {
    // A server of one test alone is what the test left of it, if it failed the last time.
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
            println!("SKIPPED: {reason}");
            return None;
        }
        _ => panic!("scripts/services up {name}: {}", text(&output)),
    }
    let output = services(&["env", name]);
    let facts = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.trim_matches('\'').to_owned()))
        .collect();
    Some(Service { name: name.to_owned(), facts })
}

fn services(arguments: &[&str]) -> Output {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scripts/services");
    Command::new(script).args(arguments).output().expect("scripts/services runs")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
        .trim()
        .to_owned()
}
