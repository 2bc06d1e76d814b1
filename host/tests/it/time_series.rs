//! Time series through the whole program: the runs of `host/tests/golden/timeseries_runs.json`, and the
//! sample workloads on bindings that echo and that keep points.

use crate::differences::documented;
use crate::support::{Place, Ran, workload};
use crate::transcript::Transcript;

#[derive(serde::Deserialize)]
struct Case {
    case: String,
    args: Vec<String>,
    stdout: String,
}

/// How a run compares with YCSB's.
enum Now {
    /// The same writes, but for values that are drawn.
    Writes,
    /// Operations of the same shape and number; keys, times and values are drawn.
    Shapes,
    /// Refused: exit code 2, one message with this part.
    Refused(&'static str),
    /// Sound, with this many operations, where YCSB does otherwise as the difference of this name says.
    Instead(&'static str, usize),
}

use Now::{Instead, Refused, Shapes, Writes};

const CASES: [(&str, Now); 29] = [
    ("load, no delay", Writes),
    ("load, default delay settings", Writes),
    ("load, delayedseries 0.6 delayedintervals 3", Writes),
    ("load, data integrity, no delay", Writes),
    ("load, integers", Writes),
    ("load, mixednumbers", Writes),
    ("load, valuetype=mixed (as the template says)", Instead("Q-31", 6)),
    ("load, 2 threads each own a key", Writes),
    ("load, milliseconds", Writes),
    ("load, minutes", Instead("Q-35", 12)),
    ("load, more threads than keys", Refused("fieldcount=\"2\" must be at least the number of clients, 3")),
    ("load, random timestamp order", Shapes),
    ("read", Shapes),
    ("read, query time span", Shapes),
    ("read, random query time span", Shapes),
    ("read, downsampling", Shapes),
    ("scan, downsampling", Instead("Q-24", 3)),
    ("scan", Shapes),
    ("update at start", Instead("Q-33", 10)),
    ("insert by transaction", Writes),
    ("read modify write chosen", Refused("readmodifywriteproportion=\"1\" must be 0")),
    ("groupby", Instead("Q-30", 10)),
    ("read with too few records (one offset)", Instead("Q-33", 10)),
    ("integrity with floats", Refused("valuetype=\"floats\" must be integers")),
    ("latest distribution", Refused("requestdistribution=\"latest\"")),
    ("nanoseconds", Refused("timestampunits=\"NANOSECONDS\"")),
    ("sparsity 0.5", Shapes),
    ("fewer cardinalities than tags", Instead("Q-32", 6)),
    ("basicdb.count", Shapes),
];

fn golden() -> Vec<Case> {
    serde_json::from_str(include_str!("../golden/timeseries_runs.json")).expect("the golden file")
}

/// Echoed operations: words, then cells or tokens in order of their names.
fn operations(stdout: &str) -> Vec<Vec<String>> {
    let kinds = ["INSERT ", "UPDATE ", "READ ", "SCAN ", "DELETE "];
    let echoed = stdout.lines().filter(|line| kinds.iter().any(|kind| line.starts_with(kind)));
    echoed
        .map(|line| {
            let (words, cells) = line.split_once(" [ ").unwrap_or_else(|| panic!("{line}"));
            let mut cells: Vec<&str> = cells.trim_end_matches(" ]").split(' ').collect();
            cells.sort_unstable();
            words.split(' ').chain(cells).map(str::to_owned).collect()
        })
        .collect()
}

/// Writes without their values. Two clients may take turns in any way.
fn writes(stdout: &str) -> Vec<Vec<String>> {
    let mut writes = operations(stdout);
    writes.iter_mut().for_each(|write| write.retain(|cell| !cell.starts_with("YCSBV=")));
    writes.sort();
    writes
}

/// Operations without what is drawn: kind, table, names of the cells, numbers as `#`.
fn shapes(stdout: &str) -> Vec<String> {
    let shape = |operation: Vec<String>| {
        let cells = operation[2..].iter().filter_map(|cell| cell.split_once('='));
        let cells = cells.map(|(name, value)| match name {
            "YCSBTS" => format!("{name}={}", value.replace(|digit: char| digit.is_ascii_digit(), "#")),
            "YCSBDS" => format!("{name}={value}"),
            _ => name.to_owned(),
        });
        format!("{} {} {}", operation[0], operation[1], cells.collect::<Vec<_>>().join(" "))
    };
    let mut shapes: Vec<String> = operations(stdout).into_iter().map(shape).collect();
    shapes.sort();
    shapes
}

/// What the binding counted.
fn counted(stdout: &str) -> Vec<&str> {
    stdout.lines().filter(|line| line.contains("], Unique") || line.starts_with("[TIMESTAMPS]")).collect()
}

fn compare(case: &Case, now: &Now, ran: &Ran) {
    let title = &case.case;
    if let Refused(part) = now {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{title}: {ran:?}");
        assert!(ran.messages().last().is_some_and(|message| message.contains(part)), "{title}: {ran:?}");
        return;
    }
    assert_eq!(ran.code, Some(0), "{title}: {ran:?}");
    match now {
        Writes => assert_eq!(writes(&ran.stdout), writes(&case.stdout), "{title}"),
        Shapes => assert_eq!(shapes(&ran.stdout), shapes(&case.stdout), "{title}"),
        Instead(name, count) => {
            assert!(documented().contains(*name), "{title}: {name}");
            assert_eq!(operations(&ran.stdout).len(), *count, "{title}: {ran:?}");
            assert_ne!(writes(&ran.stdout), writes(&case.stdout), "{title} does not differ any more");
            return;
        }
        Refused(_) => {}
    }
    assert_eq!(counted(&ran.stdout), counted(&case.stdout), "{title}");
    // Random draws may be spread otherwise over keys; the report counts the same operations.
    let (ours, theirs) = (Transcript::of(&ran.stdout), Transcript::of(&case.stdout));
    let blocks = |transcript: &Transcript| transcript.blocks.clone();
    assert_eq!(blocks(&ours), blocks(&theirs), "{title}");
}

#[test]
fn every_golden_time_series_run_is_the_same_or_differs_as_documented() {
    let golden = golden();
    let names: Vec<&str> = golden.iter().map(|case| case.case.as_str()).collect();
    assert_eq!(names, CASES.each_ref().map(|(name, _)| *name));
    for (case, (_, now)) in golden.iter().zip(&CASES) {
        compare(case, now, &Place::new().ycsb(&case.args));
    }
}

/// A sample workload with few points, in both phases.
fn sample(place: &Place, phase: &str, binding: &str, file: &str, more: &str) -> Ran {
    let words = [phase, binding, "-P", &workload(file)].map(str::to_owned);
    let ran = place.ycsb(words.into_iter().chain(more.split_whitespace().map(str::to_owned)));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

#[test]
fn the_sample_workloads_load_and_run_on_bindings_that_echo_and_that_keep_points() {
    for file in ["tsworkloada", "tsworkload_template"] {
        for (binding, more) in
            [("basicts", "-p basicdb.verbose=false"), ("memdb", "-p mem.file=points"), ("memdb-async", "")]
        {
            let place = Place::new();
            let more = format!("-p recordcount=3000 -p operationcount=500 -threads 2 {more}");
            let loaded = Transcript::of(&sample(&place, "load", binding, file, &more).stdout);
            assert_eq!(loaded.count("INSERT", "Return=OK"), 3000, "{file} {binding}");
            let ran = Transcript::of(&sample(&place, "run", binding, file, &more).stdout);
            let done = ran.count("INSERT", "Return=OK") + ran.count("READ", "Return=OK");
            assert_eq!(done, 500, "{file} {binding}");
        }
    }
}

#[test]
fn points_that_were_loaded_are_found_and_checked() {
    let place = Place::new();
    let small = "-p recordcount=480 -p operationcount=200 -p fieldcount=4 -p tagcount=3 \
                 -p tagcardinality=1,2,3 -p insertstart=1483228800 -p valuetype=integers \
                 -p randomtimeseriesorder=false -p delayedseries=0 -p dataintegrity=true \
                 -p querytimespan=0 -p readproportion=1 -p insertproportion=0 -p mem.file=points";
    sample(&place, "load", "memdb", "tsworkloada", small);
    let ran = Transcript::of(&sample(&place, "run", "memdb", "tsworkloada", small).stdout);
    assert_eq!(ran.count("READ", "Return=OK"), 200);
    assert_eq!(ran.count("VERIFY", "Return=OK"), 200);

    let words = ["run", "memdb", "-P", &workload("tsworkloada"), "-p", "mem.corrupt.every=50"];
    let words = words.map(str::to_owned).into_iter().chain(small.split_whitespace().map(str::to_owned));
    let corrupted = place.ycsb(words);
    assert_eq!(corrupted.code, Some(1), "{corrupted:?}");
    let report = Transcript::of(&corrupted.stdout);
    assert_eq!(report.count("VERIFY", "Return=UNEXPECTED_STATE"), 4);
    assert!(corrupted.stderr.contains("does not follow from its tags and timestamp"), "{corrupted:?}");
}
