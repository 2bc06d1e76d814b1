//! The binding on real servers: Elasticsearch 7.10.2 and OpenSearch 2.19.6, started by scripts/services.
//!
//! Where a server cannot be installed the tests say so and pass; with CI=true that is a failure.

mod failover;
mod failures;
mod index;
mod interchange;
mod operations;
mod secured;
mod support;
mod whole_runs;
