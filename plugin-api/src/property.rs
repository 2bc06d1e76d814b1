//! The declaration of a property that a binding reads.

use ycsb_plugin_abi::{property_flag as flag, property_kind as kind};

/// A property that a binding reads: name, kind, default and help.
///
/// The host checks what the user gave against these declarations before anything is opened, and hands over
/// only declared properties, with defaults filled in, aliases resolved and the syntax checked. The same
/// declarations print the help text and the reference page of the binding.
///
/// ```
/// use ycsb_plugin_api::Property;
///
/// const PROPERTIES: &[Property] = &[
///     Property::text("redis.host").default("127.0.0.1").help("Server to connect to."),
///     Property::integer("redis.port").default("6379").allowed("1..65535").help("Its port."),
///     Property::duration("redis.timeout").default("2s").help("Longest wait for an answer."),
///     Property::text("redis.password").secret().help("Password, if the server asks for one."),
///     Property::one_of("redis.mode", &["single", "cluster"]).default("single").help("Kind of server."),
///     Property::text("redis.option.").prefix().help("Handed to the client library as it is."),
/// ];
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Property {
    pub(crate) name: &'static str,
    pub(crate) aliases: &'static [&'static str],
    pub(crate) kind: u32,
    pub(crate) flags: u32,
    pub(crate) default: &'static str,
    pub(crate) words: &'static [&'static str],
    pub(crate) range: &'static str,
    pub(crate) help: &'static str,
}

impl Property {
    const fn new(name: &'static str, kind: u32) -> Property {
        Property { name, aliases: &[], kind, flags: 0, default: "", words: &[], range: "", help: "" }
    }

    /// Any text.
    pub const fn text(name: &'static str) -> Property {
        Property::new(name, kind::TEXT)
    }

    /// A whole number.
    pub const fn integer(name: &'static str) -> Property {
        Property::new(name, kind::INTEGER)
    }

    /// A decimal number.
    pub const fn number(name: &'static str) -> Property {
        Property::new(name, kind::NUMBER)
    }

    /// `true` or `false`.
    pub const fn bool(name: &'static str) -> Property {
        Property::new(name, kind::BOOL)
    }

    /// A number with `us`, `ms`, `s`, `m` or `h`; read it as [`Duration`](std::time::Duration).
    pub const fn duration(name: &'static str) -> Property {
        Property::new(name, kind::DURATION)
    }

    /// A size: a number, optionally with `KiB`, `MiB` or `GiB`; read it as `u64` bytes.
    pub const fn bytes(name: &'static str) -> Property {
        Property::new(name, kind::BYTES)
    }

    /// One of some words.
    pub const fn one_of(name: &'static str, words: &'static [&'static str]) -> Property {
        Property { words, ..Property::new(name, kind::ONE_OF) }
    }

    /// A URL. The host never shows its user part.
    pub const fn url(name: &'static str) -> Property {
        Property::new(name, kind::URL)
    }

    /// The path of a file or folder.
    pub const fn file(name: &'static str) -> Property {
        Property::new(name, kind::FILE)
    }

    /// `host[:port]`, separated by commas; read it as [`Hosts`](crate::Hosts).
    pub const fn hosts(name: &'static str) -> Property {
        Property::new(name, kind::HOSTS)
    }

    /// Other spellings of a property of the host, such as `mongodb.batchsize` for `batchsize`. Only the
    /// aliases count; the value stays with the host.
    pub const fn of_host(name: &'static str, aliases: &'static [&'static str]) -> Property {
        Property { aliases, ..Property::new(name, kind::TEXT) }
    }

    /// Old or upstream spellings of the name.
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Property {
        self.aliases = aliases;
        self
    }

    /// The value if none is given, written as a user would write it. Without a default, and if it is not
    /// [required](Property::required), the property may be absent.
    pub const fn default(mut self, value: &'static str) -> Property {
        self.default = value;
        self.flags |= flag::HAS_DEFAULT;
        self
    }

    /// The range of an integer, number, duration or size: `1..65535`, `0..` or `..10s`; both ends belong
    /// to it.
    pub const fn allowed(mut self, range: &'static str) -> Property {
        self.range = range;
        self
    }

    /// Has to be given.
    pub const fn required(self) -> Property {
        self.with(flag::REQUIRED)
    }

    /// Never shown in any output.
    pub const fn secret(self) -> Property {
        self.with(flag::SECRET)
    }

    /// Still works; the help says what replaces it.
    pub const fn deprecated(self) -> Property {
        self.with(flag::DEPRECATED)
    }

    /// The name stands for every name that starts with it; read them with
    /// [`Settings::with_prefix`](crate::Settings::with_prefix).
    pub const fn prefix(self) -> Property {
        self.with(flag::PREFIX)
    }

    /// Read in the load phase only.
    pub const fn load_only(self) -> Property {
        self.with(flag::LOAD_ONLY)
    }

    /// Read in the run phase only.
    pub const fn run_only(self) -> Property {
        self.with(flag::RUN_ONLY)
    }

    /// Accepted because people have it in their files; has no effect. The help says why.
    pub const fn no_effect(self) -> Property {
        self.with(flag::NO_EFFECT)
    }

    /// One sentence.
    pub const fn help(mut self, sentence: &'static str) -> Property {
        self.help = sentence;
        self
    }

    const fn with(mut self, flag: u32) -> Property {
        self.flags |= flag;
        self
    }
}
