//! What a plugin says of itself before it is opened: pure data, in static memory of the plugin.

use abi_stable::StableAbi;
use abi_stable::std_types::RSlice;

/// How a binding executes operations.
pub mod flavour {
    /// One thread of the host per client calls `execute`.
    pub const BLOCKING: u32 = 0;
    /// The plugin's own runtime asks the host for steps.
    pub const PULL: u32 = 1;
}

/// Kinds of a property's value. An unknown kind is treated as text.
pub mod property_kind {
    /// Any text.
    pub const TEXT: u32 = 0;
    /// A whole number.
    pub const INTEGER: u32 = 1;
    /// A decimal number.
    pub const NUMBER: u32 = 2;
    /// `true` or `false`.
    pub const BOOL: u32 = 3;
    /// A number with us, ms, s, m or h; handed over as nanoseconds.
    pub const DURATION: u32 = 4;
    /// A number, optionally with KiB, MiB or GiB; handed over as bytes.
    pub const BYTES: u32 = 5;
    /// One of the words in `allowed`.
    pub const ONE_OF: u32 = 6;
    /// A URL; the user part is never shown.
    pub const URL: u32 = 7;
    /// A path of a file or folder.
    pub const FILE: u32 = 8;
    /// `host[:port]` separated by commas.
    pub const HOSTS: u32 = 9;
}

/// Bits of [`Property::flags`].
pub mod property_flag {
    /// Has to be given.
    pub const REQUIRED: u32 = 1 << 0;
    /// Never shown.
    pub const SECRET: u32 = 1 << 1;
    /// Still works; the help says what replaces it.
    pub const DEPRECATED: u32 = 1 << 2;
    /// The name stands for every name that starts with it.
    pub const PREFIX: u32 = 1 << 3;
    /// Read in the load phase only.
    pub const LOAD_ONLY: u32 = 1 << 4;
    /// Read in the run phase only.
    pub const RUN_ONLY: u32 = 1 << 5;
    /// Accepted because others read or read it once; has no effect here. The help says why.
    pub const NO_EFFECT: u32 = 1 << 6;
    /// There is a default, even if it is the empty text.
    pub const HAS_DEFAULT: u32 = 1 << 7;
}

/// A property that a binding reads.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct Property {
    /// Name, as in `redis.host`.
    pub name: RSlice<'static, u8>,
    /// Other spellings of the name.
    pub aliases: RSlice<'static, RSlice<'static, u8>>,
    /// One of [`property_kind`].
    pub kind: u32,
    /// Bits of [`property_flag`].
    pub flags: u32,
    /// Default value as text; counts if HAS_DEFAULT is set.
    pub default: RSlice<'static, u8>,
    /// Words separated by `|` for ONE_OF, `low..high` (either may be missing) for numbers, else empty.
    pub allowed: RSlice<'static, u8>,
    /// One sentence.
    pub help: RSlice<'static, u8>,
}

/// A name and a value: of a preset, or of a setting in `OpenArgs`.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct Pair<'a> {
    /// Name of a declared property.
    pub name: RSlice<'a, u8>,
    /// Its value as text.
    pub value: RSlice<'a, u8>,
}

/// Another name of a binding, with properties that it presets at the lowest precedence.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct Preset {
    /// The alias: an upstream class name or an old name.
    pub alias: RSlice<'static, u8>,
    /// What choosing the binding by this alias sets, below everything that was given.
    pub settings: RSlice<'static, Pair<'static>>,
}

/// A status of the binding's own; its number is `status::CUSTOM` plus its place in the list.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct CustomStatus {
    /// Name as in reports: capitals, digits and underscores.
    pub name: RSlice<'static, u8>,
    /// 1 if it counts as success, 0 if not.
    pub success: u32,
    /// One sentence.
    pub text: RSlice<'static, u8>,
}

/// What a library says of one of its bindings.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct Manifest {
    /// Name, as typed after `-db`.
    pub name: RSlice<'static, u8>,
    /// Version of the plugin.
    pub version: RSlice<'static, u8>,
    /// One line.
    pub summary: RSlice<'static, u8>,
    /// One of [`flavour`].
    pub flavour: u32,
    /// Bits of [`crate::capability`]: the widest set that any configuration has.
    pub capabilities: u64,
    /// Other names.
    pub aliases: RSlice<'static, Preset>,
    /// Every property that the binding reads.
    pub properties: RSlice<'static, Property>,
    /// Statuses of its own.
    pub statuses: RSlice<'static, CustomStatus>,
    /// What compiled the plugin, as in `rustc 1.95.0`.
    pub compiler: RSlice<'static, u8>,
    /// Version of the author's crate that it was built with.
    pub api_version: RSlice<'static, u8>,
}
