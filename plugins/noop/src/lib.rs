//! Answers every operation at once and keeps nothing: measures ycsb-host itself.
//!
//! `noop` is called by one thread per client, `noop-async` runs the pull loop.
#![forbid(unsafe_code)]

mod non_blocking;
mod session;

pub use non_blocking::{NoopAsync, NoopAsyncSession};
pub use session::{Noop, NoopSession};

use ycsb_plugin_api::capability::{DELETE, INSERT, INSERT_BATCH, KEEPS_NOTHING, READ, SCAN, UPDATE};

const CAPABILITIES: u64 = READ | SCAN | UPDATE | INSERT | DELETE | INSERT_BATCH | KEEPS_NOTHING;
const CONNECTED_TO: &str = "nothing: every operation is answered at once";

ycsb_plugin_api::export_plugin!(blocking Noop, tokio NoopAsync);
