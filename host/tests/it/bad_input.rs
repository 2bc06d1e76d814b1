//! Every mistake in words, files and values stops the program before anything is opened: exit code 2, nothing
//! on standard output, and one message that names subject, place and next step.

use crate::support::{Place, Ran};

const BASE: &str = "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=5\noperationcount=5\n";

fn place() -> Place {
    let place = Place::new();
    place.file("base", BASE);
    place
}

/// Runs the words and checks that they are refused with one message that contains the parts.
fn refused(place: &Place, words: &[&str], parts: &[&str]) -> Ran {
    let ran = place.ycsb(words);
    assert_eq!(ran.code, Some(2), "{words:?}: {ran:?}");
    assert_eq!(ran.stdout, "", "{words:?}");
    assert!(ran.stderr.starts_with("Command line:"), "{words:?}: {ran:?}");
    let messages = ran.messages();
    assert_eq!(messages.len(), 1, "{words:?}: {ran:?}");
    for part in parts {
        assert!(messages[0].contains(part), "{words:?}: {part:?} is missing in {}", messages[0]);
    }
    ran
}

fn refused_line(line: &str, parts: &[&str]) {
    refused(&place(), &line.split_whitespace().collect::<Vec<_>>(), parts);
}

/// A workload file with one more line.
fn refused_in_file(line: &str, parts: &[&str]) {
    let place = place();
    place.file("mine", format!("{BASE}{line}\n"));
    let place_of_line = ["mine:4: "];
    refused(&place, &["run", "noop", "-P", "mine"], &[&place_of_line[..], parts].concat());
}

#[test]
fn misspelt_and_unknown_properties_are_refused_with_the_nearest() {
    refused_in_file(
        "readpropotion=0.5",
        &[
            "unknown property \"readpropotion\"",
            "did you mean \"readproportion\"?",
            "properties.unknown=warn",
        ],
    );
    refused_line(
        "run noop -P base -p nonsense=1",
        &["argument -p", "unknown property \"nonsense\"", "remove it"],
    );
    refused_line("run memdb -P base -p mem.evry=1", &["did you mean \"mem.every\"?"]);
}

#[test]
fn numbers_out_of_range_and_no_numbers_are_refused() {
    refused_line("run noop -P base -threads 0", &["argument -threads", "threadcount=\"0\"", "between 1 and"]);
    refused_line("run noop -P base -threads -3", &["threadcount=\"-3\""]);
    refused_line("run noop -P base -threads x", &["threadcount=\"x\" is not a whole number"]);
    refused_line("run noop -P base -target -1", &["argument -target", "target=\"-1\""]);
    refused_line("run noop -P base -p target=-1", &["target=\"-1\""]);
    refused_line("run noop -P base -p target=NaN", &["target=\"NaN\"", "finite"]);
    refused_in_file("readproportion=NaN", &["readproportion=\"NaN\"", "finite", "default 0.95"]);
    refused_in_file("readproportion=-0.5", &["must be 0 or more"]);
    refused_in_file("recordcount=-1", &["recordcount=\"-1\""]);
    refused_in_file("operationcount=1e6", &["must be written as a whole number: 1000000"]);
    refused_in_file("operationcount=99999999999999999999", &["64 bits"]);
    refused_in_file("readproportion=0,5", &["decimal point: 0.5"]);
    refused_in_file("status.interval=0", &["must be 1 or more"]);
    refused_in_file("timeseries.granularity=0", &["timeseries.granularity=\"0\""]);
    refused_in_file("duration=10", &["needs a unit"]);
}

#[test]
fn proportions_that_sum_to_nothing_are_refused() {
    refused_line("run noop -P base -p readproportion=0 -p updateproportion=0", &["readproportion"]);
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    refused_line("load noop -P base -p insertstart=3 -p insertcount=3", &["recordcount"]);
    refused_line("load noop -P base -p exportfile=missing/out", &["missing/out"]);
    refused_line("run noop -P base -p arrival=shared", &["arrival=shared", "-target"]);
}

#[test]
fn a_comment_behind_a_value_is_refused_with_the_value_to_write() {
    refused_in_file("operationcount=1000 //a thousand", &["has a comment behind the value", "write 1000"]);
    refused_in_file("operationcount=1000 # a thousand", &["write 1000"]);
    refused_in_file("readallfields=true // all", &["write true"]);
    refused_in_file("requestdistribution=zipfian // skewed", &["write zipfian"]);
}

#[test]
fn wrong_words_are_refused_with_the_allowed_ones() {
    refused_in_file("requestdistribution=zipfain", &["must be one of uniform", "did you mean \"zipfian\"?"]);
    refused_in_file("insertorder=sorted", &["must be one of hashed, ordered"]);
    refused_in_file("readallfields=yes", &["must be true or false"]);
    refused_in_file("measurementtype=hdr", &["must be one of"]);
    refused_in_file("measurement.interval=10s", &["go-ycsb", "status.interval"]);
    refused_in_file("threads=4", &["unknown property \"threads\"", "threadcount"]);
}

#[test]
fn property_files_that_cannot_be_used_are_refused() {
    let place = place();
    let named = |file: &str, parts: &[&str]| {
        refused(&place, &["run", "noop", "-P", file], parts);
    };
    named("missing", &["property file missing", "there is no such file"]);
    named(".", &["property file .", "is a folder"]);
    named("base/x", &["property file base/x", "cannot be read"]);
    place.file("marked", "\u{feff}recordcount=5\n");
    named("marked", &["marked:1", "UTF-8 byte-order mark", "save it without one"]);
    place.file("escape", "a=1\nb=\\u00\n");
    named("escape", &["escape:2", "malformed escape"]);
    named("recordcount=5", &["-P names a file", "write -p recordcount="]);
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_to_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    place.file("locked", BASE);
    std::fs::set_permissions(place.path("locked"), PermissionsExt::from_mode(0o000)).expect("permissions");
    if std::fs::read(place.path("locked")).is_ok() {
        eprintln!("this user may read everything: nothing to see");
        return;
    }
    refused(&place, &["run", "noop", "-P", "locked"], &["may not be read by this user"]);
}

#[test]
fn mistakes_in_the_words_are_refused() {
    refused_line("", &["no command", "--help"]);
    refused_line("lod noop -P base", &["unknown command \"lod\"", "did you mean load?"]);
    refused_line("stray -P base", &["unknown command \"stray\""]);
    refused_line("run noop -P base stray", &["stray word \"stray\""]);
    refused_line("run noop -P base recordcount=7", &["stray word", "did you mean -p recordcount=...?"]);
    refused_line("run noop base", &["did you mean -P base?"]);
    refused_line(
        "run noop -P base -p recordcount",
        &["-p recordcount: has no \"=\"", "write -p recordcount=VALUE"],
    );
    refused_line("run noop -P base -thread 4", &["unknown flag -thread", "did you mean -threads?"]);
    refused_line("run noop -P base -foo", &["unknown flag -foo", "--help"]);
    for flag in ["-threads", "-target", "-db", "-l", "-P", "-p", "-cp", "-jvm-args", "--out"] {
        refused_line(&format!("run noop {flag}"), &["needs a value"]);
    }
    refused_line("run noop -threads -s", &["-threads needs a value, but -s follows"]);
    refused_line("run noop -P base \u{2013}threads 4", &["U+2013", "type -threads"]);
    refused_line("run noop -P base \u{2014}threads 4", &["U+2014", "type -threads"]);
}

#[test]
fn unknown_bindings_and_workloads_are_refused_with_what_there_is() {
    refused_line("run nop -P base", &["binding \"nop\"", "did you mean \"noop\"?", "looked in", "memdb"]);
    refused_line("run hbase2 -P base", &["YCSB has this binding, but no plugin", "-cp"]);
    refused_line("-db no.such.DB -P base", &["binding \"no.such.DB\": unknown", "looked in"]);
    refused_line("run ./no.so -P base", &["there is no file ./no.so"]);
    refused_line("run noop -p workload=no.such.Workload", &["workload=\"no.such.Workload\"", "CoreWorkload"]);
    refused_line("run noop -p workload=site.ycsb.workloads.RestWorkload", &["no REST binding"]);
    refused_line("run noop", &["missing property \"workload\"", "-p workload=VALUE"]);
}

#[test]
fn all_wrong_properties_are_named_at_once_each_on_a_line_of_its_own() {
    let place = place();
    place.file("mine", format!("{BASE}readpropotion=1\noperationcount=x\n"));
    let ran = place.ycsb(["run", "noop", "-P", "mine", "-threads", "0"]);
    assert_eq!(ran.code, Some(2));
    let starts: Vec<String> =
        ran.messages().iter().map(|line| line.chars().take("ycsb-host: mine:4".len()).collect()).collect();
    assert_eq!(starts, ["ycsb-host: mine:4", "ycsb-host: mine:5", "ycsb-host: argume"], "{ran:?}");
}

#[test]
fn duplicates_and_trailing_blanks_go_on() {
    let place = place();
    place.file("mine", format!("{BASE}operationcount=7 \n"));
    let ran = place.ycsb(["explain", "run", "noop", "-P", "mine"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let note = "mine:4: operationcount=\"7 \" counts; it was given before by mine:3";
    assert!(ran.stdout.contains(note), "{ran:?}");
}
