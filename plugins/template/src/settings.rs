//! The properties of the plugin.

use std::path::PathBuf;
use ycsb_plugin_api::{Failure, Property, Settings};

/// Every property that the plugin reads. The host checks values, makes the help text and the reference page
/// from this list.
pub(crate) const PROPERTIES: &[Property] = &[
    Property::file("template.file").help("File that keeps the records between the load and the run."),
    Property::bytes("template.maxvalue")
        .default("1MiB")
        .allowed("1..1GiB")
        .help("Longest value of a field; longer ones are refused."),
];

/// The values of the properties.
pub(crate) struct TemplateSettings {
    /// Where the records are kept; `None`: nowhere.
    pub(crate) file: Option<PathBuf>,
    /// Longest value in bytes.
    pub(crate) max_value_bytes: usize,
}

impl TemplateSettings {
    pub(crate) fn read(settings: &Settings<'_>) -> Result<TemplateSettings, Failure> {
        Ok(TemplateSettings {
            file: settings.find("template.file")?,
            max_value_bytes: settings.get("template.maxvalue")?,
        })
    }
}
