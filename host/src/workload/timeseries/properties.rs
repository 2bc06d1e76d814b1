//! Properties of TimeSeriesWorkload.

use crate::config::Declaration;
use crate::workload::class::WORKLOAD;
use crate::workload::core::TABLE;
use crate::workload::record::{DATAINTEGRITY, FIELDCOUNT, FIELDLENGTH};
use crate::workload::records::{CLIENT_COUNT, CLIENT_INDEX, INSERTCOUNT, OPERATIONCOUNT, RECORDCOUNT};
use crate::workload::scan_length::{MAXSCANLENGTH, SCANLENGTHDISTRIBUTION};
use crate::workload::{operation_mix, request_distribution};

const LENGTH_RANGE: &str = "1..65536";

/// First timestamp.
pub const INSERTSTART: Declaration = Declaration::text("insertstart").help(
    "First timestamp, in timestampunits (seconds for minutes, hours and days); now if it is not given.",
);
/// Field of the timestamp.
pub const TIMESTAMPKEY: Declaration =
    Declaration::text("timestampkey").default("YCSBTS").help("Name of the field that holds the timestamp.");
/// Field of the value.
pub const VALUEKEY: Declaration =
    Declaration::text("valuekey").default("YCSBV").help("Name of the field that holds the value.");
/// Distance of two timestamps.
pub const TIMESTAMPINTERVAL: Declaration = Declaration::integer("timestampinterval")
    .default("60")
    .range("1..2147483647")
    .help("Distance from one timestamp of a series to the next, in timestampunits.");
/// Unit of time.
pub const TIMESTAMPUNITS: Declaration = Declaration::text("timestampunits")
    .default("SECONDS")
    .help("Unit of timestampinterval and of timestamps: MILLISECONDS, SECONDS, MINUTES, HOURS or DAYS, in any case; timestamps in the last three are seconds.");
/// Tags of a series.
pub const TAGCOUNT: Declaration =
    Declaration::integer("tagcount").default("4").range("1..1000").help("Tags of every series.");
/// Values of each tag.
pub const TAGCARDINALITY: Declaration = Declaration::text("tagcardinality")
    .default("1, 2, 4, 8")
    .help("Number of values of each tag, separated by commas; tags without a number have one value.");
/// Length of tag names.
pub const TAGKEYLENGTH: Declaration =
    Declaration::integer("tagkeylength").default("8").range(LENGTH_RANGE).help("Characters of a tag's name.");
/// Length of tag values.
pub const TAGVALUELENGTH: Declaration = Declaration::integer("tagvaluelength")
    .default("8")
    .range(LENGTH_RANGE)
    .help("Characters of a tag's value.");
/// Between tag and value.
pub const TAGPAIRDELIMITER: Declaration = Declaration::text("tagpairdelimiter")
    .default("=")
    .help("What stands between name and value in the tokens of a query.");
/// Between the parts of a delete.
pub const DELETEDELIMITER: Declaration = Declaration::text("deletedelimiter")
    .default(":")
    .help("What stands between the parts of the key of a delete: series key and tokens.");
/// Order of timestamps.
pub const RANDOMWRITETIMESTAMPORDER: Declaration = Declaration::bool("randomwritetimestamporder")
    .default("false")
    .help("Writes the timestamps of a series in random order, each once.");
/// Order of series.
pub const RANDOMTIMESERIESORDER: Declaration = Declaration::bool("randomtimeseriesorder")
    .default("true")
    .help("Shuffles series keys and tag values before they are written in turn.");
/// Type of values.
pub const VALUETYPE: Declaration = Declaration::text("valuetype")
    .default("floats")
    .help("Type of the values: integers, floats or mixednumbers (mixed), in any case.");
/// Values left out.
pub const SPARSITY: Declaration = Declaration::number("sparsity")
    .default("0.00")
    .range("0..1")
    .help("How much of a key's series a write may skip, as a fraction.");
/// Series that lag.
pub const DELAYEDSERIES: Declaration = Declaration::number("delayedseries")
    .aliases(&["delayedSeries"])
    .default("0.10")
    .range("0..1")
    .help("Fraction of the series whose values come late.");
/// How much they lag.
pub const DELAYEDINTERVALS: Declaration = Declaration::integer("delayedintervals")
    .aliases(&["delayedIntervals"])
    .default("5")
    .range("0..2147483647")
    .help("Delayed series lag by less than so many intervals.");
/// Time span of a query.
pub const QUERYTIMESPAN: Declaration = Declaration::integer("querytimespan")
    .default("0")
    .range("0..2147483647")
    .run_only()
    .help("Time span that a query asks for, in units of the timestamps; 0 asks for one timestamp.");
/// Whether it varies.
pub const QUERYRANDOMTIMESPAN: Declaration = Declaration::bool("queryrandomtimespan")
    .default("false")
    .run_only()
    .help("Draws the time span of each query, up to querytimespan.");
/// Between two timestamps.
pub const QUERYTIMESPANDELIMITER: Declaration = Declaration::text("querytimespandelimiter")
    .default(",")
    .run_only()
    .help("What stands between the two timestamps of a time span.");
/// Name of the group-by token.
pub const GROUPBYKEY: Declaration = Declaration::text("groupbykey")
    .default("YCSBGB")
    .run_only()
    .help("Name of the token that asks for grouping.");
/// Function of grouping.
pub const GROUPBYFUNCTION: Declaration = Declaration::text("groupbyfunction")
    .run_only()
    .help("Function that queries apply over groups, such as SUM; needs groupbykeys.");
/// Tags that are grouped.
pub const GROUPBYKEYS: Declaration = Declaration::text("groupbykeys")
    .run_only()
    .help("For each tag 1 to group by it or 0 to ask for one value, separated by commas, as in 0,0,1,1.");
/// Name of the downsampling token.
pub const DOWNSAMPLINGKEY: Declaration = Declaration::text("downsamplingkey")
    .default("YCSBDS")
    .run_only()
    .help("Name of the token that asks for downsampling.");
/// Function of downsampling.
pub const DOWNSAMPLINGFUNCTION: Declaration = Declaration::text("downsamplingfunction")
    .run_only()
    .help("Function that queries apply over intervals, such as AVERAGE; needs downsamplinginterval.");
/// Interval of downsampling.
pub const DOWNSAMPLINGINTERVAL: Declaration = Declaration::integer("downsamplinginterval")
    .range("1..2147483647")
    .run_only()
    .help("Length of the intervals of downsampling, in units of the timestamps.");
/// Which keys queries choose.
pub const REQUESTDISTRIBUTION: Declaration =
    Declaration::one_of("requestdistribution", "uniform|sequential|zipfian|hotspot")
        .default("uniform")
        .run_only()
        .help("Which series keys reads choose; scans and deletes choose all alike.");
/// Given by the template, without a meaning here.
pub const FIELDLENGTHDISTRIBUTION: Declaration = Declaration::text("fieldlengthdistribution")
    .default("constant")
    .no_effect()
    .help("Keys of time series always have fieldlength characters.");

/// Every property that TimeSeriesWorkload reads, in the order of the reference.
pub const DECLARATIONS: &[Declaration] = &[
    WORKLOAD,
    TABLE,
    RECORDCOUNT,
    OPERATIONCOUNT,
    INSERTSTART,
    INSERTCOUNT,
    CLIENT_INDEX,
    CLIENT_COUNT,
    FIELDCOUNT,
    FIELDLENGTH,
    FIELDLENGTHDISTRIBUTION,
    TAGCOUNT,
    TAGCARDINALITY,
    TAGKEYLENGTH,
    TAGVALUELENGTH,
    TAGPAIRDELIMITER,
    TIMESTAMPKEY,
    TIMESTAMPUNITS,
    TIMESTAMPINTERVAL,
    VALUEKEY,
    VALUETYPE,
    SPARSITY,
    DELAYEDSERIES,
    DELAYEDINTERVALS,
    RANDOMTIMESERIESORDER,
    RANDOMWRITETIMESTAMPORDER,
    DATAINTEGRITY,
    operation_mix::READ,
    operation_mix::UPDATE,
    operation_mix::INSERT,
    operation_mix::SCAN,
    operation_mix::READ_MODIFY_WRITE,
    operation_mix::DELETE,
    MAXSCANLENGTH,
    SCANLENGTHDISTRIBUTION,
    REQUESTDISTRIBUTION,
    request_distribution::HOTSPOTDATAFRACTION,
    request_distribution::HOTSPOTOPNFRACTION,
    QUERYTIMESPAN,
    QUERYRANDOMTIMESPAN,
    QUERYTIMESPANDELIMITER,
    DELETEDELIMITER,
    GROUPBYKEY,
    GROUPBYFUNCTION,
    GROUPBYKEYS,
    DOWNSAMPLINGKEY,
    DOWNSAMPLINGFUNCTION,
    DOWNSAMPLINGINTERVAL,
];
