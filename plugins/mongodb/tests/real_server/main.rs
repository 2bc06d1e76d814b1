//! Both bindings on real servers of the MongoDB protocol, started by scripts/services.
//!
//! Where a server cannot be installed the tests say so and pass; with CI=true that is a failure.

mod connections;
mod cut_short;
mod failures;
mod interchange;
mod operations;
mod places;
mod relay;
mod restart;
mod secured;
mod sharded;
mod support;
mod whole_runs;
