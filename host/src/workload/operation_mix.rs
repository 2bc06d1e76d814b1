//! Which operation comes next.

use super::OperationKind;
use crate::config::{ConfigError, Declaration, Settings};
use crate::generator::Weighted;

const fn proportion(name: &'static str, default: &'static str, help: &'static str) -> Declaration {
    Declaration::number(name).default(default).range("0..").run_only().help(help)
}

/// Weight of reads.
pub const READ: Declaration = proportion("readproportion", "0.95", "Weight of reads in the operation mix.");
/// Weight of updates.
pub const UPDATE: Declaration =
    proportion("updateproportion", "0.05", "Weight of updates in the operation mix.");
/// Weight of inserts.
pub const INSERT: Declaration =
    proportion("insertproportion", "0", "Weight of inserts in the operation mix.");
/// Weight of scans.
pub const SCAN: Declaration = proportion("scanproportion", "0", "Weight of scans in the operation mix.");
/// Weight of read-modify-writes.
pub const READ_MODIFY_WRITE: Declaration = proportion(
    "readmodifywriteproportion",
    "0",
    "Weight of operations that read a record and then update it, in the operation mix.",
);
/// Weight of deletes.
pub const DELETE: Declaration = proportion(
    "deleteproportion",
    "0",
    "Weight of deletes in the operation mix (YCSB's CoreWorkload has none); errors.expected=NOT_FOUND belongs to it.",
);

/// An operation of the run phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Read one record.
    Read,
    /// Change fields of a record.
    Update,
    /// Write a new record.
    Insert,
    /// Read records in order.
    Scan,
    /// Read a record, then update it.
    ReadModifyWrite,
    /// Remove a record.
    Delete,
}

/// Operations by weight; the weights need not add up to 1.
#[derive(Clone, Debug)]
pub struct OperationMix {
    /// The choice; its entries are the operations whose weight is above 0.
    pub choice: Weighted<Operation>,
}

impl OperationMix {
    /// Reads the proportions.
    ///
    /// # Errors
    /// A proportion that is negative or no number; no proportion above 0.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        // In YCSB's order: it decides which operation a random number picks.
        let declared = [
            (Operation::Read, READ),
            (Operation::Update, UPDATE),
            (Operation::Insert, INSERT),
            (Operation::Scan, SCAN),
            (Operation::ReadModifyWrite, READ_MODIFY_WRITE),
            (Operation::Delete, DELETE),
        ];
        let mut weights = Vec::with_capacity(declared.len());
        for (operation, declaration) in &declared {
            weights.push((*operation, settings.number(declaration)?));
        }
        if let Some(choice) = Weighted::new(&weights) {
            return Ok(OperationMix { choice });
        }
        let places: Vec<String> = declared
            .iter()
            .filter_map(|(_, declaration)| settings.given(declaration.name))
            .map(|given| format!("{}={} ({})", given.spelling, given.value, given.origin))
            .collect();
        Err(ConfigError(format!(
            "no operation has a proportion above 0: {}; set one of them above 0, as in -p readproportion=1",
            places.join(", ")
        )))
    }

    /// Kinds of the requests that the operations send.
    pub fn kinds(&self) -> Vec<OperationKind> {
        let mut kinds: Vec<OperationKind> = Vec::new();
        for operation in self.choice.entries() {
            kinds.extend_from_slice(match operation {
                Operation::Read => &[OperationKind::Read],
                Operation::Update => &[OperationKind::Update],
                Operation::Insert => &[OperationKind::Insert],
                Operation::Scan => &[OperationKind::Scan],
                Operation::ReadModifyWrite => &[OperationKind::Read, OperationKind::Update],
                Operation::Delete => &[OperationKind::Delete],
            });
        }
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::testing::settings;

    #[test]
    fn the_defaults_read_and_update() {
        let mix = OperationMix::from_settings(&settings(&[])).expect("the defaults");
        assert_eq!(mix.kinds(), [OperationKind::Read, OperationKind::Update]);
    }

    #[test]
    fn proportions_that_sum_to_nothing_are_refused_with_their_places() {
        let given = [("readproportion", "0"), ("updateproportion", "0")];
        let refusal = OperationMix::from_settings(&settings(&given)).expect_err("a refusal").0;
        assert!(refusal.contains("readproportion=0 (argument -p readproportion=0)"), "{refusal}");
        let negative =
            OperationMix::from_settings(&settings(&[("scanproportion", "-1")])).expect_err("a refusal");
        assert!(negative.0.contains("scanproportion=\"-1\""), "{negative}");
    }
}
