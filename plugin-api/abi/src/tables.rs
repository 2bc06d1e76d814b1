//! The tables of functions, and the arguments of those that are not operations.

use crate::{Handle, Manifest, Op, Outcome, Pair, Status};
use abi_stable::StableAbi;
use abi_stable::library::RootModule;
use abi_stable::sabi_types::VersionStrings;
use abi_stable::std_types::{RSlice, RStr};
use core::ffi::c_void;

/// Levels of [`HostApi::log`].
pub mod log_level {
    /// Something failed.
    pub const ERROR: u32 = 1;
    /// Something that a user should look at.
    pub const WARN: u32 = 2;
    /// Something worth knowing once.
    pub const INFO: u32 = 3;
    /// For the author of the plugin.
    pub const DEBUG: u32 = 4;
}

/// A group of functions that not every version has. `table` is null if it is not there.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct Extension {
    /// Points to the layout description that is checked before `table` is touched.
    pub layout: *const c_void,
    /// Points to the table.
    pub table: *const c_void,
}

/// What the host offers to a plugin. Lives for ever.
#[repr(C)]
#[derive(StableAbi)]
pub struct HostApi {
    /// The host's [`crate::ABI_MINOR`].
    pub abi_minor: u32,
    /// Prints a line on the host's stderr: level (see [`log_level`]) and UTF-8 text.
    pub log: extern "C" fn(u32, RSlice<'_, u8>),
    /// Writes bytes to stdout: for bindings whose job is to echo.
    pub echo: extern "C" fn(RSlice<'_, u8>),
    /// Looks up a later group of host functions by name.
    pub extension: extern "C" fn(RStr<'_>) -> Extension,
}

/// Values of [`OpenArgs::phase`].
pub mod phase {
    /// The records are about to be written.
    pub const LOAD: u32 = 0;
    /// The records are expected to be there.
    pub const RUN: u32 = 1;
}

/// Bits of [`OpenArgs::flags`].
pub mod open_flag {
    /// Start from an empty table (`dropdata=true`); in the load phase only.
    pub const FRESH: u32 = 1 << 0;
}

/// Arguments of `open`. Valid during the call.
#[repr(C)]
#[derive(StableAbi)]
pub struct OpenArgs<'a> {
    /// Which manifest of the library.
    pub binding: u32,
    /// One of [`phase`].
    pub phase: u32,
    /// Bits of [`open_flag`].
    pub flags: u32,
    /// Number of threads that an async binding's runtime should have.
    pub workers: u32,
    /// Number of sessions that will be opened.
    pub clients: u64,
    /// Rows in a full INSERT_BATCH; 1 means that none is sent.
    pub batch_size: u64,
    /// Records expected in the table when the phase ends; 0 = unknown.
    pub expected_records: u64,
    /// Bytes of the longest value that will be written; 0 = unknown.
    pub largest_value_bytes: u64,
    /// Nanoseconds of CLOCK_MONOTONIC by which `open` has to have returned; 0 = none.
    pub deadline_ns: u64,
    /// Exactly the declared properties: defaults filled in, aliases resolved, syntax checked.
    pub settings: RSlice<'a, Pair<'a>>,
    /// Table.
    pub table: RStr<'a>,
    /// Names of all fields of a record.
    pub fields: RSlice<'a, RStr<'a>>,
    /// For arguments that are not invented yet.
    pub extra: RSlice<'a, u8>,
}

/// What `open` made.
#[repr(C)]
#[derive(StableAbi)]
pub struct Opened {
    /// The binding; null after a failed open.
    pub binding: Handle,
    /// Bits of [`crate::capability`]: what this configuration can do.
    pub capabilities: u64,
    /// Set by a blocking binding.
    pub blocking: Option<&'static Blocking>,
    /// Set by an async binding.
    pub pull: Option<&'static Pull>,
}

/// Arguments of a session. Valid during the call or step.
#[repr(C)]
#[derive(StableAbi)]
pub struct SessionArgs<'a> {
    /// Which client, from 0.
    pub index: u64,
    /// Number of clients.
    pub count: u64,
    /// Table.
    pub table: RStr<'a>,
    /// Names of all fields of a record.
    pub fields: RSlice<'a, RStr<'a>>,
}

/// Functions of a blocking binding.
#[repr(C)]
#[derive(StableAbi)]
pub struct Blocking {
    /// Opens a session: binding, arguments, where its handle goes, details.
    pub session: extern "C" fn(Handle, &SessionArgs<'_>, &mut Handle, &mut Outcome) -> Status,
    /// Executes one operation of a session.
    pub execute: extern "C" fn(Handle, &Op<'_>, &mut Outcome) -> Status,
    /// Frees a session.
    pub release: extern "C" fn(Handle),
    /// Binding-wide, from any thread: operations in flight should return soon.
    pub interrupt: extern "C" fn(Handle),
}

/// Values of [`Step::kind`].
pub mod step {
    /// Open (or open again) the client's session.
    pub const OPEN: u32 = 1;
    /// Execute `op`.
    pub const RUN: u32 = 2;
    /// Wait until `until_ns`.
    pub const WAIT: u32 = 3;
    /// Let other clients run.
    pub const YIELD: u32 = 4;
    /// The client is done.
    pub const STOP: u32 = 5;
}

/// What the host wants a client to do next. Owned by the host, which rewrites it in place.
#[repr(C)]
#[derive(StableAbi)]
pub struct Step<'a> {
    /// One of [`step`].
    pub kind: u32,
    /// WAIT: nanoseconds of CLOCK_MONOTONIC.
    pub until_ns: u64,
    /// OPEN: the arguments.
    pub session: *const SessionArgs<'a>,
    /// RUN: the operation.
    pub op: *const Op<'a>,
    /// RUN and OPEN: where details go. Never null.
    pub outcome: *mut Outcome,
}

/// Arguments of `run`. Valid until `run` returns.
#[repr(C)]
#[derive(StableAbi)]
pub struct RunArgs<'a> {
    /// Ends the client's last step with a status and returns the next one.
    pub next: extern "C" fn(Handle, Status) -> *const Step<'a>,
    /// One handle of the host per client.
    pub clients: RSlice<'a, Handle>,
}

/// Functions of an async binding.
#[repr(C)]
#[derive(StableAbi)]
pub struct Pull {
    /// Runs all clients; returns when all of them stopped. May be called again afterwards, never
    /// concurrently.
    pub run: extern "C" fn(Handle, &RunArgs<'_>, &mut Outcome) -> Status,
    /// Drops all operations in flight; any thread, returns at once.
    pub cancel: extern "C" fn(Handle),
}

/// The root of a plugin library.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = RootRef)))]
#[sabi(missing_field(panic))]
pub struct Root {
    /// The plugin's [`crate::ABI_MINOR`].
    pub abi_minor: u32,
    /// The bindings of this library: pure, no input or output, no threads.
    pub manifests: extern "C" fn() -> RSlice<'static, Manifest>,
    /// Opens a binding: connects and pings.
    pub open: extern "C" fn(&'static HostApi, &OpenArgs<'_>, &mut Opened, &mut Outcome) -> Status,
    /// Closes a binding.
    pub close: extern "C" fn(Handle),
    /// Looks up a later group of plugin functions by name.
    #[sabi(last_prefix_field)]
    pub extension: extern "C" fn(RStr<'_>) -> Extension,
}

impl RootModule for RootRef {
    abi_stable::declare_root_module_statics! {RootRef}
    const BASE_NAME: &'static str = "ycsb";
    const NAME: &'static str = "ycsb";
    const VERSION_STRINGS: VersionStrings = VersionStrings::new(crate::ABI_VERSION);
}
