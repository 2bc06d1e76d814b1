//! Every flag of the benchmark commands, declared once: the parser, the help and the echo of the command line
//! are made from this table.

/// What a flag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Sets a property to the flag's value.
    Property(&'static str),
    /// Sets a property to this value; the flag takes none.
    Fixed(&'static str, &'static str),
    /// Sets the property that its value names: `name=value`.
    NameAndValue,
    /// Adds a property file.
    File,
    /// Adds folders to the search path of plugins.
    ClassPath,
    /// Takes a value and does nothing.
    Ignored,
    /// Shows the help.
    Help,
    /// Shows the version.
    Version,
}

/// A flag.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// As it is shown, without hyphens: `threads` for `-threads`, `P` for `-P`.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What stands for its value in the help; empty = it takes none.
    pub value: &'static str,
    /// What it does.
    pub effect: Effect,
    /// Whether its value may begin with a hyphen, whatever it is.
    pub any_value: bool,
    /// One sentence.
    pub help: &'static str,
}

impl Flag {
    /// Whether a value follows.
    pub fn takes_value(&self) -> bool {
        !self.value.is_empty()
    }
}

const fn flag(name: &'static str, value: &'static str, effect: Effect, help: &'static str) -> Flag {
    Flag { name, aliases: &[], value, effect, any_value: false, help }
}

const fn also(mut flag: Flag, aliases: &'static [&'static str]) -> Flag {
    flag.aliases = aliases;
    flag
}

const fn any_value(mut flag: Flag) -> Flag {
    flag.any_value = true;
    flag
}

/// All flags, in the order of the help. Every name works with one hyphen and with two.
pub const FLAGS: &[Flag] = &[
    also(
        flag(
            "P",
            "FILE",
            Effect::File,
            "Property file, such as a workload; may be repeated, later files win.",
        ),
        &["property_file"],
    ),
    any_value(also(
        flag("p", "NAME=VALUE", Effect::NameAndValue, "One property; may be repeated, overrides all files."),
        &["prop"],
    )),
    flag(
        "db",
        "NAME",
        Effect::Property("db"),
        "Binding: a name, a class name of YCSB, or the path of a plugin.",
    ),
    flag("threads", "N", Effect::Property("threadcount"), "Number of clients (default: 1)."),
    flag(
        "target",
        "N",
        Effect::Property("target"),
        "Operations per second over all clients (default: unthrottled).",
    ),
    flag("load", "", Effect::Fixed("dotransactions", "false"), "Runs the load phase."),
    flag("t", "", Effect::Fixed("dotransactions", "true"), "Runs the run phase (default)."),
    flag("s", "", Effect::Fixed("status", "true"), "Prints status lines on standard error."),
    also(flag("l", "LABEL", Effect::Property("label"), "Text in front of every status line."), &["label"]),
    also(
        flag(
            "interval",
            "TIME",
            Effect::Property("status.interval"),
            "Time between status lines (default: 10s).",
        ),
        &["status-interval"],
    ),
    flag("table", "NAME", Effect::Property("table"), "Table (default: usertable)."),
    flag("out", "FILE", Effect::Property("result.file"), "File of the result document (JSON)."),
    flag("calibrate", "", Effect::Fixed("calibrate", "true"), "Measures the host itself after the run."),
    flag("json", "", Effect::Fixed("check.format", "json"), "Reports of check are JSON."),
    any_value(flag(
        "cp",
        "FOLDERS",
        Effect::ClassPath,
        "Folders in which plugins are looked for first, with ':' between.",
    )),
    any_value(flag(
        "jvm-args",
        "ARGS",
        Effect::Ignored,
        "Accepted and ignored: there is no virtual machine.",
    )),
    also(flag("h", "", Effect::Help, "Shows this help."), &["help", "?"]),
    also(flag("version", "", Effect::Version, "Shows the version."), &["V"]),
];

/// The flag with this name, without hyphens.
pub fn find(name: &str) -> Option<&'static Flag> {
    FLAGS.iter().find(|flag| flag.name == name || flag.aliases.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_flags_share_a_name() {
        let mut seen = BTreeSet::new();
        for flag in FLAGS {
            assert!(flag.help.ends_with('.'), "{}", flag.name);
            for name in flag.aliases.iter().chain([&flag.name]) {
                assert!(seen.insert(*name), "{name}");
            }
        }
    }
}
