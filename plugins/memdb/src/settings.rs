//! The properties of both bindings.

use crate::prefill::Prefill;
use crate::script::{Faults, Pauses, Script};
use crate::time_series::{self, Points};
use crate::verdict::{self, Forced};
use std::path::PathBuf;
use std::time::Duration;
use ycsb_plugin_api::{Env, Failure, Property, Settings, capability};

/// Every property, declared once.
pub(crate) const PROPERTIES: &[Property] = &[
    Property::text("mem.store")
        .default("default")
        .help("Name of the store; bindings of one process that name the same store share its records."),
    Property::file("mem.file").help(
        "File that outlives the process: read when the binding opens, written when the last client has \
         ended. A run on an absent file is refused.",
    ),
    Property::bool("mem.prefill").default("false").help(
        "Fill the table with records of YCSB's key names before anything else; values are those of \
         dataintegrity=true.",
    ),
    Property::integer("mem.records")
        .allowed("0..")
        .help("How many records mem.prefill makes; without it as many as the workload expects in the table."),
    Property::one_of("mem.insertorder", &["hashed", "ordered"])
        .default("hashed")
        .help("Key names of mem.prefill, as the workload's insertorder."),
    Property::integer("mem.zeropadding")
        .default("1")
        .allowed("1..64")
        .help("Digits of a key number of mem.prefill, as the workload's zeropadding."),
    Property::integer("mem.fieldlength")
        .default("100")
        .allowed("0..16777216")
        .help("Bytes of a value of mem.prefill, as the workload's fieldlength."),
    Property::text("mem.without").default("").help(
        "Operations that this binding cannot do, separated by commas: READ, SCAN, UPDATE, INSERT, DELETE, \
         INSERT_BATCH.",
    ),
    Property::one_of("mem.fail", verdict::WORDS).help(
        "What scripted calls answer. A failure happens in place of the operation, a success after it; PANIC \
         and THROW panic, NULL is ERROR, UNKNOWN is a status number without a meaning, MEM_REFUSED and \
         MEM_DEFERRED are a failure and a success of the binding's own.",
    ),
    Property::integer("mem.every")
        .default("1")
        .allowed("1..")
        .help("Every how many calls mem.fail strikes; a record of a batch counts as a call."),
    Property::integer("mem.times")
        .default("0")
        .allowed("0..")
        .help("How often mem.fail strikes in all; 0 means without end."),
    Property::text("mem.failop")
        .default("ALL")
        .help("Operations that mem.fail counts and strikes: READ, SCAN, UPDATE, INSERT, DELETE, or ALL."),
    Property::bool("mem.retrysafe")
        .default("false")
        .help("Say of scripted failures that they had no effect and may be sent again."),
    Property::one_of("mem.openfail", verdict::WORDS).help("How opening the binding fails."),
    Property::bool("mem.initfail").default("false").help("Refuse to open sessions."),
    Property::integer("mem.initfail.client")
        .allowed("0..")
        .help("Limits mem.initfail to the client of this index."),
    Property::bool("mem.cleanupfail").default("false").help("Fail the last call of every session."),
    Property::integer("mem.corrupt.every")
        .default("0")
        .allowed("0..")
        .help("Every how many reads a wrong byte is returned; 0 means never."),
    Property::duration("mem.delay").default("0s").help("How long calls take."),
    Property::integer("mem.delay.every")
        .default("1")
        .allowed("1..")
        .help("Every how many calls mem.delay is taken."),
    Property::duration("mem.slow").default("0s").help("How much longer calls take from mem.slow.at on."),
    Property::integer("mem.slow.at")
        .default("1")
        .allowed("1..")
        .help("Number of the first call that mem.slow holds up."),
    Property::integer("mem.stall.at")
        .default("0")
        .allowed("0..")
        .help("Number of the call at which the whole store stands still; 0 means never."),
    Property::duration("mem.stall.for").default("0s").help("How long the store stands still."),
    Property::integer("mem.hang.at")
        .default("0")
        .allowed("0..")
        .help("Number of the call that never returns; 0 means none."),
    Property::one_of("mem.hang.kind", &["block", "suspend"]).help(
        "block holds its thread for ever; suspend ends when the host interrupts or drops the call. Without \
         it, memdb blocks and memdb-async suspends.",
    ),
    time_series::PROPERTIES[0],
    time_series::PROPERTIES[1],
    time_series::PROPERTIES[2],
    time_series::PROPERTIES[3],
];

/// What `open` was told.
pub(crate) struct Options {
    pub(crate) store: String,
    pub(crate) file: Option<PathBuf>,
    pub(crate) prefill: Option<Prefill>,
    pub(crate) without: u64,
    pub(crate) open_failure: Option<Forced>,
    pub(crate) refused_sessions: Refused,
    pub(crate) end_fails: bool,
    pub(crate) corrupt_every: u64,
    pub(crate) script: Option<Script>,
    pub(crate) points: Points,
}

/// Which sessions are refused.
#[derive(Clone, Copy)]
pub(crate) enum Refused {
    None,
    All,
    Client(usize),
}

impl Options {
    /// Reads the settings. `hang_blocks` is the kind of hang that this flavour has by itself.
    pub(crate) fn read(
        settings: &Settings<'_>,
        env: &Env<'_>,
        hang_blocks: bool,
    ) -> Result<Options, Failure> {
        let forced = |name| settings.find::<&str>(name).map(|word| word.and_then(Forced::of));
        let refused_sessions = match (settings.get("mem.initfail")?, settings.find("mem.initfail.client")?) {
            (false, _) => Refused::None,
            (true, None) => Refused::All,
            (true, Some(client)) => Refused::Client(client),
        };
        Ok(Options {
            store: settings.get("mem.store")?,
            file: settings.find("mem.file")?,
            prefill: prefill(settings, env)?,
            without: without(settings.get("mem.without")?)?,
            open_failure: forced("mem.openfail")?,
            refused_sessions,
            end_fails: settings.get("mem.cleanupfail")?,
            corrupt_every: settings.get("mem.corrupt.every")?,
            script: Script::new(faults(settings, forced("mem.fail")?)?, pauses(settings, hang_blocks)?),
            points: Points::from_settings(settings)?,
        })
    }
}

fn prefill(settings: &Settings<'_>, env: &Env<'_>) -> Result<Option<Prefill>, Failure> {
    if !settings.get("mem.prefill")? {
        return Ok(None);
    }
    let records = settings.find("mem.records")?.or(env.expected_records()).ok_or_else(|| {
        Failure::bad_request(
            "mem.prefill=true, but the workload does not say how many records it expects; set mem.records",
        )
    })?;
    Ok(Some(Prefill {
        records,
        hashed: settings.get::<&str>("mem.insertorder")? == "hashed",
        digits: settings.get("mem.zeropadding")?,
        field_length: settings.get("mem.fieldlength")?,
    }))
}

fn faults(settings: &Settings<'_>, forced: Option<Forced>) -> Result<Option<Faults>, Failure> {
    let Some(forced) = forced else { return Ok(None) };
    Ok(Some(Faults {
        forced,
        every: settings.get("mem.every")?,
        times: settings.get("mem.times")?,
        operations: operations("mem.failop", settings.get("mem.failop")?)?,
        retry_safe: settings.get("mem.retrysafe")?,
    }))
}

fn pauses(settings: &Settings<'_>, hang_blocks: bool) -> Result<Pauses, Failure> {
    let hang_kind: Option<&str> = settings.find("mem.hang.kind")?;
    Ok(Pauses {
        delay: settings.get("mem.delay")?,
        delay_every: settings.get("mem.delay.every")?,
        slow: settings.get("mem.slow")?,
        slow_at: settings.get("mem.slow.at")?,
        stall_at: settings.get("mem.stall.at")?,
        stall_for: settings.get::<Duration>("mem.stall.for")?,
        hang_at: settings.get("mem.hang.at")?,
        hang_blocks: hang_kind.map_or(hang_blocks, |kind| kind == "block"),
    })
}

const OPERATIONS: [(&str, u64); 6] = [
    ("READ", capability::READ),
    ("SCAN", capability::SCAN),
    ("UPDATE", capability::UPDATE),
    ("INSERT", capability::INSERT),
    ("DELETE", capability::DELETE),
    ("INSERT_BATCH", capability::INSERT_BATCH),
];

/// Capability bits of operations named in a list.
fn operations(property: &str, list: &str) -> Result<u64, Failure> {
    let mut bits = 0;
    for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        bits |= match OPERATIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
            Some((_, bit)) => *bit,
            None if word.eq_ignore_ascii_case("ALL") => u64::MAX,
            None => {
                let names = OPERATIONS.map(|(name, _)| name).join(", ");
                return Err(Failure::bad_request(format!(
                    "{property}: unknown operation {word:?}; use {names} or ALL"
                )));
            }
        };
    }
    Ok(bits)
}

fn without(list: &str) -> Result<u64, Failure> {
    let bits = operations("mem.without", list)?;
    let implied =
        [(capability::SCAN, capability::SCAN_ORDERED), (capability::INSERT, capability::INSERT_BATCH)];
    Ok(implied.iter().fold(bits, |all, (one, other)| if bits & one != 0 { all | other } else { all }))
}
