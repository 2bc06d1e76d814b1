//! Drives a client's state machine by hand, with a scripted clock and scripted answers.

use super::*;
use crate::base::clock::FakeClock;
use crate::binding::{Ended, Turns};
use crate::config::Settings;
use crate::engine::Worker;
use crate::engine::flight::{Cargo, Flight, RunNames};
use crate::measure::{MeasurePlan, Recorder, RecorderSet, Series};
use crate::schedule::{Arrival, Pacing, Policy, Process};
use crate::workload::{FieldRange, Next, OperationKind, Request, Verified};
use ycsb_plugin_abi::{Outcome, Status, status};

/// Sends `total` operations of one kind; read-modify-writes are reads followed by updates.
struct ScriptedStream {
    kind: OperationKind,
    modifies: bool,
    left: u64,
    second: bool,
    ended: Arc<std::sync::Mutex<Vec<(i64, bool)>>>,
}

impl OperationStream for ScriptedStream {
    fn next(&mut self, request: &mut Request) -> Next {
        if self.left == 0 {
            return Next::Exhausted;
        }
        if self.second {
            self.second = false;
            self.left -= 1;
            request.kind = OperationKind::Update;
            return Next::SecondOfTwo;
        }
        request.kind = self.kind;
        request.key_number = self.left as i64;
        request.key = format!("user{}", self.left);
        request.limit = 10;
        request.values = b"value".to_vec();
        request.fields = vec![FieldRange { field: 0, start: 0, len: 5 }];
        if self.modifies {
            self.second = true;
            return Next::FirstOfTwo;
        }
        self.left -= 1;
        Next::Single
    }

    fn ended(&mut self, request: &Request, success: bool) -> Verified {
        self.ended.lock().unwrap().push((request.key_number, success));
        Verified::NotChecked
    }

    fn digest(&self) -> u64 {
        0
    }
}

pub(super) struct TestThread(Recorder);

impl Worker for TestThread {
    fn with_recorder<R>(&self, call: impl FnOnce(&Recorder) -> R) -> R {
        call(&self.0)
    }
    fn has_to_yield(&self, _client: usize) -> bool {
        false
    }
    fn longest_wait_ns(&self) -> u64 {
        u64::MAX
    }
    fn wait(&self, _until_ns: u64) {}
}

pub(super) struct Bench {
    pub(super) clock: FakeClock,
    pub(super) control: Arc<Control>,
    pub(super) recorders: RecorderSet,
    pub(super) client: Client<FakeClock, TestThread>,
    pub(super) flight: Flight,
    pub(super) ended: Arc<std::sync::Mutex<Vec<(i64, bool)>>>,
    /// Time of each call, with the number of rows that it carried.
    pub(super) calls: Vec<(u64, usize)>,
    pub(super) waits: Vec<u64>,
}

pub(super) struct Setup {
    pub(super) phase: Phase,
    pub(super) kind: OperationKind,
    pub(super) modifies: bool,
    pub(super) total: u64,
    pub(super) batch_size: usize,
    pub(super) retries: u64,
    pub(super) keep_going: bool,
    pub(super) rate_per_sec: f64,
    pub(super) policy: Policy,
    pub(super) warm_up: WarmUp,
    pub(super) load_errors_allowed: u64,
    pub(super) clock: FakeClock,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            phase: Phase::Run,
            kind: OperationKind::Read,
            modifies: false,
            total: 10,
            batch_size: 1,
            retries: 0,
            keep_going: false,
            rate_per_sec: 0.0,
            policy: Policy::CatchUp,
            warm_up: WarmUp::None,
            load_errors_allowed: 0,
            clock: FakeClock::at(1_000 * MS),
        }
    }
}

pub(super) const MS: u64 = 1_000_000;

impl Setup {
    pub(super) fn bench(self) -> Bench {
        let clock = self.clock;
        let control = Arc::new(Control::new(1, self.load_errors_allowed));
        let statuses = StatusTable::new(&[]);
        let plan = MeasurePlan::from_settings(&Settings::default()).unwrap();
        let recorders = RecorderSet::new(&plan, statuses.clone());
        let pacing = Pacing {
            rate_per_sec: self.rate_per_sec,
            arrival: Arrival::Client,
            process: Process::Even,
            policy: self.policy,
        };
        let shared = Shared {
            plan: Arc::new(ClientPlan {
                phase: self.phase,
                batch_size: self.batch_size,
                operation_timeout_ns: 0,
                warm_up: self.warm_up,
                insert_retry: InsertRetry {
                    limit: self.retries,
                    interval_s: 3.0,
                    keep_going: self.keep_going,
                },
                seed: 1,
                statuses,
            }),
            control: Arc::clone(&control),
            measured_from: Arc::new(MeasuredFrom::new(1)),
            arrivals: None,
            lookout: None,
        };
        let ended = Arc::default();
        let warm_share = if let WarmUp::Operations(count) = self.warm_up { count } else { 0 };
        let start = Start {
            index: 0,
            stream: Box::new(ScriptedStream {
                kind: self.kind,
                modifies: self.modifies,
                left: if self.phase == Phase::Load { self.total } else { u64::MAX },
                second: false,
                ended: Arc::clone(&ended),
            }),
            schedule: Schedule::of_client(&pacing, 0, 1, 1, None),
            budget: Budget::Own(self.total),
            warm_share,
        };
        Bench {
            client: Client::new(start, shared, clock.clone(), TestThread(recorders.recorder())),
            flight: Flight::new(RunNames::new("t", &["field0".to_owned()])),
            clock,
            control,
            recorders,
            ended,
            calls: Vec::new(),
            waits: Vec::new(),
        }
    }
}

impl Bench {
    /// Runs to the end. `answer` gets the number of the call (from 0) and says how it ends, after how long,
    /// with how many rows.
    pub(super) fn run(&mut self, mut answer: impl FnMut(usize) -> (Status, u64, u64)) {
        let mut status = status::NONE;
        let mut outcome = Outcome::EMPTY;
        let mut row_status = Vec::new();
        loop {
            let ended = Ended { status, outcome: &outcome, row_status: &row_status };
            let turn = self.client.next(&mut self.flight, ended);
            outcome.clear();
            status = match turn {
                Turn::Open => status::OK,
                Turn::Run => {
                    self.client.sent();
                    let rows = if self.flight.cargo == Cargo::Batch { self.flight.gathered } else { 1 };
                    row_status = vec![status::ERROR; rows];
                    if self.flight.cargo == Cargo::End {
                        status::OK
                    } else {
                        let (status, service_ns, rows_returned) = answer(self.calls.len());
                        self.calls.push((self.clock.now_ns() - 1_000 * MS, rows));
                        self.clock.advance_ns(service_ns);
                        outcome.rows = rows_returned;
                        if status == status::OK {
                            row_status.fill(status::OK);
                        }
                        status
                    }
                }
                Turn::Wait(until_ns) => {
                    self.waits.push(until_ns - self.clock.now_ns());
                    self.clock.set_ns(until_ns);
                    status::NONE
                }
                Turn::Yield => status::NONE,
                Turn::Stop => break,
            };
        }
    }

    pub(super) fn successes(&self, series: Series) -> u64 {
        self.recorders.snapshot().successes(series)
    }

    pub(super) fn failures(&self, series: Series) -> u64 {
        self.recorders.snapshot().failures(series)
    }
}
