//! The embedded key-value store redb: one file, no server.
#![forbid(unsafe_code)]

mod failure;
mod file;
mod row;
mod session;
mod settings;
mod snapshot;
mod store;
#[cfg(test)]
mod store_tests;

pub use session::{Redb, RedbSession};

ycsb_plugin_api::export_plugin!(blocking Redb);
