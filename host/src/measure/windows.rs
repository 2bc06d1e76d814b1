//! A run cut into windows: what was measured from one moment to the next.

use super::snapshot::Snapshot;

/// What was measured between two moments.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// Start, nanoseconds of CLOCK_MONOTONIC.
    pub from_ns: u64,
    /// End, nanoseconds of CLOCK_MONOTONIC.
    pub to_ns: u64,
    /// The samples. Series and statuses that occurred only before are listed without samples.
    pub measured: Snapshot,
}

/// Cuts a run into windows without gap or overlap: all of them merged are the run.
#[derive(Clone, Debug)]
pub struct Windows {
    previous: Snapshot,
    previous_ns: u64,
}

impl Windows {
    /// The first window begins at `start_ns` (CLOCK_MONOTONIC), after what was measured until then.
    pub fn new(start_ns: u64, so_far: Snapshot) -> Self {
        Windows { previous: so_far, previous_ns: start_ns }
    }

    /// Ends the window in progress at `now_ns` with what was measured since the run began, and begins the next.
    pub fn cut(&mut self, now_ns: u64, now: Snapshot) -> Window {
        let measured = now.since(&self.previous);
        self.previous = now;
        let from_ns = std::mem::replace(&mut self.previous_ns, now_ns);
        Window { from_ns, to_ns: now_ns, measured }
    }
}

/// When the window after one that was to end at `due_ns` ends: an interval later, or an interval from now where
/// that has passed already. Missed windows are not made up for.
pub fn next_cut_ns(due_ns: u64, interval_ns: u64, now_ns: u64) -> u64 {
    let next_ns = due_ns.saturating_add(interval_ns);
    if next_ns > now_ns { next_ns } else { now_ns.saturating_add(interval_ns) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{MeasurePlan, OpTiming, RecorderSet, Series, StatusTable};
    use ycsb_plugin_abi::status;

    #[test]
    fn windows_keep_their_beat_and_skip_what_was_missed() {
        assert_eq!(next_cut_ns(100, 10, 103), 110);
        assert_eq!(next_cut_ns(100, 10, 110), 120);
        assert_eq!(next_cut_ns(100, 10, 157), 167);
    }

    #[test]
    fn all_windows_merged_are_the_run() {
        let set = RecorderSet::new(&MeasurePlan::default(), StatusTable::default());
        let recorder = set.recorder();
        let mut windows = Windows::new(100, set.snapshot());
        let mut merged = set.snapshot();
        for window in 1..=5_u64 {
            for latency_ns in 0..window * 100 {
                let timing = OpTiming { due_ns: Some(50), sent_ns: 60, done_ns: 60 + latency_ns };
                recorder.operation(Series::Read, status::OK, timing);
            }
            let cut = windows.cut(100 + window, set.snapshot());
            assert_eq!((cut.from_ns, cut.to_ns), (99 + window, 100 + window));
            assert_eq!(cut.measured.successes(Series::Read), window * 100);
            merged.merge(&cut.measured);
        }
        let (whole, merged) = (set.snapshot(), merged);
        let buckets = |snapshot: &Snapshot| {
            let read = snapshot.outcomes(Series::Read, status::OK).unwrap();
            [&read.service, &read.response, &read.wait].map(|histogram| histogram.buckets().to_vec())
        };
        assert_eq!(buckets(&merged), buckets(&whole));
    }
}
