//! Names and meanings of capability bits.

use ycsb_plugin_abi::capability as bit;

/// What a binding can do, or how it does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capability {
    /// One bit of `ycsb_plugin_abi::capability`.
    pub bit: u64,
    /// Its name.
    pub name: &'static str,
    /// What it means, as the end of a sentence.
    pub meaning: &'static str,
}

const fn of(bit: u64, name: &'static str, meaning: &'static str) -> Capability {
    Capability { bit, name, meaning }
}

/// All capabilities that this host knows.
pub const CAPABILITIES: [Capability; 16] = [
    of(bit::READ, "READ", "reads one record"),
    of(bit::SCAN, "SCAN", "reads a range of records"),
    of(bit::UPDATE, "UPDATE", "changes some fields of a record"),
    of(bit::INSERT, "INSERT", "writes a whole record"),
    of(bit::DELETE, "DELETE", "removes a record"),
    of(bit::INSERT_BATCH, "INSERT_BATCH", "writes many records with one call"),
    of(bit::SCAN_ORDERED, "SCAN_ORDERED", "scans in ascending order of the key's bytes"),
    of(bit::PROJECTION, "PROJECTION", "lets the database select the wanted fields"),
    of(bit::UPDATE_CREATES, "UPDATE_CREATES", "creates a record that is updated and absent"),
    of(bit::INSERT_OVERWRITES, "INSERT_OVERWRITES", "replaces or merges a record that is inserted again"),
    of(bit::DETECTS_DUPLICATES, "DETECTS_DUPLICATES", "answers DUPLICATE to a record that is inserted again"),
    of(bit::UNACKNOWLEDGED_WRITES, "UNACKNOWLEDGED_WRITES", "does not wait until writes are acknowledged"),
    of(bit::BUFFERS_WRITES, "BUFFERS_WRITES", "answers before the client library has written"),
    of(bit::SHARED_CONNECTIONS, "SHARED_CONNECTIONS", "shares connections among sessions"),
    of(bit::MAY_BLOCK_RUNTIME, "MAY_BLOCK_RUNTIME", "may hold up a thread of its runtime"),
    of(bit::KEEPS_NOTHING, "KEEPS_NOTHING", "answers without a store behind it"),
];

/// The capabilities among these bits, in their order. Bits that nobody knows are left out.
pub fn capabilities_of(bits: u64) -> impl Iterator<Item = &'static Capability> {
    CAPABILITIES.iter().filter(move |one| bits & one.bit != 0)
}

/// Names of the capabilities among these bits, with commas between.
pub fn capability_names(bits: u64) -> String {
    capabilities_of(bits).map(|one| one.name).collect::<Vec<_>>().join(", ")
}
