//! What a load left in the database, for the run that comes later.

use serde::{Deserialize, Serialize};

/// Describes the records of a table: saved beside the result of a load, compared with the plan of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dataset {
    /// Table.
    pub table: String,
    /// Records of all processes together, as recordcount states them; `None` if it does not.
    pub records: Option<u64>,
    /// First record that this process loads, or that a run chooses.
    pub first_record: i64,
    /// Records from there on that it loads, or chooses from; `None` means no end.
    pub record_count: Option<u64>,
    /// Records that were inserted; for a plan, what it takes for granted.
    pub loaded: Option<u64>,
    /// One above the highest record number that is known to be used.
    pub high_water_mark: i64,
    /// `hashed` or `ordered`.
    pub insert_order: String,
    /// Least width of the number in a key.
    pub zero_padding: u64,
    /// What precedes the number in a field name.
    pub field_name_prefix: String,
    /// Fields of a record.
    pub field_count: u64,
    /// Distribution and bounds of the lengths of values, as in `uniform 1..100`.
    pub field_lengths: String,
    /// Whether values follow from key and field, so that they can be checked.
    pub data_integrity: bool,
}

impl Dataset {
    /// What the plan of a run says that contradicts this load, one sentence each; empty if they agree.
    pub fn contradictions(&self, run: &Dataset) -> Vec<String> {
        let mut found = Vec::new();
        let mut differ = |property: &str,
                          planned: &dyn std::fmt::Display,
                          loaded: &dyn std::fmt::Display,
                          effect: &str| {
            let (planned, loaded) = (planned.to_string(), loaded.to_string());
            if planned != loaded {
                found.push(format!(
                    "{property}={planned}, but the data was loaded with {property}={loaded}: {effect}"
                ));
            }
        };
        differ("table", &run.table, &self.table, "operations go to another table");
        differ("insertorder", &run.insert_order, &self.insert_order, "keys are not found");
        differ("zeropadding", &run.zero_padding, &self.zero_padding, "keys are not found");
        differ("fieldnameprefix", &run.field_name_prefix, &self.field_name_prefix, "fields are not found");
        differ("fieldcount", &run.field_count, &self.field_count, "reads and updates see other records");
        differ(
            "field lengths",
            &run.field_lengths,
            &self.field_lengths,
            "updates change the size of records",
        );
        if run.data_integrity && !self.data_integrity {
            found.push(
                "dataintegrity=true, but the data was loaded without it: no value will be as expected"
                    .to_owned(),
            );
        }
        if let (Some(planned), Some(loaded)) = (run.records, self.records)
            && planned != loaded
        {
            let effect = if planned > loaded { "records are missing" } else { "records are left out" };
            found.push(format!(
                "recordcount={planned}, but the data was loaded with recordcount={loaded}: {effect}"
            ));
        }
        if let (Some(loaded), Some(planned)) = (self.loaded, self.record_count)
            && loaded < planned
        {
            found.push(format!("only {loaded} of {planned} records were loaded: records are missing"));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::workload::testing::settings;
    use crate::workload::{CoreWorkload, Dataset, Phase, Workload};

    fn dataset(phase: Phase, given: &[(&str, &str)]) -> Dataset {
        CoreWorkload::from_settings(&settings(given), phase)
            .expect("a workload")
            .dataset()
            .expect("a dataset")
    }

    #[test]
    fn a_run_with_the_properties_of_the_load_agrees_with_it() {
        let given = [("recordcount", "1000"), ("fieldcount", "3")];
        let mut loaded = dataset(Phase::Load, &given);
        assert_eq!((loaded.record_count, loaded.high_water_mark), (Some(1000), 1000));
        loaded.loaded = Some(1000);
        let run = [given.as_slice(), &[("operationcount", "5")]].concat();
        assert_eq!(loaded.contradictions(&dataset(Phase::Run, &run)), [""; 0]);
    }

    #[test]
    fn every_contradiction_is_named() {
        let mut loaded = dataset(Phase::Load, &[("recordcount", "1000")]);
        loaded.loaded = Some(990);
        for (given, part) in [
            (("recordcount", "2000"), "recordcount=2000, but the data was loaded with recordcount=1000"),
            (("recordcount", "500"), "records are left out"),
            (
                ("insertorder", "ordered"),
                "insertorder=ordered, but the data was loaded with insertorder=hashed",
            ),
            (("zeropadding", "8"), "zeropadding=8"),
            (("fieldcount", "3"), "fieldcount=3"),
            (("fieldlength", "7"), "constant 7"),
            (("fieldnameprefix", "f"), "fieldnameprefix=f"),
            (("dataintegrity", "true"), "dataintegrity=true"),
            (("table", "t"), "table=t"),
        ] {
            let run = dataset(Phase::Run, &[("recordcount", "1000"), given]);
            let found = loaded.contradictions(&run);
            assert!(found.iter().any(|one| one.contains(part)), "{part}: {found:?}");
            assert!(found.iter().any(|one| one.contains("only 990 of 1000")), "{found:?}");
            assert_eq!(found.len(), 2, "{found:?}");
        }
    }

    #[test]
    fn a_dataset_survives_its_file() {
        let dataset = dataset(Phase::Load, &[("recordcount", "7"), ("fieldlengthdistribution", "zipfian")]);
        let text = serde_json::to_string(&dataset).expect("JSON");
        assert_eq!(serde_json::from_str::<Dataset>(&text).expect("a dataset"), dataset);
        assert_eq!(dataset.field_lengths, "zipfian 1..100");
    }
}
