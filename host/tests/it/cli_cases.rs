//! The command lines of `host/tests/golden/cli_cases.json`: for each the program does what YCSB does, or
//! differs as `docs/differences.md` says.

use crate::differences::documented;
use crate::support::{Place, Ran};
use crate::transcript::{Transcript, echoed};
use std::collections::BTreeSet;

#[derive(serde::Deserialize)]
struct Case {
    case: String,
    args: Vec<String>,
    exit_code: i32,
    stdout: String,
    #[serde(default)]
    exportfile_content: String,
}

/// How a case differs.
#[derive(Clone, Copy)]
enum Now {
    /// Refused: exit code 2, nothing on standard output, one message with these parts.
    Refused(&'static [&'static str]),
    /// The report is the same, the exit code is not.
    SameReport(i32),
    /// The report is the same without YCSB's remarks between its lines; these parts are on standard error.
    RemarksMoved(i32, &'static [&'static str]),
    /// Another outcome: exit code, counts of the report, parts of standard error.
    Ends(i32, &'static [(&'static str, &'static str, u64)], &'static [&'static str]),
}

use Now::{Ends, Refused, RemarksMoved, SameReport};

const MORE_THREADS: &str = "the threadcount is bigger than recordcount, the threadcount will be recordcount!";
const ONE_RECORD_FAILED: &[(&str, &str, u64)] =
    &[("INSERT", "Return=OK", 2), ("INSERT", "Return=ERROR", 1), ("INSERT-FAILED", "Operations", 1)];

/// Cases that differ, the names of the differences, and what happens instead.
const DIFFERENT: &[(&str, &[&str], Now)] = &[
    ("no arguments", &["Q-1"], Refused(&["no command"])),
    ("missing workload", &["Q-1"], Refused(&["missing property \"workload\""])),
    ("unknown option", &["Q-1"], Refused(&["unknown flag -foo"])),
    ("unknown option -cp", &["class-path"], Ends(0, &[("CLEANUP", "Operations", 1)], &["Starting test."])),
    ("threads without value", &["Q-1"], Refused(&["-threads needs a value"])),
    ("target without value", &["Q-1"], Refused(&["-target needs a value"])),
    ("db without value", &["Q-1"], Refused(&["-db needs a value"])),
    ("label without value", &["Q-1"], Refused(&["-l needs a value"])),
    ("P without value", &["Q-1"], Refused(&["-P needs a value"])),
    ("p without value", &["Q-1"], Refused(&["-p needs a value"])),
    ("p without equals", &["Q-1"], Refused(&["-p abc: has no \"=\""])),
    ("stray argument first", &["Q-1"], Refused(&["unknown command \"stray\""])),
    ("stray argument last", &["Q-1"], Refused(&["\"stray\""])),
    ("threads not a number", &["Q-1"], Refused(&["threadcount=\"x\" is not a whole number"])),
    ("threads property not a number", &["Q-1"], Refused(&["threadcount=\"x\" is not a whole number"])),
    ("missing property file", &["Q-1"], Refused(&["property file nosuch.properties: there is no such file"])),
    ("unknown workload class", &["Q-1"], Refused(&["workload=\"no.such.Workload\" is no workload"])),
    ("unknown db class", &["Q-6"], Refused(&["binding \"no.such.DB\": unknown"])),
    ("unknown db class 2 threads run", &["Q-6"], Refused(&["binding \"no.such.DB\": unknown"])),
    ("threads greater than operations", &["Q-55"], RemarksMoved(0, &[MORE_THREADS])),
    ("threads greater than operations, target", &["Q-7", "Q-55"], RemarksMoved(0, &[MORE_THREADS])),
    ("insertcount + insertstart > recordcount", &["Q-1"], Refused(&["recordcount"])),
    ("insertstart > recordcount", &["Q-14"], Refused(&["insertstart"])),
    ("trailing space in numeric property", &["Q-2"], Ends(0, &[("INSERT", "Return=OK", 5)], &[])),
    (
        "recordcount above int range on load",
        &["Q-15"],
        Ends(1, &[("CLEANUP", "Operations", 1)], &["of 3000000000"]),
    ),
    ("zipfian without operationcount on load", &["Q-18"], Ends(0, &[("INSERT", "Return=OK", 5)], &[])),
    ("unknown request distribution", &["Q-1"], Refused(&["requestdistribution=\"bogus\" must be one of"])),
    (
        "unknown field length distribution",
        &["Q-1"],
        Refused(&["fieldlengthdistribution=\"bogus\" must be one of"]),
    ),
    (
        "unknown scan length distribution",
        &["Q-1"],
        Refused(&["scanlengthdistribution=\"bogus\" must be one of"]),
    ),
    ("missing field length histogram file", &["Q-1"], Refused(&["nosuch.txt"])),
    ("unknown measurementtype", &["Q-1"], Refused(&["measurementtype=\"bogus\" must be one of"])),
    ("unknown measurement.interval", &["Q-1"], Refused(&["measurement.interval=\"bogus\" must be one of"])),
    ("unknown exporter", &["Q-56"], Refused(&["no.such.Exporter"])),
    ("exportfile not writable", &["Q-53"], Refused(&["nosuchdir/out.txt"])),
    ("no operation proportions", &["Q-19"], Refused(&["readproportion"])),
    ("dataintegrity with non constant length", &["Q-1"], Refused(&["fieldlengthdistribution"])),
    ("dataintegrity echo", &["Q-55"], RemarksMoved(0, &["Data integrity is enabled."])),
    ("init failure", &["Q-52"], Ends(3, &[], &["cannot be opened"])),
    ("cleanup failure", &["cleanup"], Ends(1, &[("INSERT", "Return=OK", 5)], &["cleanup refused"])),
    ("binding throws", &["Q-4", "Q-45"], Ends(1, ONE_RECORD_FAILED, &["loaded 2 of 5"])),
    ("binding returns null", &["Q-4", "Q-45"], Ends(1, ONE_RECORD_FAILED, &["loaded 2 of 5"])),
    ("insert error stops the loading thread", &["Q-45"], SameReport(1)),
    ("insert error with keep going", &["Q-1"], SameReport(1)),
    ("read failures", &["not-found"], SameReport(1)),
    ("reportlatencyforeacherror", &["not-found"], SameReport(1)),
    ("latencytrackederrors", &["not-found"], SameReport(1)),
    (
        "VERIFY with binding that returns no cells",
        &["Q-1", "Q-55"],
        RemarksMoved(1, &["Data integrity is enabled."]),
    ),
    ("ConstantOccupancyWorkload too small", &["Q-1"], Refused(&["disksize"])),
    ("very low target per thread overflows", &["Q-8"], Ends(0, &[("INSERT", "Return=OK", 5)], &[])),
    ("scan returning no rows aborts", &["Q-20"], Ends(0, &[("SCAN", "Return=OK", 5)], &[])),
    ("hdrhistogram.fileoutput into a missing folder", &["Q-53"], Refused(&["nosuchdir/"])),
    ("hotspot with an empty hot set", &["hotspot-empty"], Ends(0, &[("CLEANUP", "Operations", 1)], &[])),
    (
        "hotspot fractions out of range",
        &["Q-56"],
        Refused(&["hotspotopnfraction=\"1.5\" must be between 0 and 1"]),
    ),
];

/// Differences that every case shows and that the comparison leaves out.
const EVERYWHERE: &[&str] = &["collectors", "basic-properties", "remarks", "field-order"];

/// Arguments that stand in for what the test double of the golden file does by itself, or that end a run
/// which YCSB refused.
const ADDED: &[(&str, &[&str])] = &[
    ("scan with a binding that returns rows", &["-p", "mem.prefill=true"]),
    ("recordcount above int range on load", &["-p", "maxexecutiontime=1"]),
];

fn place() -> Place {
    let base = "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=5\noperationcount=5\nfieldcount=1\n\
                fieldlength=4\nbasicdb.verbose=false\n";
    let trailing = base.replace("recordcount=5", "recordcount=5 ");
    let place = Place::new();
    place
        .file("base.properties", base)
        .file("second.properties", "recordcount=7\ntable=from_second_file\n")
        .file("trailing.properties", trailing);
    place
}

/// What is compared of standard output or of the exported file.
fn comparable(case: &Case, mut transcript: Transcript) -> Transcript {
    let given = |text: &str| case.args.iter().any(|arg| arg.contains(text));
    let value_length = if given("fieldlength=24") { 24 } else { 4 };
    let phase =
        case.args.iter().rev().find(|arg| ["-load", "-t", "dotransactions=false"].contains(&arg.as_str()));
    let loads = phase.is_some_and(|word| word != "-t");
    let random_keys = !loads && !given("requestdistribution=sequential");
    for line in &mut transcript.echo {
        *line = echoed(line, value_length, random_keys);
    }
    if given("threadcount=3") {
        transcript.echo.sort();
    }
    let mixed = !loads && (!given("readproportion=") || given("updateproportion=1"));
    match mixed {
        true => transcript.without_mix(given("maxexecutiontime=2")),
        false => transcript,
    }
}

fn compare(case: &Case, ran: &Ran, exported: Option<&str>, remarks: bool) -> Result<(), String> {
    let mut golden = Transcript::of(&case.stdout);
    if remarks {
        golden.echo.retain(|line| !line.starts_with("Warning: ") && line != "Data integrity is enabled.");
    }
    let pairs =
        [(golden, Transcript::of(&ran.stdout))]
            .into_iter()
            .chain(exported.map(|content| {
                (Transcript::of_json(&case.exportfile_content), Transcript::of_json(content))
            }));
    for (golden, ours) in pairs {
        let (golden, ours) = (comparable(case, golden), comparable(case, ours));
        if golden != ours {
            return Err(format!("YCSB printed {golden:#?}\nours is {ours:#?}"));
        }
    }
    Ok(())
}

fn expect(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn check(case: &Case) -> Result<(), String> {
    let place = place();
    let added = ADDED.iter().find(|(name, _)| *name == case.case).map_or(&[][..], |(_, added)| added);
    let words = case.args.iter().map(String::as_str).chain(added.iter().copied());
    let ran = place.ycsb(words);
    let exported = std::fs::read_to_string(place.path("json.out")).ok();
    let ends_with = |code: i32| {
        expect(ran.code == Some(code), || format!("exit code {:?} instead of {code}: {ran:#?}", ran.code))
    };
    let says = |parts: &[&str]| {
        parts.iter().try_for_each(|part| {
            expect(ran.stderr.contains(part), || format!("{part:?} is missing in {}", ran.stderr))
        })
    };
    let Some((_, _, now)) = DIFFERENT.iter().find(|(name, _, _)| *name == case.case) else {
        ends_with(case.exit_code)?;
        return compare(case, &ran, exported.as_deref(), false);
    };
    match now {
        Refused(parts) => {
            ends_with(2)?;
            expect(ran.stdout.is_empty(), || format!("standard output: {}", ran.stdout))?;
            expect(ran.messages().len() == 1, || format!("not one message: {}", ran.stderr))?;
            says(parts)
        }
        SameReport(code) => {
            ends_with(*code)?;
            compare(case, &ran, None, false)
        }
        RemarksMoved(code, parts) => {
            ends_with(*code)?;
            says(parts)?;
            compare(case, &ran, None, true)
        }
        Ends(code, counts, parts) => {
            ends_with(*code)?;
            says(parts)?;
            let ours = Transcript::of(&ran.stdout);
            counts.iter().try_for_each(|(block, label, count)| {
                let found = ours.count(block, label);
                expect(found == *count, || format!("[{block}], {label} is {found}, not {count}: {ran:#?}"))
            })?;
            let same = compare(case, &ran, None, false).is_ok() && *code == case.exit_code;
            expect(!same, || "does not differ any more".to_owned())
        }
    }
}

#[test]
fn every_golden_command_line_does_the_same_or_differs_as_documented() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../golden/cli_cases.json")).expect("the golden file");
    assert_eq!(cases.len(), 79);
    let names: BTreeSet<&str> = cases.iter().map(|case| case.case.as_str()).collect();
    for (name, _, _) in DIFFERENT {
        assert!(names.contains(name), "{name} is no case");
    }
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            check(case).err().map(|reason| format!("== {} {:?}\n{reason}", case.case, case.args))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

#[test]
fn every_difference_is_documented_with_its_reason() {
    let documented = documented();
    let used = DIFFERENT.iter().flat_map(|(_, names, _)| names.iter()).chain(EVERYWHERE);
    for name in used {
        assert!(documented.contains(*name), "{name} is not in docs/differences.md");
    }
    for number in 1..=56 {
        assert!(documented.contains(&format!("Q-{number}")), "Q-{number} is not in docs/differences.md");
    }
}
