//! What a binding declares of its properties, before anything is opened.

use super::super::finding::{Checked, Finding, demand, different};
use super::super::kit::Kit;
use super::super::rule::Rule;
use crate::config::redact::is_secret_name;
use crate::config::{Declaration, Given, Kind, Origin, Settings, check};
use crate::plan::Owner;
use crate::plan::audit::audit;
use std::collections::BTreeSet;

pub(super) const RULES: &[Rule] = &[
    Rule::new("properties.help", "Every property has one sentence of help.", help),
    Rule::new("properties.names", "Names and aliases of properties are distinct.", names),
    Rule::new("properties.defaults", "Every default is a value that its own declaration allows.", defaults),
    Rule::new(
        "properties.presets",
        "Aliases preset declared properties to values that are allowed.",
        presets,
    ),
    Rule::new(
        "properties.unknown",
        "A misspelt property of the binding is refused before anything is opened.",
        unknown,
    ),
    Rule::new("properties.secret", "Properties whose names speak of secrets are declared secret.", secret),
];

fn declared<'k>(kit: &'k Kit<'_>) -> Result<&'k [Declaration], Finding> {
    match kit.settled.info().properties.as_slice() {
        [] => Err(Finding::NotSupported("the binding declares no properties".to_owned())),
        declared => Ok(declared),
    }
}

fn help(kit: &Kit<'_>) -> Checked {
    // What is declared for a property of the host only adds a spelling to it.
    let is_own = |one: &&Declaration| {
        let mut of_host = kit.settled.catalog.of(Owner::Host);
        !of_host.any(|host| host.name == one.name)
    };
    for one in declared(kit)?.iter().filter(is_own) {
        let help = one.help.trim_end();
        let is_sentence = help.ends_with('.') && !help.contains('\n');
        demand(is_sentence, format!("help of {}: a sentence in one line", one.name), format!("{help:?}"))?;
    }
    Ok(None)
}

fn names(kit: &Kit<'_>) -> Checked {
    let mut seen = BTreeSet::new();
    for one in declared(kit)? {
        for name in one.aliases.iter().chain([&one.name]) {
            demand(seen.insert(*name), "every name once", format!("{name} again"))?;
        }
    }
    Ok(None)
}

fn given(name: &str, value: &str) -> Given {
    Given { spelling: name.to_owned(), value: value.to_owned(), origin: Origin::Default }
}

fn defaults(kit: &Kit<'_>) -> Checked {
    for one in declared(kit)? {
        let contradicts = one.required && one.default.is_some();
        demand(!contradicts, format!("{}: required or with a default", one.name), "both")?;
        let has_words = one.kind != Kind::OneOf || !one.allowed.is_empty();
        demand(has_words, format!("{}: words to choose from", one.name), "none are declared")?;
        if let Some(default) = one.default {
            check(one, &given(one.name, default))
                .map_err(|error| different(format!("a default of {} that is allowed", one.name), error))?;
        }
    }
    Ok(None)
}

fn presets(kit: &Kit<'_>) -> Checked {
    let info = kit.settled.info();
    for preset in &info.aliases {
        for (name, value) in &preset.settings {
            let declared = info.properties.iter().find(|one| one.name == *name);
            let what = format!("alias {}: a declared property", preset.alias);
            let declared = declared.ok_or_else(|| different(what, name))?;
            check(declared, &given(name, value)).map_err(|error| {
                different(format!("alias {}: a value that {name} allows", preset.alias), error)
            })?;
        }
    }
    Ok(None)
}

fn unknown(kit: &Kit<'_>) -> Checked {
    for one in declared(kit)?.iter().filter(|one| !one.prefix) {
        let misspelt = format!("{}x", one.name);
        let mut settings = Settings::default();
        settings.set(&misspelt, given(&misspelt, "1"));
        let refused = audit(&settings, &kit.settled.catalog)
            .is_err_and(|error| error.0.contains(&format!("\"{misspelt}\"")));
        let swallows = kit.settled.catalog.vocabulary().find(&misspelt).filter(|found| found.prefix);
        let came = match swallows {
            Some(prefix) => format!("the prefix {}* takes it", prefix.name),
            None => "it is accepted".to_owned(),
        };
        demand(refused, format!("{misspelt}: refused as unknown"), came)?;
    }
    Ok(None)
}

fn secret(kit: &Kit<'_>) -> Checked {
    // The last part is what the property is: x.credentials.user is a user.
    let last = |name: &'static str| name.rsplit('.').next().unwrap_or(name);
    let spoken = declared(kit)?.iter().filter(|one| is_secret_name(last(one.name)) && one.kind == Kind::Text);
    for one in spoken.filter(|one| !one.no_effect) {
        demand(one.secret, format!("{}: declared secret", one.name), "it is not")?;
    }
    Ok(None)
}
