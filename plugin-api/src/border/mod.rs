//! Where foreign memory and foreign calls are turned into safe types, and back. All `unsafe` of this crate
//! is here.
#![allow(unsafe_code)]

mod blocking;
mod fence;
mod library;
mod manifest;
mod system;
mod views;

pub use library::{Export, Library, header, root};
pub use manifest::Manifests;
pub(crate) use system::monotonic_ns;
pub(crate) use views::{OpRef, RowStatus, SinkRef, name_and_value, slice_of};
