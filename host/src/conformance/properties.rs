//! The properties of the kit.

use crate::config::{ConfigError, Declaration, Settings};
use std::time::Duration;

/// The kit's own table.
const TABLE: Declaration = Declaration::text("check.table")
    .default("ycsb_check")
    .help("Table of the check, emptied before and after; the workload's table is not touched.");
/// Emptying where tables are not kept apart.
const FRESH: Declaration = Declaration::bool("check.fresh").default("false").help(
    "Empties the store also where the binding keeps no tables apart: everything that the binding can see is deleted.",
);
/// Refresh of search engines.
const SETTLE: Declaration = Declaration::duration("check.settle")
    .default("0")
    .help("Longest time until a scan sees what was written; search engines need a few seconds.");
/// Bound of every call.
const PATIENCE: Declaration = Declaration::duration("check.patience")
    .default("10s")
    .range("100ms..1h")
    .help("Longest time of a call; one that takes longer counts as hanging and is left behind.");
/// Length of the search for leaks.
const CYCLES: Declaration = Declaration::integer("check.cycles")
    .default("1000")
    .range("40..1000000")
    .help("How often a session is opened and closed to look for leaks; bindings as often as time allows.");
/// Length of the random histories.
const OPERATIONS: Declaration = Declaration::integer("check.operations")
    .default("2000")
    .range("1..10000000")
    .help("Operations of the random history.");
/// Choice of rules.
const RULES: Declaration = Declaration::text("check.rules")
    .default("")
    .help("Rules to check, separated by commas: names, or their first parts as in record; empty means all.");
/// Form of the report.
const FORMAT: Declaration = Declaration::one_of("check.format", "text|json")
    .default("text")
    .help("Form of the report of the check; -json sets it to json.");

/// What `check` reads besides the properties of host and binding.
pub const DECLARATIONS: &[Declaration] = &[TABLE, FRESH, SETTLE, PATIENCE, CYCLES, OPERATIONS, RULES, FORMAT];

/// The values of the kit's properties.
#[derive(Clone, Debug)]
pub struct KitSettings {
    /// The kit's table.
    pub table: String,
    /// Empty the store also where tables are not kept apart.
    pub fresh: bool,
    /// Longest time until a scan sees what was written.
    pub settle: Duration,
    /// Longest time of a call.
    pub patience: Duration,
    /// Openings of a session, to look for leaks.
    pub cycles: u64,
    /// Operations of a random history.
    pub operations: u64,
    /// Names of rules, or first parts of names; none = all.
    pub rules: Vec<String>,
    /// The report is JSON.
    pub json: bool,
}

impl KitSettings {
    /// Reads the values.
    ///
    /// # Errors
    /// A value that its declaration does not allow, an empty table.
    pub fn read(settings: &Settings) -> Result<KitSettings, ConfigError> {
        let table = settings.text(&TABLE)?;
        if table.trim().is_empty() {
            return Err(ConfigError("check.table is empty; name a table that nobody else uses".to_owned()));
        }
        let rules = settings.text(&RULES)?;
        Ok(KitSettings {
            table,
            fresh: settings.bool(&FRESH)?,
            settle: Duration::from_nanos(settings.duration_ns(&SETTLE)?),
            patience: Duration::from_nanos(settings.duration_ns(&PATIENCE)?),
            cycles: settings.u64(&CYCLES)?,
            operations: settings.u64(&OPERATIONS)?,
            rules: rules
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
            json: settings.one_of(&FORMAT)? == "json",
        })
    }
}
