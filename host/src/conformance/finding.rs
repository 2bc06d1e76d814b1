//! What a rule found: that it holds, that something else came than was expected, or that it does not apply.

use super::question::{Record, Reply, ReturnedRow, shown};
use crate::measure::StatusTable;
use std::fmt::Display;
use ycsb_plugin_abi::{Status, status};

/// Why a rule did not simply pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// Something else came than was expected.
    Different {
        /// What the rule demands.
        expected: String,
        /// What came instead.
        came: String,
    },
    /// A call did not return in time. It is left behind; the process has to end without destructors.
    Hung {
        /// What the rule demands.
        expected: String,
    },
    /// The rule does not apply, and why.
    NotSupported(String),
}

/// A rule holds, with a remark worth a line where there is one.
pub(super) type Checked = Result<Option<String>, Finding>;

/// Something else came.
pub(super) fn different(expected: impl Display, came: impl Display) -> Finding {
    Finding::Different { expected: expected.to_string(), came: came.to_string() }
}

/// Demands something that is simply so or not.
pub(super) fn demand(holds: bool, expected: impl Display, came: impl Display) -> Result<(), Finding> {
    if holds { Ok(()) } else { Err(different(expected, came)) }
}

/// The name of a common status; the number of any other.
pub(super) fn status_name(number: Status) -> String {
    let table = StatusTable::default();
    match table.is_declared(number) {
        true => table.info(number).name.clone(),
        false => format!("status {number}"),
    }
}

impl Reply {
    /// The status and what the plugin said, in words.
    pub(super) fn told(&self) -> String {
        match self.detail.is_empty() {
            true => self.name.clone(),
            false => format!("{} ({})", self.name, self.detail.escape_debug()),
        }
    }

    /// A session that was opened.
    pub(super) fn opened(&self) -> Result<(), Finding> {
        demand(self.status == status::OK, "opening a session: OK", self.told())
    }

    /// A success.
    pub(super) fn succeeded(&self, what: &str) -> Result<(), Finding> {
        demand(self.is_success, format!("{what}: OK"), self.told())
    }

    /// One of some statuses.
    pub(super) fn ended_with(&self, what: &str, allowed: &[Status]) -> Result<(), Finding> {
        let names: Vec<String> = allowed.iter().map(|number| status_name(*number)).collect();
        demand(allowed.contains(&self.status), format!("{what}: {}", names.join(" or ")), self.told())
    }

    /// A success that handed over one row with exactly these fields.
    pub(super) fn returned(&self, what: &str, record: &Record) -> Result<(), Finding> {
        self.succeeded(what)?;
        match self.rows.as_slice() {
            [row] => row.holds(what, record),
            rows => Err(different(format!("{what}: one row"), format!("{} rows", rows.len()))),
        }
    }
}

impl ReturnedRow {
    /// Exactly these fields, each once.
    pub(super) fn holds(&self, what: &str, record: &Record) -> Result<(), Finding> {
        for (at, (name, value)) in self.fields.iter().enumerate() {
            let expected = std::str::from_utf8(name).ok().and_then(|name| record.get(name));
            let (name, again) = (shown(name), self.fields[..at].iter().any(|(earlier, _)| earlier == name));
            match expected {
                None => return Err(different(format!("{what}: no field {name}"), shown(value))),
                Some(_) if again => {
                    return Err(different(format!("{what}: field {name} once"), "it came twice"));
                }
                Some(expected) if expected != value => {
                    return Err(different(format!("{what}: {name} = {}", shown(expected)), shown(value)));
                }
                Some(_) => {}
            }
        }
        let has = |name: &str| self.fields.iter().any(|(given, _)| given == name.as_bytes());
        match record.keys().find(|name| !has(name)) {
            Some(name) => Err(different(format!("{what}: field {name:?}"), "it was not handed over")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(fields: &[(&str, &str)]) -> ReturnedRow {
        let fields = fields.iter().map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()));
        ReturnedRow { key: Vec::new(), fields: fields.collect() }
    }

    #[test]
    fn a_row_holds_exactly_the_fields_of_a_record() {
        let record = Record::from([("a".to_owned(), b"1".to_vec()), ("b".to_owned(), Vec::new())]);
        assert_eq!(row(&[("b", ""), ("a", "1")]).holds("READ", &record), Ok(()));
        for wrong in [
            row(&[("a", "1")]),
            row(&[("a", "1"), ("b", ""), ("a", "1")]),
            row(&[("a", "2"), ("b", "")]),
            row(&[("a", "1"), ("b", ""), ("c", "")]),
        ] {
            assert!(wrong.holds("READ", &record).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn statuses_that_nobody_declared_are_shown_as_numbers() {
        assert_eq!(status_name(status::NOT_FOUND), "NOT_FOUND");
        assert_eq!(status_name(777), "status 777");
    }
}
