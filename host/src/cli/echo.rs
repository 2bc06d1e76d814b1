//! The `Command line:` echo on standard error, as YCSB prints it, without secrets.

use super::flags::{self, Effect};
use crate::config::redact::{HIDDEN, is_secret_name, shown_value, without_credentials};
use crate::plan::{Catalog, Standing};

/// `Command line:` and every word, each after a blank.
///
/// Values of properties that nobody declares are hidden as long as the binding is not known: one of them may
/// be the password that only its manifest declares as a secret.
pub(super) fn command_line(typed: &[String], known: Option<&Catalog>) -> String {
    let mut line = "Command line:".to_owned();
    let mut role = Role::Anything;
    for word in typed {
        line.push(' ');
        line.push_str(&shown(word, role, known));
        role = role_of_next(word, role);
    }
    line
}

/// What the word before makes of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Anything,
    /// The value of `-p`.
    Property,
    /// Follows `-p NAME` that has no `=`, where a blank was typed for it: NAME speaks of a secret.
    StraySecret,
}

fn shown(word: &str, role: Role, known: Option<&Catalog>) -> String {
    match role {
        Role::Property => property(word, known),
        Role::StraySecret if !word.starts_with('-') => HIDDEN.to_owned(),
        _ => match inline_property(word) {
            Some((flag, text)) => format!("{flag}={}", property(text, known)),
            None if word.contains('=') && !word.starts_with('-') => property(word, known),
            None => without_credentials(word),
        },
    }
}

fn role_of_next(word: &str, role: Role) -> Role {
    match role {
        Role::Property if !word.contains('=') && is_secret_name(word) => Role::StraySecret,
        Role::Property | Role::StraySecret => Role::Anything,
        Role::Anything => match names_property_flag(word) {
            true => Role::Property,
            false => Role::Anything,
        },
    }
}

fn names_property_flag(word: &str) -> bool {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
    name.and_then(flags::find).is_some_and(|flag| flag.effect == Effect::NameAndValue)
}

/// `-p=name=value`.
fn inline_property(word: &str) -> Option<(&str, &str)> {
    let (flag, text) = word.split_once('=')?;
    names_property_flag(flag).then_some((flag, text))
}

fn property(text: &str, known: Option<&Catalog>) -> String {
    let Some((name, value)) = text.split_once('=') else { return without_credentials(text) };
    let value = match known.map(|catalog| catalog.standing(name)) {
        Some(Standing::Declared(declaration)) => shown_value(name, Some(declaration), value),
        Some(_) => shown_value(name, None, value),
        None if declared_by_host(name) => shown_value(name, None, value),
        None if value.starts_with("env:") || value.starts_with("file:") => value.to_owned(),
        None => "(hidden)".to_owned(),
    };
    format!("{name}={value}")
}

fn declared_by_host(name: &str) -> bool {
    use crate::workload::WorkloadClass;
    WorkloadClass::ALL
        .iter()
        .any(|class| matches!(Catalog::new(*class, None).standing(name), Standing::Declared(_)))
}
