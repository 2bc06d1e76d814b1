//! TimeSeriesWorkload against runs of YCSB with a binding that echoes its operations.

use crate::echo::{Echo, cases, named};
use std::collections::BTreeSet;

/// All cases of the golden file. Each is compared by a test below.
const CASES: [&str; 29] = [
    "load, no delay",
    "load, default delay settings",
    "load, delayedseries 0.6 delayedintervals 3",
    "load, data integrity, no delay",
    "load, integers",
    "load, mixednumbers",
    "load, valuetype=mixed (as the template says)",
    "load, 2 threads each own a key",
    "load, milliseconds",
    "load, minutes",
    "load, more threads than keys",
    "load, random timestamp order",
    "read",
    "read, query time span",
    "read, random query time span",
    "read, downsampling",
    "scan, downsampling",
    "scan",
    "update at start",
    "insert by transaction",
    "read modify write chosen",
    "groupby",
    "read with too few records (one offset)",
    "integrity with floats",
    "latest distribution",
    "nanoseconds",
    "sparsity 0.5",
    "fewer cardinalities than tags",
    "basicdb.count",
];

/// Without the drawn values of writes.
fn without_values(echoes: Vec<Echo>) -> Vec<Echo> {
    let keep = |echo: Echo| Echo {
        cells: echo.cells.into_iter().filter(|cell| !cell.starts_with("YCSBV=")).collect(),
        ..echo
    };
    echoes.into_iter().map(keep).collect()
}

/// The values of writes, as numbers.
fn values(echoes: &[Echo]) -> Vec<f64> {
    let cells = echoes.iter().flat_map(|echo| &echo.cells);
    cells
        .filter_map(|cell| cell.strip_prefix("YCSBV="))
        .map(|value| value.parse().expect("a number"))
        .collect()
}

/// A cell of each echo, without its name.
fn cell<'a>(echoes: &'a [Echo], name: &str) -> Vec<&'a str> {
    let cells = echoes.iter().flat_map(|echo| &echo.cells);
    cells.filter_map(|cell| cell.strip_prefix(name)).collect()
}

/// The first timestamp of each echo.
fn times(echoes: &[Echo]) -> Vec<i64> {
    let first = |time: &str| time.split(',').next().and_then(|time| time.parse().ok()).expect("a timestamp");
    cell(echoes, "YCSBTS=").into_iter().map(first).collect()
}

/// An echo with every number of its time token and its limit replaced: the shape of a query.
fn shapes(echoes: &[Echo]) -> BTreeSet<String> {
    let blank = |text: &str| {
        let digits = text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c });
        digits.collect::<String>().replace("##", "#").replace("##", "#").replace("##", "#").replace("##", "#")
    };
    let shape = |echo: &Echo| {
        let cells =
            echo.cells.iter().map(|cell| if cell.starts_with("YCSBTS") { blank(cell) } else { cell.clone() });
        let words: Vec<&str> = echo.words.split(' ').collect();
        format!(
            "{} {} {:?}",
            words[0],
            words[1],
            cells.filter(|cell| !cell.starts_with("AB=")).collect::<Vec<_>>()
        )
    };
    echoes.iter().map(shape).collect()
}

#[test]
fn every_case_of_the_golden_file_is_known() {
    assert_eq!(cases().iter().map(|case| case.name.as_str()).collect::<Vec<_>>(), CASES);
}

#[test]
fn writes_come_in_ycsbs_order_with_ycsbs_delays() {
    for name in [
        "load, no delay",
        "load, default delay settings",
        "load, delayedseries 0.6 delayedintervals 3",
        "load, milliseconds",
        "load, mixednumbers",
        "insert by transaction",
    ] {
        let case = named(name);
        assert_eq!(without_values(case.sent().expect("settings")), without_values(case.golden()), "{name}");
    }
}

#[test]
fn clients_write_keys_of_their_own() {
    let case = named("load, 2 threads each own a key");
    let by_client = |mut echoes: Vec<Echo>| {
        echoes.sort_by(|a, b| a.words.cmp(&b.words));
        without_values(echoes)
    };
    assert_eq!(by_client(case.sent().expect("settings")), by_client(case.golden()));
}

#[test]
fn values_to_check_are_those_of_ycsb() {
    let case = named("load, data integrity, no delay");
    let (sent, golden) = (case.sent().expect("settings"), case.golden());
    assert_eq!(values(&sent), values(&golden));
    assert_eq!(without_values(sent), without_values(golden));
}

#[test]
fn integers_fit_into_32_bits_and_the_templates_word_for_mixed_numbers_is_known() {
    let case = named("load, integers");
    let sent = case.sent().expect("settings");
    assert!(cell(&sent, "YCSBV=").iter().all(|value| value.parse::<i32>().is_ok()));
    assert_eq!(without_values(sent), without_values(case.golden()));
    // YCSB refuses the word.
    assert_eq!(named("load, valuetype=mixed (as the template says)").sent().expect("settings").len(), 6);
}

/// YCSB delays by the interval in minutes, taken for seconds.
#[test]
fn delays_are_scaled_like_intervals() {
    let case = named("load, minutes");
    let mut mended = case.golden();
    for cell in mended.iter_mut().flat_map(|echo| &mut echo.cells) {
        if let Some(timestamp) = cell.strip_prefix("YCSBTS=") {
            let timestamp: i64 = timestamp.parse().expect("a timestamp");
            let on_time = (timestamp + 59) / 60 * 60;
            *cell = format!("YCSBTS={}", on_time - 60 * (on_time - timestamp));
        }
    }
    assert_eq!(without_values(case.sent().expect("settings")), without_values(mended));
}

#[test]
fn timestamps_in_random_order_keep_to_ycsbs_grid() {
    let case = named("load, random timestamp order");
    for echoes in [case.sent().expect("settings"), case.golden()] {
        let times = times(&echoes);
        assert!(times.chunks(4).all(|four| four.iter().all(|one| *one == four[0])));
        assert!(times.iter().all(|one| (one - 1_483_228_740) % 60 == 0));
        assert!(times.iter().all(|one| (1_483_228_740..=1_483_229_340).contains(one)));
        assert_eq!(times.iter().collect::<BTreeSet<_>>().len(), 4);
    }
}

#[test]
fn sparse_writes_skip_as_many_series_as_in_ycsb() {
    let case = named("sparsity 0.5");
    for echoes in [case.sent().expect("settings"), case.golden()] {
        let places: Vec<i64> = echoes.iter().map(place).collect();
        assert_eq!(places.len(), 16);
        assert!(places[0] < 3, "{places:?}");
        assert!(places.windows(2).all(|pair| (1..=3).contains(&(pair[1] - pair[0]))), "{places:?}");
    }
}

/// Number of the written point: two keys with eight series each, one minute after the other.
fn place(echo: &Echo) -> i64 {
    let number = |text: &str| i64::from(text.as_bytes()[1] - b'A');
    let tag = |name| number(cell(std::slice::from_ref(echo), name)[0]);
    let key = number(echo.words.split(' ').next_back().expect("a key"));
    let minutes = (times(std::slice::from_ref(echo))[0] - 1_483_228_800) / 60;
    minutes * 16 + key * 8 + tag("AA=") * 4 + tag("AB=")
}

/// YCSB leaves combinations out; here each of the two values is written for each of the two keys.
#[test]
fn tags_without_a_cardinality_have_one_value() {
    let case = named("fewer cardinalities than tags");
    let (sent, golden) = (case.sent().expect("settings"), case.golden());
    let series: Vec<String> = sent.iter().map(|echo| format!("{} {}", echo.words, echo.cells[1])).collect();
    let all = ["AA AB=AA", "AA AB=AB", "AB AB=AA", "AB AB=AB", "AA AB=AA", "AA AB=AB"];
    assert_eq!(series, all.map(|series| format!("INSERT usertable {series}")));
    assert_eq!((sent.len(), sent[0].cells.len()), (golden.len(), golden[0].cells.len()));
}

#[test]
fn queries_have_the_tokens_of_ycsb() {
    for name in [
        "read",
        "read, query time span",
        "read, random query time span",
        "read, downsampling",
        "scan",
        "scan, downsampling",
    ] {
        let case = named(name);
        let (sent, mut golden) = (case.sent().expect("settings"), case.golden());
        // In scans YCSB writes another form, which its own base class for bindings refuses.
        golden
            .iter_mut()
            .flat_map(|echo| &mut echo.cells)
            .for_each(|cell| *cell = cell.replace("SUM=60", "SUM60"));
        assert_eq!(sent.len(), golden.len(), "{name}");
        assert_eq!(shapes(&sent), shapes(&golden), "{name}");
        for echo in sent.iter().chain(&golden) {
            assert!(matches!(echo.words.split(' ').nth(2), Some("AA" | "AB")), "{name}: {echo:?}");
            check_time(echo, name.contains("random"));
        }
    }
}

fn check_time(echo: &Echo, random: bool) {
    for time in cell(std::slice::from_ref(echo), "YCSBTS=") {
        let mut ends = time.split(',').map(|end| end.parse::<i64>().expect("a timestamp"));
        let from = ends.next().expect("a timestamp");
        assert!((0..=9).contains(&((from - 1_483_228_800) / 60)) && from % 60 == 0, "{time}");
        if let Some(to) = ends.next() {
            assert!(to == from + 3600 || (random && (from..from + 3600).contains(&to)), "{time}");
        }
    }
}

/// YCSB ends each of these with an exception.
#[test]
fn operations_without_room_in_time_use_the_first_timestamp() {
    for (name, writes) in [("update at start", 4), ("read with too few records (one offset)", 10)] {
        let case = named(name);
        let sent = case.sent().expect("settings");
        assert!(times(&sent[..writes]).iter().all(|time| *time == 1_483_228_800), "{name}");
        assert!(sent.len() == 10 && case.golden().is_empty(), "{name}");
    }
}

/// YCSB cannot start with it.
#[test]
fn grouped_tags_are_named_without_a_value() {
    let sent = named("groupby").sent().expect("settings");
    let has = |echo: &Echo, token: &str| echo.cells.iter().any(|cell| cell == token);
    assert!(sent.iter().all(|echo| has(echo, "AB") && has(echo, "YCSBGB=SUM")));
    assert_eq!(cell(&sent, "AA=").len(), sent.len());
}

#[test]
fn series_and_timestamps_are_as_many_as_ycsb_counts() {
    let case = named("basicdb.count");
    let count = |name: &str| -> i64 {
        let line = case.lines.iter().find_map(|line| line.strip_prefix(name)).expect("a count");
        line.trim_start_matches(", ").parse().expect("a number")
    };
    let sent = without_values(case.sent().expect("settings"));
    let series: BTreeSet<String> =
        sent.iter().map(|echo| format!("{} {:?}", echo.words, &echo.cells[..2])).collect();
    let times: BTreeSet<i64> = times(&sent).into_iter().collect();
    assert_eq!(series.len() as i64, count("[INSERTS], Uniques"));
    assert_eq!(times.len() as i64, count("[TIMESTAMPS], Unique"));
    assert_eq!(times.first(), Some(&count("[TIMESTAMPS], Min")));
    assert_eq!(times.last(), Some(&count("[TIMESTAMPS], Max")));
}

#[test]
fn what_cannot_be_run_is_refused_with_its_property() {
    for (name, part) in [
        ("load, more threads than keys", "fieldcount=\"2\" must be at least the number of clients, 3"),
        ("read modify write chosen", "readmodifywriteproportion=\"1\" must be 0"),
        ("integrity with floats", "valuetype=\"floats\" must be integers, because dataintegrity=true"),
        ("latest distribution", "requestdistribution=\"latest\""),
        ("nanoseconds", "timestampunits=\"NANOSECONDS\" is not supported"),
    ] {
        let refusal = named(name).sent().expect_err(name).0;
        assert!(refusal.contains(part), "{refusal}");
    }
}
