//! The controller of a phase: time limits, signals, calls that never return, and those who look on.
//!
//! It runs in the thread that started the clients and waits for nothing without a bound.

use super::client::MeasuredFrom;
use super::control::{Control, Stage, StopCause};
use super::observer::{Observer, RunView};
use super::signals::Signals;
use crate::base::clock::{Anchored, Clock, HostClock};
use crate::base::streams;
use crate::measure::{RecorderSet, Series};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// What ends a phase, apart from its clients being done.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Measured time after which clients are told to stop.
    pub duration_ns: Option<u64>,
    /// Time between telling clients to stop, interrupting the binding, and giving up.
    pub stop_grace_ns: u64,
    /// Time-out of an operation, 0 = none; a call that is overdue by the grace is given up with its client.
    pub operation_timeout_ns: u64,
    /// Time in which all sessions have to be open.
    pub open_timeout_ns: u64,
}

/// What became of calls that never returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Abandoned {
    /// Calls that were dropped or given up because the run was over, per series.
    pub at_stop: BTreeMap<Series, u64>,
    /// Calls that were given up because their time-out was over long since, per series.
    pub overdue: BTreeMap<Series, u64>,
    /// When clients were told to stop, if calls were given up because of that: what came after was waiting.
    pub stop_ns: Option<u64>,
    /// Whether threads are still inside of a plugin: the process must not run destructors.
    pub stuck: bool,
}

impl Abandoned {
    /// Number of calls that were given up.
    pub fn calls(&self) -> u64 {
        self.at_stop.values().sum::<u64>() + self.overdue.values().sum::<u64>()
    }
}

/// How the clock and the kernel agreed over the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClockCheck {
    /// Largest disagreement in nanoseconds.
    pub largest_offset_ns: u64,
    /// Whether the processor's counter was found unreliable.
    pub unreliable: bool,
}

/// What a controller watches over.
pub(super) struct Watched<'a> {
    /// Shared with the clients.
    pub control: &'a Arc<Control>,
    /// From when operations are recorded.
    pub measured_from: &'a MeasuredFrom,
    /// All recorders.
    pub recorders: &'a RecorderSet,
    /// Operations that the clients have to do; `None` = no limit.
    pub total: Option<u64>,
    /// Limits.
    pub limits: Limits,
    /// Signals.
    pub signals: &'a Signals,
    /// Interrupts calls in flight.
    pub interrupt: &'a dyn Fn(),
}

/// Longest time between two looks at limits and overdue calls.
const TICK_NS: u64 = 100_000_000;
/// Time between two anchorings of the clock; the first ones come sooner.
const ANCHOR_NS: u64 = 1_000_000_000;

/// A phase being watched.
pub(super) struct Controller<'a, 'o, 'p> {
    watched: Watched<'a>,
    observers: &'o mut [&'p mut dyn Observer],
    clock: HostClock,
    begun_ns: u64,
    /// Since when the grace is counted; 0 = it is over.
    stop_seen_ns: Option<u64>,
    stopped_ns: Option<u64>,
    interrupted: bool,
    signals_seen: (u32, u32),
    /// Clients that were asked to leave, with the time at which their call was sent.
    overdue: BTreeMap<usize, u64>,
    next_anchor_ns: u64,
    clock_check: ClockCheck,
    abandoned: Abandoned,
}

impl<'a, 'o, 'p> Controller<'a, 'o, 'p> {
    /// Starts to watch.
    pub(super) fn new(watched: Watched<'a>, observers: &'o mut [&'p mut dyn Observer]) -> Self {
        let clock = HostClock::new();
        let begun_ns = clock.now_ns();
        let signals_seen = (watched.signals.interrupts(), watched.signals.terminations());
        Controller {
            watched,
            observers,
            clock,
            begun_ns,
            stop_seen_ns: None,
            stopped_ns: None,
            interrupted: false,
            signals_seen,
            overdue: BTreeMap::new(),
            next_anchor_ns: begun_ns + TICK_NS,
            clock_check: ClockCheck::default(),
            abandoned: Abandoned::default(),
        }
    }

    /// Tells those who look on that clients are about to be started. To be called before they are: what a fast
    /// client does until then would be in nobody's first interval.
    pub(super) fn begin(&mut self) {
        let view = self.view(self.begun_ns);
        for observer in self.observers.iter_mut() {
            observer.begin(&view);
        }
    }

    /// Watches until every client has finished or was given up.
    pub(super) fn watch(mut self) -> (Abandoned, ClockCheck) {
        loop {
            let now_ns = self.clock.now_ns();
            self.look(now_ns);
            if self.is_over() {
                break;
            }
            self.notice_signals();
            self.keep_limits(now_ns);
            if self.give_up_overdue(now_ns) || self.stop_clients(now_ns) {
                break;
            }
            self.anchor(now_ns);
            std::thread::park_timeout(Duration::from_nanos(self.next_event_ns(now_ns) - now_ns));
        }
        self.abandoned.stop_ns = self.stopped_ns;
        let view = self.view(self.clock.now_ns());
        for observer in self.observers.iter_mut() {
            observer.end(&view);
        }
        (self.abandoned, self.clock_check)
    }

    fn is_over(&self) -> bool {
        self.watched.control.finished() >= self.watched.control.clients().len()
    }

    fn view(&self, now_ns: u64) -> RunView<'a> {
        let control = self.watched.control;
        let (done, failed) = control
            .clients()
            .iter()
            .fold((0, 0), |(done, failed), client| (done + client.done(), failed + client.failed()));
        let measured_from_ns = self.watched.measured_from.at_ns();
        RunView {
            now_ns,
            started_ns: control.started_ns(),
            measured_from_ns: (measured_from_ns != u64::MAX).then_some(measured_from_ns),
            done,
            failed,
            remaining: self.watched.total.map(|total| total.saturating_sub(done + failed)),
            recorders: self.watched.recorders,
        }
    }

    fn look(&mut self, now_ns: u64) {
        if self.observers.iter().any(|observer| observer.next_look_ns() <= now_ns) {
            let view = self.view(now_ns);
            for observer in self.observers.iter_mut() {
                if observer.next_look_ns() <= now_ns {
                    observer.look(&view);
                }
            }
        }
    }

    fn next_event_ns(&self, now_ns: u64) -> u64 {
        let looks = self.observers.iter().map(|observer| observer.next_look_ns());
        let limit = self.time_limit_ns();
        let next = looks.chain(limit).chain([now_ns + TICK_NS]).min();
        next.unwrap_or(now_ns + TICK_NS).max(now_ns + 1000)
    }

    fn time_limit_ns(&self) -> Option<u64> {
        let measured_from_ns = self.watched.measured_from.at_ns();
        let duration_ns = self.watched.limits.duration_ns?;
        (!self.watched.control.is_stopping()).then(|| measured_from_ns.saturating_add(duration_ns))
    }

    fn notice_signals(&mut self) {
        let now = (self.watched.signals.interrupts(), self.watched.signals.terminations());
        let (interrupts, terminations) = self.signals_seen;
        if self.watched.signals.is_output_closed() {
            self.watched.control.stop(StopCause::OutputClosed);
        }
        if now == self.signals_seen {
            return;
        }
        self.signals_seen = now;
        if self.watched.control.is_stopping() {
            // Asked twice: nothing is waited for any more.
            self.stop_seen_ns = Some(0);
        } else if now.0 > interrupts {
            self.watched.control.stop(StopCause::Interrupt);
        } else if now.1 > terminations {
            self.watched.control.stop(StopCause::Terminate);
        }
    }

    fn keep_limits(&mut self, now_ns: u64) {
        let control = self.watched.control;
        if self.time_limit_ns().is_some_and(|limit_ns| now_ns >= limit_ns) {
            control.stop(StopCause::TimeLimit);
            // YCSB's words: scripts wait for them.
            streams::echo("Maximum time elapsed. Requesting stop for the workload.");
            streams::echo("Stop requested for workload. Now Joining!");
        }
        let opening_ns = now_ns - self.begun_ns;
        if control.started_ns().is_none()
            && !control.is_stopping()
            && opening_ns > self.watched.limits.open_timeout_ns + self.watched.limits.stop_grace_ns
        {
            control.client_not_opened(crate::binding::OpenFailure {
                status: ycsb_plugin_abi::status::TIMEOUT,
                detail: format!(
                    "{} of {} sessions were open after {}",
                    control.opened(),
                    control.clients().len(),
                    crate::base::units::format_duration_ns(opening_ns),
                ),
            });
        }
    }

    /// Gives up on calls that are overdue by the grace; true if no client is left.
    fn give_up_overdue(&mut self, now_ns: u64) -> bool {
        let timeout_ns = self.watched.limits.operation_timeout_ns;
        if timeout_ns == 0 || self.watched.control.is_stopping() {
            return false;
        }
        let control = self.watched.control;
        for (index, client) in control.clients().iter().enumerate() {
            let Some((since_ns, _)) = client.in_flight() else { continue };
            if client.is_abandoned() || client.stage() != Stage::Running {
                continue;
            }
            let latest_ns = since_ns.saturating_add(timeout_ns + self.watched.limits.stop_grace_ns);
            match self.overdue.get(&index) {
                None if now_ns > latest_ns => {
                    client.ask_to_leave();
                    self.overdue.insert(index, since_ns);
                }
                Some(asked_at) if *asked_at == since_ns => {
                    if let Some(series) = client.abandon() {
                        *self.abandoned.overdue.entry(series_at(series)).or_default() += 1;
                        self.abandoned.stuck = true;
                    }
                    control.client_finished();
                }
                _ => {}
            }
        }
        self.is_over()
    }

    /// After a stop: grace, interrupt, grace, give up. True once the clients were given up.
    fn stop_clients(&mut self, now_ns: u64) -> bool {
        let control = self.watched.control;
        if !control.is_stopping() {
            return false;
        }
        self.stopped_ns.get_or_insert(now_ns);
        let since_ns = *self.stop_seen_ns.get_or_insert(now_ns);
        let grace_ns = self.watched.limits.stop_grace_ns;
        let passed_ns = now_ns - since_ns;
        if passed_ns >= grace_ns && !self.interrupted {
            self.interrupted = true;
            (self.watched.interrupt)();
        }
        if passed_ns < 2 * grace_ns {
            return false;
        }
        for client in control.clients() {
            client.ask_to_leave();
        }
        // Those whose calls return at this very moment see the wish and leave by themselves.
        std::thread::park_timeout(Duration::from_millis(20));
        for client in control.clients() {
            if !client.is_abandoned()
                && !matches!(client.stage(), Stage::Ended | Stage::NotOpened)
                && let Some(series) = client.abandon()
            {
                *self.abandoned.at_stop.entry(series_at(series)).or_default() += 1;
            }
        }
        self.abandoned.stuck = !self.is_over();
        true
    }

    fn anchor(&mut self, now_ns: u64) {
        if now_ns < self.next_anchor_ns {
            return;
        }
        self.next_anchor_ns = now_ns + ANCHOR_NS;
        match self.clock.anchor() {
            Anchored::Corrected { off_by_ns } => {
                let check = &mut self.clock_check;
                check.largest_offset_ns = check.largest_offset_ns.max(off_by_ns.unsigned_abs());
            }
            Anchored::Unreliable { off_by_ns } => {
                self.clock_check.largest_offset_ns = off_by_ns.unsigned_abs();
                self.clock_check.unreliable = true;
            }
            Anchored::ByKernel => {}
        }
    }
}

/// The series that a client published.
pub(super) fn series_at(index: u32) -> Series {
    Series::ALL.get(index as usize).copied().unwrap_or(Series::Cleanup)
}
