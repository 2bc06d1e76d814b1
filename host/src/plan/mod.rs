//! Layer 4: all declarations, the audit of what was given, and from there the checked plan of a run.

pub mod audit;
pub mod catalog;
pub mod explain;
mod foreign;
pub mod handover;
pub mod host_properties;
pub mod plugin_page;
pub mod reference;
mod run_plan;
pub mod settle;
#[cfg(test)]
mod testing;
pub mod tolerance;

pub use catalog::{Catalog, Owner, Standing};
pub use handover::binding_settings;
pub use run_plan::{RunPlan, VerdictFails};
pub use settle::{Choice, Refusal, Settled, choose};
pub use tolerance::{AllowedErrors, WarmUp, expected_errors};
