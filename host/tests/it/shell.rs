//! The conversations of `host/tests/golden/shell_transcripts.json`: the shell answers as YCSB's does, or
//! differs as `docs/differences.md` says.

use crate::differences::documented;
use crate::support::Place;

#[derive(serde::Deserialize)]
struct Case {
    case: String,
    args: Vec<String>,
    exit_code: i32,
    stdin: String,
    stdout: String,
}

/// How a conversation differs.
enum Now {
    /// Refused: exit code 2, nothing on standard output, one message with this part.
    Refused(&'static str),
    /// Exit code 0, and these lines instead: number of the line, YCSB's (none: it is added), ours (none: it
    /// is left out).
    Lines(&'static [(usize, Option<&'static str>, Option<&'static str>)]),
    /// Exit code 0; standard output begins like this.
    Begins(&'static str),
}

use Now::{Begins, Lines, Refused};

/// Cases that differ, and the names of the differences.
const DIFFERENT: &[(&str, &[&str], Now)] = &[
    (
        "basic commands",
        &["Q-12", "Q-13"],
        Lines(&[
            (22, Some("> UPDATE usertable k1 [ a=x ]"), Some("> UPDATE usertable k1 [ a=x=y ]")),
            (32, Some("> READ usertable k1 [ <all fields>]"), Some("> READ other k1 [ <all fields>]")),
            (49, Some("> READ usertable  [ k1 ]"), Some("> READ other  [ k1 ]")),
        ]),
    ),
    ("stateful binding", &["projection"], Lines(&[(31, Some("b=2"), None)])),
    ("end of input without quit", &["Q-13"], Lines(&[])),
    (
        "insert with missing value",
        &["Q-13"],
        Lines(&[(4, Some("> "), Some("> Result: OK")), (5, None, Some("N ms")), (6, None, Some("> "))]),
    ),
    (
        "insert without equals",
        &["Q-13"],
        Lines(&[
            (4, Some("> "), Some("> Error: syntax is \"insert keyname name1=value1 [name2=value2 ...]\"")),
            (5, None, Some("N ms")),
            (6, None, Some("> ")),
        ]),
    ),
    (
        "scan count not a number",
        &["Q-13"],
        Lines(&[
            (4, Some("> "), Some("> Error: syntax is \"scan keyname scanlength [field1 field2 ...]\"")),
            (5, None, Some("N ms")),
            (6, None, Some("> ")),
        ]),
    ),
    ("unknown option", &["shell-flags"], Begins("YCSB Command Line client\n")),
    ("help option", &["help"], Begins("Usage: ycsb-host COMMAND BINDING [flags]\n")),
    ("stray argument", &["Q-1"], Refused("binding \"x\": unknown")),
    ("missing value", &["Q-1"], Refused("-db needs a value")),
    ("unknown db", &["Q-6"], Refused("binding \"no.such.DB\": unknown")),
    ("missing property file", &["Q-1"], Refused("property file nosuch.properties: there is no such file")),
];

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../golden/shell_transcripts.json")).expect("the golden file")
}

/// The lines of a conversation: times are `N ms`, the list of commands is `<help>`, and the properties that
/// `basic` shows are left out.
fn comparable(stdout: &str) -> Vec<String> {
    let (mut in_properties, mut in_help) = (false, false);
    let mut lines = Vec::new();
    for line in stdout.lines() {
        let stars = line.starts_with("*****");
        in_properties ^= stars;
        in_help &= line.starts_with("  ");
        if stars || in_properties || in_help {
            continue;
        }
        let time = line.strip_suffix(" ms").filter(|number| number.parse::<u64>().is_ok());
        let help = line.strip_suffix("Commands:");
        in_help = help.is_some();
        lines.push(match (time, help) {
            (Some(_), _) => "N ms".to_owned(),
            (None, Some(prompt)) => format!("{prompt}<help>"),
            (None, None) => line.to_owned(),
        });
    }
    lines
}

/// YCSB's lines with the documented changes.
fn changed(
    case: &str,
    mut lines: Vec<String>,
    changes: &[(usize, Option<&str>, Option<&str>)],
) -> Vec<String> {
    for &(number, theirs, ours) in changes {
        if let Some(theirs) = theirs {
            assert_eq!(lines.get(number).map(String::as_str), Some(theirs), "{case}: {lines:#?}");
            lines.remove(number);
        }
        if let Some(ours) = ours {
            lines.insert(number, ours.to_owned());
        }
    }
    lines
}

fn shell(args: &[String], input: &str) -> crate::support::Ran {
    let words = ["shell".to_owned()].into_iter().chain(args.iter().cloned());
    Place::new().ycsb_reading(input, words)
}

#[test]
fn every_golden_conversation_is_the_same_or_differs_as_documented() {
    let cases = cases();
    assert_eq!(cases.len(), 14);
    for (name, differences, _) in DIFFERENT {
        assert!(cases.iter().any(|case| case.case == *name), "{name} is no case");
        differences.iter().for_each(|name| assert!(documented().contains(*name), "{name}"));
    }
    for Case { case, args, exit_code, stdin, stdout } in cases {
        let ran = shell(&args, &stdin);
        let (theirs, ours) = (comparable(&stdout), comparable(&ran.stdout));
        match DIFFERENT.iter().find(|(name, _, _)| *name == case).map(|(_, _, now)| now) {
            None => {
                assert_eq!((ran.code, &ours), (Some(exit_code), &theirs), "{case}: {ran:?}");
            }
            Some(Refused(part)) => {
                assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{case}: {ran:?}");
                assert!(ran.messages().len() == 1 && ran.stderr.contains(part), "{case}: {ran:?}");
            }
            Some(Lines(changes)) => {
                assert_eq!(ran.code, Some(0), "{case}: {ran:?}");
                assert_eq!(ours, changed(&case, theirs, changes), "{case}: {ran:?}");
            }
            Some(Begins(start)) => {
                assert!(ran.code == Some(0) && ran.stdout.starts_with(start), "{case}: {ran:?}");
            }
        }
    }
}

#[test]
fn an_async_binding_answers_as_a_blocking_one() {
    let case = cases().into_iter().find(|case| case.case == "stateful binding").expect("the case");
    let with = |binding: &str| {
        let ran = shell(&["-db".to_owned(), binding.to_owned()], &case.stdin);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        comparable(&ran.stdout)
    };
    assert_eq!(with("memdb-async"), with("memdb"));
    assert!(with("testdb.AsyncMemDB").contains(&"> Return code: NOT_FOUND".to_owned()));
}

#[test]
fn help_names_every_command_and_failures_tell_their_reason_on_standard_error() {
    let script = "help\nread k\nquit\n";
    let args = ["memdb", "-p", "mem.fail=FORBIDDEN"].map(str::to_owned);
    let ran = shell(&args, script);
    for command in ["read", "scan", "insert", "update", "delete", "table", "help", "quit"] {
        assert!(ran.stdout.contains(&format!("\n  {command} ")), "{command}: {ran:?}");
    }
    assert!(ran.stdout.contains("Return code: FORBIDDEN\n"), "{ran:?}");
    assert!(ran.stderr.contains("ycsb-host: FORBIDDEN: "), "{ran:?}");
}

#[test]
fn workload_files_name_the_table_and_a_database_that_cannot_be_opened_ends_the_shell() {
    let place = Place::new();
    place.file("mine", "workload=site.ycsb.workloads.CoreWorkload\ntable=mine\nrecordcount=5\n");
    let ran = place.ycsb_reading("table\n", ["shell", "basic", "-P", "mine", "-p", "basicdb.verbose=false"]);
    assert!(ran.stdout.contains("> Using table \"mine\"\n"), "{ran:?}");
    let ran = shell(&["memdb", "-p", "mem.initfail=true"].map(str::to_owned), "quit\n");
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("init refused") && !ran.stdout.contains("Connected."), "{ran:?}");
}
