//! Layer 4: all declarations, the audit of what was given, and from there the checked plan of a run.

pub mod audit;
pub mod catalog;
pub mod explain;
mod foreign;
pub mod host_properties;
pub mod settle;

pub use catalog::{Catalog, Owner, Standing};
pub use settle::{Choice, Refusal, Settled, choose};
