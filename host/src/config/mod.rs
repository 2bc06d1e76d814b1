//! Layer 1: property files, who overrides whom, and where each value came from. Knows no property by name.

pub mod declare;
pub mod settings;

pub use declare::{Declaration, Kind};
pub use settings::{ConfigError, Given, Origin, Settings};
