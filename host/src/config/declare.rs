//! What a declaration is: the one place where a property's name, type, default and help are written down.
//!
//! Parser, audit, `--help`, `describe`, the Markdown reference and completions are all made from it. Modules
//! declare their properties beside the code that uses them, as constants:
//!
//! ```
//! use ycsb_host::config::Declaration;
//! pub const THREADS: Declaration = Declaration::integer("threadcount")
//!     .default("1")
//!     .range("1..")
//!     .help("Number of clients.");
//! ```

/// The type of a property's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text, kept verbatim.
    Text,
    /// A whole number.
    Integer,
    /// A finite decimal number.
    Number,
    /// `true` or `false` in any case.
    Bool,
    /// A number with us, ms, s, m or h. Without a unit it is refused, unless the declaration names one.
    Duration,
    /// A number, optionally with KiB, MiB or GiB.
    Bytes,
    /// One of the words in `allowed`.
    OneOf,
    /// A URL; its user part is never shown.
    Url,
    /// Path of a file or folder.
    File,
    /// `host[:port]`, separated by commas.
    Hosts,
}

/// A declared property.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Name.
    pub name: &'static str,
    /// Other spellings; their use is a note.
    pub aliases: &'static [&'static str],
    /// Type of the value.
    pub kind: Kind,
    /// Default as text.
    pub default: Option<&'static str>,
    /// Words separated by `|`, or a range `low..high` of which either end may be missing; empty = anything.
    pub allowed: &'static str,
    /// For a duration whose plain number YCSB defines: the nanoseconds of one.
    pub bare_unit_ns: u64,
    /// One sentence.
    pub help: &'static str,
    /// Has to be given.
    pub required: bool,
    /// Never shown.
    pub secret: bool,
    /// Still works; the help says what replaces it.
    pub deprecated: bool,
    /// Stands for every name that starts with `name`.
    pub prefix: bool,
    /// Accepted, has no effect; the help says why.
    pub no_effect: bool,
    /// Read in the load phase only.
    pub load_only: bool,
    /// Read in the run phase only.
    pub run_only: bool,
}

impl Declaration {
    /// A declaration of any kind.
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Declaration {
            name,
            aliases: &[],
            kind,
            default: None,
            allowed: "",
            bare_unit_ns: 0,
            help: "",
            required: false,
            secret: false,
            deprecated: false,
            prefix: false,
            no_effect: false,
            load_only: false,
            run_only: false,
        }
    }

    /// Any text.
    pub const fn text(name: &'static str) -> Self {
        Self::new(name, Kind::Text)
    }

    /// A whole number.
    pub const fn integer(name: &'static str) -> Self {
        Self::new(name, Kind::Integer)
    }

    /// A decimal number.
    pub const fn number(name: &'static str) -> Self {
        Self::new(name, Kind::Number)
    }

    /// `true` or `false`.
    pub const fn bool(name: &'static str) -> Self {
        Self::new(name, Kind::Bool)
    }

    /// A number with a unit of time.
    pub const fn duration(name: &'static str) -> Self {
        Self::new(name, Kind::Duration)
    }

    /// A number of bytes.
    pub const fn bytes(name: &'static str) -> Self {
        Self::new(name, Kind::Bytes)
    }

    /// One of several words: `"op|intended|both"`.
    pub const fn one_of(name: &'static str, words: &'static str) -> Self {
        let mut made = Self::new(name, Kind::OneOf);
        made.allowed = words;
        made
    }

    /// Path of a file or folder.
    pub const fn file(name: &'static str) -> Self {
        Self::new(name, Kind::File)
    }

    /// A URL; its user part is never shown.
    pub const fn url(name: &'static str) -> Self {
        Self::new(name, Kind::Url)
    }

    /// Hosts, as in `host[:port]`, separated by commas.
    pub const fn hosts(name: &'static str) -> Self {
        Self::new(name, Kind::Hosts)
    }

    /// Sets the default.
    pub const fn default(mut self, value: &'static str) -> Self {
        self.default = Some(value);
        self
    }

    /// Sets other spellings.
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Sets the allowed range, as in `1..` or `0..1`, both ends included.
    pub const fn range(mut self, range: &'static str) -> Self {
        self.allowed = range;
        self
    }

    /// Sets what a plain number means in a duration.
    pub const fn bare_unit_ns(mut self, nanoseconds: u64) -> Self {
        self.bare_unit_ns = nanoseconds;
        self
    }

    /// Sets the help sentence.
    pub const fn help(mut self, sentence: &'static str) -> Self {
        self.help = sentence;
        self
    }

    /// Marks a property that has to be given.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Marks a value that is never shown.
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }

    /// Marks a property that still works; the help says what replaces it.
    pub const fn deprecated(mut self) -> Self {
        self.deprecated = true;
        self
    }

    /// Marks a name that stands for all names that start with it.
    pub const fn prefix(mut self) -> Self {
        self.prefix = true;
        self
    }

    /// Marks a name that is accepted without effect.
    pub const fn no_effect(mut self) -> Self {
        self.no_effect = true;
        self
    }

    /// Marks a property that only the load phase reads.
    pub const fn load_only(mut self) -> Self {
        self.load_only = true;
        self
    }

    /// Marks a property that only the run phase reads.
    pub const fn run_only(mut self) -> Self {
        self.run_only = true;
        self
    }
}
