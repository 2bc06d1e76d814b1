//! Writes interval logs while a run goes on.

use super::export::ReportError;
use super::hdr_log::HdrLogs;
use crate::base::local_time::LocalTime;
use crate::engine::{Observer, RunView};
use crate::measure::{MeasurePlan, Windows, next_cut_ns};

/// Adds a line to the interval logs per interval, and one at the end.
pub struct HdrObserver {
    logs: HdrLogs,
    interval_ns: Option<u64>,
    epoch_ms: fn() -> i64,
    next_ns: u64,
    windows: Option<Windows>,
    previous_ms: i64,
}

impl HdrObserver {
    /// Logs with lines every `interval_ns`, or with one line for the whole run; `None` if the plan asks for no
    /// logs. `epoch_ms` tells the milliseconds since 1970.
    pub fn new(
        plan: &MeasurePlan,
        interval_ns: Option<u64>,
        zone: LocalTime,
        epoch_ms: fn() -> i64,
    ) -> Option<Self> {
        let wanted = plan.hdr_file_prefix.is_some() || plan.hdr_log.is_some();
        wanted.then(|| HdrObserver {
            logs: HdrLogs::new(plan, zone),
            interval_ns,
            epoch_ms,
            next_ns: u64::MAX,
            windows: None,
            previous_ms: 0,
        })
    }

    /// Closes the logs. What is returned is every log that could not be written.
    pub fn finish(self) -> Vec<ReportError> {
        self.logs.finish()
    }

    fn add_lines(&mut self, view: &RunView<'_>) {
        let Some(windows) = &mut self.windows else { return };
        let window = windows.cut(view.now_ns, view.snapshot());
        let now_ms = (self.epoch_ms)();
        self.logs.interval(&window.measured, self.previous_ms, now_ms);
        self.previous_ms = now_ms;
    }
}

impl Observer for HdrObserver {
    fn begin(&mut self, view: &RunView<'_>) {
        self.windows = Some(Windows::new(view.now_ns, view.snapshot()));
        self.previous_ms = (self.epoch_ms)();
        self.next_ns = self.interval_ns.map_or(u64::MAX, |interval_ns| view.now_ns + interval_ns);
    }

    fn next_look_ns(&self) -> u64 {
        self.next_ns
    }

    fn look(&mut self, view: &RunView<'_>) {
        self.next_ns = match self.interval_ns {
            Some(interval_ns) => next_cut_ns(self.next_ns, interval_ns, view.now_ns),
            None => u64::MAX,
        };
        self.add_lines(view);
    }

    fn end(&mut self, view: &RunView<'_>) {
        self.add_lines(view);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{OpTiming, RecorderSet, Series, StatusTable};
    use ycsb_plugin_abi::status;

    fn view(recorders: &RecorderSet, second: u64) -> RunView<'_> {
        RunView {
            now_ns: second * 1_000_000_000,
            started_ns: Some(0),
            measured_from_ns: Some(0),
            done: 0,
            failed: 0,
            remaining: None,
            recorders,
        }
    }

    /// Lines of the log of a run with one look in the middle, which only some runs take.
    fn logged(interval_ns: Option<u64>) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let prefix = format!("{}/", folder.path().display());
        let plan = MeasurePlan { hdr_file_prefix: Some(prefix.clone()), ..MeasurePlan::default() };
        let set = RecorderSet::new(&plan, StatusTable::default());
        let mut observer = HdrObserver::new(&plan, interval_ns, LocalTime::utc(), || 7_000).unwrap();
        observer.begin(&view(&set, 1));
        let timing = OpTiming { due_ns: None, sent_ns: 0, done_ns: 5_000 };
        set.recorder().operation(Series::Read, status::OK, timing);
        if observer.next_look_ns() <= 2_000_000_000 {
            observer.look(&view(&set, 2));
        }
        observer.end(&view(&set, 3));
        assert!(observer.finish().is_empty());
        std::fs::read_to_string(format!("{prefix}READ.hdr")).unwrap().lines().skip(4).count()
    }

    #[test]
    fn there_is_a_line_per_interval_and_one_at_the_end() {
        assert_eq!(logged(Some(1_000_000_000)), 2);
    }

    #[test]
    fn without_intervals_one_line_holds_the_whole_run() {
        assert_eq!(logged(None), 1);
    }

    #[test]
    fn nothing_observes_a_run_without_logs() {
        assert!(HdrObserver::new(&MeasurePlan::default(), None, LocalTime::utc(), || 0).is_none());
    }
}
