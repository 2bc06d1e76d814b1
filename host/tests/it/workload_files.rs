//! The workload files hold the values of YCSB's, and the program takes them as they are.

use std::collections::BTreeMap;
use std::path::PathBuf;
use ycsb_host::config::properties::parse;

/// The values of workload A; the other letters are said by their differences from it.
const WORKLOAD_A: &[(&str, &str)] = &[
    ("workload", "site.ycsb.workloads.CoreWorkload"),
    ("recordcount", "1000"),
    ("operationcount", "1000"),
    ("readallfields", "true"),
    ("readproportion", "0.5"),
    ("updateproportion", "0.5"),
    ("insertproportion", "0"),
    ("scanproportion", "0"),
    ("requestdistribution", "zipfian"),
];

const TIME_SERIES_A: &[(&str, &str)] = &[
    ("workload", "site.ycsb.workloads.TimeSeriesWorkload"),
    ("recordcount", "1474560"),
    ("operationcount", "2949120"),
    ("fieldlength", "8"),
    ("fieldcount", "64"),
    ("tagcount", "4"),
    ("tagcardinality", "1,2,4,2"),
    ("sparsity", "0.0"),
    ("delayedSeries", "0.0"),
    ("delayedIntervals", "0"),
    ("timestampunits", "SECONDS"),
    ("timestampinterval", "60"),
    ("querytimespan", "3600"),
    ("readproportion", "0.10"),
    ("updateproportion", "0.00"),
    ("insertproportion", "0.90"),
];

const TEMPLATE: &[(&str, &str)] = &[
    ("workload", "site.ycsb.workloads.CoreWorkload"),
    ("recordcount", "1000000"),
    ("operationcount", "3000000"),
    ("insertstart", "0"),
    ("fieldcount", "10"),
    ("fieldlength", "100"),
    ("readallfields", "true"),
    ("writeallfields", "false"),
    ("fieldlengthdistribution", "constant"),
    ("readproportion", "0.95"),
    ("updateproportion", "0.05"),
    ("insertproportion", "0"),
    ("readmodifywriteproportion", "0"),
    ("scanproportion", "0"),
    ("maxscanlength", "1000"),
    ("maxscanrate", "0"),
    ("scanoptimelimit", "0"),
    ("discardscannedrecord", "false"),
    ("scanlengthdistribution", "uniform"),
    ("insertorder", "hashed"),
    ("requestdistribution", "zipfian"),
    ("hotspotdatafraction", "0.2"),
    ("hotspotopnfraction", "0.8"),
    ("table", "usertable"),
    ("measurementtype", "histogram"),
    ("histogram.buckets", "1000"),
    ("timeseries.granularity", "1000"),
];

const TIME_SERIES_TEMPLATE: &[(&str, &str)] = &[
    ("workload", "site.ycsb.workloads.TimeSeriesWorkload"),
    ("recordcount", "1000000"),
    ("operationcount", "3000000"),
    ("timestampunits", "SECONDS"),
    ("timestampinterval", "60"),
    ("fieldcount", "16"),
    ("fieldlength", "8"),
    ("fieldlengthdistribution", "constant"),
    ("tagcount", "4"),
    ("tagcardinality", "1,2,4,8"),
    ("tagkeylength", "8"),
    ("tagvaluelength", "8"),
    ("tagpairdelimiter", "="),
    ("deletedelimiter", ":"),
    ("randomwritetimestamporder", "false"),
    ("randomtimeseriesorder", "false"),
    ("valuetype", "floats"),
    ("sparsity", "0.00"),
    ("delayedSeries", "0.10"),
    ("delayedIntervals", "5"),
    ("querytimespan", "0"),
    ("queryrandomtimespan", "false"),
    ("querytimespandelimiter", ","),
    ("groupbykey", "YCSBGB"),
    ("downsamplingkey", "YCSBDS"),
    ("readproportion", "0.10"),
    ("updateproportion", "0.00"),
    ("insertproportion", "0.90"),
    ("requestdistribution", "zipfian"),
    ("table", "usertable"),
    ("dataintegrity", "false"),
    ("measurementtype", "histogram"),
    ("histogram.buckets", "1000"),
    ("timeseries.granularity", "1000"),
];

fn values(file: &str) -> BTreeMap<String, String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../workloads").join(file);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let entries = parse(&bytes).expect(file);
    let count = entries.len();
    let values: BTreeMap<String, String> =
        entries.into_iter().map(|entry| (entry.name, entry.value)).collect();
    assert_eq!(values.len(), count, "{file} names a property twice");
    values
}

fn table(lists: &[&[(&str, &str)]]) -> BTreeMap<String, String> {
    let pairs = lists.iter().flat_map(|list| list.iter());
    pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn the_stock_files_hold_the_values_of_ycsb() {
    let differences: [(&str, &[(&str, &str)]); 6] = [
        ("workloada", &[]),
        ("workloadb", &[("readproportion", "0.95"), ("updateproportion", "0.05")]),
        ("workloadc", &[("readproportion", "1"), ("updateproportion", "0")]),
        (
            "workloadd",
            &[
                ("readproportion", "0.95"),
                ("updateproportion", "0"),
                ("insertproportion", "0.05"),
                ("requestdistribution", "latest"),
            ],
        ),
        (
            "workloade",
            &[
                ("readproportion", "0"),
                ("updateproportion", "0"),
                ("insertproportion", "0.05"),
                ("scanproportion", "0.95"),
                ("maxscanlength", "100"),
                ("scanlengthdistribution", "uniform"),
            ],
        ),
        ("workloadf", &[("updateproportion", "0"), ("readmodifywriteproportion", "0.5")]),
    ];
    for (file, difference) in differences {
        assert_eq!(values(file), table(&[WORKLOAD_A, difference]), "{file}");
    }
    assert_eq!(values("tsworkloada"), table(&[TIME_SERIES_A]));
    assert_eq!(values("workload_template"), table(&[TEMPLATE]));
    assert_eq!(values("tsworkload_template"), table(&[TIME_SERIES_TEMPLATE]));
}
