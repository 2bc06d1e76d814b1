//! Layer 2: find, load, check and call plugins; names and classes.

mod border;
mod capability;
mod elf;
mod load;
mod locate;
mod manifest;
mod names;

pub use border::{
    AttachedClient, Binding, ClientCell, Ended, HostCallbacks, OpBuilder, OpenFailure, OpenRequest, Turn,
    Turns, answer_at_once, set_host_callbacks,
};
pub use capability::{CAPABILITIES, Capability, capabilities_of, capability_names};
pub use load::{LoadError, Plugin};
pub use locate::{SearchPath, find};
pub use manifest::{BindingInfo, PresetInfo, StatusInfo};
pub use names::{Requested, UPSTREAM, Upstream, requested};
