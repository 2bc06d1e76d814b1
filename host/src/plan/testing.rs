//! A manifest for tests of this module.

use crate::binding::{BindingInfo, PresetInfo};
use crate::config::Declaration;

/// A binding `x` with these properties; under its other name `x-packed` it presets `x.layout=packed`.
pub(super) fn binding_with(properties: Vec<Declaration>) -> BindingInfo {
    BindingInfo {
        name: "x",
        version: "1.0.0",
        summary: "For tests",
        is_async: false,
        capabilities: 0,
        aliases: vec![PresetInfo { alias: "x-packed", settings: vec![("x.layout", "packed")] }],
        properties,
        statuses: Vec::new(),
        compiler: "rustc",
        api_version: "1.0.0",
    }
}
