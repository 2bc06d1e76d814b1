//! Layer 1: property files, who overrides whom, and where each value came from. Knows no property by name.

pub mod declare;
pub mod layers;
pub mod nearest;
mod parse;
pub mod properties;
pub mod redact;
pub mod settings;
pub mod values;
pub mod vocabulary;

pub use declare::{Declaration, Kind};
pub use layers::{Note, Sources};
pub use nearest::nearest;
pub use redact::Redactor;
pub use settings::{ConfigError, Given, Origin, Settings, refuse};
pub use values::{check, missing};
pub use vocabulary::Vocabulary;
