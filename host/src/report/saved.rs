//! Reports of saved documents: the same input as after the run, read back.

use super::input::ReportInput;
use crate::config::{ConfigError, Given, Origin, Settings};
use crate::measure::{ErrorExamples, Form, MeasurePlan, MeasurementType, Snapshot};
use crate::result::{ResultDocument, examples_of, snapshot_of};

/// What a document holds, as reports want it.
pub struct SavedRun<'a> {
    document: &'a ResultDocument,
    snapshot: Snapshot,
    plan: MeasurePlan,
    examples: ErrorExamples,
}

impl<'a> SavedRun<'a> {
    /// Reads the document's figures. How they are shown follows from the settings of its first process; raw samples
    /// are in no document, so that their histograms are shown in their place.
    ///
    /// # Errors
    /// Settings that this program does not understand.
    pub fn of(document: &'a ResultDocument) -> Result<Self, ConfigError> {
        let mut settings = Settings::default();
        for property in document.processes.first().into_iter().flat_map(|process| &process.plan.properties) {
            let origin = Origin::Derived("the result document".to_owned());
            let given = Given { spelling: property.name.clone(), value: property.value.clone(), origin };
            settings.set(&property.name, given);
        }
        let mut plan = MeasurePlan::from_settings(&settings)?;
        if plan.measurement_type.has(Form::Raw) {
            plan.measurement_type = MeasurementType::Hdr;
        }
        let mut snapshot = snapshot_of(&document.measurements, &document.custom_statuses);
        snapshot.successful_operations = document.operations.successful;
        snapshot.failed_operations = document.operations.failed;
        snapshot.schedule_lag = document.schedule_lag.clone();
        let examples = examples_of(&document.causes, document.failures_of_other_causes);
        Ok(SavedRun { document, snapshot, plan, examples })
    }

    /// What reports are made from.
    pub fn input(&self) -> ReportInput<'_> {
        ReportInput {
            runtime_ns: self.document.times.run_time_ns,
            snapshot: &self.snapshot,
            plan: &self.plan,
            raw: None,
            process: self.document.processes.first().and_then(|process| process.extremes),
            examples: &self.examples,
            clock_zero_epoch_ms: 0,
            document: Some(self.document),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::report_lines;
    use crate::result::testing::document;

    #[test]
    fn a_saved_run_is_reported_with_its_own_figures() {
        let document = document(2);
        let saved = SavedRun::of(&document).unwrap();
        let lines = report_lines(&saved.input());
        let value = |metric: &str, measurement: &str| {
            let line = lines.iter().find(|line| line.metric == metric && line.measurement == measurement);
            format!("{:?}", line.unwrap_or_else(|| panic!("{metric} {measurement} in {lines:?}")).value)
        };
        assert_eq!(value("OVERALL", "RunTime(ms)"), "Integer(1000)");
        assert_eq!(value("OVERALL", "Throughput(ops/sec)"), "Double(200.0)");
        assert_eq!(value("READ", "Operations"), "Integer(200)");
        assert_eq!(value("READ", "Return=OK"), "Integer(200)");
    }
}
