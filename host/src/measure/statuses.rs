//! What is known of each status: its name here, its name in YCSB's reports, and whether it is a success.

use super::java_order::java_text_hash;
use ycsb_plugin_abi::status;

/// A status that a manifest declares itself: the i-th has the number `status::CUSTOM + i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomStatus {
    /// Name, as in `CONFLICT`.
    pub name: String,
    /// Whether it counts as a success.
    pub success: bool,
    /// One sentence; two statuses of one name and different sentences are two.
    pub text: String,
}

/// One status as reports see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusInfo {
    /// Number of `ycsb_plugin_abi::status`.
    pub number: u32,
    /// Our name.
    pub name: String,
    /// Name in YCSB's reports; several of our statuses may share one.
    pub upstream: String,
    /// Java hash code of the status in YCSB; the order of Return lines follows from it.
    pub java_hash: u32,
    /// Whether it counts as a success.
    pub success: bool,
}

/// The statuses with a meaning of their own: number, name, name in YCSB, success.
const KNOWN: [(u32, &str, &str, bool); 15] = [
    (status::OK, "OK", "OK", true),
    (status::BATCHED_OK, "BATCHED_OK", "BATCHED_OK", true),
    (status::UNACKNOWLEDGED, "UNACKNOWLEDGED", "OK", true),
    (status::NOT_FOUND, "NOT_FOUND", "NOT_FOUND", false),
    (status::DUPLICATE, "DUPLICATE", "ERROR", false),
    (status::UNEXPECTED_STATE, "UNEXPECTED_STATE", "UNEXPECTED_STATE", false),
    (status::BAD_REQUEST, "BAD_REQUEST", "BAD_REQUEST", false),
    (status::FORBIDDEN, "FORBIDDEN", "FORBIDDEN", false),
    (status::NOT_IMPLEMENTED, "NOT_IMPLEMENTED", "NOT_IMPLEMENTED", false),
    (status::SERVICE_UNAVAILABLE, "SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE", false),
    (status::OVERLOADED, "OVERLOADED", "SERVICE_UNAVAILABLE", false),
    (status::TIMEOUT, "TIMEOUT", "ERROR", false),
    (status::ERROR, "ERROR", "ERROR", false),
    (status::PANIC, "PANIC", "ERROR", false),
    (status::CANCELLED, "CANCELLED", "ERROR", false),
];

/// Place of `status::ERROR`, which stands for every number that nobody declared.
const ERROR_PLACE: usize = 12;

/// All statuses of a run: the known ones and those that the binding's manifest declares.
///
/// Each has a place, a small number by which recorders index their tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusTable {
    entries: Vec<StatusInfo>,
}

impl Default for StatusTable {
    fn default() -> Self {
        StatusTable::new(&[])
    }
}

impl StatusTable {
    /// The known statuses and those of a manifest, in its order.
    pub fn new(custom: &[CustomStatus]) -> Self {
        let known = KNOWN.iter().map(|&(number, name, upstream, success)| StatusInfo {
            number,
            name: name.to_owned(),
            upstream: upstream.to_owned(),
            java_hash: java_hash_of_known(upstream),
            success,
        });
        let declared = (status::CUSTOM..).zip(custom).map(|(number, custom)| StatusInfo {
            number,
            name: custom.name.clone(),
            upstream: custom.name.clone(),
            java_hash: java_status_hash(&custom.name, &custom.text),
            success: custom.success,
        });
        StatusTable { entries: known.chain(declared).collect() }
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never: the known statuses are always there.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The place of a status number; that of ERROR for numbers that nobody declared.
    #[inline]
    pub fn place(&self, number: u32) -> usize {
        match number {
            0..=2 => number as usize,
            10..=15 => (number - 7) as usize,
            20..=22 => (number - 11) as usize,
            status::PANIC => 13,
            status::CANCELLED => 14,
            _ => {
                let place = (number as usize).wrapping_sub(status::CUSTOM as usize).wrapping_add(KNOWN.len());
                if number >= status::CUSTOM && place < self.entries.len() { place } else { ERROR_PLACE }
            }
        }
    }

    /// Whether a number has a meaning of its own.
    pub fn is_declared(&self, number: u32) -> bool {
        number == status::ERROR || self.place(number) != ERROR_PLACE
    }

    /// What is known of the status at a place.
    ///
    /// # Panics
    /// If `place` is not below [`len`](Self::len).
    pub fn at(&self, place: usize) -> &StatusInfo {
        &self.entries[place]
    }

    /// What is known of a status number.
    pub fn info(&self, number: u32) -> &StatusInfo {
        &self.entries[self.place(number)]
    }

    /// All, in order of their places.
    pub fn iter(&self) -> impl Iterator<Item = &StatusInfo> {
        self.entries.iter()
    }
}

/// Java hash codes of the statuses that YCSB predefines.
fn java_hash_of_known(upstream: &str) -> u32 {
    match upstream {
        "OK" => 0x3A26_B453,
        "NOT_FOUND" => 0xC7A2_CD39,
        "NOT_IMPLEMENTED" => 0x17FD_2628,
        "UNEXPECTED_STATE" => 0x8D3D_2E75,
        "BAD_REQUEST" => 0x4906_5100,
        "FORBIDDEN" => 0xD9D1_3DB7,
        "SERVICE_UNAVAILABLE" => 0x7D2E_E717,
        "BATCHED_OK" => 0xEFE7_888E,
        _ => 0xEDBF_4F00,
    }
}

/// Java hash code of a status that a binding declares.
fn java_status_hash(name: &str, description: &str) -> u32 {
    java_text_hash(description).wrapping_add(31).wrapping_mul(31).wrapping_add(java_text_hash(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> StatusTable {
        let conflict = CustomStatus { name: "CONFLICT".into(), success: false, text: "c".into() };
        let stale = CustomStatus { name: "STALE_OK".into(), success: true, text: "s".into() };
        StatusTable::new(&[conflict, stale])
    }

    #[test]
    fn every_declared_number_has_its_own_place() {
        let table = table();
        for (place, info) in table.iter().enumerate() {
            assert_eq!(table.place(info.number), place, "{}", info.name);
            assert!(table.is_declared(info.number));
        }
        assert_eq!(table.info(1001).name, "STALE_OK");
    }

    #[test]
    fn numbers_that_nobody_declared_are_errors() {
        let table = table();
        for number in [3, 9, 16, 19, 23, 29, 31, 39, 42, 999, 1002, 5_000_000, status::NONE] {
            assert_eq!(table.info(number).name, "ERROR", "{number}");
            assert!(!table.is_declared(number));
        }
    }
}
