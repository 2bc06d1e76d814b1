//! The echo through the real tables, compared with what YCSB's own bindings printed.
//!
//! All tests of a process share one standard output, so that each has a table of its own.

use serde_json::Value;
use std::time::Duration;
use ycsb_basic::{Basic, BasicTs, GoodBadUgly};
use ycsb_plugin_api::abi::{capability, status};
use ycsb_plugin_api::testing::{Do, Open, OpenBinding, Plugin, echoed};

fn open(plugin: &Plugin, table: &'static str, settings: &[(&str, &str)]) -> OpenBinding {
    let open =
        settings.iter().fold(Open { table, ..Open::default() }, |open, (name, value)| open.set(name, value));
    plugin.open(open).expect("opens")
}

/// The echoed lines of a table.
fn lines_of(table: &str) -> Vec<String> {
    let text = String::from_utf8(echoed()).unwrap();
    text.lines().filter(|line| line.split(' ').nth(1) == Some(table)).map(str::to_owned).collect()
}

/// The operations of all runs in a golden file: what the binding echoed, without table.
fn golden(text: &str) -> Vec<String> {
    let runs: Value = serde_json::from_str(text).unwrap();
    let runs = runs.as_array().unwrap().iter().map(|run| run["stdout"].as_str().unwrap());
    let is_operation = |line: &&str| {
        ["READ ", "SCAN ", "UPDATE ", "INSERT ", "DELETE "].iter().any(|kind| line.starts_with(kind))
    };
    runs.flat_map(str::lines).filter(is_operation).map(str::to_owned).collect()
}

/// Kind, key, row limit and items of a line. Every value of a write is `value_len` bytes long, if given.
fn parse(line: &str, value_len: Option<usize>) -> (String, String, u64, Vec<String>) {
    let (head, items) = line.split_once(" [ ").unwrap();
    let words: Vec<&str> = head.split(' ').collect();
    let limit = words.get(3).map_or(0, |limit| limit.parse().unwrap());
    let mut items = items.strip_suffix(']').unwrap();
    let mut list = Vec::new();
    while items != "<all fields>" && !items.is_empty() {
        let end = match (items.find('='), value_len) {
            (Some(name), Some(length)) => name + 1 + length,
            _ => items.find(' ').unwrap(),
        };
        list.push(items[..end].to_owned());
        items = &items[end + 1..];
    }
    (words[0].to_owned(), words[2].to_owned(), limit, list)
}

/// The step that leads to a line; `bytes` turns the text of a value into what the workload writes.
fn step(line: &str, value_len: Option<usize>, bytes: impl Fn(&str, &str) -> Vec<u8>) -> Do {
    let (kind, key, limit, items) = parse(line, value_len);
    let selected: Vec<&str> = items.iter().map(String::as_str).collect();
    match kind.as_str() {
        "READ" => return Do::read(&key).select(&selected),
        "SCAN" => return Do::scan(&key, limit).select(&selected),
        _ => {}
    }
    let fields = items.iter().map(|item| item.split_once('=').unwrap());
    let fields: Vec<_> = fields.map(|(name, value)| (name, bytes(name, value))).collect();
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_slice())).collect();
    if kind == "INSERT" { Do::insert(&key, &fields) } else { Do::update(&key, &fields) }
}

#[test]
fn operations_are_echoed_as_basicdb_echoed_them() {
    let lines = golden(include_str!("../../../host/tests/golden/runs_basicdb_echo.json"));
    assert!(lines.len() > 300, "{} lines", lines.len());
    let steps = lines.iter().map(|line| step(line, Some(12), |_, value| value.as_bytes().to_vec()));
    let steps: Vec<Do> = std::iter::once(Do::open()).chain(steps).collect();
    let ends = open(&Plugin::blocking::<Basic>(), "t1", &[]).play_one(steps);
    assert!(ends.iter().all(|ended| ended.status == status::OK));
    assert!(ends.iter().flat_map(|ended| &ended.rows).all(|row| row.fields.is_empty()));
    let expected: Vec<_> = lines.iter().map(|line| line.replacen(" usertable ", " t1 ", 1)).collect();
    assert_eq!(lines_of("t1"), expected);
}

#[test]
fn time_series_are_echoed_as_basictsdb_echoed_them_with_integers_as_integers() {
    let lines = golden(include_str!("../../../host/tests/golden/timeseries_runs.json"));
    // BasicTSDB wrote integers as doubles, with an exponent because they are large.
    let integer = |value: &str| value.contains('E').then(|| value.parse::<f64>().unwrap() as i64);
    let bytes = |name: &str, value: &str| match (name, integer(value)) {
        ("YCSBTS", _) => value.parse::<i64>().unwrap().to_be_bytes().to_vec(),
        ("YCSBV", Some(value)) => value.to_be_bytes().to_vec(),
        ("YCSBV", None) => value.parse::<f64>().unwrap().to_be_bytes().to_vec(),
        _ => value.as_bytes().to_vec(),
    };
    let steps = lines.iter().map(|line| step(line, None, bytes));
    let steps: Vec<Do> = std::iter::once(Do::open()).chain(steps).collect();
    open(&Plugin::blocking::<BasicTs>(), "t2", &[]).play_one(steps);
    let expected: Vec<_> = lines
        .iter()
        .map(|line| {
            let line = line.replacen(" usertable ", " t2 ", 1);
            match line
                .split_once("YCSBV=")
                .and_then(|(head, value)| Some((head, integer(&value[..value.len() - 2])?)))
            {
                Some((head, value)) => format!("{head}YCSBV={value} ]"),
                None => line,
            }
        })
        .collect();
    assert!(expected.iter().filter(|line| line.contains("YCSBV=-")).count() > 1);
    assert_eq!(lines_of("t2"), expected);
}

#[test]
fn values_that_are_no_text_are_shown_with_replacements() {
    let binding = open(&Plugin::blocking::<Basic>(), "t3", &[]);
    binding.play_one([
        Do::open(),
        Do::insert("k", &[("a", "grün".as_bytes()), ("b", b"\xff!")]),
        Do::delete("k"),
    ]);
    assert_eq!(lines_of("t3"), ["INSERT t3 k [ a=grün b=\u{FFFD}! ]", "DELETE t3 k"]);
}

#[test]
fn every_client_prints_the_properties_of_the_binding_first() {
    let settings = [("basicdb.simulatedelay", "0"), ("basicdb.count", "false")];
    open(&Plugin::blocking::<Basic>(), "t4", &settings).play(vec![vec![Do::open()]; 2]);
    let block = "\
***************** properties *****************
\"basicdb.simulatedelay\"=\"0\"
\"basicdb.count\"=\"false\"
\"basicdb.verbose\"=\"true\"
\"basicdb.randomizedelay\"=\"true\"
**********************************************
";
    let text = String::from_utf8(echoed()).unwrap();
    // The other tests set nothing, so that their properties come in another order.
    assert_eq!(text.matches(block).count(), 2);
}

#[test]
fn a_quiet_binding_prints_nothing() {
    let binding = open(&Plugin::blocking::<Basic>(), "t5", &[("basicdb.verbose", "false")]);
    assert_eq!(binding.play_one([Do::open(), Do::read("k"), Do::end()])[1].status, status::OK);
    assert!(lines_of("t5").is_empty());
}

#[test]
fn a_delay_is_taken_and_bounded_by_the_deadline() {
    let settings = [("basicdb.simulatedelay", "30"), ("basicdb.randomizedelay", "false")];
    let binding = open(&Plugin::blocking::<Basic>(), "t6", &settings);
    let ends = binding.play_one([Do::open(), Do::read("k"), Do::read("k").within(Duration::from_millis(1))]);
    assert!(ends[1].took >= Duration::from_millis(30), "{:?}", ends[1].took);
    assert_eq!(ends[2].status, status::TIMEOUT);
    assert_eq!(lines_of("t6").len(), 1);
}

#[test]
fn good_bad_and_ugly_moments_all_end_well() {
    let settings = [("gbudb.delays", "1,2,3,4,5")];
    let binding = open(&Plugin::blocking::<GoodBadUgly>(), "t7", &settings);
    assert_eq!(binding.detail, "nothing: operations take 1 to 5 us");
    let all = [Do::read("k"), Do::scan("k", 1), Do::update("k", &[]), Do::insert("k", &[]), Do::delete("k")];
    let steps: Vec<Do> = [Do::open()].into_iter().chain(all).chain([Do::end()]).collect();
    for ends in binding.play(vec![steps; 3]) {
        assert!(ends.iter().all(|ended| ended.status == status::OK));
    }
    let refused = Plugin::blocking::<GoodBadUgly>().open(Open::default().set("gbudb.delays", "2,1"));
    assert_eq!(refused.err().unwrap().status, status::BAD_REQUEST);
}

#[test]
fn nothing_is_kept_and_the_host_knows() {
    for plugin in
        [Plugin::blocking::<Basic>(), Plugin::blocking::<BasicTs>(), Plugin::blocking::<GoodBadUgly>()]
    {
        let binding = open(&plugin, "t8", &[]);
        assert_ne!(binding.capabilities & capability::KEEPS_NOTHING, 0);
    }
}

#[test]
fn the_readme_names_every_property() {
    let readme = include_str!("../README.md");
    for plugin in
        [Plugin::blocking::<Basic>(), Plugin::blocking::<BasicTs>(), Plugin::blocking::<GoodBadUgly>()]
    {
        for property in plugin.manifests()[0].properties.as_slice() {
            let name = std::str::from_utf8(property.name.as_slice()).unwrap();
            assert!(readme.contains(&format!("`{name}`")), "{name}");
        }
    }
}
