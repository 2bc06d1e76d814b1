//! What a binding says of itself before it is opened.

use crate::Property;

/// What a binding says of itself: pure data, so that the host can list, check and explain a plugin without
/// opening it.
///
/// ```
/// use ycsb_plugin_api::{Alias, Info, Property, capability::*};
///
/// const INFO: Info = Info::new("redis")
///     .summary("Redis hashes, with a sorted set as index for scans")
///     .aliases(&[Alias::new("site.ycsb.db.RedisClient")])
///     .capabilities(READ | SCAN | UPDATE | INSERT | DELETE)
///     .properties(&[Property::text("redis.host").default("127.0.0.1").help("Server to connect to.")]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Info {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) aliases: &'static [Alias],
    pub(crate) capabilities: u64,
    pub(crate) properties: &'static [Property],
    pub(crate) statuses: &'static [CustomStatus],
}

impl Info {
    /// A binding by the name that users type.
    pub const fn new(name: &'static str) -> Info {
        Info { name, version: "", summary: "", aliases: &[], capabilities: 0, properties: &[], statuses: &[] }
    }

    /// Version of the plugin. Without it, the version of the crate that exports the plugin.
    pub const fn version(mut self, version: &'static str) -> Info {
        self.version = version;
        self
    }

    /// One line.
    pub const fn summary(mut self, line: &'static str) -> Info {
        self.summary = line;
        self
    }

    /// Other names: class names of YCSB, old names.
    pub const fn aliases(mut self, aliases: &'static [Alias]) -> Info {
        self.aliases = aliases;
        self
    }

    /// Bits of [`capability`](crate::capability): the widest set that any configuration has. The host never
    /// sends an operation whose bit is clear.
    pub const fn capabilities(mut self, bits: u64) -> Info {
        self.capabilities = bits;
        self
    }

    /// Every property that the binding reads.
    pub const fn properties(mut self, properties: &'static [Property]) -> Info {
        self.properties = properties;
        self
    }

    /// Statuses of its own; `Done::custom(i)` and `Failure::custom(i)` count from 0.
    pub const fn statuses(mut self, statuses: &'static [CustomStatus]) -> Info {
        self.statuses = statuses;
        self
    }

    /// The name of the binding.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// Another name of a binding, which may preset properties below everything that the user gives.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    pub(crate) name: &'static str,
    pub(crate) presets: &'static [(&'static str, &'static str)],
}

impl Alias {
    /// A name.
    pub const fn new(name: &'static str) -> Alias {
        Alias { name, presets: &[] }
    }

    /// What choosing this name sets: pairs of a declared property and its value.
    pub const fn presets(mut self, pairs: &'static [(&'static str, &'static str)]) -> Alias {
        self.presets = pairs;
        self
    }
}

/// A status that the common list lacks.
#[derive(Clone, Copy, Debug)]
pub struct CustomStatus {
    pub(crate) name: &'static str,
    pub(crate) success: bool,
    pub(crate) text: &'static str,
}

impl CustomStatus {
    /// A status that counts as success: its name in reports (capitals, digits, underscores) and one
    /// sentence.
    pub const fn success(name: &'static str, text: &'static str) -> CustomStatus {
        CustomStatus { name, success: true, text }
    }

    /// A status that counts as failure.
    pub const fn failure(name: &'static str, text: &'static str) -> CustomStatus {
        CustomStatus { name, success: false, text }
    }
}
