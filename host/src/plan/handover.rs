//! What a binding is given: its declared properties and no others, defaults filled in, values in plain units.

use super::Catalog;
use crate::binding::BindingInfo;
use crate::config::{ConfigError, Declaration, Kind, Settings};

/// Names and values for `open`, in the order of the manifest. Durations are nanoseconds, byte counts are
/// bytes, words and numbers are trimmed, text is verbatim. A property without value and default is left out.
///
/// # Errors
/// A value that its declaration does not allow.
pub fn binding_settings(
    settings: &Settings,
    catalog: &Catalog,
    info: &BindingInfo,
) -> Result<Vec<(String, String)>, ConfigError> {
    let mut handed = Vec::new();
    for own in info.properties.iter().filter(|own| !own.no_effect) {
        if own.prefix {
            let given = settings.iter().filter(|(name, _)| name.starts_with(own.name));
            handed.extend(given.map(|(name, given)| (name.to_owned(), given.value.clone())));
            continue;
        }
        // A binding may declare a property of the host again, to add a spelling; then the host's counts.
        let declaration = catalog.vocabulary().find(own.name).unwrap_or(own);
        if let Some(value) = plain_value(settings, declaration)? {
            handed.push((own.name.to_owned(), value));
        }
    }
    Ok(handed)
}

fn plain_value(settings: &Settings, declaration: &Declaration) -> Result<Option<String>, ConfigError> {
    let text = match declaration.kind {
        Kind::Integer => settings.optional_i64(declaration)?.map(|value| value.to_string()),
        Kind::Number => settings.optional_number(declaration)?.map(|value| value.to_string()),
        Kind::Bool => settings.optional_bool(declaration)?.map(|value| value.to_string()),
        Kind::Duration => settings.optional_duration_ns(declaration)?.map(|value| value.to_string()),
        Kind::Bytes => settings.optional_bytes(declaration)?.map(|value| value.to_string()),
        Kind::OneOf => settings.optional_one_of(declaration)?.map(str::to_owned),
        Kind::Text | Kind::Url | Kind::File | Kind::Hosts => settings.optional_text(declaration),
    };
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::testing::binding_with;
    use super::*;
    use crate::config::{Given, Origin};
    use crate::workload::WorkloadClass;

    #[test]
    fn a_binding_gets_its_own_properties_in_plain_units_and_nothing_else() {
        let info = binding_with(vec![
            Declaration::duration("x.wait").default("10ms").help("Wait."),
            Declaration::bytes("x.cache").help("Cache."),
            Declaration::bool("x.on").default("false").help("On."),
            Declaration::text("x.note").default("").help("Note."),
            Declaration::text("x.unset").help("Unset."),
            Declaration::text("x.old").default("1").no_effect().help("Old."),
            Declaration::text("x.driver.").prefix().help("Of the driver."),
        ]);
        let catalog = Catalog::new(WorkloadClass::Core, Some(&info));
        let mut settings = Settings::default();
        for (name, value) in [
            ("x.cache", " 2KiB "),
            ("x.on", "TRUE"),
            ("x.note", " kept "),
            ("x.driver.a", "1"),
            ("recordcount", "5"),
        ] {
            let origin = Origin::Argument("-p".to_owned());
            settings.set(name, Given { spelling: name.to_owned(), value: value.to_owned(), origin });
        }
        let handed = binding_settings(&settings, &catalog, &info).expect("settings");
        let handed: Vec<(&str, &str)> = handed.iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(
            handed,
            [
                ("x.wait", "10000000"),
                ("x.cache", "2048"),
                ("x.on", "true"),
                ("x.note", " kept "),
                ("x.driver.a", "1")
            ]
        );
    }
}
