//! Loads a library, checks that it is a plugin of this interface, and reads its manifests.

use super::border::{self, RootError};
use super::elf::{self, ElfError};
use super::manifest::{self, BindingInfo};
use std::path::{Path, PathBuf};
use ycsb_plugin_abi::RootRef;

/// A library that was loaded and checked. It is never unloaded.
#[derive(Clone)]
pub struct Plugin {
    /// The file.
    pub path: PathBuf,
    /// Its bindings.
    pub bindings: Vec<BindingInfo>,
    pub(super) root: RootRef,
}

/// Why there is no plugin. Each text is one line that names the binding, the file and the next step.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No library holds a binding of that name. The only variant that is a matter of usage (exit code 2).
    #[error("{}", unknown_text(name, *known_upstream, near.as_deref(), places, available))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Whether YCSB has a binding of that name.
        known_upstream: bool,
        /// A similar name that is installed.
        near: Option<String>,
        /// Folders that were looked in.
        places: String,
        /// Names that are installed.
        available: String,
    },
    /// The file given as a path does not exist.
    #[error("plugin {name}: there is no file {}; give the path of a libycsb_NAME.so", path.display())]
    Missing {
        /// Name for messages.
        name: String,
        /// The file.
        path: PathBuf,
    },
    /// The file is no library for this machine.
    #[error("plugin {name}: {} {reason}; build or install it again", path.display())]
    BadFile {
        /// Name for messages.
        name: String,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: ElfError,
    },
    /// The dynamic loader refused it.
    #[error("plugin {name}: cannot be loaded: {reason} ({}); install what it needs or build it again", path.display())]
    Refused {
        /// Name for messages.
        name: String,
        /// The file.
        path: PathBuf,
        /// The loader's words.
        reason: String,
    },
    /// A library without our symbol.
    #[error("plugin {name}: {} is not a ycsb-host plugin; give one that exports the plugin interface", path.display())]
    NotAPlugin {
        /// Name for messages.
        name: String,
        /// The file.
        path: PathBuf,
    },
    /// Another major version of the interface.
    #[error(
        "plugin {name}: built for interface {theirs}, this host speaks {ours} ({}); install the plugin release for this host",
        path.display()
    )]
    OtherInterface {
        /// Name for messages.
        name: String,
        /// The file.
        path: PathBuf,
        /// Major version of the plugin.
        theirs: String,
        /// Major version of this host.
        ours: String,
    },
    /// The types at the border are not the same.
    #[error(
        "plugin {name}: its border types differ from this host's: {reason} ({}); build it against the published ycsb-plugin-api",
        path.display()
    )]
    OtherLayout {
        /// Name for messages.
        name: String,
        /// The file.
        path: PathBuf,
        /// The last words of the layout check.
        reason: String,
    },
    /// The plugin's own code failed, or says something impossible of itself.
    #[error("plugin {name}: {reason} ({}); tell its author", path.display())]
    Faulty {
        /// Name for messages.
        name: String,
        /// The file.
        path: PathBuf,
        /// What it did.
        reason: String,
    },
}

impl LoadError {
    /// The exit code that goes with it: 2 where the name or path is wrong, 3 where loading failed.
    pub fn exit_code(&self) -> i32 {
        match self {
            LoadError::Unknown { .. } | LoadError::Missing { .. } => 2,
            _ => 3,
        }
    }
}

fn unknown_text(
    name: &str,
    known_upstream: bool,
    near: Option<&str>,
    places: &str,
    available: &str,
) -> String {
    let what = match (known_upstream, near) {
        (true, _) => "YCSB has this binding, but no plugin for it is installed".to_owned(),
        (false, Some(near)) => format!("unknown (did you mean \"{near}\"?)"),
        (false, None) => "unknown".to_owned(),
    };
    let available = if available.is_empty() { "none" } else { available };
    format!(
        "binding \"{name}\": {what}; looked in {places}; available: {available}; install libycsb_{}.so or name its folder with -cp",
        name.replace('-', "_")
    )
}

impl Plugin {
    /// Loads a library file. Constructors in the library run before any check can.
    pub fn load(path: &Path) -> Result<Plugin, LoadError> {
        let name = short_name(path);
        let owned = || (name.clone(), path.to_owned());
        if !path.exists() {
            let (name, path) = owned();
            return Err(LoadError::Missing { name, path });
        }
        elf::check(path).map_err(|reason| {
            let (name, path) = owned();
            LoadError::BadFile { name, path, reason }
        })?;
        let root = border::root_of(path).map_err(|error| {
            let (name, path) = owned();
            match error {
                RootError::Loader(reason) => LoadError::Refused { name, path, reason },
                RootError::NoSymbol => LoadError::NotAPlugin { name, path },
                RootError::Interface { theirs, ours } => {
                    LoadError::OtherInterface { name, path, theirs, ours }
                }
                RootError::Layout(reason) => LoadError::OtherLayout { name, path, reason },
                RootError::Panicked => {
                    LoadError::Faulty { name, path, reason: "panicked while it was loaded".to_owned() }
                }
            }
        })?;
        let faulty = |reason| {
            let (name, path) = owned();
            LoadError::Faulty { name, path, reason }
        };
        let views = border::manifests(root);
        if views.is_empty() {
            return Err(faulty("it has no bindings".to_owned()));
        }
        let bindings: Result<Vec<_>, _> = views.iter().map(manifest::read).collect();
        Ok(Plugin { path: path.to_owned(), bindings: bindings.map_err(faulty)?, root })
    }
}

/// `libycsb_mongodb.so` is `mongodb` in messages.
fn short_name(path: &Path) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("?");
    stem.strip_prefix("libycsb_").unwrap_or(stem).to_owned()
}
