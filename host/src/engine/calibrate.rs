//! What the host itself costs: the clients of a plan once more, answered at once and without a plugin.

use super::client::{MeasuredFrom, Shared};
use super::control::{Control, StopCause};
use super::flight::RunNames;
use super::phase::{PhaseInput, cell_of, start_of};
use super::worker::OwnThread;
use crate::base::os::thread_cpu_ns;
use crate::binding::answer_at_once;
use crate::measure::{MeasurePlan, RecorderSet};
use crate::plan::WarmUp;
use crate::schedule::{Arrival, Pacing, Policy};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calibrated {
    /// Threads that took part.
    pub threads: u64,
    /// Operations that they ended.
    pub operations: u64,
    /// Processor time that they took.
    pub cpu_ns: u64,
}

/// A rate that no client keeps up with: arrivals are drawn and their response times recorded, nobody ever waits.
const UNREACHED_PER_SEC: f64 = 1e9;
/// Patience with the threads beyond the time that they are given.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs clients of the same plan for a time, as many as there are processors at most; `None` if they did nothing.
///
/// The workload's counters go on: to be called after the last operation of a run.
pub fn calibrate(input: &PhaseInput<'_>, measure: &MeasurePlan, time: Duration) -> Option<Calibrated> {
    let processors = crate::base::os::processors();
    let clients = input.clients.min(processors).max(1);
    let mut plan = (*input.plan).clone();
    plan.warm_up = WarmUp::None;
    let pacing = Pacing {
        rate_per_sec: if input.pacing.is_paced() { UNREACHED_PER_SEC } else { 0.0 },
        arrival: Arrival::Client,
        policy: Policy::CatchUp,
        ..input.pacing
    };
    let control = Arc::new(Control::new(clients, u64::MAX));
    let shared = Shared {
        plan: Arc::new(plan),
        control: Arc::clone(&control),
        measured_from: Arc::new(MeasuredFrom::new(clients)),
        arrivals: None,
        lookout: None,
    };
    let recorders = RecorderSet::new(measure, shared.plan.statuses.clone());
    let names = RunNames::new(input.workload.table(), input.workload.field_names());
    let (taken, times) = std::sync::mpsc::channel();
    let mut threads = 0;
    for index in 0..clients {
        let start = start_of(&shared, input.workload, &pacing, None, None, index, clients);
        let (shared, recorders, taken) = (shared.clone(), recorders.clone(), taken.clone());
        let spawned = std::thread::Builder::new().name(format!("calibrate-{index}")).spawn(move || {
            let worker = OwnThread::new(&recorders, Arc::clone(&shared.control), false);
            let cell = cell_of(start, &shared, names, worker);
            let begun_ns = thread_cpu_ns();
            drop(answer_at_once(cell));
            let _ = taken.send(thread_cpu_ns() - begun_ns);
        });
        threads += u64::from(spawned.is_ok());
    }
    if threads < clients as u64 {
        // The others wait for it at the gate and leave when they are told to.
        control.stop(StopCause::OpenFailed);
        return None;
    }
    std::thread::sleep(time);
    control.stop(StopCause::TimeLimit);
    let until = Instant::now() + PATIENCE;
    let mut cpu_ns = 0;
    for _ in 0..threads {
        cpu_ns += times.recv_timeout(until.saturating_duration_since(Instant::now())).ok()?;
    }
    let operations = control.clients().iter().map(|client| client.done() + client.failed()).sum();
    (operations > 0).then_some(Calibrated { threads, operations, cpu_ns })
}
