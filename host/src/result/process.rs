//! What describes one process of a run: what it was told, what it ran on, what it cost.

use crate::measure::{MachineFacts, ProcessExtremes, ThreadUsage};
use crate::workload::Dataset;
use serde::{Deserialize, Serialize};

/// One process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcessFacts {
    /// The program.
    pub program: ProgramFacts,
    /// What it was told to do.
    pub plan: PlanFacts,
    /// What talked to the database.
    pub plugin: PluginFacts,
    /// From the first session until all were open.
    pub set_up_ns: u64,
    /// Why clients were told to stop: `none`, `time-limit`, `interrupt`, `terminate`, `load-errors`,
    /// `open-failed`, `broken` or `output-closed`.
    pub stop_cause: String,
    /// How an async binding's run ended, if not well, or a fault of the program.
    pub failure: Option<String>,
    /// The figures, piece by piece, in order.
    pub intervals: Vec<IntervalFacts>,
    /// Digest of the operations of each client, 16 hexadecimal digits; null for clients that were given up.
    pub digests: Vec<Option<String>>,
    /// The records that the workload is about.
    pub dataset: Option<Dataset>,
    /// How the clock did.
    pub clock: ClockFacts,
    /// The machine.
    pub host: MachineFacts,
    /// What the process took.
    pub client_cost: ClientCost,
    /// Extremes of the process, with `measurement.trackjvm` and status lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extremes: Option<ProcessExtremes>,
    /// What the host itself costs per operation; absent where it was not measured.
    pub calibration: Option<Calibration>,
}

/// The program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFacts {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The words behind its name, without secrets.
    pub command_line: String,
}

/// What a process was told to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanFacts {
    /// Table.
    pub table: String,
    /// Clients.
    pub clients: u64,
    /// Operations after the warm-up; absent without a limit.
    pub operations: Option<u64>,
    /// Measured time after which clients stop; absent without a limit.
    pub duration_ns: Option<u64>,
    /// Operations that stay out of the figures: `none`, a time as in `30s`, or `1000 operations`.
    pub warm_up: String,
    /// Operations per second of all clients; absent in a closed loop.
    pub target_per_sec: Option<f64>,
    /// `client` or `shared`.
    pub arrival: String,
    /// `even` or `poisson`.
    pub arrival_process: String,
    /// `catchup`, `spread` or `drop`.
    pub throttle_policy: String,
    /// Rows of a full batch; 1 = none.
    pub batch_size: u64,
    /// Time-out of one operation; 0 = none.
    pub operation_timeout_ns: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Whether it was given.
    pub seed_was_given: bool,
    /// Percentiles that the reports show.
    pub percentiles: Vec<f64>,
    /// Every setting.
    pub properties: Vec<PropertyFacts>,
}

/// A setting, without secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyFacts {
    /// Name.
    pub name: String,
    /// Value.
    pub value: String,
    /// Where the value comes from: `FILE:LINE`, `argument -p`, `default` and the like.
    pub origin: String,
    /// Values that it overrides, the last overridden first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<OverriddenFacts>,
}

/// A value that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverriddenFacts {
    /// Value.
    pub value: String,
    /// Where it comes from.
    pub origin: String,
}

/// What talked to the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginFacts {
    /// Name of the binding.
    pub name: String,
    /// Version of the plugin.
    pub version: String,
    /// The library.
    pub path: String,
    /// What compiled it.
    pub compiler: String,
    /// Version of the author's crate that it was built with.
    pub api_version: String,
    /// Whether its own runtime asked for operations.
    pub is_async: bool,
    /// What it can do in this configuration.
    pub capabilities: Vec<String>,
    /// What it says it was connected to.
    pub connected_to: String,
}

/// A piece of the run. Times count from the beginning of the figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IntervalFacts {
    /// Its start.
    pub from_ns: u64,
    /// Its end.
    pub to_ns: u64,
    /// Operations that succeeded.
    pub successful: u64,
    /// Operations that failed.
    pub failed: u64,
    /// Series and statuses that occurred.
    pub measurements: Vec<IntervalMeasurement>,
}

/// One series and status in an interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IntervalMeasurement {
    /// Series.
    pub name: String,
    /// Our name of the status.
    pub status: String,
    /// Whether it counts as a success.
    pub success: bool,
    /// Samples.
    pub count: u64,
    /// Service times.
    pub service: LatencyFigures,
    /// Response times, of operations that were due.
    pub response: Option<LatencyFigures>,
}

/// A few figures of a histogram, nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyFigures {
    /// Mean.
    pub mean_ns: f64,
    /// Median.
    pub p50_ns: u64,
    /// 95th percentile.
    pub p95_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// Largest sample.
    pub max_ns: u64,
}

/// How the clock did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockFacts {
    /// Largest disagreement between the processor's counter and the kernel.
    pub largest_offset_ns: u64,
    /// Whether the processor's counter was found unreliable.
    pub unreliable: bool,
    /// By how much the time of day moved against the monotonic clock while the run lasted, milliseconds.
    pub time_of_day_step_ms: i64,
}

/// What the process took from the beginning of the figures to their end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClientCost {
    /// The time that the other figures are about.
    pub wall_ns: u64,
    /// Processor time of all threads.
    pub cpu_ns: u64,
    /// Waiting for a processor, all threads together.
    pub run_queue_delay_ns: u64,
    /// Times that threads gave up a processor to wait for something.
    pub voluntary_switches: u64,
    /// Times that a processor was taken from a thread.
    pub involuntary_switches: u64,
    /// Most memory in use at once, since the process began.
    pub peak_memory_bytes: u64,
    /// Each thread, the busiest first.
    pub threads: Vec<ThreadUsage>,
}

impl ClientCost {
    /// Processors that were busy on average.
    pub fn busy_processors(&self) -> f64 {
        if self.wall_ns == 0 { 0.0 } else { self.cpu_ns as f64 / self.wall_ns as f64 }
    }
}

/// What the host itself costs: the same clients, answered at once and without a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Threads that took part.
    pub threads: u64,
    /// Operations.
    pub operations: u64,
    /// Processor time of these threads.
    pub cpu_ns: u64,
    /// Processor time per operation.
    pub host_ns_per_operation: f64,
    /// Share of the processor time open to the clients that the host itself took during the run, 0 to 1.
    pub share_of_run: f64,
}
