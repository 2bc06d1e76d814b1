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
    let mut all: Vec<(&str, &Given)> = settings.iter().collect();
    all.sort_by_key(|(_, given)| place(&given.origin));
    for (name, given) in all {
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

/// Files in order of their lines, then arguments.
fn place(origin: &Origin) -> (bool, &str, usize) {
    match origin {
        Origin::File { path, line } => (false, path, *line),
        _ => (true, "", 0),
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

#[cfg(test)]
mod tests {
    use super::super::testing::binding_with;
    use super::*;
    use crate::workload::WorkloadClass;

    fn audited(entries: &[(&str, &str)]) -> Result<Vec<Note>, ConfigError> {
        let info = binding_with(vec![
            Declaration::text("x.url").help("Where."),
            Declaration::one_of("x.layout", "plain|packed").default("plain").help("Layout."),
            Declaration::text("x.old").deprecated().help("Use x.url."),
        ]);
        let catalog = Catalog::new(WorkloadClass::Core, Some(&info));
        let mut settings = Settings::default();
        let workload = [("workload", "core")];
        for (at, (name, value)) in entries.iter().chain(&workload).enumerate() {
            let origin = Origin::File { path: "w".to_owned(), line: at + 1 };
            let given = Given { spelling: (*name).to_owned(), value: (*value).to_owned(), origin };
            settings.set(catalog.vocabulary().canonical(name), given);
        }
        audit(&settings, &catalog)
    }

    fn refusal(entries: &[(&str, &str)]) -> String {
        audited(entries).expect_err("a refusal").0
    }

    fn notes(entries: &[(&str, &str)]) -> Vec<String> {
        let notes = audited(entries).expect("notes");
        notes.into_iter().filter(|note| !note.quiet).map(|note| note.text).collect()
    }

    #[test]
    fn an_unknown_name_stops_the_run_with_the_nearest_names() {
        assert_eq!(
            refusal(&[("thraedcount", "4")]),
            "w:1: unknown property \"thraedcount\" (did you mean \"threadcount\"?); \
             remove it or pass -p properties.unknown=warn"
        );
        assert!(refusal(&[("x.layuot", "plain")]).contains("did you mean \"x.layout\"?"));
        assert!(refusal(&[("", "plain")]).contains("unknown property \"\""));
    }

    #[test]
    fn all_mistakes_are_named_at_once() {
        let text = refusal(&[("nonsense", "4"), ("threadcount", "0"), ("x.layout", "pakced")]);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("must be one of plain, packed (did you mean \"packed\"?)"), "{text}");
    }

    #[test]
    fn unknown_names_can_be_warnings_or_nothing() {
        let warned = notes(&[("nonsense", "4"), ("properties.unknown", "warn")]);
        assert_eq!(warned, ["w:1: unknown property \"nonsense\"; ignored"]);
        assert!(notes(&[("nonsense", "4"), ("properties.unknown", "ignore")]).is_empty());
    }

    #[test]
    fn names_of_other_bindings_are_listed() {
        let said = notes(&[("redis.host", "h"), ("redis.port", "1"), ("es.index", "i")]);
        assert_eq!(
            said,
            [
                "not read in this run, of binding elasticsearch, elasticsearch5, elasticsearch5-rest, \
                 elasticsearch7: es.index",
                "not read in this run, of binding redis: redis.host, redis.port"
            ]
        );
    }

    #[test]
    fn names_without_effect_are_noted_unless_they_ask_for_nothing() {
        assert!(notes(&[("maxscanrate", "0"), ("scanoptimelimit", "0")]).is_empty());
        let said = notes(&[("maxscanrate", "5"), ("htrace.sampler", "x")]);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said.iter().all(|note| note.contains("has no effect")), "{said:?}");
    }

    #[test]
    fn old_names_and_kept_blanks_are_noted_and_other_spellings_only_on_request() {
        assert!(notes(&[("x.old", "1")])[0].contains("old property: Use x.url."));
        assert!(notes(&[("x.url", "h ")])[0].contains("ends with a blank"));
        assert!(notes(&[("threadcount", "4 ")]).is_empty());
        let quiet = audited(&[("batch.size", "5")]).expect("notes");
        assert!(quiet[0].quiet && quiet[0].text.contains("another spelling of \"batchsize\""));
    }

    #[test]
    fn names_and_values_of_other_tools_are_explained() {
        assert!(refusal(&[("threads", "4")]).contains("is threadcount here"));
        assert!(refusal(&[("measurement.interval", "10s")]).contains("status.interval"));
    }
}
