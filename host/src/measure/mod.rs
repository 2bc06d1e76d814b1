//! Layer 3: recorders, histograms, series, machine facts.
//!
//! Samples travel one way: clients write [`Recorder`]s, anyone reads them as [`Snapshot`]s, and views are made
//! from snapshots: [`blocks`] are the measurements of YCSB's reports by name and order. How a report is written
//! is not known here.

mod aggregates;
mod append_log;
mod blocks;
pub mod declarations;
mod error_examples;
mod histogram;
mod histogram_form;
pub mod java_order;
pub mod layout;
mod machine;
mod plan;
mod process_track;
mod raw_samples;
mod recorder;
mod series;
mod snapshot;
mod statuses;
mod units;
mod usage;
mod windows;
mod ycsb_histogram;

pub use aggregates::{Aggregates, Millis};
pub use blocks::{Block, blocks};
pub use declarations::DECLARATIONS;
pub use error_examples::{Cause, ErrorExamples, Example};
pub use histogram::{Histogram, LiveHistogram};
pub use histogram_form::HistogramFormError;
pub use machine::MachineFacts;
pub use plan::{FailureNames, Form, Interval, MeasurePlan, MeasurementType};
pub use process_track::{ProcessExtremes, ProcessFigures, ProcessTrack};
pub use raw_samples::{RawSample, RawSamples};
pub use recorder::{OpTiming, Recorder, RecorderSet};
pub use series::Series;
pub use snapshot::{Outcomes, Snapshot};
pub use statuses::{CustomStatus, StatusInfo, StatusTable};
pub use units::{UnitSums, Units};
pub use usage::{ProcessUsage, ThreadUsage};
pub use windows::{Window, Windows, next_cut_ns};
pub use ycsb_histogram::YcsbHistogram;
