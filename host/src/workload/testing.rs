//! Settings for unit tests.

use crate::config::{Given, Origin, Settings};

/// Settings as given by `-p name=value` for each pair.
pub(super) fn settings(given: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in given {
        let origin = Origin::Argument(format!("-p {name}={value}"));
        settings.set(name, Given { spelling: (*name).to_owned(), value: (*value).to_owned(), origin });
    }
    settings
}
