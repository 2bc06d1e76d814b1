//! What the border costs, through the real `libycsb_noop.so`: `cargo bench -p ycsb-noop [-- OPERATIONS]`.
//!
//! Every figure contains the loop of the caller, so it is an upper bound. Budgets: 8 ns for a blocking
//! operation with its fence, 20 ns for an async one, about 50 us of lateness for a wait.

use std::path::PathBuf;
use std::time::Duration;
use ycsb_plugin_api::testing::{Do, Open, OpenBinding, Plugin};

const ROUNDS: usize = 7;

fn main() {
    let operations = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(5_000_000);
    let library = library();
    let plugin = Plugin::load(&library).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
    println!("{}", library.display());
    let binding = |binding: u32| {
        let how = Open { binding, clients: 1_000, workers: 1, ..Open::default() };
        plugin.open(how).unwrap_or_else(|ended| panic!("open: {}", ended.detail))
    };
    for (index, name) in [(0, "blocking"), (1, "async")] {
        let binding = binding(index);
        let value = [7_u8; 100];
        let fields: Vec<(&str, &[u8])> = (0..10).map(|_| ("field0", &value[..])).collect();
        for (operation, step) in [
            ("read", Do::read("user1")),
            ("update", Do::update("user1", &fields)),
            ("read with a deadline", Do::read("user1").within(Duration::from_secs(600))),
        ] {
            report(
                &format!("{name} {operation}"),
                "ns",
                (0..ROUNDS).map(|_| cost_ns(&binding, step.clone(), operations)),
            );
        }
    }
    let binding = binding(1);
    for clients in [1, 1_000] {
        let rounds: Vec<Vec<Duration>> = (0..ROUNDS).map(|_| lateness(&binding, clients)).collect();
        for (name, share) in [("median", 0.5), ("p99", 0.99)] {
            let figures =
                rounds.iter().map(|late| late[(late.len() as f64 * share) as usize].as_secs_f64() * 1e6);
            report(&format!("lateness of waits, {clients} clients, {name}"), "us", figures);
        }
    }
}

/// The library that cargo built for this benchmark: beside the executable, or one folder up.
fn library() -> PathBuf {
    let executable = std::env::current_exe().expect("the path of this program");
    let folders = executable.ancestors().skip(1).take(2);
    let mut libraries = folders.map(|folder| folder.join("libycsb_noop.so"));
    libraries.find(|library| library.exists()).expect("libycsb_noop.so is built with the benchmark")
}

fn cost_ns(binding: &OpenBinding, step: Do, operations: u64) -> f64 {
    let ends = binding.play_one([Do::open(), step.unwatched().times(operations), Do::end()]);
    ends[1].took.as_secs_f64() * 1e9 / operations as f64
}

/// How late the waits of a number of clients end, sorted.
fn lateness(binding: &OpenBinding, clients: u64) -> Vec<Duration> {
    let waits = if clients == 1 { 200 } else { 5 };
    let steps = |client: u64| {
        let wait = move |round: u64| {
            Do::wait(Duration::from_micros(2_000 + (client * 7_919 + round * 131) % 20_000))
        };
        (0..waits).map(wait).collect()
    };
    let ends = binding.play((0..clients).map(steps).collect());
    let mut late: Vec<Duration> = ends.iter().flatten().map(|end| end.late).collect();
    late.sort_unstable();
    late
}

fn report(name: &str, unit: &str, figures: impl Iterator<Item = f64>) {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let (low, high) = (figures[0], figures[figures.len() - 1]);
    println!("{name:<42} {:>8.2} {unit}  ({low:.2} to {high:.2})", figures[figures.len() / 2]);
}
