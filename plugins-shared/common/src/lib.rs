//! What plugins for networked databases share: blocking connections with time limits, TLS with messages that
//! say what is wrong, and Java's string hash.
#![forbid(unsafe_code)]

mod endpoint;
mod java_hash;
mod link;
mod persist;
mod time_limits;
mod tls;
mod tls_failure;
mod transport;
mod verify;

pub use endpoint::Endpoint;
pub use java_hash::java_hash;
pub use link::{Link, cannot_connect};
pub use persist::{Patience, persist};
pub use time_limits::{Interrupt, TimeLimits};
pub use tls::{ClientIdentity, PemFile, Tls};
pub use tls_failure::tls_failure;
pub use verify::Verify;
