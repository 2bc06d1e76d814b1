//! YCSB's status line.

use super::remaining::{remaining_seconds, remaining_text};
use super::summary::summaries;
use crate::base::java_text::at_most_two_decimals;
use crate::base::local_time::LocalTime;
use crate::base::units::NS_PER_MS;
use crate::config::{ConfigError, Settings};
use crate::measure::{MeasurePlan, MeasurementType, Snapshot, Windows, blocks, declarations as declared};

/// Whether and how often status lines are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusPlan {
    /// Whether there are status lines at all.
    pub on: bool,
    /// Nanoseconds from line to line.
    pub interval_ns: u64,
    /// Text in front of every line.
    pub label: String,
}

impl StatusPlan {
    /// The plan of these settings.
    ///
    /// # Errors
    /// A value that its declaration does not allow.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(StatusPlan {
            on: settings.bool(&declared::STATUS)?,
            interval_ns: settings.duration_ns(&declared::STATUS_INTERVAL)?,
            label: settings.text(&declared::LABEL)?,
        })
    }
}

/// The numbers of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Milliseconds since the status lines began.
    pub elapsed_ms: u64,
    /// Milliseconds since the line before, or since the beginning.
    pub window_ms: u64,
    /// Operations done so far, also failed ones.
    pub done: u64,
    /// Operations that succeeded since the line before.
    pub succeeded_in_window: u64,
    /// Operations that are still to be done; 0 = none, or not known.
    pub remaining: u64,
}

/// A line without its end of line.
///
/// `timestamp` follows `label` without a separator. The current rate is that of successful operations, and is
/// left out for a window of no time.
pub fn status_line(label: &str, timestamp: &str, progress: Progress, summaries: &str) -> String {
    let Progress { elapsed_ms, window_ms, done, succeeded_in_window, remaining } = progress;
    let mut line = format!("{label}{timestamp} {} sec: {done} operations; ", elapsed_ms / 1000);
    if done > 0 && window_ms > 0 {
        let rate_per_sec = 1000.0 * (succeeded_in_window as f64 / window_ms as f64);
        line += &format!("{} current ops/sec; ", at_most_two_decimals(rate_per_sec));
    }
    if remaining > 0 {
        let seconds = remaining_seconds(remaining, done, elapsed_ms);
        line += &format!("est completion in {}", remaining_text(seconds));
    }
    line + summaries
}

/// What a line shows of a moment, beside the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// CLOCK_MONOTONIC, nanoseconds.
    pub now_ns: u64,
    /// The same moment in milliseconds since 1970.
    pub epoch_ms: i64,
    /// Operations that succeeded so far.
    pub succeeded: u64,
    /// Operations that failed so far.
    pub failed: u64,
    /// Operations that are still to be done; 0 = none, or not known.
    pub remaining: u64,
}

/// The status lines of one run: each shows what came since the one before.
#[derive(Debug)]
pub struct StatusLines {
    label: String,
    zone: LocalTime,
    plan: MeasurePlan,
    start_ns: u64,
    windows: Windows,
    previous_succeeded: u64,
}

impl StatusLines {
    /// Status lines that begin at `start_ns` (CLOCK_MONOTONIC) with what was measured until then.
    pub fn new(
        status: &StatusPlan,
        plan: &MeasurePlan,
        zone: LocalTime,
        start_ns: u64,
        so_far: Snapshot,
    ) -> Self {
        StatusLines {
            label: status.label.clone(),
            zone,
            plan: plan.clone(),
            start_ns,
            windows: Windows::new(start_ns, so_far),
            previous_succeeded: 0,
        }
    }

    /// The line of a moment, without its end of line.
    pub fn line(&mut self, moment: Moment, now: Snapshot) -> String {
        let window = self.windows.cut(moment.now_ns, now);
        let progress = Progress {
            elapsed_ms: moment.now_ns.saturating_sub(self.start_ns) / NS_PER_MS,
            window_ms: window.to_ns.saturating_sub(window.from_ns) / NS_PER_MS,
            done: moment.succeeded + moment.failed,
            succeeded_in_window: moment.succeeded.saturating_sub(self.previous_succeeded),
            remaining: moment.remaining,
        };
        let summaries = summaries(&blocks(&window.measured, &self.plan, None), &self.plan);
        self.previous_succeeded = moment.succeeded;
        status_line(&self.label, &self.zone.status_text(moment.epoch_ms), progress, &summaries)
    }

    /// Whether the lines also belong on standard output, as YCSB has it for time series.
    pub fn also_on_stdout(&self) -> bool {
        self.plan.measurement_type == MeasurementType::TimeSeries
    }
}

#[cfg(test)]
#[path = "status_line_tests.rs"]
mod tests;
