//! The functions that the host offers to plugins.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use ycsb_plugin_abi::abi_stable::std_types::{RSlice, RStr};
use ycsb_plugin_abi::{ABI_MINOR, Extension, HostApi, bytes_of};

type Log = Box<dyn Fn(u32, &str) + Send + Sync>;
type Echo = Box<dyn Fn(&[u8]) + Send + Sync>;

/// Where a plugin's log lines and echoed bytes go.
pub struct HostCallbacks {
    /// Level (see `ycsb_plugin_abi::log_level`) and text of a log line.
    pub log: Log,
    /// Bytes for stdout.
    pub echo: Echo,
}

static CALLBACKS: OnceLock<HostCallbacks> = OnceLock::new();

/// Sets where log lines and echoed bytes go. Counts once per process, before the first `open`.
pub fn set_host_callbacks(callbacks: HostCallbacks) {
    let _ = CALLBACKS.set(callbacks);
}

static HOST_API: HostApi = HostApi { abi_minor: ABI_MINOR, log, echo, extension };

pub(super) fn host_api() -> &'static HostApi {
    &HOST_API
}

extern "C" fn log(level: u32, text: RSlice<'_, u8>) {
    fenced(|callbacks| (callbacks.log)(level, &String::from_utf8_lossy(bytes_of(text))));
}

extern "C" fn echo(bytes: RSlice<'_, u8>) {
    fenced(|callbacks| (callbacks.echo)(bytes_of(bytes)));
}

/// No groups of host functions exist yet.
extern "C" fn extension(_name: RStr<'_>) -> Extension {
    Extension { layout: std::ptr::null(), table: std::ptr::null() }
}

/// A panic must not unwind into the plugin; a message that cannot be printed is no reason to end a run.
fn fenced(call: impl FnOnce(&HostCallbacks)) {
    if let Some(callbacks) = CALLBACKS.get() {
        let _ = catch_unwind(AssertUnwindSafe(|| call(callbacks)));
    }
}
