//! One phase from the first session to the last goodbye.

use super::budget::Budget;
use super::client::{Client, ClientPlan, MeasuredFrom, Shared, Start};
use super::control::{Control, Stage, StopCause};
use super::controller::{Abandoned, ClockCheck, Controller, Limits, Watched, series_at};
use super::flight::{Flight, RunNames};
use super::observer::Observer;
use super::signals::Signals;
use super::worker::{OwnThread, PulledThread, Worker};
use crate::base::clock::{Clock, HostClock};
use crate::base::os::thread_id;
use crate::binding::{Binding, ClientCell, OpenFailure};
use crate::measure::{RecorderSet, ThreadUsage};
use crate::plan::WarmUp;
use crate::schedule::{Pacing, Schedule, SharedArrivals, Tally};
use crate::workload::{self, Phase, Workload, share_of};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Everything that a phase needs.
pub struct PhaseInput<'a> {
    /// The opened binding.
    pub binding: Arc<Binding>,
    /// What is done.
    pub workload: &'a dyn Workload,
    /// Number of clients.
    pub clients: usize,
    /// When.
    pub pacing: Pacing,
    /// What all clients have in common.
    pub plan: Arc<ClientPlan>,
    /// Operations of all clients after the warm-up; `None` = no limit.
    pub total: Option<u64>,
    /// Limits.
    pub limits: Limits,
    /// Failed inserts after which a load stops.
    pub load_errors_allowed: u64,
    /// Burn processor time instead of sleeping.
    pub spins: bool,
    /// All recorders.
    pub recorders: RecorderSet,
    /// Signals.
    pub signals: &'a Signals,
}

/// What happened.
#[derive(Debug)]
pub struct PhaseResult {
    /// From the first session until all were open, nanoseconds.
    pub set_up_ns: u64,
    /// When all clients were open; `None` if that never happened.
    pub started_ns: Option<u64>,
    /// From when operations were recorded.
    pub measured_from_ns: Option<u64>,
    /// When the last client was done or given up.
    pub ended_ns: u64,
    /// Operations that succeeded.
    pub done: u64,
    /// Operations that failed.
    pub failed: u64,
    /// Operations that were to be done; `None` = no limit.
    pub total: Option<u64>,
    /// Why clients were told to stop.
    pub stop_cause: StopCause,
    /// Calls that never returned.
    pub abandoned: Abandoned,
    /// A session that could not be opened.
    pub open_failure: Option<OpenFailure>,
    /// A panic of the host's own.
    pub broken: Option<String>,
    /// How an async binding's run ended, if not well.
    pub run_failure: Option<OpenFailure>,
    /// What pacing did.
    pub tally: Tally,
    /// Time for which failures slowed clients down, all clients together.
    pub slowed_down_ns: u64,
    /// Inserts of a load that were sent again after a failure.
    pub retries: u64,
    /// What the threads of clients took, by the kernel's number: they have ended when anybody else can look.
    pub client_usage: Vec<(i32, ThreadUsage)>,
    /// Digest of what each client did; `None` for clients that were given up.
    pub digests: Vec<Option<u64>>,
    /// How the clock did.
    pub clock_check: ClockCheck,
}

type Finished = (usize, Farewell);

/// What a client leaves behind.
struct Farewell {
    digest: u64,
    tally: Tally,
    slowed_down_ns: u64,
    retries: u64,
    /// What its own thread took, if it had one.
    usage: Option<(i32, ThreadUsage)>,
}

/// Runs one phase. Returns in bounded time after its limits, whatever the plugin does.
pub fn run_phase(input: &PhaseInput<'_>, observers: &mut [&mut dyn Observer]) -> PhaseResult {
    let clock = HostClock::new();
    let begun_ns = clock.now_ns();
    let control = Arc::new(Control::new(input.clients, input.load_errors_allowed));
    let measured_from = Arc::new(MeasuredFrom::new(input.clients));
    let arrivals = (input.pacing.is_paced() && input.pacing.arrival == crate::schedule::Arrival::Shared)
        .then(|| Arc::new(SharedArrivals::new(&input.pacing, input.plan.seed)));
    let names = RunNames::new(input.workload.table(), input.workload.field_names());
    let shared = Shared {
        plan: Arc::clone(&input.plan),
        control: Arc::clone(&control),
        measured_from: Arc::clone(&measured_from),
        arrivals: arrivals.clone(),
        lookout: (arrivals.is_some() && !input.binding.is_async()).then(Arc::default),
    };
    let common = arrivals.as_ref().and(input.total).map(|total| Arc::new(AtomicU64::new(total)));
    let starts: Vec<Start> = (0..input.clients)
        .map(|index| {
            let (workload, pacing, total) = (input.workload, &input.pacing, input.total);
            start_of(&shared, workload, pacing, total, common.as_ref(), index, input.clients)
        })
        .collect();
    // On a thread of its own: a plugin that blocks there must not hold up the report.
    let interrupt = || {
        let binding = Arc::clone(&input.binding);
        let _ = std::thread::Builder::new().name("interrupt".to_owned()).spawn(move || binding.interrupt());
    };
    let watched = Watched {
        control: &control,
        measured_from: &measured_from,
        recorders: &input.recorders,
        total: input.total,
        limits: input.limits,
        signals: input.signals,
        interrupt: &interrupt,
    };
    let mut controller = Controller::new(watched, observers);
    controller.begin();
    let (farewells, farewell) = channel();
    let run_failure = if input.binding.is_async() {
        spawn_pull(input, &shared, names, starts, farewells)
    } else {
        spawn_blocking(input, &shared, names, starts, farewells);
        None
    };
    let (mut abandoned, clock_check) = controller.watch();
    let ended_ns = clock.now_ns();
    collect(
        begun_ns,
        ended_ns,
        &control,
        &measured_from,
        input.total,
        &mut abandoned,
        clock_check,
        run_failure,
        farewell,
    )
}

pub(super) fn start_of(
    shared: &Shared,
    workload: &dyn Workload,
    pacing: &Pacing,
    total: Option<u64>,
    common: Option<&Arc<AtomicU64>>,
    index: usize,
    clients: usize,
) -> Start {
    let share = share_of(total, index, clients);
    let warm_share = match shared.plan.warm_up {
        WarmUp::Operations(count) => share_of(Some(count), index, clients).unwrap_or(0).max(1),
        WarmUp::None | WarmUp::Time(_) => 0,
    };
    // A load hands out records by share; in the run phase the client itself counts, because operations of
    // the warm-up come on top.
    let stream_share = if shared.plan.phase == Phase::Load { share } else { None };
    let budget = match common {
        Some(left) if shared.plan.phase == Phase::Run => Budget::Common(Arc::clone(left)),
        _ => Budget::own(share),
    };
    let client = workload::Client { index, count: clients, seed: shared.plan.seed, share: stream_share };
    Start {
        index,
        stream: workload.stream(client),
        schedule: Schedule::of_client(
            pacing,
            index as u64,
            clients as u64,
            shared.plan.seed,
            shared.arrivals.as_ref(),
        ),
        budget,
        warm_share,
    }
}

pub(super) fn cell_of<W: Worker>(
    start: Start,
    shared: &Shared,
    names: RunNames,
    worker: W,
) -> Box<ClientCell<Client<HostClock, W>>> {
    let (index, clients) = (start.index as u64, shared.control.clients().len() as u64);
    let client = Client::new(start, shared.clone(), HostClock::new(), worker);
    ClientCell::new(client, Flight::new(names), index, clients, names.table, names.border_fields)
}

fn farewell_of<W: Worker>(cell: &ClientCell<Client<HostClock, W>>) -> Finished {
    let client = cell.turns();
    let farewell = Farewell {
        digest: client.digest(),
        tally: client.tally(),
        slowed_down_ns: client.slowed_down_ns(),
        retries: client.retries(),
        usage: None,
    };
    (client.index, farewell)
}

/// One thread per client. A thread that cannot be made is a session that cannot be opened.
fn spawn_blocking(
    input: &PhaseInput<'_>,
    shared: &Shared,
    names: RunNames,
    starts: Vec<Start>,
    farewells: Sender<Finished>,
) {
    for start in starts {
        let (binding, shared, farewells) = (Arc::clone(&input.binding), shared.clone(), farewells.clone());
        let (recorders, spins) = (input.recorders.clone(), input.spins);
        let control = Arc::clone(&shared.control);
        let name = format!("client-{}", start.index);
        let spawned = std::thread::Builder::new().name(name).spawn(move || {
            let worker = OwnThread::new(&recorders, Arc::clone(&shared.control), spins);
            let cell = binding.run_client(cell_of(start, &shared, names, worker));
            let (index, mut farewell) = farewell_of(&cell);
            farewell.usage = Some((thread_id(), ThreadUsage::of_this_thread()));
            let _ = farewells.send((index, farewell));
        });
        if let Err(error) = spawned {
            control.client_not_opened(OpenFailure {
                status: ycsb_plugin_abi::status::ERROR,
                detail: format!("no thread for another client: {error}; give fewer -threads"),
            });
            control.client_finished();
        }
    }
}

/// One thread for all clients, which the plugin's runtime then takes over.
fn spawn_pull(
    input: &PhaseInput<'_>,
    shared: &Shared,
    names: RunNames,
    starts: Vec<Start>,
    farewells: Sender<Finished>,
) -> Option<Receiver<OpenFailure>> {
    let (failures, failure) = channel();
    let worker = PulledThread::new(Arc::new(input.recorders.clone()));
    let binding = Arc::clone(&input.binding);
    let moved = shared.clone();
    let spawned = std::thread::Builder::new().name("run".to_owned()).spawn(move || {
        let cells = starts.into_iter().map(|start| cell_of(start, &moved, names, worker.clone())).collect();
        let (result, cells) = binding.run_clients(cells);
        if let Err(error) = result {
            let _ = failures.send(error);
        }
        for cell in &cells {
            let _ = farewells.send(farewell_of(cell));
        }
        moved.control.all_clients_returned();
    });
    if let Err(error) = spawned {
        shared.control.client_not_opened(OpenFailure {
            status: ycsb_plugin_abi::status::ERROR,
            detail: format!("no thread for the clients: {error}"),
        });
        shared.control.all_clients_returned();
    }
    Some(failure)
}

#[allow(clippy::too_many_arguments)]
fn collect(
    begun_ns: u64,
    ended_ns: u64,
    control: &Control,
    measured_from: &MeasuredFrom,
    total: Option<u64>,
    abandoned: &mut Abandoned,
    clock_check: ClockCheck,
    run_failure: Option<Receiver<OpenFailure>>,
    farewell: Receiver<Finished>,
) -> PhaseResult {
    let mut digests = vec![None; control.clients().len()];
    let (mut tally, mut slowed_down_ns, mut retries) = (Tally::default(), 0, 0);
    let mut client_usage = Vec::new();
    let expected = if abandoned.stuck { 0 } else { digests.len() };
    let mut received = 0;
    // A client that has finished sends its farewell within microseconds.
    let patience = std::time::Duration::from_secs(1);
    while let Ok((index, left)) = if received < expected {
        farewell.recv_timeout(patience).map_err(drop)
    } else {
        farewell.try_recv().map_err(drop)
    } {
        received += 1;
        digests[index] = Some(left.digest);
        tally.add(left.tally);
        slowed_down_ns += left.slowed_down_ns;
        retries += left.retries;
        client_usage.extend(left.usage);
    }
    // Clients of an async binding whose tasks were dropped by a cancel: their calls are abandoned too.
    if !abandoned.stuck {
        for client in control.clients() {
            if !client.is_abandoned()
                && matches!(client.stage(), Stage::Running | Stage::Ending)
                && let Some((_, series)) = client.in_flight()
            {
                *abandoned.at_stop.entry(series_at(series)).or_default() += 1;
            }
        }
    }
    // Waiting for calls that never returned is no part of the run.
    let ended_ns = match abandoned.stop_ns {
        Some(stop_ns) if abandoned.calls() > 0 => stop_ns,
        _ => ended_ns,
    };
    let (done, failed) =
        control.clients().iter().fold((0, 0), |(d, f), client| (d + client.done(), f + client.failed()));
    let started_ns = control.started_ns();
    let measured_from_ns = measured_from.at_ns();
    PhaseResult {
        set_up_ns: started_ns.unwrap_or(ended_ns) - begun_ns,
        started_ns,
        measured_from_ns: (measured_from_ns != u64::MAX).then_some(measured_from_ns),
        ended_ns,
        done,
        failed,
        total,
        stop_cause: control.stop_cause(),
        abandoned: std::mem::take(abandoned),
        open_failure: control.open_failure(),
        broken: control.broken(),
        run_failure: run_failure.and_then(|failure| failure.try_recv().ok()),
        tally,
        slowed_down_ns,
        retries,
        client_usage,
        digests,
        clock_check,
    }
}
