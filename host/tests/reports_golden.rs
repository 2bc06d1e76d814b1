//! Reports and status summaries of fed latencies equal those of YCSB, in every measurement type and exporter.

use serde_json::Value;
use ycsb_host::config::{Given, Origin, Settings};
use ycsb_host::live::summaries;
use ycsb_host::measure::java_order::{hash_table_order, java_text_hash};
use ycsb_host::measure::{Aggregates, Block, Interval, MeasurePlan, StatusTable, UnitSums};
use ycsb_host::report::{Line, block_lines, write_json_array, write_json_sequence, write_raw, write_text};

fn plan_of(case: &Value) -> MeasurePlan {
    let mut settings = Settings::default();
    for (name, value) in case["properties"].as_object().unwrap() {
        let value = value.as_str().unwrap().to_owned();
        settings
            .set(name, Given { spelling: name.clone(), value, origin: Origin::Derived("the case".into()) });
    }
    MeasurePlan::from_settings(&settings).unwrap()
}

/// A block that holds `latencies`, all within one unit of time.
fn feed(block: &mut Block, latencies: &[u64], plan: &MeasurePlan) {
    let mut added = Aggregates::default();
    for &latency_us in latencies {
        block.latencies.record(latency_us * 1000);
        block.raw.push((0, latency_us));
        *added.millis.entry((latency_us / 1000).min(plan.buckets as u64)).or_default() += 1;
    }
    let sums = UnitSums {
        count: latencies.len() as u64,
        sum_us: latencies.iter().sum(),
        min_us: latencies.iter().copied().min().unwrap(),
        max_us: latencies.iter().copied().max().unwrap(),
    };
    added.units.insert(0, sums);
    block.aggregates.merge(&added);
}

/// The block with a name, made at its first use.
fn named<'a>(blocks: &'a mut Vec<Block>, name: &str) -> &'a mut Block {
    let position = blocks.iter().position(|block| block.name == name).unwrap_or_else(|| {
        blocks.push(Block { name: name.to_owned(), ..Block::default() });
        blocks.len() - 1
    });
    &mut blocks[position]
}

fn in_hash_order<T: Clone>(things: &[T], hash: impl Fn(&T) -> u32) -> Vec<T> {
    let hashes: Vec<u32> = things.iter().map(hash).collect();
    hash_table_order(&hashes).into_iter().map(|place| things[place].clone()).collect()
}

/// The measurements that a case feeds, in report order.
fn blocks_of(case: &Value, plan: &MeasurePlan) -> Vec<Block> {
    let statuses = StatusTable::default();
    let (mut plain, mut intended) = (Vec::new(), Vec::new());
    for step in case["feed"].as_array().unwrap() {
        let operation = step["op"].as_str().unwrap();
        if let Some(status) = step["status"].as_str() {
            let block = named(
                if plan.interval == Interval::Intended { &mut intended } else { &mut plain },
                operation,
            );
            block.returns.push((status.to_owned(), step["count"].as_u64().unwrap()));
            continue;
        }
        let latencies: Vec<u64> = serde_json::from_value(step["latencies"].clone()).unwrap();
        match (step["interval"].as_str().unwrap(), plan.interval) {
            ("op", Interval::Op | Interval::Both) => feed(named(&mut plain, operation), &latencies, plan),
            ("intended", Interval::Intended | Interval::Both) => {
                feed(named(&mut intended, operation), &latencies, plan);
            }
            _ => {}
        }
    }
    let hash_of_status =
        |(name, _): &(String, u64)| statuses.iter().find(|info| info.name == *name).unwrap().java_hash;
    let mut ordered = in_hash_order(&plain, |block| java_text_hash(&block.name));
    let prefix = if plan.interval == Interval::Both { "Intended-" } else { "" };
    ordered.extend(
        in_hash_order(&intended, |block| java_text_hash(&block.name))
            .into_iter()
            .map(|block| Block { name: format!("{prefix}{}", block.name), ..block }),
    );
    for block in &mut ordered {
        block.returns = in_hash_order(&block.returns, hash_of_status);
    }
    ordered
}

fn written(write: fn(&[Line], &mut dyn std::io::Write) -> std::io::Result<()>, lines: &[Line]) -> String {
    let mut out = Vec::new();
    write(lines, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Raw samples without the times at which they were taken, and without the remarks that belong on standard error.
fn without_times(text: &str) -> Vec<String> {
    let no_time = |line: &str| match line.split(',').collect::<Vec<_>>()[..] {
        [name, time, latency] if time.parse::<i64>().is_ok() => format!("{name},{latency}"),
        _ => line.to_owned(),
    };
    text.lines().filter(|line| !line.starts_with("Raw data measurement: ")).map(no_time).collect()
}

fn compare_whole(golden: &str) {
    let cases: Value = serde_json::from_str(golden).unwrap();
    for case in cases.as_array().unwrap() {
        let title = case["case"].as_str().unwrap();
        let plan = plan_of(case);
        let blocks = blocks_of(case, &plan);
        let lines: Vec<Line> = blocks.iter().flat_map(|block| block_lines(block, &plan)).collect();
        assert_eq!(written(write_text, &lines), case["text"].as_str().unwrap(), "text of {title}");
        assert_eq!(written(write_json_sequence, &lines), case["json"].as_str().unwrap(), "json of {title}");
        assert_eq!(
            written(write_json_array, &lines),
            case["jsonarray"].as_str().unwrap(),
            "jsonarray of {title}"
        );
        if let Some(summary) = case["summary"].as_str() {
            assert_eq!(summaries(&blocks, &plan), summary, "summary of {title}");
        }
        if let Some(direct) = case["direct_stdout"].as_str() {
            let mut raw = Vec::new();
            write_raw(&blocks, &plan, 0, &mut raw).unwrap();
            assert_eq!(
                without_times(&String::from_utf8(raw).unwrap()),
                without_times(direct),
                "samples of {title}"
            );
        }
    }
}

#[test]
fn fed_latencies_give_the_reports_of_reports_json() {
    compare_whole(include_str!("golden/reports.json"));
}

#[test]
fn fed_latencies_give_the_reports_of_reports_raw_json() {
    compare_whole(include_str!("golden/reports_raw.json"));
}
