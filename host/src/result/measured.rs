//! Measurements on their way into documents and out of them.

use super::document::{CauseFacts, CustomStatusFacts, Measurement};
use crate::measure::{Aggregates, CustomStatus, ErrorExamples, Outcomes, Series, Snapshot, StatusTable};
use std::sync::Arc;

/// What a snapshot holds, by series and status.
pub fn measurements_of(snapshot: &Snapshot) -> Vec<Measurement> {
    let kept = |aggregates: &Aggregates| (*aggregates != Aggregates::default()).then(|| aggregates.clone());
    snapshot
        .iter()
        .map(|(series, info, outcomes)| Measurement {
            name: series.name().to_owned(),
            status: info.name.clone(),
            status_number: info.number,
            success: info.success,
            first_use: outcomes.first_use,
            service: outcomes.service.clone(),
            response: outcomes.response.clone(),
            wait: outcomes.wait.clone(),
            service_aggregates: kept(&outcomes.service_aggregates),
            response_aggregates: kept(&outcomes.response_aggregates),
        })
        .collect()
}

/// The statuses of a document.
pub(super) fn status_table(custom: &[CustomStatusFacts]) -> StatusTable {
    let custom: Vec<CustomStatus> = custom
        .iter()
        .map(|status| CustomStatus {
            name: status.name.clone(),
            success: status.success,
            text: status.text.clone(),
        })
        .collect();
    StatusTable::new(&custom)
}

/// The snapshot that measurements were made of, without counts of operations and lag. Series that this program does
/// not know are left out.
pub fn snapshot_of(measurements: &[Measurement], custom: &[CustomStatusFacts]) -> Snapshot {
    let mut snapshot = Snapshot::new(Arc::new(status_table(custom)));
    for one in measurements {
        let Some(series) = Series::named(&one.name) else { continue };
        let outcomes = Outcomes {
            first_use: one.first_use,
            service: one.service.clone(),
            response: one.response.clone(),
            wait: one.wait.clone(),
            service_aggregates: one.service_aggregates.clone().unwrap_or_default(),
            response_aggregates: one.response_aggregates.clone().unwrap_or_default(),
        };
        snapshot.add_outcomes(series, one.status_number, &outcomes);
    }
    snapshot
}

/// Causes of failure, most frequent first.
pub fn causes_of(examples: &ErrorExamples, statuses: &StatusTable) -> Vec<CauseFacts> {
    let facts = |(cause, example): (&crate::measure::Cause, &crate::measure::Example)| CauseFacts {
        name: cause.series.name().to_owned(),
        status: statuses.info(cause.status).name.clone(),
        status_number: cause.status,
        backend_code: cause.backend_code,
        count: example.count,
        example: example.detail.clone(),
    };
    examples.causes().into_iter().map(facts).collect()
}

/// The examples that causes were made of.
pub fn examples_of(causes: &[CauseFacts], other: u64) -> ErrorExamples {
    let mut examples = ErrorExamples::default();
    for cause in causes {
        match Series::named(&cause.name) {
            Some(series) => examples.note_many(
                series,
                cause.status_number,
                cause.backend_code,
                &cause.example,
                cause.count,
            ),
            None => examples.add_other(cause.count),
        }
    }
    examples.add_other(other);
    examples
}
