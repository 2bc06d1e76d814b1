//! A plugin built for interface 99.

#[path = "../../foreign_root.rs"]
pub mod foreign_root;

const CLAIMED_VERSION: &str = "99.0.0";
