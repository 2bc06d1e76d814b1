//! Which records there are: how many, where they start, and who inserts which.

use super::{Client, Phase, RunInserts};
use crate::config::{ConfigError, Declaration, Given, Origin, Settings, refuse};

/// Far beyond any database, and far enough from the end of 64 bits to add two of them.
const COUNT_RANGE: &str = "0..2305843009213693952";
/// What YCSB takes for a record count that is 0 or missing.
const UNSTATED_RECORDS: i64 = 2_147_483_647;

/// Number of records.
pub const RECORDCOUNT: Declaration = Declaration::integer("recordcount").default("0").range(COUNT_RANGE).help(
    "Records in the database, after the load and before the run; 0 means 2147483647, and a load without an end.",
);
/// Operations of the run phase.
pub const OPERATIONCOUNT: Declaration = Declaration::integer("operationcount")
    .default("0")
    .range(COUNT_RANGE)
    .help("Operations of the run phase over all clients of this process; 0 means no limit.");
/// First record of a load.
pub const INSERTSTART: Declaration = Declaration::integer("insertstart")
    .default("0")
    .range(COUNT_RANGE)
    .help("First record number that a load inserts and that a run chooses from.");
/// Records of a load.
pub const INSERTCOUNT: Declaration = Declaration::integer("insertcount").range(COUNT_RANGE).help(
    "Records that a load inserts, and from which a run chooses; all from insertstart on if it is not given.",
);
/// First record number of run-phase inserts.
pub const FIRST_RUN_INSERT: Declaration = Declaration::integer("insertstart.run")
    .range(COUNT_RANGE)
    .run_only()
    .help("First record number that inserts of the run phase take; found out by looking into the database if it is not given.");
/// Which of several processes this is.
pub const CLIENT_INDEX: Declaration =
    Declaration::integer("client.index").default("0").range("0..999999").help(
        "Number of this process among client.count parallel ones, from 0; each inserts records of its own.",
    );
/// How many processes there are.
pub const CLIENT_COUNT: Declaration = Declaration::integer("client.count")
    .default("1")
    .range("1..1000000")
    .help("Parallel processes that share the records of a load and the new ones of a run.");

/// The record numbers of a workload, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Records {
    /// Records of all processes: numbers below it are loaded before a run.
    pub count: i64,
    /// Whether that count was given.
    pub stated: bool,
    /// First record of a load, and first that a run chooses.
    pub start: i64,
    /// Records from `start` on that a run chooses from.
    pub chosen: i64,
    /// First number that any process inserts during a run; all below count as present.
    pub first_run_insert: i64,
    /// Whether `first_run_insert` was set by hand.
    pub run_insert_given: bool,
    /// Number of this process.
    pub process: u64,
    /// Number of processes.
    pub processes: u64,
    /// First record that this process loads, and how many, `None` without end.
    pub load: (i64, Option<u64>),
    /// Operations of the run phase in this process; `None` means no limit.
    pub operations: Option<u64>,
}

impl Records {
    /// Reads the counts.
    ///
    /// # Errors
    /// A number out of range, counts that contradict one another, a process number beyond the processes, an
    /// endless load that would have to be divided, a run without records.
    pub fn from_settings(settings: &Settings, phase: Phase) -> Result<Self, ConfigError> {
        let given_count = settings.i64(&RECORDCOUNT)?;
        let count = if given_count == 0 { UNSTATED_RECORDS } else { given_count };
        let start = settings.i64(&INSERTSTART)?;
        let given_chosen = settings.optional_i64(&INSERTCOUNT)?;
        check_window(settings, count, start, given_chosen)?;
        let (process, processes) = (settings.u64(&CLIENT_INDEX)?, settings.u64(&CLIENT_COUNT)?);
        if process >= processes {
            let reason = format!("must be below client.count={processes}: processes are counted from 0");
            return Err(refused(settings, &CLIENT_INDEX, &reason));
        }
        let first_given = settings.optional_i64(&FIRST_RUN_INSERT)?;
        if first_given.is_some_and(|first| first < count) {
            let reason = format!("must be at least recordcount={count}: the numbers below are loaded");
            return Err(refused(settings, &FIRST_RUN_INSERT, &reason));
        }
        // As in YCSB the load takes recordcount for its length even where insertstart is above 0.
        let length = given_chosen.unwrap_or(given_count) as u64;
        let chosen = given_chosen.unwrap_or(count - start);
        if chosen == 0 && phase == Phase::Run {
            let declaration = if given_chosen.is_some() { INSERTCOUNT } else { INSERTSTART };
            return Err(refused(settings, &declaration, "leaves no record to choose from"));
        }
        let load = match length {
            0 if processes > 1 && phase == Phase::Load => {
                let reason =
                    "asks for a load without an end, which client.count cannot divide: set recordcount";
                return Err(refused(settings, &RECORDCOUNT, reason));
            }
            0 => (start, None),
            _ => {
                let (share, rest) = (length / processes, length % processes);
                let before = share * process + rest.min(process);
                (start + before as i64, Some(share + u64::from(process < rest)))
            }
        };
        Ok(Records {
            count,
            stated: given_count > 0,
            start,
            chosen,
            first_run_insert: first_given.unwrap_or(count),
            run_insert_given: first_given.is_some(),
            process,
            processes,
            load,
            operations: Some(settings.u64(&OPERATIONCOUNT)?).filter(|&count| count > 0),
        })
    }

    /// The numbers that this process inserts during a run: every `processes`th, so that parallel processes never
    /// meet, however fast each of them is.
    pub fn run_inserts(&self) -> RunInserts {
        RunInserts { first: self.first_run_insert + self.process as i64, stride: self.processes as i64 }
    }

    /// The record number with this place in the gapless order in which a process knows its records: first
    /// all that were present, then those that it inserts itself.
    #[inline]
    pub fn number_at(&self, place: i64) -> i64 {
        if self.processes == 1 || place < self.first_run_insert {
            return place;
        }
        self.run_inserts().number((place - self.first_run_insert) as u64)
    }

    /// The place of a number, the reverse of [`number_at`](Self::number_at).
    pub fn place_of(&self, number: i64) -> i64 {
        if self.processes == 1 || number < self.first_run_insert {
            return number;
        }
        self.first_run_insert + (number - self.first_run_insert) / self.processes as i64
    }

    /// Number of the client among those of all processes: it selects the random streams.
    pub fn stream_of(&self, client: &Client) -> u64 {
        self.process << 32 | client.index as u64
    }

    /// A remark if a load goes beyond recordcount, as it does in YCSB when insertcount is missing.
    pub fn load_note(&self) -> Option<String> {
        let (first, count) = self.load;
        let end = first + count.filter(|_| self.processes == 1)? as i64;
        (end > self.count).then(|| {
            format!(
                "insertstart={first} without insertcount: records {first} to {} are loaded, beyond recordcount={}; \
                 set insertcount={} to stop there",
                end - 1,
                self.count,
                self.count - first
            )
        })
    }
}

fn check_window(settings: &Settings, count: i64, start: i64, chosen: Option<i64>) -> Result<(), ConfigError> {
    if start > count {
        let reason = format!("lies beyond recordcount={count}: no record is left");
        return Err(refused(settings, &INSERTSTART, &reason));
    }
    match chosen {
        Some(chosen) if start + chosen > count => {
            let reason = format!(
                "goes beyond recordcount={count}, counted from insertstart={start}: recordcount must be at least insertstart + insertcount"
            );
            Err(refused(settings, &INSERTCOUNT, &reason))
        }
        _ => Ok(()),
    }
}

/// The error for a value in the settings, or for the default if none was given.
pub(super) fn refused(settings: &Settings, declaration: &Declaration, reason: &str) -> ConfigError {
    let default = || Given {
        spelling: declaration.name.to_owned(),
        value: declaration.default.unwrap_or_default().to_owned(),
        origin: Origin::Default,
    };
    refuse(declaration, &settings.given(declaration.name).cloned().unwrap_or_else(default), reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::testing::settings;

    fn records(given: &[(&str, &str)]) -> Result<Records, String> {
        Records::from_settings(&settings(given), Phase::Load).map_err(|error| error.0)
    }

    #[test]
    fn parallel_processes_load_every_record_once() {
        for (total, processes) in [(1003u64, 7u64), (3, 5), (12, 4)] {
            let mut next = 0;
            for process in 0..processes {
                let (total, process, processes) =
                    (total.to_string(), process.to_string(), processes.to_string());
                let given = [
                    ("recordcount", total.as_str()),
                    ("client.index", &process),
                    ("client.count", &processes),
                ];
                let (first, count) = records(&given).expect("settings").load;
                assert_eq!(first, next);
                next = first + count.expect("an end") as i64;
            }
            assert_eq!(next, total as i64);
        }
    }

    #[test]
    fn run_inserts_of_parallel_processes_never_meet() {
        let of = |process: &str| {
            let given = [("recordcount", "100"), ("client.index", process), ("client.count", "3")];
            records(&given).expect("settings")
        };
        let mut numbers: Vec<i64> = ["0", "1", "2"]
            .iter()
            .flat_map(|process| (100..150).map(|place| of(process).number_at(place)))
            .collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (100..250).collect::<Vec<i64>>());
        assert_eq!(of("1").number_at(99), 99);
        assert!((90..150).all(|place| of("2").place_of(of("2").number_at(place)) == place));
    }

    #[test]
    fn counts_that_contradict_one_another_are_refused() {
        for (given, part) in [
            (vec![("recordcount", "5"), ("insertstart", "6")], "insertstart=\"6\" lies beyond recordcount=5"),
            (
                vec![("recordcount", "5"), ("insertstart", "3"), ("insertcount", "3")],
                "insertcount=\"3\" goes beyond",
            ),
            (vec![("recordcount", "-1")], "recordcount=\"-1\""),
            (
                vec![("recordcount", "5"), ("client.index", "2"), ("client.count", "2")],
                "below client.count=2",
            ),
            (vec![("client.count", "2")], "recordcount=\"0\" asks for a load without an end"),
            (vec![("recordcount", "5"), ("insertstart.run", "4")], "at least recordcount=5"),
        ] {
            let refusal = records(&given).expect_err("a refusal");
            assert!(refusal.contains(part), "{refusal}");
        }
    }

    #[test]
    fn equality_is_fine_and_large_counts_are_kept() {
        let edge =
            records(&[("recordcount", "5"), ("insertstart", "2"), ("insertcount", "3")]).expect("settings");
        assert_eq!((edge.load, edge.chosen), ((2, Some(3)), 3));
        let large = records(&[("recordcount", "3000000000")]).expect("settings");
        assert_eq!((large.load, large.count), ((0, Some(3_000_000_000)), 3_000_000_000));
        let unstated = records(&[]).expect("settings");
        assert_eq!((unstated.load, unstated.count, unstated.operations), ((0, None), 2_147_483_647, None));
    }

    #[test]
    fn a_load_beyond_recordcount_is_noted() {
        let records = records(&[("recordcount", "1000"), ("insertstart", "200")]).expect("settings");
        assert_eq!(records.load, (200, Some(1000)));
        let note = records.load_note().expect("a note");
        assert!(note.contains("records 200 to 1199") && note.contains("insertcount=800"), "{note}");
    }
}
