//! A plugin of this interface's version whose root is another.

#[path = "../../foreign_root.rs"]
pub mod foreign_root;

const CLAIMED_VERSION: &str = "1.0.0";
