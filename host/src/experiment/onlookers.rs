//! Those who look at a run in progress: status lines or a progress bar, interval logs, and the echo.

use super::callbacks;
use crate::base::local_time::{LocalTime, epoch_ms_now};
use crate::engine::{Observer, RunView, Signals};
use crate::live::{ProgressObserver, StatusObserver, StatusPlan};
use crate::measure::ProcessExtremes;
use crate::plan::RunPlan;
use crate::report::{HdrObserver, ReportError};
use crate::result::{Journal, JournalEnd};
use crate::workload::Phase;

/// Time between two flushes of echoed lines.
const FLUSH_NS: u64 = 200_000_000;

/// All of them.
pub(super) struct Onlookers<'a> {
    flush: FlushEcho<'a>,
    status: Option<StatusObserver>,
    progress: Option<ProgressObserver>,
    logs: Option<HdrObserver>,
    journal: Journal<'a>,
}

/// What they leave behind.
pub(super) struct Left {
    /// Extremes of the process.
    pub(super) extremes: Option<ProcessExtremes>,
    /// Logs that could not be written.
    pub(super) log_errors: Vec<ReportError>,
    /// Intervals, and what the process took.
    pub(super) journal: JournalEnd,
}

impl<'a> Onlookers<'a> {
    /// Those that the plan asks for. A progress bar stands in for status lines on a terminal.
    pub(super) fn new(
        plan: &RunPlan,
        status: &StatusPlan,
        signals: &'a Signals,
        journal: Journal<'a>,
    ) -> Self {
        let zone = LocalTime::of_system();
        let lines = status.on.then(|| {
            let (err, out) = (Box::new(std::io::stderr()), Box::new(std::io::stdout()));
            StatusObserver::new(status, &plan.measure, zone.clone(), epoch_ms_now, err, out)
        });
        let phase = match plan.phase {
            Phase::Load => "load",
            Phase::Run => "run",
        };
        Onlookers {
            flush: FlushEcho { signals, next_ns: 0 },
            progress: lines.is_none().then(|| ProgressObserver::new(phase)),
            status: lines,
            logs: HdrObserver::new(
                &plan.measure,
                status.on.then_some(status.interval_ns),
                zone,
                epoch_ms_now,
            ),
            journal,
        }
    }

    /// As the engine wants them.
    pub(super) fn all(&mut self) -> Vec<&mut dyn Observer> {
        let mut all: Vec<&mut dyn Observer> = vec![&mut self.flush, &mut self.journal];
        if let Some(status) = &mut self.status {
            all.push(status);
        }
        if let Some(progress) = &mut self.progress {
            all.push(progress);
        }
        if let Some(logs) = &mut self.logs {
            all.push(logs);
        }
        all
    }

    /// What they leave behind.
    pub(super) fn leave(self) -> Left {
        Left {
            extremes: self.status.as_ref().and_then(StatusObserver::process_extremes),
            log_errors: self.logs.map(HdrObserver::finish).unwrap_or_default(),
            journal: self.journal.leave(),
        }
    }
}

/// Writes out echoed lines a few times per second, and notices when nobody reads them any more.
struct FlushEcho<'a> {
    signals: &'a Signals,
    next_ns: u64,
}

impl Observer for FlushEcho<'_> {
    fn begin(&mut self, view: &RunView<'_>) {
        self.next_ns = view.now_ns;
    }

    fn next_look_ns(&self) -> u64 {
        self.next_ns
    }

    fn look(&mut self, view: &RunView<'_>) {
        self.next_ns = view.now_ns + FLUSH_NS;
        callbacks::flush_echo();
        if callbacks::is_stdout_closed() {
            self.signals.output_was_closed();
        }
    }

    fn end(&mut self, _view: &RunView<'_>) {}
}
