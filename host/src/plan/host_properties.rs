//! Properties of the host itself: what is run, how long, at which rate, and what counts as a failure.

use crate::base::units::NS_PER_S;
use crate::config::Declaration;

/// The binding.
pub const DB: Declaration = Declaration::text("db")
    .default("site.ycsb.BasicDB")
    .help("Binding: a name, one of YCSB's class names, or the path of a plugin library.");
/// Number of clients.
pub const THREADCOUNT: Declaration = Declaration::integer("threadcount")
    .default("1")
    .range("1..1000000")
    .help("Number of clients, each with one operation in flight.");
/// Time limit as YCSB has it.
pub const MAXEXECUTIONTIME: Declaration = Declaration::duration("maxexecutiontime")
    .default("0")
    .bare_unit_ns(NS_PER_S)
    .help("Longest time of the phase; a plain number counts seconds, 0 means no limit.");
/// Time limit that lifts the operation count.
pub const DURATION: Declaration = Declaration::duration("duration")
    .range("1ms..")
    .run_only()
    .help("Runs for this time whatever operationcount says, as in 10m.");
/// The phase.
pub const DOTRANSACTIONS: Declaration = Declaration::bool("dotransactions")
    .default("true")
    .help("true for the run phase, false for the load phase; load, run, -load and -t set it.");
/// Busy waiting.
pub const SPIN_SLEEP: Declaration = Declaration::bool("spin.sleep")
    .default("false")
    .help("Waits for the next due time by spinning instead of sleeping.");
/// Records of one batch.
pub const BATCHSIZE: Declaration = Declaration::integer("batchsize")
    .aliases(&["batch.size"])
    .default("1")
    .help("Records that a client gathers and inserts with one call, where the binding has batches; below 1 means 1.");
/// Start from an empty table.
pub const DROPDATA: Declaration =
    Declaration::bool("dropdata").default("false").load_only().help("Empties the table before the load.");
/// Time for opening the database.
pub const CONNECT_TIMEOUT: Declaration = Declaration::duration("connect.timeout")
    .default("10s")
    .range("1ms..")
    .help("Longest time for opening the database.");
/// Time for one operation.
pub const OPERATION_TIMEOUT: Declaration = Declaration::duration("operation.timeout")
    .default("0")
    .help("Longest time of one operation, then it counts as TIMEOUT; 0 means no limit.");
/// Patience with calls that do not return.
pub const STOP_GRACE: Declaration = Declaration::duration("stop.grace").default("2s").help(
    "Time that calls in flight have to return when a run is over; after it they are interrupted, and after \
     the same time again given up.",
);
/// Failures that are tolerated.
pub const ERRORS_ALLOWED: Declaration = Declaration::text("errors.allowed")
    .default("0")
    .help("Failed operations that leave the run sound: a count, or a percentage of operations as in 0.1%.");
/// Failure statuses that are part of the workload.
pub const ERRORS_EXPECTED: Declaration = Declaration::text("errors.expected")
    .default("")
    .help("Failure statuses, separated by commas, that the workload expects, as in NOT_FOUND; they never fail the run.");
/// What happens to unknown names.
pub const PROPERTIES_UNKNOWN: Declaration = Declaration::one_of("properties.unknown", "error|warn|ignore")
    .default("error")
    .help("What to do with property names that nobody declares.");
/// Fixes the operation streams.
pub const SEED: Declaration = Declaration::integer("seed")
    .range("0..")
    .help("Fixes the operations of every client: the same seed gives the same stream.");
/// Operations that are not measured.
pub const WARMUP: Declaration = Declaration::text("warmup")
    .default("0")
    .run_only()
    .help("Operations that are carried out first and kept out of the figures: a time as in 30s, or a count.");
/// The result document.
pub const RESULT_FILE: Declaration = Declaration::file("result.file")
    .help("File of the result document (JSON), written as the run goes on; --out sets it.");
/// The dataset manifest.
pub const DATASET_FILE: Declaration = Declaration::file("dataset.file").help(
    "File that describes the loaded records: a load writes it (by default beside result.file), a run that names it \
     says what in its plan contradicts the load.",
);
/// When a doubtful verdict fails the run.
pub const VERDICT_FAIL: Declaration = Declaration::one_of("verdict.fail", "suspect|invalid")
    .help("Exits with 1 if the verdict on the run is at least this bad.");
/// Calibration after the run.
pub const CALIBRATE: Declaration = Declaration::bool("calibrate")
    .default("false")
    .help("Measures the host itself after the last operation, also after short runs; --calibrate sets it.");

/// Declared by nobody else, read by the host.
pub const DECLARATIONS: &[Declaration] = &[
    DB,
    THREADCOUNT,
    MAXEXECUTIONTIME,
    DURATION,
    DOTRANSACTIONS,
    SPIN_SLEEP,
    BATCHSIZE,
    DROPDATA,
    CONNECT_TIMEOUT,
    OPERATION_TIMEOUT,
    STOP_GRACE,
    ERRORS_ALLOWED,
    ERRORS_EXPECTED,
    PROPERTIES_UNKNOWN,
    SEED,
    WARMUP,
    RESULT_FILE,
    DATASET_FILE,
    VERDICT_FAIL,
    CALIBRATE,
];

/// Names that YCSB or a fork reads, or once read, and that do nothing here. The default of each is the value
/// that asks for nothing: given so, as the workload templates do, it is not worth a word.
pub const WITHOUT_EFFECT: &[Declaration] = &[
    Declaration::text("htrace.")
        .prefix()
        .no_effect()
        .help("Tracing of the Java client is not part of this host."),
    Declaration::text("maxscanrate")
        .default("0")
        .no_effect()
        .help("Only one old binding limited scans by it."),
    Declaration::text("scanoptimelimit")
        .default("0")
        .no_effect()
        .help("Only one old binding limited scans by it."),
    Declaration::text("discardscannedrecord")
        .default("false")
        .no_effect()
        .help("Scanned records are decoded and then dropped anyway."),
    Declaration::text("columnfamily")
        .default("")
        .no_effect()
        .help("Only the bindings of column stores read it."),
    Declaration::text("fieldlengthdistfile")
        .default("")
        .no_effect()
        .help("YCSB documents it and reads fieldlengthhistogram."),
    Declaration::text("debug").default("false").no_effect().help("Bindings report through the host's log."),
    Declaration::text("test").default("false").no_effect().help("Only time series bindings of YCSB read it."),
    Declaration::text("command")
        .default("")
        .no_effect()
        .help("go-ycsb's own mark; load and run are words here."),
    Declaration::text("verbose")
        .default("false")
        .no_effect()
        .help("go-ycsb's switch; -s shows the status here."),
    Declaration::text("outputstyle")
        .default("plain")
        .no_effect()
        .help("go-ycsb's switch; exporter is YCSB's."),
    Declaration::text("silence")
        .default("true")
        .no_effect()
        .help("go-ycsb's switch; only -s prints status here."),
    Declaration::text("debug.pprof")
        .default("")
        .no_effect()
        .help("The profiler of go-ycsb is not part of this host."),
];
