//! Redis: a hash per record at the record's key, and a sorted set of all keys for scans.
//!
//! The layout is that of YCSB's Java binding, so data loaded by one can be run by the other. The plugin speaks
//! the Redis protocol itself: a client library builds a tree of values per answer, which costs more than all the
//! rest of an operation.
#![forbid(unsafe_code)]

mod binding;
mod cluster;
mod command;
mod connection;
mod failure;
mod handshake;
mod index;
mod link;
mod record;
mod reply;
mod server;
mod servers;
mod session;
mod settings;
mod transport;

pub use binding::Redis;
pub use session::RedisSession;

ycsb_plugin_api::export_plugin!(tokio Redis);
