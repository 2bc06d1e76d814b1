//! From what was given to checked settings: the workload, the binding, all names, all values. Nothing is
//! opened yet, nothing is run.

use super::audit::audit;
use super::catalog::Catalog;
use super::host_properties::{DB, DOTRANSACTIONS};
use crate::binding::{BindingInfo, LoadError, Plugin, SearchPath, find, requested};
use crate::config::layers::Resolution;
use crate::config::{ConfigError, Note, Redactor, Settings, Sources, missing};
use crate::workload::{Phase, WORKLOAD, WorkloadClass};

/// Why nothing can be run.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] ConfigError),
    /// The binding is unknown or its plugin cannot be loaded.
    #[error(transparent)]
    Plugin(#[from] LoadError),
}

impl Refusal {
    /// The exit code that goes with it.
    pub fn exit_code(&self) -> i32 {
        match self {
            Refusal::Setting(_) => 2,
            Refusal::Plugin(error) => error.exit_code(),
        }
    }
}

/// The workload and the binding that were asked for, and the names that they make known.
pub struct Choice {
    /// All declarations.
    pub catalog: Catalog,
    /// The plugin, loaded but not opened.
    pub plugin: Plugin,
    /// Which of its bindings is meant.
    pub binding: usize,
    presets: Vec<(&'static str, &'static str)>,
}

/// Settings that were checked whole.
pub struct Settled {
    /// The settings, names resolved.
    pub settings: Settings,
    /// All declarations.
    pub catalog: Catalog,
    /// The plugin, loaded but not opened.
    pub plugin: Plugin,
    /// Which of its bindings is meant.
    pub binding: usize,
    /// The phase.
    pub phase: Phase,
    /// What was accepted and deserves a word.
    pub notes: Vec<Note>,
    /// Hides the secrets among the settings.
    pub redactor: Redactor,
}

/// Finds workload and binding.
///
/// # Errors
/// A workload or binding that is unknown, a plugin that cannot be loaded.
pub fn choose(sources: &Sources, search: &SearchPath) -> Result<Choice, Refusal> {
    let workload = match sources.last(WORKLOAD.name) {
        Some(given) => WorkloadClass::of(given)?,
        None => return Err(missing(&WORKLOAD).into()),
    };
    let typed = sources.last(DB.name).map(|given| given.value.trim());
    let typed = typed.or(DB.default).unwrap_or_default();
    let (plugin, binding) = find(&requested(typed), search)?;
    let info = &plugin.bindings[binding];
    let presets = presets(info, typed);
    Ok(Choice { catalog: Catalog::new(workload, Some(info)), plugin, binding, presets })
}

/// What choosing the binding by this name presets: under the name as typed, or as YCSB's list resolves it.
fn presets(info: &BindingInfo, typed: &str) -> Vec<(&'static str, &'static str)> {
    let resolved = match requested(typed) {
        crate::binding::Requested::Name(name) => name,
        crate::binding::Requested::Path(_) => return Vec::new(),
    };
    let chosen = info.aliases.iter().find(|preset| preset.alias == typed || preset.alias == resolved);
    chosen.map(|preset| preset.settings.clone()).unwrap_or_default()
}

impl Choice {
    /// The binding's manifest.
    pub fn info(&self) -> &BindingInfo {
        &self.plugin.bindings[self.binding]
    }

    /// Merges and checks the settings.
    ///
    /// # Errors
    /// Everything that [`audit`] refuses; secrets that cannot be found.
    pub fn settle(
        self,
        mut sources: Sources,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Settled, Refusal> {
        for (name, value) in &self.presets {
            sources.add_preset(name, value, self.info().name);
        }
        let resolution = Resolution { vocabulary: self.catalog.vocabulary(), environment };
        let (settings, mut notes) = sources.merge(&resolution)?;
        notes.extend(audit(&settings, &self.catalog)?);
        let phase = match settings.bool(&DOTRANSACTIONS)? {
            true => Phase::Run,
            false => Phase::Load,
        };
        let redactor = Redactor::new(&settings, self.catalog.vocabulary().declarations());
        Ok(Settled {
            settings,
            catalog: self.catalog,
            plugin: self.plugin,
            binding: self.binding,
            phase,
            notes,
            redactor,
        })
    }
}

impl Settled {
    /// The binding's manifest.
    pub fn info(&self) -> &BindingInfo {
        &self.plugin.bindings[self.binding]
    }
}
