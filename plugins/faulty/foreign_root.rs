//! A root that has nothing in common with that of the interface but its name. The crates that include this file say
//! which version it claims.

use super::CLAIMED_VERSION;
use abi_stable::library::RootModule;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::sabi_types::VersionStrings;
use abi_stable::{export_root_module, StableAbi};

/// The root.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = RootRef)))]
#[sabi(missing_field(panic))]
pub struct Root {
    /// Not a function, as it should be.
    #[sabi(last_prefix_field)]
    pub abi_minor: u64,
}

impl RootModule for RootRef {
    abi_stable::declare_root_module_statics! {RootRef}
    const BASE_NAME: &'static str = "ycsb";
    const NAME: &'static str = "ycsb";
    const VERSION_STRINGS: VersionStrings = VersionStrings::new(CLAIMED_VERSION);
}

/// What the host looks for.
#[export_root_module]
pub fn root() -> RootRef {
    Root { abi_minor: 0 }.leak_into_prefix()
}
