//! The types that cross the border between ycsb-host and a plugin.
//!
//! Everything here is `#[repr(C)]` and plain data: numbers, borrowed text and bytes, tables of functions.
//! The name of this package, its major version and the names of its types and fields are part of the
//! binary interface, because the layout check compares them. Plugin authors do not use this crate: they
//! implement the safe traits of `ycsb-plugin-api`, which re-exports it.
//!
//! Vocabulary (operation kinds, statuses, capability bits, property kinds) is made of numbers with named
//! constants, so that a number nobody knows yet is data and not undefined behaviour.

mod manifest;
mod operation;
pub mod status;
mod tables;
mod words;

pub use abi_stable;
pub use manifest::{CustomStatus, Manifest, Pair, Preset, Property, flavour, property_flag, property_kind};
pub use operation::{Field, Op, Outcome, Row, Sink, capability, kind, op_flag, outcome_flag, wants};
pub use status::Status;
pub use tables::{
    Blocking, Extension, HostApi, OpenArgs, Opened, Pull, Root, RootRef, RunArgs, SessionArgs, Step,
    log_level, open_flag, phase, step,
};
pub use words::{Handle, as_bytes, as_text, bytes_of, text_of};

/// Counts additions to the vocabulary within one major version of the interface.
pub const ABI_MINOR: u32 = 0;

/// The version of the interface, written by hand: its first number, the major version, has to be equal on both
/// sides. It does not follow any package version, and the tables and numbers of a major version are frozen:
/// the author's crate compares them with `tests/layouts.txt` and `tests/numbers.txt`.
pub const ABI_VERSION: &str = "1.0.0";
