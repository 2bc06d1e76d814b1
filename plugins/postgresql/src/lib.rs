//! PostgreSQL: one row per record, with a column per field (the layout of YCSB's jdbc binding) or with one JSONB
//! document (that of its postgrenosql binding).
#![forbid(unsafe_code)]

mod batch;
mod binding;
mod json;
mod schema;
mod session;
mod settings;
mod shards;
mod statements;
mod table;

pub use binding::Postgresql;
pub use session::PostgresqlSession;

ycsb_plugin_api::export_plugin!(blocking Postgresql);
