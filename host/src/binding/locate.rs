//! Where plugins are looked for.

use super::names::{Requested, UPSTREAM};
use super::{BindingInfo, LoadError, Plugin};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders in which libraries are looked for, in order.
#[derive(Clone, Debug, Default)]
pub struct SearchPath {
    folders: Vec<PathBuf>,
}

/// The environment variable with further folders, separated by colons.
const ENVIRONMENT: &str = "YCSB_PLUGIN_PATH";

impl SearchPath {
    /// The folders of `-cp`, of `YCSB_PLUGIN_PATH`, that of the program, and `../lib/ycsb-host` from there.
    pub fn new(class_path: &[String]) -> Self {
        let mut folders = Vec::new();
        let environment = std::env::var(ENVIRONMENT).unwrap_or_default();
        for list in class_path.iter().map(String::as_str).chain([environment.as_str()]) {
            folders.extend(list.split(':').filter(|folder| !folder.is_empty()).map(PathBuf::from));
        }
        if let Ok(program) = std::env::current_exe().and_then(|path| path.canonicalize())
            && let Some(folder) = program.parent()
        {
            folders.push(folder.to_owned());
            folders.push(folder.join("../lib/ycsb-host"));
        }
        SearchPath { folders }
    }

    /// Exactly these folders.
    pub fn of(folders: Vec<PathBuf>) -> Self {
        SearchPath { folders }
    }

    /// The folders, as one line for messages.
    pub fn describe(&self) -> String {
        let shown: Vec<_> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
        shown.join(", ")
    }

    /// Every library file, the first of each name.
    pub fn libraries(&self) -> Vec<PathBuf> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for folder in &self.folders {
            let Ok(entries) = std::fs::read_dir(folder) else { continue };
            let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
            files.sort();
            for file in files {
                if is_library(&file) && seen.insert(file.file_name().map(ToOwned::to_owned)) {
                    found.push(file);
                }
            }
        }
        found
    }

    fn library_named(&self, name: &str) -> Option<PathBuf> {
        let file = format!("libycsb_{}.so", name.replace('-', "_"));
        self.folders.iter().map(|folder| folder.join(&file)).find(|path| path.exists())
    }
}

fn is_library(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("libycsb_") && name.ends_with(".so")
}

/// Finds and loads the plugin that holds the requested binding, and says which of its bindings is meant.
///
/// A name is looked up as `libycsb_NAME.so`, then by its part before the first `-`, then by the names and
/// aliases in the manifests of all libraries.
pub fn find(requested: &Requested, path: &SearchPath) -> Result<(Plugin, usize), LoadError> {
    match requested {
        Requested::Path(file) => {
            let plugin = Plugin::load(file)?;
            Ok((plugin, 0))
        }
        Requested::Name(name) => find_by_name(name, path),
    }
}

fn find_by_name(name: &str, path: &SearchPath) -> Result<(Plugin, usize), LoadError> {
    let family = name.split('-').next().unwrap_or(name);
    for candidate in [name, family] {
        if let Some(file) = path.library_named(candidate) {
            let plugin = Plugin::load(&file)?;
            if let Some(index) = position(&plugin.bindings, name) {
                return Ok((plugin, index));
            }
        }
    }
    let mut available = BTreeSet::new();
    for file in path.libraries() {
        // A library that cannot be loaded is not what was asked for; naming it would only confuse.
        let Ok(plugin) = Plugin::load(&file) else { continue };
        if let Some(index) = position(&plugin.bindings, name) {
            return Ok((plugin, index));
        }
        available.extend(plugin.bindings.iter().map(|info| info.name));
    }
    Err(LoadError::Unknown {
        name: name.to_owned(),
        known_upstream: UPSTREAM.iter().any(|known| known.name == name || name.ends_with(known.class)),
        near: nearest(name, &available),
        places: path.describe(),
        available: available.into_iter().collect::<Vec<_>>().join(", "),
    })
}

fn position(bindings: &[BindingInfo], name: &str) -> Option<usize> {
    let exact = bindings.iter().position(|info| info.name == name);
    exact.or_else(|| bindings.iter().position(|info| info.answers_to(name)))
}

fn nearest(name: &str, available: &BTreeSet<&'static str>) -> Option<String> {
    let scored = available.iter().map(|known| (strsim::osa_distance(name, known), *known));
    scored.filter(|(distance, _)| *distance <= 2).min().map(|(_, known)| known.to_owned())
}
