//! A manifest as the host uses it: checked text, and properties as declarations.

use super::border::{self, ManifestView};
use crate::config::{Declaration, Kind};
use ycsb_plugin_abi::{property_flag, property_kind};

/// Another name of a binding and what choosing it presets.
#[derive(Clone, Debug)]
pub struct PresetInfo {
    /// The alias.
    pub alias: &'static str,
    /// Property names and values, below everything that was given.
    pub settings: Vec<(&'static str, &'static str)>,
}

/// A status that a binding declares itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusInfo {
    /// Name as in reports.
    pub name: &'static str,
    /// Whether it counts as success.
    pub success: bool,
    /// One sentence.
    pub text: &'static str,
}

/// What a library says of one of its bindings.
#[derive(Clone, Debug)]
pub struct BindingInfo {
    /// Name.
    pub name: &'static str,
    /// Version of the plugin.
    pub version: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Whether the plugin's own runtime asks for steps.
    pub is_async: bool,
    /// Widest set of `ycsb_plugin_abi::capability` bits.
    pub capabilities: u64,
    /// Other names.
    pub aliases: Vec<PresetInfo>,
    /// Properties as declarations.
    pub properties: Vec<Declaration>,
    /// Statuses of its own.
    pub statuses: Vec<StatusInfo>,
    /// What compiled it.
    pub compiler: &'static str,
    /// Version of the author's crate that it was built with.
    pub api_version: &'static str,
}

impl BindingInfo {
    /// Whether a name means this binding: its own name, or an alias.
    pub fn answers_to(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|preset| preset.alias == name)
    }
}

/// Turns a manifest into checked data; the error completes "plugin NAME: ...".
pub(super) fn read(view: &ManifestView) -> Result<BindingInfo, String> {
    let text = |what: &str, bytes: border::StaticBytes| {
        border::static_text(bytes).ok_or_else(|| format!("its manifest's {what} is not UTF-8"))
    };
    let name = text("name", view.name)?;
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
        return Err(format!("its manifest's name {name:?} is not made of letters, digits, '-', '_' and '.'"));
    }
    let mut aliases = Vec::new();
    for preset in border::static_slice(view.aliases) {
        let mut settings = Vec::new();
        for pair in border::static_slice(preset.settings) {
            settings.push((text("preset", pair.name)?, text("preset", pair.value)?));
        }
        aliases.push(PresetInfo { alias: text("alias", preset.alias)?, settings });
    }
    let mut properties = Vec::new();
    for property in border::static_slice(view.properties) {
        properties.push(declaration(property, &text)?);
    }
    let mut statuses = Vec::new();
    for status in border::static_slice(view.statuses) {
        statuses.push(StatusInfo {
            name: text("status", status.name)?,
            success: status.success != 0,
            text: text("status", status.text)?,
        });
    }
    Ok(BindingInfo {
        name,
        version: text("version", view.version)?,
        summary: text("summary", view.summary)?,
        is_async: view.flavour == ycsb_plugin_abi::flavour::PULL,
        capabilities: view.capabilities,
        aliases,
        properties,
        statuses,
        compiler: text("compiler", view.compiler)?,
        api_version: text("api version", view.api_version)?,
    })
}

fn declaration(
    property: &ycsb_plugin_abi::Property,
    text: &impl Fn(&str, border::StaticBytes) -> Result<&'static str, String>,
) -> Result<Declaration, String> {
    let name = text("property name", property.name)?;
    if name.is_empty() {
        return Err("its manifest has a property without a name".to_owned());
    }
    let mut aliases = Vec::new();
    for alias in border::static_slice(property.aliases) {
        aliases.push(text("property alias", *alias)?);
    }
    let mut made = Declaration::new(name, kind(property.kind));
    // Manifests live as long as the process, and a declaration is a constant: a few words per property.
    made.aliases = Vec::leak(aliases);
    made.allowed = text("property range", property.allowed)?;
    made.help = text("property help", property.help)?;
    let flag = |bit| property.flags & bit != 0;
    made.default = match flag(property_flag::HAS_DEFAULT) {
        true => Some(text("property default", property.default)?),
        false => None,
    };
    made.required = flag(property_flag::REQUIRED);
    made.secret = flag(property_flag::SECRET);
    made.deprecated = flag(property_flag::DEPRECATED);
    made.prefix = flag(property_flag::PREFIX);
    made.load_only = flag(property_flag::LOAD_ONLY);
    made.run_only = flag(property_flag::RUN_ONLY);
    made.no_effect = flag(property_flag::NO_EFFECT);
    Ok(made)
}

/// An unknown kind is text: the plugin is newer than this host.
fn kind(number: u32) -> Kind {
    match number {
        property_kind::INTEGER => Kind::Integer,
        property_kind::NUMBER => Kind::Number,
        property_kind::BOOL => Kind::Bool,
        property_kind::DURATION => Kind::Duration,
        property_kind::BYTES => Kind::Bytes,
        property_kind::ONE_OF => Kind::OneOf,
        property_kind::URL => Kind::Url,
        property_kind::FILE => Kind::File,
        property_kind::HOSTS => Kind::Hosts,
        _ => Kind::Text,
    }
}
