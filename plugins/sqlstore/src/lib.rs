//! The key/value store that VoltDB's YCSB binding keeps, as a table in PostgreSQL: `Store(keyspace, key, value)`
//! with all fields of a record packed into one value.
#![forbid(unsafe_code)]

mod batch;
mod binding;
mod packing;
mod rate_limit;
mod schema;
mod session;
mod settings;

pub use binding::Sqlstore;
pub use session::SqlstoreSession;

ycsb_plugin_api::export_plugin!(blocking Sqlstore);
