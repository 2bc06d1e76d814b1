//! The switch: which rule is broken.

use std::sync::atomic::{AtomicBool, Ordering};
use ycsb_plugin_api::{Failure, Property, Settings};

/// A method of the author's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Open,
    Session,
    Read,
    Scan,
    Update,
    Insert,
    Delete,
    InsertBatch,
    End,
    Drop,
    Interrupt,
    Close,
}

/// What goes wrong, one thing at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    Panic(Call),
    Hang,
    BlockRuntime,
    UnknownStatus,
    LongDetail,
    Prints,
    LeaksSessions,
    LateRows,
    LateLog,
    TellsSecret,
    ImplementsUndeclared,
    UpdateReplaces,
    UpdateCreates,
    LosesEmpty,
    OverwritesSilently,
    IgnoresSelect,
    IgnoresLimit,
    UnorderedScan,
    NotFoundAsOk,
    FoldsCase,
    SharesTables,
    KeepsOnFresh,
    CutsValues,
}

const NAMES: &[(&str, Fault)] = &[
    ("none", Fault::None),
    ("panic.open", Fault::Panic(Call::Open)),
    ("panic.session", Fault::Panic(Call::Session)),
    ("panic.read", Fault::Panic(Call::Read)),
    ("panic.scan", Fault::Panic(Call::Scan)),
    ("panic.update", Fault::Panic(Call::Update)),
    ("panic.insert", Fault::Panic(Call::Insert)),
    ("panic.delete", Fault::Panic(Call::Delete)),
    ("panic.insert_batch", Fault::Panic(Call::InsertBatch)),
    ("panic.end", Fault::Panic(Call::End)),
    ("panic.drop", Fault::Panic(Call::Drop)),
    ("panic.interrupt", Fault::Panic(Call::Interrupt)),
    ("panic.close", Fault::Panic(Call::Close)),
    ("hang", Fault::Hang),
    ("block.runtime", Fault::BlockRuntime),
    ("unknown.status", Fault::UnknownStatus),
    ("long.detail", Fault::LongDetail),
    ("prints", Fault::Prints),
    ("leaks.sessions", Fault::LeaksSessions),
    ("late.rows", Fault::LateRows),
    ("late.log", Fault::LateLog),
    ("tells.secret", Fault::TellsSecret),
    ("implements.undeclared", Fault::ImplementsUndeclared),
    ("update.replaces", Fault::UpdateReplaces),
    ("update.creates", Fault::UpdateCreates),
    ("loses.empty", Fault::LosesEmpty),
    ("overwrites", Fault::OverwritesSilently),
    ("ignores.select", Fault::IgnoresSelect),
    ("ignores.limit", Fault::IgnoresLimit),
    ("unordered.scan", Fault::UnorderedScan),
    ("notfound.ok", Fault::NotFoundAsOk),
    ("folds.case", Fault::FoldsCase),
    ("shares.tables", Fault::SharesTables),
    ("keeps.fresh", Fault::KeepsOnFresh),
    ("cuts.values", Fault::CutsValues),
];

/// The words of `NAMES`.
const WORDS: [&str; NAMES.len()] = {
    let mut words = [""; NAMES.len()];
    let mut at = 0;
    while at < NAMES.len() {
        words[at] = NAMES[at].0;
        at += 1;
    }
    words
};

const FAULT: Property = Property::one_of("faulty.fault", &WORDS).default("none").help("What goes wrong.");
const PASSWORD: Property =
    Property::text("faulty.password").secret().help("A secret that one of the faults tells.");
/// Name of the property that moves panics behind a suspension.
pub(crate) const SUSPENDED: &str = "faulty.suspended";

/// The properties of the blocking binding.
pub(crate) const PROPERTIES: &[Property] = &[FAULT, PASSWORD];
/// The properties of the async binding.
pub(crate) const ASYNC_PROPERTIES: &[Property] = &[
    FAULT,
    PASSWORD,
    Property::bool(SUSPENDED).default("false").help("Every method waits a moment before it goes wrong."),
];

static IS_LATE: AtomicBool = AtomicBool::new(false);

impl Fault {
    pub(crate) fn chosen(settings: &Settings<'_>) -> Result<Fault, Failure> {
        let word: &str = settings.get("faulty.fault")?;
        let named = NAMES.iter().find(|(name, _)| *name == word).map(|(_, fault)| *fault);
        named.ok_or_else(|| Failure::bad_request(format!("faulty.fault: unknown fault {word:?}")))
    }

    /// Panics if this is the method to panic in.
    pub(crate) fn panic_in(self, call: Call) {
        if self == Fault::Panic(call) {
            panic!("on purpose, in {call:?}");
        }
    }

    /// Whether this call is the one of the process that ends too late.
    pub(crate) fn is_late_now(self) -> bool {
        self == Fault::LateRows && !IS_LATE.swap(true, Ordering::Relaxed)
    }
}
