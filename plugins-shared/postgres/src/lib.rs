//! PostgreSQL for plugins: URLs as Java and libpq write them, log-in, prepared statements, time limits.
//!
//! Messages and log-in are `postgres-protocol`'s, the sockets are ours: a blocking connection with deadlines,
//! which the `postgres` crate does not have.
#![forbid(unsafe_code)]

mod answer;
mod catalog;
mod connection;
mod connector;
mod failure;
mod identifier;
mod login;
mod one_by_one;
mod parameter;
mod row;
mod session;
mod sslmode;
mod system_user;
mod target;
mod url;

pub use answer::one_row;
pub use catalog::{Catalog, Column, KeyOrder, Relation};
pub use connector::Connector;
pub use failure::is_of_the_data;
pub use identifier::{QualifiedName, folded, quoted};
pub use one_by_one::again;
pub use parameter::{Array, Parameter};
pub use row::Row;
pub use session::{Session, StatementId};
pub use sslmode::SslMode;
pub use target::{Credentials, Target};
pub use url::{parse_urls, reject_other_engines};
