//! YCSB's TimeSeriesWorkload: values of many series over time, and queries by tags and time.
//!
//! A series is a key with one value for each tag. Every client writes the series of its own keys: all of them
//! at one timestamp, then all at the next. A record holds the tags, the timestamp (64-bit integer) and the
//! value (64-bit integer or double, both big-endian), in order of the field names. Queries name what they want
//! in text tokens: `TAG=VALUE`, `YCSBTS=FROM,TO`, `YCSBGB=FUNCTION`, `YCSBDS=FUNCTIONINTERVAL`.

mod check;
mod plan;
pub mod properties;
mod query;
pub mod series;
mod stream;
pub mod timeline;

use super::core::TABLE;
use super::{Client, InsertRetry, OperationKind, OperationStream, Phase, Workload};
use crate::base::rng::StreamRng;
use crate::config::{ConfigError, Settings};
use plan::Plan;
use series::SeriesSet;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;
use stream::TimeSeriesStream;

/// Stream of the seed's random numbers that shuffles the series: beyond those of all clients.
const SHUFFLE_STREAM: u64 = 1 << 62;

/// The workload, checked.
pub struct TimeSeriesWorkload {
    table: String,
    plan: Arc<Plan>,
    /// In their natural order.
    series: SeriesSet,
    /// In the order in which they are written, once the seed is known.
    written: OnceLock<Arc<SeriesSet>>,
    notes: Vec<String>,
}

impl TimeSeriesWorkload {
    /// Reads the workload's properties; `now` is the first timestamp if none is given.
    ///
    /// # Errors
    /// A value that its declaration does not allow, or values that contradict one another.
    pub fn from_settings(
        settings: &Settings,
        phase: Phase,
        clients: usize,
        now: SystemTime,
    ) -> Result<Self, ConfigError> {
        let series = SeriesSet::from_settings(settings)?;
        let plan = Plan::from_settings(settings, &series, phase, clients, now)?;
        let notes = if plan.integrity { vec!["Data integrity is enabled.".to_owned()] } else { Vec::new() };
        Ok(TimeSeriesWorkload {
            table: settings.text(&TABLE)?,
            plan: Arc::new(plan),
            series,
            written: OnceLock::new(),
            notes,
        })
    }
}

impl Workload for TimeSeriesWorkload {
    fn table(&self) -> &str {
        &self.table
    }

    fn field_names(&self) -> &[String] {
        &self.series.field_names
    }

    fn expected_records(&self) -> Option<u64> {
        self.plan.records
    }

    fn operation_count(&self) -> Option<u64> {
        self.plan.operations
    }

    fn operation_kinds(&self) -> Vec<OperationKind> {
        self.plan.mix.as_ref().map_or_else(|| vec![OperationKind::Insert], |mix| mix.kinds())
    }

    fn verifies(&self) -> bool {
        self.plan.integrity && self.operation_kinds().contains(&OperationKind::Read)
    }

    fn insert_retry(&self) -> InsertRetry {
        InsertRetry { limit: 0, interval_s: 0.0, keep_going: false }
    }

    /// The series key with this number, in its natural order.
    fn write_key(&self, number: i64, key: &mut String) {
        key.push_str(&self.series.keys[number.rem_euclid(self.series.keys.len() as i64) as usize]);
    }

    fn stream(&self, client: Client) -> Box<dyn OperationStream> {
        let series = self.written.get_or_init(|| {
            let mut series = self.series.clone();
            if self.plan.shuffled_series {
                // Parallel processes have to agree on who writes which key.
                let seed = if self.plan.processes > 1 { 0 } else { client.seed };
                series.shuffle(&mut StreamRng::new(seed, SHUFFLE_STREAM));
            }
            Arc::new(series)
        });
        Box::new(TimeSeriesStream::new(Arc::clone(&self.plan), Arc::clone(series), client))
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}
