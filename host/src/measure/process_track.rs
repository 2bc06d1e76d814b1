//! The figures that `measurement.trackjvm` samples with every status line.

use super::machine::{field, kibibytes};
use super::recorder::Recorder;
use super::series::Series;
use serde::{Deserialize, Serialize};

/// Figures of the host process at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcessFigures {
    /// Living threads.
    pub threads: u64,
    /// Memory in use, whole MiB.
    pub memory_mb: u64,
    /// Load average of the machine over one minute.
    pub load: f64,
}

impl ProcessFigures {
    /// Reads them now.
    pub fn read() -> Self {
        let text = |path| std::fs::read_to_string(path).unwrap_or_default();
        ProcessFigures::parse(&text("/proc/self/status"), &text("/proc/loadavg"))
    }

    fn parse(status: &str, loadavg: &str) -> Self {
        ProcessFigures {
            threads: field(status, "Threads", ':').and_then(|threads| threads.parse().ok()).unwrap_or(0),
            memory_mb: kibibytes(status, "VmRSS").unwrap_or(0) >> 20,
            load: loadavg.split_ascii_whitespace().next().and_then(|load| load.parse().ok()).unwrap_or(0.0),
        }
    }
}

/// The largest and smallest figures that were sampled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcessExtremes {
    /// Most memory in use, MiB.
    pub max_memory_mb: u64,
    /// Least memory in use, MiB.
    pub min_memory_mb: u64,
    /// Most threads.
    pub max_threads: u64,
    /// Fewest threads.
    pub min_threads: u64,
    /// Highest load average of the machine.
    pub max_load: f64,
    /// Lowest load average of the machine.
    pub min_load: f64,
}

/// Puts samples of the process among the measurements and keeps their extremes.
#[derive(Debug)]
pub struct ProcessTrack {
    recorder: Recorder,
    extremes: Option<ProcessExtremes>,
}

impl ProcessTrack {
    /// No samples yet. The recorder belongs to the thread that samples.
    pub fn new(recorder: Recorder) -> Self {
        ProcessTrack { recorder, extremes: None }
    }

    /// Adds a sample that was taken at `at_ns` (CLOCK_MONOTONIC). There is no garbage collector here: its
    /// samples are 0.
    pub fn sample(&mut self, figures: ProcessFigures, at_ns: u64) {
        let ProcessFigures { threads, memory_mb, load } = figures;
        for (series, value) in [
            (Series::ThreadCount, threads),
            (Series::UsedMemMb, memory_mb),
            (Series::SysLoadAvg, load as u64),
            (Series::Gcs, 0),
            (Series::GcsTime, 0),
        ] {
            self.recorder.value(series, value, at_ns);
        }
        let first = ProcessExtremes {
            max_memory_mb: memory_mb,
            min_memory_mb: memory_mb,
            max_threads: threads,
            min_threads: threads,
            max_load: load,
            min_load: load,
        };
        let seen = self.extremes.get_or_insert(first);
        *seen = ProcessExtremes {
            max_memory_mb: seen.max_memory_mb.max(memory_mb),
            min_memory_mb: seen.min_memory_mb.min(memory_mb),
            max_threads: seen.max_threads.max(threads),
            min_threads: seen.min_threads.min(threads),
            max_load: seen.max_load.max(load),
            min_load: seen.min_load.min(load),
        };
    }

    /// The extremes of all samples; `None` before the first.
    pub fn extremes(&self) -> Option<ProcessExtremes> {
        self.extremes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{MeasurePlan, RecorderSet, StatusTable};

    #[test]
    fn samples_are_measurements_and_their_extremes_are_kept() {
        let set = RecorderSet::new(&MeasurePlan::default(), StatusTable::default());
        let mut track = ProcessTrack::new(set.recorder());
        assert_eq!(track.extremes(), None);
        track.sample(ProcessFigures { threads: 3, memory_mb: 20, load: 1.5 }, 1);
        track.sample(ProcessFigures { threads: 5, memory_mb: 13, load: 0.25 }, 2);
        assert_eq!(
            track.extremes(),
            Some(ProcessExtremes {
                max_memory_mb: 20,
                min_memory_mb: 13,
                max_threads: 5,
                min_threads: 3,
                max_load: 1.5,
                min_load: 0.25,
            })
        );
        let snapshot = set.snapshot();
        let max_ns = |series| snapshot.outcomes(series, 0).unwrap().service.max_ns();
        assert_eq!(max_ns(Series::ThreadCount), Some(5_000));
        assert_eq!(max_ns(Series::SysLoadAvg), Some(1_000));
        assert_eq!(max_ns(Series::GcsTime), Some(0));
        assert_eq!(snapshot.operations(), 0, "samples are no operations");
    }

    #[test]
    fn figures_are_read_from_the_kernels_files() {
        let figures = ProcessFigures::parse("Threads:\t12\nVmRSS:\t  14800 kB\n", "7.83 6.1 5.0 2/300 77\n");
        assert_eq!(figures, ProcessFigures { threads: 12, memory_mb: 14, load: 7.83 });
        assert!(ProcessFigures::read().threads >= 1);
    }
}
