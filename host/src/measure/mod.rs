//! Layer 3: recorders, histograms, series, machine facts.
//!
//! Samples travel one way: clients write [`Recorder`]s, anyone reads them as [`Snapshot`]s, and views are made
//! from snapshots. Nothing here knows how a report looks.

mod append_log;
pub mod declarations;
mod error_examples;
mod histogram;
mod java_order;
pub mod layout;
mod plan;
mod raw_samples;
mod recorder;
mod series;
mod snapshot;
mod statuses;
mod units;

pub use declarations::DECLARATIONS;
pub use error_examples::{Cause, ErrorExamples, Example};
pub use histogram::{Histogram, LiveHistogram};
pub use plan::{FailureNames, Form, Interval, MeasurePlan, MeasurementType};
pub use raw_samples::{RawSample, RawSamples};
pub use recorder::{OpTiming, Recorder, RecorderSet};
pub use series::Series;
pub use snapshot::{Outcomes, Snapshot};
pub use statuses::{CustomStatus, StatusInfo, StatusTable};
pub use units::{UnitSums, Units};
