//! Breaks one rule per switch: what a host has to survive and the conformance kit has to find. For tests only.
#![forbid(unsafe_code)]

mod binding;
mod fault;
mod non_blocking;
mod store;

pub use binding::{Faulty, FaultySession};
pub use non_blocking::{FaultyAsync, FaultyAsyncSession};

ycsb_plugin_api::export_plugin!(blocking Faulty, tokio FaultyAsync);
