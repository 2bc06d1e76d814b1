//! Manifests: the border's form of [`Info`], made once and kept for ever.

use super::library::Export;
use crate::abi::abi_stable::std_types::RSlice;
use crate::abi::{CustomStatus, Manifest, Pair, Preset, Property};
use crate::{Alias, Info};
use std::sync::OnceLock;

/// The manifests of a library.
pub struct Manifests(OnceLock<&'static [Manifest]>);

impl Manifests {
    /// None made yet.
    #[expect(clippy::new_without_default, reason = "made by the export macro only, in a static")]
    pub const fn new() -> Manifests {
        Manifests(OnceLock::new())
    }

    pub(super) fn of(&self, exports: &'static [Export]) -> &'static [Manifest] {
        self.0.get_or_init(|| forever(exports.iter().map(manifest)))
    }
}

fn manifest(export: &Export) -> Manifest {
    let Info { name, version, summary, aliases, capabilities, properties, statuses } = *export.info();
    Manifest {
        name: bytes(name),
        version: bytes(if version.is_empty() { export.crate_version() } else { version }),
        summary: bytes(summary),
        flavour: export.flavour(),
        capabilities,
        aliases: list(aliases.iter().map(alias)),
        properties: list(properties.iter().map(property)),
        statuses: list(statuses.iter().map(|own| CustomStatus {
            name: bytes(own.name),
            success: u32::from(own.success),
            text: bytes(own.text),
        })),
        compiler: bytes(env!("YCSB_PLUGIN_COMPILER")),
        api_version: bytes(env!("CARGO_PKG_VERSION")),
    }
}

fn alias(alias: &Alias) -> Preset {
    let pair = |&(name, value)| Pair { name: bytes(name), value: bytes(value) };
    Preset { alias: bytes(alias.name), settings: list(alias.presets.iter().map(pair)) }
}

fn property(property: &crate::Property) -> Property {
    let crate::Property { name, aliases, kind, flags, default, words, range, help } = *property;
    let allowed = if words.is_empty() { range } else { words.join("|").leak() };
    Property {
        name: bytes(name),
        aliases: list(aliases.iter().map(|alias| bytes(alias))),
        kind,
        flags,
        default: bytes(default),
        allowed: bytes(allowed),
        help: bytes(help),
    }
}

fn bytes(text: &'static str) -> RSlice<'static, u8> {
    RSlice::from_slice(text.as_bytes())
}

fn list<T>(items: impl Iterator<Item = T>) -> RSlice<'static, T> {
    RSlice::from_slice(forever(items))
}

/// Manifests live as long as the library, which is never unloaded.
fn forever<T>(items: impl Iterator<Item = T>) -> &'static [T] {
    Vec::from_iter(items).leak()
}
