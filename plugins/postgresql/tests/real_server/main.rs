//! The binding on a real server, started by scripts/services, and looked at with a client that is not ours.

mod access;
mod batches;
mod faults;
mod interchange;
mod operations;
mod schema;
mod shards;
mod support;
mod whole_runs;
