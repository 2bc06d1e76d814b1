//! An ordered store in memory whose faults and delays are scripted by properties: the database to test
//! everything else with, and the smallest binding that keeps what it is given.
//!
//! `memdb` is called by one thread per client, `memdb-async` runs the pull loop. Both share one store per
//! process, named by `mem.store`.
#![forbid(unsafe_code)]

mod binding;
mod non_blocking;
mod pause;
mod prefill;
mod script;
mod session;
mod settings;
mod snapshot;
mod store;
mod time_series;
mod verdict;

pub use non_blocking::{MemDbAsync, MemDbAsyncSession};
pub use session::{MemDb, MemDbSession};

ycsb_plugin_api::export_plugin!(blocking MemDb, tokio MemDbAsync);
