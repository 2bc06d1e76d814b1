//! Nothing silent: every name that was given is known, every value can be used, or the run stops.

use super::catalog::{Catalog, Standing};
use super::foreign::{trap, value_trap};
use super::host_properties::PROPERTIES_UNKNOWN;
use crate::config::{
    ConfigError, Declaration, Given, Kind, Note, Origin, Settings, check, missing, nearest, refuse,
};
use std::collections::BTreeMap;

/// Checks all names and values; the notes say what was accepted and why it does nothing.
///
/// # Errors
/// Unknown names (unless `properties.unknown` relaxes that), values that cannot be used, required properties
/// that were not given: all of them, one line each.
pub fn audit(settings: &Settings, catalog: &Catalog) -> Result<Vec<Note>, ConfigError> {
    let unknown = settings.one_of(&PROPERTIES_UNKNOWN)?;
    let mut refusals = Vec::new();
    let mut notes = Vec::new();
    let mut elsewhere: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, given) in settings.iter() {
        match catalog.standing(name) {
            Standing::Declared(declaration) => match declared(declaration, given) {
                Ok(said) => notes.extend(said),
                Err(refusal) => refusals.push(refusal.0),
            },
            Standing::Elsewhere(owner) => elsewhere.entry(owner).or_default().push(name),
            Standing::Unknown => match unknown {
                "error" => refusals.push(unknown_name(
                    given,
                    catalog,
                    "; remove it or pass -p properties.unknown=warn",
                )),
                "warn" => notes.push(Note::loud(unknown_name(given, catalog, "; ignored"))),
                _ => {}
            },
        }
    }
    for declaration in catalog.vocabulary().declarations() {
        if declaration.required && !settings.is_given(declaration) {
            refusals.push(missing(declaration).0);
        }
    }
    for (owner, names) in elsewhere {
        notes.push(Note::loud(format!("not read in this run, of {owner}: {}", names.join(", "))));
    }
    match refusals.is_empty() {
        true => Ok(notes),
        false => Err(ConfigError(refusals.join("\n"))),
    }
}

fn declared(declaration: &Declaration, given: &Given) -> Result<Vec<Note>, ConfigError> {
    if let Some(reason) = value_trap(declaration.name, &given.value) {
        return Err(refuse(declaration, given, reason));
    }
    let place = &given.origin;
    let spelling = given.spelling.as_str();
    if declaration.no_effect {
        // The value that asks for nothing, as in the templates, is not worth a word.
        let asks = declaration.default != Some(given.value.trim());
        let note = Note::loud(format!("{place}: \"{spelling}\" has no effect: {}", declaration.help));
        return Ok(asks.then_some(note).into_iter().collect());
    }
    check(declaration, given)?;
    let mut notes = Vec::new();
    if declaration.deprecated {
        notes.push(Note::loud(format!("{place}: \"{spelling}\" is an old property: {}", declaration.help)));
    }
    if spelling != declaration.name && !declaration.prefix {
        let text = format!("{place}: \"{spelling}\" is another spelling of \"{}\"", declaration.name);
        notes.push(Note::quiet(text));
    }
    if kept_blank(declaration, given) {
        notes.push(Note::loud(format!(
            "{place}: the value of \"{spelling}\" ends with a blank, which is part of it"
        )));
    }
    Ok(notes)
}

/// A blank at the end of a line is invisible; at the end of an argument it was typed.
fn kept_blank(declaration: &Declaration, given: &Given) -> bool {
    let text = matches!(declaration.kind, Kind::Text | Kind::File | Kind::Url | Kind::Hosts);
    text && matches!(given.origin, Origin::File { .. }) && given.value.ends_with(char::is_whitespace)
}

fn unknown_name(given: &Given, catalog: &Catalog, next: &str) -> String {
    let hint = match trap(&given.spelling) {
        Some(advice) => format!(": {advice}"),
        None => {
            let near = nearest(&given.spelling, catalog.spellings());
            let quoted: Vec<String> = near.iter().map(|name| format!("\"{name}\"")).collect();
            match quoted.is_empty() {
                true => String::new(),
                false => format!(" (did you mean {}?)", quoted.join(" or ")),
            }
        }
    };
    format!("{}: unknown property \"{}\"{hint}{next}", given.origin, given.spelling)
}
