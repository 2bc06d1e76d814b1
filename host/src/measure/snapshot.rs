//! What was measured up to a moment: owned, comparable, added and subtracted.

use super::aggregates::Aggregates;
use super::histogram::Histogram;
use super::series::Series;
use super::statuses::{StatusInfo, StatusTable};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Samples of one series that ended with one status.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcomes {
    /// When the first of them came, as a number that grows over the run.
    pub first_use: u64,
    /// Service times: from sent to done.
    pub service: Histogram,
    /// Response times, from due to done, of operations that were due.
    pub response: Histogram,
    /// Waits, from due to sent, of operations that were due.
    pub wait: Histogram,
    /// Sums of service times; empty unless the measurement type asks for them.
    pub service_aggregates: Aggregates,
    /// Sums of response times, of service times where the operation was not due.
    pub response_aggregates: Aggregates,
}

impl Outcomes {
    /// Operations.
    pub fn count(&self) -> u64 {
        self.service.count()
    }

    /// Response times where operations were due, service times where none was: in a closed loop they are the same.
    pub fn response_or_service(&self) -> &Histogram {
        if self.response.is_empty() { &self.service } else { &self.response }
    }

    fn merge(&mut self, other: &Outcomes) {
        self.first_use = self.first_use.min(other.first_use);
        self.service.merge(&other.service);
        self.response.merge(&other.response);
        self.wait.merge(&other.wait);
        self.service_aggregates.merge(&other.service_aggregates);
        self.response_aggregates.merge(&other.response_aggregates);
    }

    /// What came since `earlier`. Aggregates are those of the whole run: nothing shows them of a window.
    fn since(&self, earlier: &Outcomes) -> Outcomes {
        Outcomes {
            first_use: self.first_use,
            service: self.service.since(&earlier.service),
            response: self.response.since(&earlier.response),
            wait: self.wait.since(&earlier.wait),
            service_aggregates: self.service_aggregates.clone(),
            response_aggregates: self.response_aggregates.clone(),
        }
    }
}

/// What was measured up to a moment, or within a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    statuses: Arc<StatusTable>,
    outcomes: BTreeMap<(Series, usize), Outcomes>,
    /// Turns of the clients' loops that succeeded; a read-modify-write is one.
    pub successful_operations: u64,
    /// Turns of the clients' loops that failed.
    pub failed_operations: u64,
    /// How late operations were sent although their client was free when they were due.
    pub schedule_lag: Histogram,
}

impl Snapshot {
    /// Nothing measured, with these statuses.
    pub fn new(statuses: Arc<StatusTable>) -> Self {
        Snapshot {
            statuses,
            outcomes: BTreeMap::new(),
            successful_operations: 0,
            failed_operations: 0,
            schedule_lag: Histogram::default(),
        }
    }

    /// Adds samples of a series whose status has this place in the status table.
    pub(super) fn add(&mut self, series: Series, place: usize, outcomes: &Outcomes) {
        self.outcomes
            .entry((series, place))
            .and_modify(|sum| sum.merge(outcomes))
            .or_insert_with(|| outcomes.clone());
    }

    /// Adds samples of a series that ended with a status number, as they are read from a file.
    pub fn add_outcomes(&mut self, series: Series, status: u32, outcomes: &Outcomes) {
        let place = self.statuses.place(status);
        self.add(series, place, outcomes);
    }

    /// The statuses of the run.
    pub fn statuses(&self) -> &StatusTable {
        &self.statuses
    }

    /// Every series and status that occurred, in order of the series.
    pub fn iter(&self) -> impl Iterator<Item = (Series, &StatusInfo, &Outcomes)> {
        self.outcomes.iter().map(|((series, place), outcomes)| (*series, self.statuses.at(*place), outcomes))
    }

    /// The samples of a series that ended with a status number.
    pub fn outcomes(&self, series: Series, status: u32) -> Option<&Outcomes> {
        self.outcomes.get(&(series, self.statuses.place(status)))
    }

    /// How many operations of a series succeeded.
    pub fn successes(&self, series: Series) -> u64 {
        self.count_where(series, true)
    }

    /// How many operations of a series failed.
    pub fn failures(&self, series: Series) -> u64 {
        self.count_where(series, false)
    }

    fn count_where(&self, series: Series, success: bool) -> u64 {
        self.iter()
            .filter(|(of, status, _)| *of == series && status.success == success)
            .map(|(_, _, outcomes)| outcomes.count())
            .sum()
    }

    /// Turns of the clients' loops, successful or not.
    pub fn operations(&self) -> u64 {
        self.successful_operations + self.failed_operations
    }

    /// Adds what another part of the same run measured.
    pub fn merge(&mut self, other: &Snapshot) {
        self.successful_operations += other.successful_operations;
        self.failed_operations += other.failed_operations;
        self.schedule_lag.merge(&other.schedule_lag);
        for ((series, place), outcomes) in &other.outcomes {
            self.add(*series, *place, outcomes);
        }
    }

    /// What was measured since an earlier snapshot of the same run. Series and statuses that occurred before
    /// and not since are listed without samples.
    pub fn since(&self, earlier: &Snapshot) -> Snapshot {
        let nothing = Outcomes::default();
        let window = |(key, outcomes): (&(Series, usize), &Outcomes)| {
            (*key, outcomes.since(earlier.outcomes.get(key).unwrap_or(&nothing)))
        };
        Snapshot {
            statuses: Arc::clone(&self.statuses),
            outcomes: self.outcomes.iter().map(window).collect(),
            successful_operations: self.successful_operations.saturating_sub(earlier.successful_operations),
            failed_operations: self.failed_operations.saturating_sub(earlier.failed_operations),
            schedule_lag: self.schedule_lag.since(&earlier.schedule_lag),
        }
    }
}
