//! The properties of measuring and reporting.

use crate::base::units::NS_PER_S;
use crate::config::{Declaration, Kind};

/// What is kept and shown of each measurement.
pub const MEASUREMENT_TYPE: Declaration = Declaration::one_of(
    "measurementtype",
    "hdrhistogram|histogram|hdrhistogram+histogram|hdrhistogram+raw|timeseries|raw",
)
.default("hdrhistogram")
.help("Form in which measurements are reported.");
/// Which latencies are shown.
pub const MEASUREMENT_INTERVAL: Declaration =
    Declaration::one_of("measurement.interval", "op|intended|both").default("op").help(
        "Latencies in YCSB's report: op = service time, intended = response time counted from when the operation was due, both.",
    );
/// Percentile lines of the hdrhistogram report.
pub const PERCENTILES: Declaration = Declaration::text("hdrhistogram.percentiles")
    .default("50,95,99")
    .help("Percentiles in the report, separated by commas. An unreadable list is replaced by the default, with a note.");
/// Bucket lines.
pub const VERBOSE: Declaration = Declaration::bool("measurement.histogram.verbose")
    .default("false")
    .help("Adds one report line per histogram bucket.");
/// Interval logs in YCSB's form.
pub const HDR_FILES: Declaration = Declaration::bool("hdrhistogram.fileoutput")
    .default("false")
    .help("Writes an interval log NAME.hdr per measurement, in microseconds, as YCSB does.");
/// Where the interval logs go.
pub const HDR_FILE_PREFIX: Declaration = Declaration::text("hdrhistogram.output.path")
    .default("")
    .help("Text in front of the names of the interval logs; a folder needs its trailing slash.");
/// One interval log of everything.
pub const HDR_LOG: Declaration = Declaration::file("hdrhistogram.log").help(
    "Writes one interval log of all measurements, in nanoseconds, each line tagged with its measurement.",
);
/// Length of the histogram type.
pub const BUCKETS: Declaration = Declaration::integer("histogram.buckets")
    .default("1000")
    .range("1..1000000")
    .help("Number of one-millisecond buckets of measurementtype=histogram.");
/// Unit of the time series type.
pub const GRANULARITY: Declaration = Declaration::integer("timeseries.granularity")
    .default("1000")
    .range("1..")
    .help("Milliseconds over which measurementtype=timeseries averages.");
/// Destination of raw samples.
pub const RAW_FILE: Declaration = Declaration::file("measurement.raw.output_file").default("").help(
    "File to which measurementtype=raw appends its samples; empty = before the report on standard output.",
);
/// Figures of the raw type.
pub const RAW_NO_SUMMARY: Declaration = Declaration::bool("measurement.raw.no_summary")
    .default("false")
    .help("Leaves the figures out of the report of measurementtype=raw.");
/// Figures of the host process.
pub const TRACK_JVM: Declaration = Declaration::bool("measurement.trackjvm")
    .default("false")
    .help("Samples threads, memory and machine load with every status line.");
/// One measurement per failure status.
pub const REPORT_EACH_ERROR: Declaration = Declaration::bool("reportlatencyforeacherror")
    .default("false")
    .help("Shows latencies of failed operations per status, as READ-NOT_FOUND, not together as READ-FAILED.");
/// Measurements of their own for some failure statuses.
pub const TRACKED_ERRORS: Declaration = Declaration::text("latencytrackederrors")
    .help("Statuses, separated by commas, whose failed operations are shown apart, as READ-NOT_FOUND.");
/// Form of the report.
pub const EXPORTER: Declaration = Declaration::text("exporter")
    .default("site.ycsb.measurements.exporter.TextMeasurementsExporter")
    .help("Form of the report: text, jsonarray, json (one document), or the class name of one of YCSB's exporters.");
/// Destination of the report.
pub const EXPORT_FILE: Declaration =
    Declaration::file("exportfile").help("File of the report, overwritten; default standard output.");
/// Status lines.
pub const STATUS: Declaration =
    Declaration::bool("status").default("false").help("Prints status lines on standard error, as -s does.");
/// Time between status lines.
pub const STATUS_INTERVAL: Declaration = Declaration::new("status.interval", Kind::Duration)
    .default("10")
    .bare_unit_ns(NS_PER_S)
    .range("1..")
    .help("Time between status lines; a plain number counts seconds.");
/// Text in front of status lines.
pub const LABEL: Declaration =
    Declaration::text("label").default("").help("Text in front of every status line, as -l sets it.");

/// All of them.
pub const DECLARATIONS: &[Declaration] = &[
    MEASUREMENT_TYPE,
    MEASUREMENT_INTERVAL,
    PERCENTILES,
    VERBOSE,
    HDR_FILES,
    HDR_FILE_PREFIX,
    HDR_LOG,
    BUCKETS,
    GRANULARITY,
    RAW_FILE,
    RAW_NO_SUMMARY,
    TRACK_JVM,
    REPORT_EACH_ERROR,
    TRACKED_ERRORS,
    EXPORTER,
    EXPORT_FILE,
    STATUS,
    STATUS_INTERVAL,
    LABEL,
];
