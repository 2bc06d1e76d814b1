//! The run cut into intervals, in bounded memory and at bounded cost.

use super::process::{IntervalFacts, IntervalMeasurement, LatencyFigures};
use crate::base::units::NS_PER_S;
use crate::measure::{Histogram, Snapshot, Window, Windows};

/// Length of an interval at first.
const FIRST_LENGTH_NS: u64 = NS_PER_S;
/// Intervals that are kept; beyond them neighbours are joined and further ones are twice as long.
const MAX_INTERVALS: usize = 600;
/// A look may take this share of an interval; if it takes more, intervals become longer.
const COST_SHARE: u64 = 100;

/// The intervals of a run.
#[derive(Clone, Debug)]
pub struct IntervalSeries {
    start_ns: u64,
    length_ns: u64,
    next_ns: u64,
    windows: Windows,
    kept: Vec<Window>,
}

impl IntervalSeries {
    /// The first interval begins at `start_ns` (CLOCK_MONOTONIC), with nothing measured before it.
    pub fn new(start_ns: u64, nothing: Snapshot) -> Self {
        IntervalSeries {
            start_ns,
            length_ns: FIRST_LENGTH_NS,
            next_ns: start_ns + FIRST_LENGTH_NS,
            windows: Windows::new(start_ns, nothing),
            kept: Vec::new(),
        }
    }

    /// When the interval in progress ends.
    pub fn next_ns(&self) -> u64 {
        self.next_ns
    }

    /// Ends the interval in progress with what was measured since the run began.
    pub fn cut(&mut self, now_ns: u64, now: Snapshot) {
        self.kept.push(self.windows.cut(now_ns, now));
        if self.kept.len() >= MAX_INTERVALS {
            self.lengthen();
        }
        self.next_ns =
            self.start_ns + (now_ns.saturating_sub(self.start_ns) / self.length_ns + 1) * self.length_ns;
    }

    /// Says how long the last look took; intervals are stretched until looks are cheap.
    pub fn look_took(&mut self, cost_ns: u64) {
        while cost_ns.saturating_mul(COST_SHARE) > self.length_ns {
            self.length_ns *= 2;
        }
    }

    fn lengthen(&mut self) {
        self.length_ns *= 2;
        let mut kept = std::mem::take(&mut self.kept).into_iter();
        while let Some(mut window) = kept.next() {
            if let Some(second) = kept.next() {
                window.to_ns = second.to_ns;
                window.measured.merge(&second.measured);
            }
            self.kept.push(window);
        }
    }

    /// All intervals that have ended, times counted from the first.
    pub fn facts(&self) -> Vec<IntervalFacts> {
        self.kept.iter().map(|window| facts(window, self.start_ns)).collect()
    }
}

fn facts(window: &Window, start_ns: u64) -> IntervalFacts {
    let measurements = window.measured.iter().filter_map(|(series, info, outcomes)| {
        Some(IntervalMeasurement {
            name: series.name().to_owned(),
            status: info.name.clone(),
            success: info.success,
            count: outcomes.count(),
            service: figures(&outcomes.service)?,
            response: figures(&outcomes.response),
        })
    });
    IntervalFacts {
        from_ns: window.from_ns.saturating_sub(start_ns),
        to_ns: window.to_ns.saturating_sub(start_ns),
        successful: window.measured.successful_operations,
        failed: window.measured.failed_operations,
        measurements: measurements.collect(),
    }
}

/// `None` without samples.
fn figures(histogram: &Histogram) -> Option<LatencyFigures> {
    Some(LatencyFigures {
        mean_ns: histogram.mean_ns()?,
        p50_ns: histogram.quantile_ns(0.5)?,
        p95_ns: histogram.quantile_ns(0.95)?,
        p99_ns: histogram.quantile_ns(0.99)?,
        max_ns: histogram.max_ns()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{MeasurePlan, OpTiming, RecorderSet, Series, StatusTable};
    use ycsb_plugin_abi::status;

    #[test]
    fn a_long_run_has_few_long_intervals_and_loses_nothing() {
        let set = RecorderSet::new(&MeasurePlan::default(), StatusTable::default());
        let recorder = set.recorder();
        let mut series = IntervalSeries::new(5, set.snapshot());
        for second in 1..=2_000_u64 {
            recorder.operation(
                Series::Read,
                status::OK,
                OpTiming { due_ns: None, sent_ns: 0, done_ns: second },
            );
            recorder.finished(true);
            let now_ns = 5 + second * NS_PER_S;
            if series.next_ns() <= now_ns {
                series.cut(now_ns, set.snapshot());
            }
        }
        let facts = series.facts();
        assert!(facts.len() < MAX_INTERVALS, "{}", facts.len());
        assert_eq!((facts[0].from_ns, facts.last().unwrap().to_ns), (0, 2_000 * NS_PER_S));
        assert!(facts.windows(2).all(|pair| pair[0].to_ns == pair[1].from_ns));
        assert_eq!(facts.iter().map(|one| one.successful).sum::<u64>(), 2_000);
        assert_eq!(facts.iter().map(|one| one.measurements[0].count).sum::<u64>(), 2_000);
    }

    #[test]
    fn looks_that_take_long_become_rare() {
        let set = RecorderSet::new(&MeasurePlan::default(), StatusTable::default());
        let mut series = IntervalSeries::new(0, set.snapshot());
        series.look_took(30_000_000);
        series.cut(NS_PER_S, set.snapshot());
        assert_eq!(series.next_ns(), 4 * NS_PER_S);
    }
}
