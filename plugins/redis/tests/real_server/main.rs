//! The binding on a real server, started by scripts/services, and looked at with a client that is not ours.

mod access;
mod cluster;
mod faults;
mod interchange;
mod operations;
mod scans;
mod support;
mod whole_runs;
