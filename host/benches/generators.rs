//! What the host spends on deciding the next operation: `cargo bench -p ycsb-host --bench generators`.
//!
//! Each line is the fastest and the median of many rounds, in nanoseconds per call: on a busy machine the
//! fastest says what the code costs, the distance between the two how busy the machine was. Words on the
//! command line select the lines that contain one of them.

use std::hint::black_box;
use std::time::Instant;
use ycsb_host::base::fnv::fnv64;
use ycsb_host::base::rng::StreamRng;
use ycsb_host::config::{Given, Origin, Settings};
use ycsb_host::generator::{AcknowledgedCounter, Exponential, Latest, Payload, Scrambled, Uniform, Zipfian};
use ycsb_host::workload::integrity::write_value;
use ycsb_host::workload::keyspace::KeySpace;
use ycsb_host::workload::{Client, CoreWorkload, OperationStream, Phase, Request, Workload};

const ROUNDS: usize = 101;
const CALLS_PER_ROUND: usize = 10_000;

struct Bench {
    wanted: Vec<String>,
}

impl Bench {
    fn line(&self, name: &str, mut call: impl FnMut()) {
        if !self.wanted.is_empty() && !self.wanted.iter().any(|word| name.contains(word.as_str())) {
            return;
        }
        let mut rounds_ns: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let begun = Instant::now();
                (0..CALLS_PER_ROUND).for_each(|_| call());
                begun.elapsed().as_nanos() as f64 / CALLS_PER_ROUND as f64
            })
            .collect();
        rounds_ns.sort_by(f64::total_cmp);
        println!("{name:<44} {:>9.2} {:>9.2}", rounds_ns[0], rounds_ns[ROUNDS / 2]);
    }
}

fn stream(phase: Phase, given: &[(&str, &str)]) -> Box<dyn OperationStream> {
    let mut settings = Settings::default();
    for (name, value) in given {
        let given =
            Given { spelling: (*name).to_owned(), value: (*value).to_owned(), origin: Origin::Default };
        settings.set(name, given);
    }
    let workload = CoreWorkload::from_settings(&settings, phase).expect("settings");
    workload.stream(Client { index: 0, count: 1, seed: 1, share: None })
}

fn operations(bench: &Bench, name: &str, phase: Phase, given: &[(&str, &str)]) {
    let mut stream = stream(phase, given);
    let mut request = Request::default();
    bench.line(name, || {
        black_box(stream.next(&mut request));
        black_box(stream.ended(black_box(&request), true));
    });
}

fn main() {
    let wanted = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let bench = Bench { wanted };
    println!("{:<44} {:>9} {:>9}", "ns per call", "fastest", "median");
    let mut rng = StreamRng::new(1, 0);
    numbers(&bench, &mut rng);
    text_and_bytes(&bench, &mut rng);
    let records = [("recordcount", "1000000"), ("operationcount", "1000000")];
    let run = |name: &str, given: &[(&str, &str)]| {
        operations(&bench, name, Phase::Run, &[records.as_slice(), given].concat());
    };
    let reads = ("updateproportion", "0");
    for distribution in
        ["uniform", "zipfian", "latest", "hotspot", "exponential", "sequential", "true_zipfian"]
    {
        run(&format!("operation: read, {distribution}"), &[reads, ("requestdistribution", distribution)]);
    }
    run(
        "operation: workload a",
        &[("requestdistribution", "zipfian"), ("readproportion", "1"), ("updateproportion", "1")],
    );
    run("operation: workload d", &[reads, ("requestdistribution", "latest"), ("insertproportion", "0.05")]);
    run("operation: read with integrity", &[reads, ("dataintegrity", "true")]);
    operations(&bench, "operation: load 10 x 100 bytes", Phase::Load, &records);
    operations(
        &bench,
        "operation: load 1 x 1000 bytes",
        Phase::Load,
        &[("fieldcount", "1"), ("fieldlength", "1000")],
    );
}

fn numbers(bench: &Bench, rng: &mut StreamRng) {
    bench.line("random 64 bits", || _ = black_box(rng.next_u64()));
    let uniform = Uniform::new(0, 999_999);
    bench.line("uniform", || _ = black_box(uniform.draw(rng)));
    let zipfian = Zipfian::new(1_000_000, 0.99);
    bench.line("zipfian", || _ = black_box(zipfian.draw(rng)));
    let scrambled = Scrambled::new(1_000_001);
    bench.line("scrambled zipfian", || _ = black_box(scrambled.draw(rng)));
    let latest = Latest::new(999_999);
    let mut view = latest.view();
    bench.line("latest", || _ = black_box(latest.distance(&mut view, 999_999, rng.next_f64())));
    let exponential = Exponential::new(95.0, 857_142.0);
    bench.line("exponential", || _ = black_box(exponential.draw(rng)));
    let counter = AcknowledgedCounter::new(0);
    bench.line("acknowledged counter", || counter.acknowledge(counter.take()));
}

fn text_and_bytes(bench: &Bench, rng: &mut StreamRng) {
    bench.line("hash of a record number", || _ = black_box(fnv64(black_box(123_456))));
    let mut key = String::new();
    for (name, hashed) in [("key text, hashed", true), ("key text, ordered", false)] {
        let keys = KeySpace { hashed, zero_padding: 1 };
        bench.line(name, || {
            key.clear();
            keys.write(black_box(123_456), &mut key);
            black_box(&key);
        });
    }
    let mut payload = Payload::new(rng);
    for length in [10, 100, 1000] {
        let mut value = vec![0; length];
        bench.line(&format!("value of {length} bytes"), || payload.fill(black_box(&mut value)));
    }
    let mut value = Vec::new();
    bench.line("value of 100 bytes, deterministic", || {
        value.clear();
        write_value(black_box("user6284781860667377211"), "field0", 100, &mut value);
    });
}
