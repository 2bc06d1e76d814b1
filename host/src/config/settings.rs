//! The merged settings of one invocation: for each name the value that counts, and where it came from.

use super::Declaration;
use super::redact::shown_value;
use std::collections::BTreeMap;
use std::fmt;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A property file and the line (from 1) on which the entry starts.
    File {
        /// Path as given.
        path: String,
        /// Line, from 1.
        line: usize,
    },
    /// An argument as typed, as in `-threads 4` or `-p table=t`.
    Argument(String),
    /// Set by the chosen binding name, as `postgrenosql` presets its layout.
    Preset(String),
    /// Worked out by a workload, as ConstantOccupancyWorkload sets the record count.
    Derived(String),
    /// The declaration's default.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File { path, line } => write!(f, "{path}:{line}"),
            Origin::Argument(text) => write!(f, "argument {text}"),
            Origin::Preset(name) => write!(f, "preset of {name}"),
            Origin::Derived(by) => write!(f, "set by {by}"),
            Origin::Default => write!(f, "default"),
        }
    }
}

/// A value with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The name as it was spelt where it was given.
    pub spelling: String,
    /// The value, verbatim.
    pub value: String,
    /// Where it came from.
    pub origin: Origin,
}

/// A setting that stops the program before anything is opened (exit code 2).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);

/// What was given, by name. Typed values are read through the declaration of the name.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    values: BTreeMap<String, Given>,
    overridden: BTreeMap<String, Vec<Given>>,
}

impl Settings {
    /// Sets a value under a name; the value that it replaces is kept as overridden, and returned.
    pub fn set(&mut self, name: &str, given: Given) -> Option<Given> {
        let replaced = self.values.insert(name.to_owned(), given)?;
        self.overridden.entry(name.to_owned()).or_default().push(replaced.clone());
        Some(replaced)
    }

    /// The values of a name that do not count, the last overridden first.
    pub fn overridden(&self, name: &str) -> impl Iterator<Item = &Given> {
        self.overridden.get(name).into_iter().flatten().rev()
    }

    /// All names and values, in order of the name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Given)> {
        self.values.iter().map(|(name, given)| (name.as_str(), given))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Given)> {
        self.values.iter_mut().map(|(name, given)| (name.as_str(), given))
    }

    /// What was given for a name, whatever its type.
    pub fn given(&self, name: &str) -> Option<&Given> {
        self.values.get(name)
    }
}

/// The error for a value that cannot be used: place, subject, value, reason and next step.
///
/// `reason` continues the sentence that begins with the value: `must be 1 or more`.
pub fn refuse(declaration: &Declaration, given: &Given, reason: &str) -> ConfigError {
    let shown = shown_value(declaration.name, Some(declaration), &given.value);
    let default = declaration.default.filter(|default| !default.is_empty());
    let next = match default {
        Some(default) => format!("correct it there, or leave it out for the default {default}"),
        None => "correct it there".to_owned(),
    };
    ConfigError(format!("{}: {}=\"{shown}\" {reason}; {next}", given.origin, given.spelling))
}
