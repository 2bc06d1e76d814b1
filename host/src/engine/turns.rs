//! The turns of a client: what comes next.

use super::client::{Client, GATE_POLL_NS, Half, REOPEN_PAUSE_NS, State};
use super::control::Stage;
use super::flight::{Cargo, Flight};
use super::worker::{UNTIL_START_NS, Worker};
use crate::base::clock::Clock;
use crate::binding::{Ended, OpBuilder, OpenFailure, Turn, Turns};
use crate::measure::{OpTiming, Series};
use crate::plan::WarmUp;
use crate::workload::Next;
use ycsb_plugin_abi::status;

impl<C: Clock, W: Worker> Turns for Client<C, W> {
    type Data = Flight;

    #[inline]
    fn next(&mut self, flight: &mut Flight, ended: Ended<'_>) -> Turn {
        let now_ns = self.clock.now_ns();
        if self.state == State::Flying {
            if !self.published().returned() {
                return self.stopped(Stage::Ended);
            }
            self.state = State::Free;
            self.finish(flight, &ended, now_ns);
        } else if self.state != State::Free
            && let Some(turn) = self.next_outside(&ended, now_ns)
        {
            return turn;
        }
        self.decide(flight, now_ns)
    }

    #[inline]
    fn fill<'a>(flight: &'a Flight, op: &mut OpBuilder<'_, 'a>) {
        flight.fill(op);
    }

    #[inline]
    fn sent(&mut self) {
        self.sent_ns = self.clock.now_ns();
        self.published().publish_sent(self.sent_ns);
    }

    fn row(&mut self, key: &[u8]) {
        self.stream.row(key);
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        self.stream.field(name, value);
    }

    fn wait(&mut self, until_ns: u64) {
        self.worker.wait(until_ns);
    }

    fn broken(&mut self, message: &str) {
        self.shared.control.client_broke(message);
        self.stopped(Stage::Ended);
    }
}

impl<C: Clock, W: Worker> Client<C, W> {
    /// Everything but operations: opening, the gate, the end. `None`: go on and decide.
    #[cold]
    fn next_outside(&mut self, ended: &Ended<'_>, now_ns: u64) -> Option<Turn> {
        match self.state {
            State::Unopened => {
                self.state = State::Opening;
                Some(Turn::Open)
            }
            State::Opening if ended.status == status::OK => {
                self.state = State::AtGate;
                let arrivals = self.shared.arrivals.clone();
                let measured_from = self.shared.measured_from.clone();
                let warm_up = self.shared.plan.warm_up;
                self.shared.control.client_opened(&self.clock, |start_ns| {
                    if let Some(arrivals) = arrivals {
                        arrivals.start(start_ns);
                    }
                    match warm_up {
                        WarmUp::None => measured_from.set(start_ns),
                        WarmUp::Time(ns) => measured_from.set(start_ns + ns),
                        WarmUp::Operations(_) => {}
                    }
                });
                self.at_gate(now_ns)
            }
            State::Opening => {
                let detail = ended.outcome.detail_text().into_owned();
                self.shared.control.client_not_opened(OpenFailure { status: ended.status, detail });
                Some(self.stopped(Stage::NotOpened))
            }
            State::AtGate => self.at_gate(now_ns),
            State::Reopening if ended.status == status::OK => {
                self.state = State::Free;
                self.panicked = false;
                None
            }
            State::Reopening if ended.status == status::NONE => Some(Turn::Open),
            State::Reopening if self.shared.control.is_stopping() => Some(self.stopped(Stage::Ended)),
            State::Reopening => Some(Turn::Wait(now_ns + REOPEN_PAUSE_NS)),
            State::Ending => {
                if self.published().returned() {
                    let timing = OpTiming { due_ns: None, sent_ns: self.sent_ns, done_ns: now_ns };
                    self.worker.with_recorder(|recorder| {
                        recorder.operation(Series::Cleanup, ended.status, timing);
                    });
                    self.note_cause(Series::Cleanup, ended, ended.status);
                }
                Some(self.stopped(Stage::Ended))
            }
            State::Stopped => Some(Turn::Stop),
            State::Free | State::Flying => None,
        }
    }

    fn at_gate(&mut self, now_ns: u64) -> Option<Turn> {
        if self.shared.control.is_stopping() {
            self.state = State::Free;
            return None;
        }
        let Some(start_ns) = self.shared.control.started_ns() else {
            let longest_ns = self.worker.longest_wait_ns();
            let poll_ns = if longest_ns == u64::MAX { UNTIL_START_NS } else { now_ns + GATE_POLL_NS };
            return Some(Turn::Wait(poll_ns));
        };
        if let Some(schedule) = &mut self.schedule {
            schedule.start(start_ns);
        }
        // The run may have started after this turn read the clock.
        self.measuring = self.shared.measured_from.at_ns() <= start_ns.max(now_ns);
        self.state = State::Free;
        self.published().publish_stage(Stage::Running);
        None
    }

    /// Decides what comes next. Nothing is in flight.
    #[inline]
    fn decide(&mut self, flight: &mut Flight, now_ns: u64) -> Turn {
        if self.shared.control.is_stopping() || self.published().is_asked_to_leave() {
            return self.end(flight);
        }
        if self.panicked {
            self.state = State::Reopening;
            return Turn::Open;
        }
        if self.worker.has_to_yield(self.index) {
            return Turn::Yield;
        }
        if self.not_before_ns > now_ns {
            return self.wait_until(self.not_before_ns, now_ns);
        }
        if !self.measuring {
            self.measuring = self.shared.measured_from.at_ns() <= now_ns;
        }
        if self.shared.plan.batch_size > 1 {
            return self.decide_batch(flight, now_ns);
        }
        if self.attempts == 0 {
            if self.half != Half::First {
                if self.is_done() {
                    return self.end(flight);
                }
                if let Some(turn) = self.pace(now_ns) {
                    return turn;
                }
            }
            if self.half != Half::First && !self.begin_one(now_ns) {
                return self.end(flight);
            }
            match self.stream.next(&mut flight.request) {
                Next::Single => self.half = Half::Whole,
                Next::FirstOfTwo => self.half = Half::First,
                Next::SecondOfTwo => self.half = Half::Second,
                Next::Exhausted => return self.end(flight),
            }
        }
        flight.cargo = Cargo::Single;
        self.launch(flight, now_ns)
    }

    #[inline]
    pub(super) fn launch(&mut self, flight: &mut Flight, now_ns: u64) -> Turn {
        let timeout_ns = self.shared.plan.operation_timeout_ns;
        flight.deadline_ns = if timeout_ns == 0 { 0 } else { now_ns + timeout_ns };
        self.published().publish_series(flight.series().index() as u32);
        self.state = State::Flying;
        Turn::Run
    }

    /// Whether the client's share is used up.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.exhausted || (self.measuring && self.budget.is_used_up())
    }

    /// An operation of the client's share begins; false if another client took the last one.
    #[inline]
    pub(super) fn begin_one(&mut self, now_ns: u64) -> bool {
        if self.measuring {
            return self.budget.take();
        }
        if self.warm_remaining > 0 {
            self.warm_remaining -= 1;
            if self.warm_remaining == 0 {
                self.shared.measured_from.client_is_warm(now_ns);
            }
        }
        true
    }

    /// Waits for the client's next arrival; `None` once it may be sent.
    #[inline]
    pub(super) fn pace(&mut self, now_ns: u64) -> Option<Turn> {
        let schedule = self.schedule.as_mut()?;
        let due = match self.due {
            Some(due) => due,
            None => {
                if let (Some(lookout), false) = (&self.shared.lookout, self.on_lookout) {
                    self.on_lookout = true;
                    if lookout.take() {
                        // Time has passed: everything is to be decided again.
                        self.rested_since_ns = Some(now_ns);
                        return Some(Turn::Wait(now_ns));
                    }
                }
                let rested_since_ns = self.rested_since_ns.take();
                self.waited = rested_since_ns.is_some();
                *self.due.insert(schedule.take(rested_since_ns.unwrap_or(now_ns)))
            }
        };
        if due.due_ns <= now_ns {
            self.leave_lookout();
        }
        if due.send_ns > now_ns {
            self.waited = true;
            return Some(self.wait_until(due.send_ns, now_ns));
        }
        None
    }

    fn wait_until(&self, until_ns: u64, now_ns: u64) -> Turn {
        let longest_ns = now_ns.saturating_add(self.worker.longest_wait_ns());
        Turn::Wait(until_ns.min(longest_ns).min(UNTIL_START_NS - 1))
    }

    /// Takes leave: an open session says goodbye.
    #[cold]
    pub(super) fn end(&mut self, flight: &mut Flight) -> Turn {
        self.leave_lookout();
        if self.panicked {
            return self.stopped(Stage::Ended);
        }
        flight.cargo = Cargo::End;
        flight.deadline_ns = 0;
        self.published().publish_stage(Stage::Ending);
        self.published().publish_series(Series::Cleanup.index() as u32);
        self.state = State::Ending;
        Turn::Run
    }
}
