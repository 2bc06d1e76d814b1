//! What the program says of itself and of the words that it was given.

use crate::support::Place;

const BASE: &str = "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=5\noperationcount=5\n";

fn place() -> Place {
    let place = Place::new();
    place.file("base", BASE);
    place
}

#[test]
fn help_lists_commands_bindings_and_flags_and_succeeds() {
    for words in ["--help", "-help", "-h", "help", "load noop -help", "run -P missing --help"] {
        let ran = place().line(words);
        assert_eq!(ran.code, Some(0), "{words}: {ran:?}");
        assert_eq!(ran.stderr, "", "{words}");
        for part in
            ["Usage: ycsb-host", "    load ", "    explain ", "    noop ", "    memdb ", "    -threads N "]
        {
            assert!(ran.stdout.contains(part), "{words}: {part:?} is missing");
        }
    }
}

#[test]
fn the_version_is_shown() {
    let ran = place().line("--version");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "ycsb-host 0.1.0\n"));
}

#[test]
fn explain_shows_values_origins_and_what_was_overridden_and_runs_nothing() {
    let place = place();
    place.file("second", "recordcount=7\ntable=from_second_file\nes.index=x\n");
    let ran =
        place.line("explain load memdb -p recordcount=3 -P base -P second -threads 2 -p threadcount=3 -s");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in [
        "phase load\nworkload CoreWorkload\nbinding memdb 0.1.0 (",
        "  recordcount=3  [argument -p]\n    overrides 7  [second:1]\n    overrides 5  [base:2]\n",
        "  table=from_second_file  [second:2]\n",
        "  threadcount=3  [argument -p]\n    overrides 2  [argument -threads]\n",
        "  status=true  [argument -s]\n",
        "  fieldcount=10  [default]\n",
        "  mem.every=1  [default]\n",
        "\nnot read in this run\n  es.index=x  [second:3]\n",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} is missing in {}", ran.stdout);
    }
}

#[test]
fn explain_shows_what_a_workload_works_out_and_what_contradicts() {
    let ran = place().line(
        "explain load noop -p workload=constantoccupancy -p disksize=20000 -p recordcount=3 -p storageages=2",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let part = "  recordcount=18  [set by ConstantOccupancyWorkload]\n    overrides 3  [argument -p]\n";
    assert!(ran.stdout.contains(part), "{}", ran.stdout);
    let ran = place().line("explain run noop -P base -p readproportion=0 -p updateproportion=0");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stdout.contains("  readproportion=0  [argument -p]\n"), "{ran:?}");
    assert!(ran.stderr.contains("readproportion"), "{ran:?}");
}

#[test]
fn names_of_other_bindings_are_accepted_and_listed() {
    let ran = place().line("explain run noop -P base -p redis.host=h -p mongodb.url=mongodb://u:hunter2@h/d");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("not read in this run, of binding redis: redis.host"), "{ran:?}");
    assert!(!ran.stderr.contains("hunter2") && !ran.stdout.contains("hunter2"), "{ran:?}");
}

#[test]
fn unedited_workload_files_pass_without_a_word() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../workloads");
    for file in std::fs::read_dir(folder).expect(folder) {
        let path = file.expect("an entry").path();
        let path = path.to_str().expect("UTF-8");
        for (phase, binding) in
            [("load", "memdb"), ("run", "memdb"), ("load", "basicts"), ("run", "basicts"), ("run", "noop")]
        {
            let ran = place().ycsb(["explain", phase, binding, "-P", path]);
            assert_eq!(ran.code, Some(0), "{path} {phase} {binding}: {ran:?}");
            assert!(ran.messages().is_empty(), "{path}: {ran:?}");
            let notes = ran.stdout.split("\nnotes\n").nth(1).unwrap_or_default();
            // The templates of time series keep YCSB's capitals.
            let loud: Vec<&str> =
                notes.lines().filter(|note| !note.contains("is another spelling")).collect();
            assert!(loud.is_empty(), "{path}: {loud:?}");
        }
    }
}

#[test]
fn old_class_names_and_short_names_are_the_same() {
    for workload in ["com.yahoo.ycsb.workloads.CoreWorkload", "site.ycsb.workloads.CoreWorkload", "core"] {
        for binding in ["-db noop", "-db memdb", "-p db=testdb.MemDB"] {
            let ran = place().line(&format!("explain -p workload={workload} {binding}"));
            assert_eq!(ran.code, Some(0), "{workload} {binding}: {ran:?}");
        }
    }
}

#[test]
fn arguments_of_a_virtual_machine_are_ignored_with_one_line() {
    let ran = place().line("explain run noop -jvm-args -Xmx1g -P base");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.messages()[0],
        "ycsb-host: -jvm-args is ignored: there is no virtual machine to pass it to"
    );
}

#[test]
fn secrets_never_reach_any_output() {
    let place = place();
    place
        .file("pw", "hunter2\n")
        .file("shared", format!("{BASE}redis.password=hunter2\nes.password=hunter2\n"));
    for line in [
        "explain run noop -P shared",
        "check run noop -P shared -p mongodb.url=mongodb://me:hunter2@h/d?password=hunter2",
        "run noop -P shared -p nonsense=1 -p x.token=hunter2",
        "run nop -P base -p unheard.of=hunter2",
        "run noop -P base -p redis.password hunter2",
        "run noop -P base redis.password=hunter2",
        "run noop -P redis.password=hunter2",
        "run noop -P base --redis.password=hunter2",
        "run noop -P base -p=redis.password=hunter2 -p threadcount=0",
        "explain run noop -P base -p redis.password=file:pw",
    ] {
        let ran = place.line(line);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!said.contains("hunter2"), "{line}: {said}");
    }
}

#[test]
fn words_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStringExt;
    let word = std::ffi::OsString::from_vec(vec![0x2d, 0x50, 0xff]);
    let output =
        assert_cmd::Command::cargo_bin("ycsb-host").expect("the program").arg(word).output().expect("ran");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not UTF-8"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let place = place();
    for words in
        ["describe", "--help", "bindings --all", "explain run noop -P base", "check load noop -P base"]
    {
        let script = format!("{{ \"$0\" {words}; echo $? >code; }} 2>&1 | true");
        let program = assert_cmd::cargo::cargo_bin("ycsb-host");
        let status = std::process::Command::new("sh")
            .args(["-c", &script])
            .arg(program)
            .current_dir(place.path(""))
            .env("YCSB_PLUGIN_PATH", crate::support::plugins())
            .status();
        assert!(status.expect("sh").success());
        assert_eq!(std::fs::read_to_string(place.path("code")).expect("a code"), "0\n", "{words}");
    }
}

#[test]
fn a_run_whose_reader_went_away_ends_in_order() {
    let place = place();
    let script = "{ \"$0\" load noop -P base -s; echo $? >code; } 2>&1 | true";
    let status = std::process::Command::new("sh")
        .args(["-c", script])
        .arg(assert_cmd::cargo::cargo_bin("ycsb-host"))
        .current_dir(place.path(""))
        .env("YCSB_PLUGIN_PATH", crate::support::plugins())
        .status();
    assert!(status.expect("sh").success());
    // The report had nowhere to go.
    assert_eq!(std::fs::read_to_string(place.path("code")).expect("a code"), "1\n");
}
