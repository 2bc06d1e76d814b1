//! The state machine of one client: what it does next, when, and how the end of each operation is recorded.
//!
//! It knows neither threads nor plugins, so that blocking and async bindings run the same code and tests
//! drive it with a scripted clock.

use super::budget::Budget;
use super::control::{ClientState, Control, Stage};
use super::lookout::Lookout;
use super::worker::Worker;
use crate::base::clock::Clock;
use crate::base::rng::StreamRng;
use crate::binding::Turn;
use crate::measure::StatusTable;
use crate::plan::WarmUp;
use crate::schedule::{Due, Schedule, SharedArrivals, Tally};
use crate::workload::{InsertRetry, OperationStream, Phase};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What all clients of a phase have in common.
#[derive(Clone, Debug)]
pub struct ClientPlan {
    /// Load or run.
    pub phase: Phase,
    /// Rows of a full batch; 1 = every record by itself.
    pub batch_size: usize,
    /// Time-out of one operation in nanoseconds, 0 = none.
    pub operation_timeout_ns: u64,
    /// Operations that are carried out but not recorded.
    pub warm_up: WarmUp,
    /// What is done with failed inserts of a load.
    pub insert_retry: InsertRetry,
    /// Seed of the run.
    pub seed: u64,
    /// Names and success of all statuses.
    pub statuses: StatusTable,
}

/// The moment from which operations are recorded: known late, and to all clients at once.
#[derive(Debug)]
pub struct MeasuredFrom {
    at_ns: AtomicU64,
    /// Clients whose share of a counted warm-up is not done yet.
    warming: AtomicU64,
}

impl MeasuredFrom {
    /// For this many clients.
    pub fn new(clients: usize) -> Self {
        MeasuredFrom { at_ns: AtomicU64::new(u64::MAX), warming: AtomicU64::new(clients as u64) }
    }

    /// The moment, `u64::MAX` while it is not known.
    #[inline]
    pub fn at_ns(&self) -> u64 {
        self.at_ns.load(Ordering::Relaxed)
    }

    /// Sets the moment.
    pub fn set(&self, at_ns: u64) {
        self.at_ns.store(at_ns, Ordering::Release);
    }

    /// One client has done its share of a counted warm-up; the last one sets the moment.
    pub(super) fn client_is_warm(&self, now_ns: u64) {
        if self.warming.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.set(now_ns);
        }
    }
}

/// What a client shares with others.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Settings.
    pub plan: Arc<ClientPlan>,
    /// Stop, start, and what each client publishes.
    pub control: Arc<Control>,
    /// From when operations are recorded.
    pub measured_from: Arc<MeasuredFrom>,
    /// Arrivals of an open loop.
    pub arrivals: Option<Arc<SharedArrivals>>,
    /// Where clients with a thread of their own wait for shared arrivals, one at a time.
    pub(super) lookout: Option<Arc<Lookout>>,
}

/// What a new client starts with.
pub struct Start {
    /// Its number, from 0.
    pub index: usize,
    /// What it does.
    pub stream: Box<dyn OperationStream>,
    /// When; `None` in a closed loop.
    pub schedule: Option<Schedule>,
    /// Operations that it carries out after the warm-up.
    pub budget: Budget,
    /// Operations of a counted warm-up.
    pub warm_share: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Unopened,
    Opening,
    /// Its session is open, the run has not started.
    AtGate,
    /// Nothing is in flight.
    Free,
    /// A call is in flight.
    Flying,
    /// The session died and is being opened again.
    Reopening,
    Ending,
    Stopped,
}

/// The first half of a read-modify-write.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstHalf {
    pub(super) sent_ns: u64,
    pub(super) success: bool,
}

/// A client.
pub struct Client<C: Clock, W: Worker> {
    pub(super) index: usize,
    pub(super) shared: Shared,
    pub(super) clock: C,
    pub(super) worker: W,
    pub(super) stream: Box<dyn OperationStream>,
    pub(super) schedule: Option<Schedule>,
    pub(super) budget: Budget,
    pub(super) warm_remaining: u64,
    pub(super) state: State,
    /// Whether operations are recorded.
    pub(super) measuring: bool,
    pub(super) due: Option<Due>,
    /// The client waited for `due`: how late it was sent is the host's doing.
    pub(super) waited: bool,
    /// The client keeps the lookout for the next arrival.
    pub(super) on_lookout: bool,
    /// Since when the client is free, if it had to rest before it could look out.
    pub(super) rested_since_ns: Option<u64>,
    pub(super) sent_ns: u64,
    pub(super) half: Half,
    pub(super) first_half: Option<FirstHalf>,
    /// The operation about to be sent was sent before and failed.
    pub(super) attempts: u64,
    pub(super) not_before_ns: u64,
    pub(super) exhausted: bool,
    pub(super) done: u64,
    pub(super) failed: u64,
    pub(super) unavailable_in_a_row: u32,
    pub(super) slowed_down_ns: u64,
    pub(super) retries: u64,
    pub(super) panicked: bool,
    pub(super) rng: StreamRng,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Whole,
    First,
    Second,
}

/// Streams of the seed's random numbers that retry intervals are drawn from: this plus the client's number.
const RETRY_STREAM_BASE: u64 = 1 << 61;
/// Failures in a row because the database is away or overloaded, after which a client slows down.
pub(super) const STORM_AFTER: u32 = 5;
/// Longest pause between two such failures.
pub(super) const STORM_PAUSE_NS: u64 = 20_000_000;
/// Pause before a session that could not be opened again is tried once more.
pub(super) const REOPEN_PAUSE_NS: u64 = 100_000_000;
/// How often a client of an async binding looks whether the run has started.
pub(super) const GATE_POLL_NS: u64 = 1_000_000;

impl<C: Clock, W: Worker> Client<C, W> {
    /// A client that has not begun.
    pub fn new(start: Start, shared: Shared, clock: C, worker: W) -> Self {
        let rng = StreamRng::new(shared.plan.seed, RETRY_STREAM_BASE + start.index as u64);
        Client {
            index: start.index,
            shared,
            clock,
            worker,
            stream: start.stream,
            schedule: start.schedule,
            budget: start.budget,
            warm_remaining: start.warm_share,
            state: State::Unopened,
            measuring: false,
            due: None,
            waited: false,
            on_lookout: false,
            rested_since_ns: None,
            sent_ns: 0,
            half: Half::Whole,
            first_half: None,
            attempts: 0,
            not_before_ns: 0,
            exhausted: false,
            done: 0,
            failed: 0,
            unavailable_in_a_row: 0,
            slowed_down_ns: 0,
            retries: 0,
            panicked: false,
            rng,
        }
    }

    /// Digest of what the client did.
    pub fn digest(&self) -> u64 {
        self.stream.digest()
    }

    /// What pacing did.
    pub fn tally(&self) -> Tally {
        self.schedule.as_ref().map(Schedule::tally).unwrap_or_default()
    }

    /// Time for which failures in a row slowed the client down.
    pub fn slowed_down_ns(&self) -> u64 {
        self.slowed_down_ns
    }

    /// Inserts of a load that were sent again.
    pub fn retries(&self) -> u64 {
        self.retries
    }

    pub(super) fn published(&self) -> &ClientState {
        &self.shared.control.clients()[self.index]
    }

    /// Lets another client wait for the next arrival.
    #[inline]
    pub(super) fn leave_lookout(&mut self) {
        if std::mem::take(&mut self.on_lookout)
            && let Some(lookout) = &self.shared.lookout
        {
            lookout.leave();
        }
    }

    pub(super) fn stopped(&mut self, stage: Stage) -> Turn {
        self.leave_lookout();
        self.state = State::Stopped;
        self.published().publish_stage(stage);
        if !self.published().is_abandoned() {
            self.shared.control.client_finished();
        }
        Turn::Stop
    }
}

#[cfg(test)]
#[path = "client_bench.rs"]
mod bench;
#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
