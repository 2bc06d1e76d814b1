//! Layer 1: property files, who overrides whom, and where each value came from. Knows no property by name.

pub mod declare;
pub mod nearest;
mod parse;
pub mod settings;
pub mod values;

pub use declare::{Declaration, Kind};
pub use nearest::nearest;
pub use settings::{ConfigError, Given, Origin, Settings, refuse};
pub use values::{check, missing};
