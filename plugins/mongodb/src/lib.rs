//! MongoDB: one collection, one document per record, through the official driver.
//!
//! Two bindings share everything but the way they wait: `mongodb` has one thread per client, `mongodb-async` runs
//! thousands of clients on a few.
#![forbid(unsafe_code)]

mod blocking;
mod connect;
mod document;
mod failure;
mod lane;
mod options;
mod pull;
mod renewal;
mod settings;
mod store;
mod url;

pub use blocking::{Mongo, MongoSession};
pub use pull::{MongoAsync, MongoAsyncSession};

use connect::ALWAYS;
use ycsb_plugin_api::capability::{DETECTS_DUPLICATES, INSERT_OVERWRITES};
use ycsb_plugin_api::{Alias, Info, export_plugin};

/// What both bindings say of themselves.
const fn info(name: &'static str, summary: &'static str, aliases: &'static [Alias]) -> Info {
    Info::new(name)
        .summary(summary)
        .aliases(aliases)
        .capabilities(ALWAYS | DETECTS_DUPLICATES | INSERT_OVERWRITES)
        .properties(settings::PROPERTIES)
}

export_plugin!(blocking Mongo, tokio MongoAsync);
