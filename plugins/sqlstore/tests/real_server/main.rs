//! The binding on a real server, started by scripts/services, and looked at with a client that is not ours.

mod opening;
mod operations;
mod row_format;
mod support;
mod whole_runs;
