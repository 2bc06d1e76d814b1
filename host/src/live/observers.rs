//! Those who look at a run for the user: status lines, or a progress bar where there are none.

use super::progress::ProgressDisplay;
use super::status_line::{Moment, StatusLines, StatusPlan};
use crate::base::local_time::LocalTime;
use crate::base::units::NS_PER_MS;
use crate::engine::{Observer, RunView};
use crate::measure::{MeasurePlan, ProcessExtremes, ProcessFigures, ProcessTrack, next_cut_ns};
use std::io::Write;

/// Time between two updates of the progress bar.
const PROGRESS_NS: u64 = 250 * NS_PER_MS;

/// Prints status lines: one at the start, one per interval, one at the end.
pub struct StatusObserver {
    status: StatusPlan,
    plan: MeasurePlan,
    zone: LocalTime,
    epoch_ms: fn() -> i64,
    err: Box<dyn Write>,
    out: Box<dyn Write>,
    lines: Option<StatusLines>,
    track: Option<ProcessTrack>,
    next_ns: u64,
}

impl StatusObserver {
    /// Status lines on `err`, and where the measurement type asks for it also on `out`. `epoch_ms` tells the
    /// milliseconds since 1970.
    pub fn new(
        status: &StatusPlan,
        plan: &MeasurePlan,
        zone: LocalTime,
        epoch_ms: fn() -> i64,
        err: Box<dyn Write>,
        out: Box<dyn Write>,
    ) -> Self {
        StatusObserver {
            status: status.clone(),
            plan: plan.clone(),
            zone,
            epoch_ms,
            err,
            out,
            lines: None,
            track: None,
            next_ns: 0,
        }
    }

    /// Extremes of the process, if `measurement.trackjvm` asked for samples.
    pub fn process_extremes(&self) -> Option<ProcessExtremes> {
        self.track.as_ref().and_then(ProcessTrack::extremes)
    }

    fn print(&mut self, view: &RunView<'_>) {
        let Some(lines) = &mut self.lines else { return };
        let moment = Moment {
            now_ns: view.now_ns,
            epoch_ms: (self.epoch_ms)(),
            succeeded: view.done,
            failed: view.failed,
            remaining: view.remaining.unwrap_or(0),
        };
        let line = lines.line(moment, view.snapshot());
        // A reader that went away is no reason to end a run; the report tells if standard output is closed.
        let _ = writeln!(self.err, "{line}").and_then(|()| self.err.flush());
        if lines.also_on_stdout() {
            let _ = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
        }
    }

    fn sample(&mut self, view: &RunView<'_>) {
        if let Some(track) = &mut self.track {
            track.sample(ProcessFigures::read(), view.now_ns);
        }
    }
}

impl Observer for StatusObserver {
    fn begin(&mut self, view: &RunView<'_>) {
        let so_far = view.snapshot();
        self.lines = Some(StatusLines::new(&self.status, &self.plan, self.zone.clone(), view.now_ns, so_far));
        self.track = self.plan.track_jvm.then(|| ProcessTrack::new(view.recorders.recorder()));
        self.next_ns = view.now_ns + self.status.interval_ns;
        self.print(view);
        self.sample(view);
    }

    fn next_look_ns(&self) -> u64 {
        self.next_ns
    }

    fn look(&mut self, view: &RunView<'_>) {
        self.next_ns = next_cut_ns(self.next_ns, self.status.interval_ns, view.now_ns);
        self.print(view);
        self.sample(view);
    }

    fn end(&mut self, view: &RunView<'_>) {
        self.sample(view);
        self.print(view);
    }
}

/// Draws a progress bar.
pub struct ProgressObserver {
    phase: &'static str,
    display: Option<ProgressDisplay>,
    next_ns: u64,
    previous: (u64, u64),
}

impl ProgressObserver {
    /// A bar for a phase, `load` or `run`.
    pub fn new(phase: &'static str) -> Self {
        ProgressObserver { phase, display: None, next_ns: 0, previous: (0, 0) }
    }
}

impl Observer for ProgressObserver {
    fn begin(&mut self, view: &RunView<'_>) {
        self.display = Some(ProgressDisplay::new(self.phase, view.remaining.unwrap_or(0)));
        self.previous = (view.now_ns, view.done);
        self.next_ns = view.now_ns + PROGRESS_NS;
    }

    fn next_look_ns(&self) -> u64 {
        self.next_ns
    }

    fn look(&mut self, view: &RunView<'_>) {
        let (previous_ns, previous_done) = self.previous;
        let seconds = view.now_ns.saturating_sub(previous_ns) as f64 / 1e9;
        let rate_per_sec =
            if seconds > 0.0 { view.done.saturating_sub(previous_done) as f64 / seconds } else { 0.0 };
        if let Some(display) = &self.display {
            display.update(view.done + view.failed, rate_per_sec, view.failed);
        }
        self.previous = (view.now_ns, view.done);
        self.next_ns = view.now_ns + PROGRESS_NS;
    }

    fn end(&mut self, _: &RunView<'_>) {
        if let Some(display) = self.display.take() {
            display.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{MeasurementType, OpTiming, RecorderSet, Series, StatusTable};
    use std::sync::{Arc, Mutex};
    use ycsb_plugin_abi::status;

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Paper {
        fn lines(&self) -> Vec<String> {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap().lines().map(str::to_owned).collect()
        }
    }

    fn view(recorders: &RecorderSet, second: u64, done: u64) -> RunView<'_> {
        RunView {
            now_ns: second * 1_000_000_000,
            started_ns: Some(0),
            measured_from_ns: Some(0),
            done,
            failed: 0,
            remaining: Some(3 - done),
            recorders,
        }
    }

    /// Three looks at a run of three operations; what standard error and standard output got.
    fn observed(plan: &MeasurePlan) -> (Vec<String>, Vec<String>, Option<ProcessExtremes>) {
        let set = RecorderSet::new(plan, StatusTable::default());
        let recorder = set.recorder();
        let status = StatusPlan { on: true, interval_ns: 1_000_000_000, label: String::new() };
        let (err, out) = (Paper::default(), Paper::default());
        let (on_err, on_out) = (Box::new(err.clone()), Box::new(out.clone()));
        let mut observer = StatusObserver::new(&status, plan, LocalTime::utc(), || 0, on_err, on_out);
        observer.begin(&view(&set, 10, 0));
        assert_eq!(observer.next_look_ns(), 11_000_000_000);
        let timing = OpTiming { due_ns: None, sent_ns: 0, done_ns: 5_000 };
        recorder.operation(Series::Read, status::OK, timing);
        observer.look(&view(&set, 11, 2));
        observer.end(&view(&set, 12, 3));
        (err.lines(), out.lines(), observer.process_extremes())
    }

    #[test]
    fn there_is_a_line_at_the_start_per_interval_and_at_the_end() {
        let (err, out, extremes) = observed(&MeasurePlan::default());
        assert_eq!(
            err,
            [
                "1970-01-01 00:00:00:000 0 sec: 0 operations; est completion in 0 second ",
                "1970-01-01 00:00:00:000 1 sec: 2 operations; 2 current ops/sec; est completion in 1 second \
                 [READ: Count=1, Max=5, Min=5, Avg=5, 50=5, 90=5, 99=5, 99.9=5, 99.99=5] ",
                "1970-01-01 00:00:00:000 2 sec: 3 operations; 1 current ops/sec; \
                 [READ: Count=0, Max=0, Min=0, Avg=0, 50=0, 90=0, 99=0, 99.9=0, 99.99=0] ",
            ]
        );
        assert!(out.is_empty() && extremes.is_none());
    }

    #[test]
    fn time_series_show_their_status_on_standard_output_too() {
        let plan = MeasurePlan { measurement_type: MeasurementType::TimeSeries, ..MeasurePlan::default() };
        let (err, out, _) = observed(&plan);
        assert_eq!(err, out);
        assert!(out[1].ends_with("[READ AverageLatency(us)=5] "), "{}", out[1]);
        assert!(out[2].ends_with("current ops/sec;  "), "a measurement without samples leaves a blank");
    }

    #[test]
    fn trackjvm_takes_as_many_samples_as_there_are_lines() {
        let plan = MeasurePlan { track_jvm: true, ..MeasurePlan::default() };
        let (err, _, extremes) = observed(&plan);
        assert!(!err[0].contains("THREAD_COUNT"));
        assert!(
            err[1].contains("[THREAD_COUNT: Count=1,") && err[2].contains("[THREAD_COUNT: Count=2,"),
            "{err:?}"
        );
        assert!(extremes.is_some_and(|extremes| extremes.max_threads >= 1));
    }
}
