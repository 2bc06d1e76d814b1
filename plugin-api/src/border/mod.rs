//! Where foreign memory and foreign calls are turned into safe types, and back. All `unsafe` of this crate
//! is here.
#![allow(unsafe_code)]

mod blocking;
#[cfg(feature = "tokio")]
mod client_task;
mod dispatch;
mod fence;
mod library;
mod manifest;
#[cfg(feature = "tokio")]
mod pull;
mod system;
#[cfg(feature = "testing")]
pub mod testing;
mod views;

#[cfg(feature = "tokio")]
pub(crate) use fence::{Panicked, fence};
pub use library::{Export, Library, header, root};
pub use manifest::Manifests;
pub(crate) use system::monotonic_ns;
#[cfg(feature = "tokio")]
pub(crate) use system::precise_sleeps;
pub(crate) use views::{OpRef, RowStatus, SinkRef, UNTOLD, name_and_value, slice_of};
