//! Write database plugins for ycsb-host.
//!
//! A plugin is a `cdylib` crate that implements [`Binding`] and [`Session`] (or [`AsyncBinding`] and
//! [`AsyncSession`], with the feature `tokio`) and ends with one line, [`export_plugin!`]. The host does
//! everything else: it chooses keys and values, paces, measures, batches, retries and reports. A plugin
//! executes one operation at a time and says how it ended.
//!
//! Nothing in a plugin has to be `unsafe`; start it with `#![forbid(unsafe_code)]`. A panic ends the session
//! in which it happens and is reported with its place; it does not end the process. Plugins print nothing:
//! [`Host`] has log lines.
//!
//! See [`Binding`] for a complete small plugin.

pub use ycsb_plugin_abi as abi;
pub use ycsb_plugin_abi::capability;

mod async_binding;
mod batch;
mod binding;
#[doc(hidden)]
pub mod border;
mod env;
mod export;
mod failure;
mod info;
mod operation;
mod property;
#[cfg(feature = "tokio")]
mod pull;
mod rows;
mod settings;

pub use async_binding::{AsyncBinding, AsyncSession};
pub use batch::Batch;
pub use binding::{Binding, Opened, Session};
#[cfg(feature = "testing")]
pub use border::testing;
pub use env::{Client, Deadline, Env, Host, Names, Phase};
pub use failure::{Answer, Done, Failure};
pub use info::{Alias, CustomStatus, Info};
pub use operation::{Delete, Read, Record, Scan, Select, Values, Write};
pub use property::Property;
pub use rows::Rows;
pub use settings::{Hosts, Setting, Settings};
#[cfg(feature = "tokio")]
pub use tokio;

/// The snippets of the guide compile.
#[cfg(doctest)]
#[doc = include_str!("../../docs/writing-a-plugin.md")]
mod guide {}
