//! Echoed operations of time series runs: those of the golden file, and those that we send.

use ycsb_host::config::{ConfigError, Given, Origin, Settings};
use ycsb_host::workload::{Client, Next, OperationKind, Phase, Request, Workload, WorkloadClass, share_of};

/// A run of the golden file.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) lines: Vec<String>,
    settings: Settings,
    phase: Phase,
    clients: usize,
}

/// One echoed operation: its first words, and its cells or tokens in order of their names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Echo {
    pub(crate) words: String,
    pub(crate) cells: Vec<String>,
}

pub(crate) fn named(name: &str) -> Case {
    cases().into_iter().find(|case| case.name == name).unwrap_or_else(|| panic!("no case {name}"))
}

pub(crate) fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/timeseries_runs.json");
    let text = std::fs::read_to_string(path).expect("the golden file");
    let cases: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    cases.as_array().expect("a list of cases").iter().map(case).collect()
}

fn case(value: &serde_json::Value) -> Case {
    let text = |name: &str| value[name].as_str().expect("a text").to_owned();
    let mut case = Case {
        name: text("case"),
        lines: text("stdout").lines().map(str::to_owned).collect(),
        settings: Settings::default(),
        phase: Phase::Run,
        clients: 1,
    };
    let mut arguments =
        value["args"].as_array().expect("arguments").iter().map(|word| word.as_str().expect("a word"));
    while let Some(flag) = arguments.next() {
        match flag {
            "-load" => case.phase = Phase::Load,
            "-t" => case.phase = Phase::Run,
            "-threads" => case.clients = arguments.next().expect("a number").parse().expect("a number"),
            "-p" => {
                let (name, value) = arguments.next().and_then(|pair| pair.split_once('=')).expect("a pair");
                let origin = Origin::Argument(format!("-p {name}={value}"));
                let given = Given { spelling: name.to_owned(), value: value.to_owned(), origin };
                case.settings.set(name, given);
            }
            "-db" => drop(arguments.next()),
            other => panic!("argument {other}"),
        }
    }
    case
}

impl Case {
    /// What YCSB sent.
    pub(crate) fn golden(&self) -> Vec<Echo> {
        let operations = ["INSERT ", "UPDATE ", "READ ", "SCAN ", "DELETE "];
        self.lines
            .iter()
            .filter(|line| operations.iter().any(|operation| line.starts_with(operation)))
            .map(|line| {
                let (words, cells) = line.split_once(" [ ").expect("cells");
                let cells = cells.trim_end_matches(" ]").split(' ').map(str::to_owned).collect();
                Echo { words: words.to_owned(), cells }
            })
            .map(sorted)
            .collect()
    }

    /// What we send: clients one after the other.
    pub(crate) fn sent(&self) -> Result<Vec<Echo>, ConfigError> {
        let mut settings = self.settings.clone();
        let class = WorkloadClass::of(settings.given("workload").expect("a workload"))?;
        let workload = class.make(&mut settings, self.phase, self.clients)?;
        let mut echoes = Vec::new();
        for index in 0..self.clients {
            let share = share_of(workload.operation_count(), index, self.clients);
            let mut stream = workload.stream(Client { index, count: self.clients, seed: 3, share });
            let mut request = Request::default();
            while stream.next(&mut request) != Next::Exhausted {
                echoes.push(sorted(echo(&*workload, &request)));
                stream.ended(&request, true);
            }
        }
        Ok(echoes)
    }
}

fn sorted(mut echo: Echo) -> Echo {
    echo.cells.sort();
    echo
}

fn echo(workload: &dyn Workload, request: &Request) -> Echo {
    let name = format!("{:?}", request.kind).to_uppercase();
    let mut words = format!("{name} {} {}", workload.table(), request.key);
    if request.kind == OperationKind::Scan {
        words = format!("{words} {}", request.limit);
    }
    if !matches!(request.kind, OperationKind::Insert | OperationKind::Update) {
        return Echo { words, cells: request.tokens.clone() };
    }
    let cells = request.fields.iter().map(|range| {
        let bytes = &request.values[range.start..range.start + range.len];
        let name = &workload.field_names()[range.field];
        let number = |bytes: &[u8]| i64::from_be_bytes(bytes.try_into().expect("eight bytes"));
        match name.as_str() {
            "YCSBTS" => format!("{name}={}", number(bytes)),
            "YCSBV" => format!("{name}={}", value_text(number(bytes))),
            _ => format!("{name}={}", String::from_utf8_lossy(bytes)),
        }
    });
    Echo { words, cells: cells.collect() }
}

fn value_text(bits: i64) -> String {
    match i32::try_from(bits) {
        Ok(integer) => integer.to_string(),
        Err(_) => format!("{:?}", f64::from_bits(bits as u64)),
    }
}
