//! Distributions of the generators alone, compared with counts drawn by YCSB's own.

use crate::golden::{assert_same_distribution, assert_same_share, number, table};
use std::path::Path;
use ycsb_host::base::rng::StreamRng;
use ycsb_host::generator::{
    Exponential, HistogramFile, Hotspot, Latest, Payload, Scrambled, Uniform, Weighted, Zipfian,
};

const DRAWS: u64 = 1_000_000;

fn rng(stream: u64) -> StreamRng {
    StreamRng::new(20_261_130, stream)
}

/// Counts of the listed items and of all others together.
fn counts_of(items: &[u64], mut draw: impl FnMut() -> u64) -> Vec<u64> {
    let mut counts = vec![0; items.len() + 1];
    for _ in 0..DRAWS {
        let drawn = draw();
        counts[items.iter().position(|&item| item == drawn).unwrap_or(items.len())] += 1;
    }
    counts
}

#[test]
fn the_fifty_most_popular_items_are_as_popular_as_in_ycsb() {
    let rows = table("distributions_top50.csv");
    for (stream, name) in [
        "zipfian(1000)",
        "zipfian(1..100)",
        "scrambled_zipfian(1000)",
        "scrambled_zipfian(10000)",
        "skewed_latest(counter 1000)",
    ]
    .into_iter()
    .enumerate()
    {
        let rows: Vec<_> = rows.iter().filter(|row| row["generator"] == name).collect();
        assert!(rows.len() >= 50, "{name}: {} rows", rows.len());
        let items: Vec<u64> = rows.iter().map(|row| number(row, "item")).collect();
        let mut golden: Vec<u64> = rows.iter().map(|row| number(row, "count")).collect();
        golden.push(number::<u64>(rows[0], "draws") - golden.iter().sum::<u64>());
        let mut rng = rng(stream as u64);
        let drawn = match name {
            "zipfian(1000)" => {
                let zipfian = Zipfian::new(1000, 0.99);
                counts_of(&items, || zipfian.draw(&mut rng))
            }
            "zipfian(1..100)" => {
                let zipfian = Zipfian::new(100, 0.99);
                counts_of(&items, || 1 + zipfian.draw(&mut rng))
            }
            "scrambled_zipfian(1000)" | "scrambled_zipfian(10000)" => {
                let scrambled = Scrambled::new(if name.contains("10000") { 10_000 } else { 1000 });
                counts_of(&items, || scrambled.draw(&mut rng))
            }
            _ => {
                // The counter stands at 1000, so the newest item is 999 and as many are counted.
                let latest = Latest::new(999);
                let mut view = latest.view();
                counts_of(&items, || 999 - latest.distance(&mut view, 999, rng.next_f64()).0)
            }
        };
        assert_same_distribution(name, &golden, &drawn);
    }
}

#[test]
fn hotspots_get_their_share() {
    for (stream, row) in table("hotspot.csv").iter().enumerate() {
        let (lower, upper): (i64, i64) = (number(row, "lower"), number(row, "upper"));
        let hotspot =
            Hotspot::new(lower, upper, number(row, "hotset_fraction"), number(row, "hot_op_fraction"));
        let first_cold = lower + number::<i64>(row, "hot_items");
        let mut rng = rng(10 + stream as u64);
        let draws: Vec<i64> = (0..DRAWS).map(|_| hotspot.draw(&mut rng)).collect();
        let hot = draws.iter().filter(|&&item| item < first_cold).count() as u64;
        assert_same_share("hotspot", (number(row, "hot_count"), number(row, "draws")), (hot, DRAWS));
        assert_eq!(draws.iter().min(), Some(&number(row, "min_item")));
        assert_eq!(draws.iter().max(), Some(&number(row, "max_item")));
    }
}

#[test]
fn exponential_draws_lie_below_each_threshold_as_often_as_in_ycsb() {
    let rows = table("exponential.csv");
    for (stream, rows) in rows.chunk_by(|a, b| a["percentile"] == b["percentile"]).enumerate() {
        let exponential = Exponential::new(number(&rows[0], "percentile"), number(&rows[0], "range"));
        let mean: f64 = number(&rows[0], "mean_of_generator");
        assert!((exponential.mean() / mean - 1.0).abs() < 1e-12);
        let mut rng = rng(20 + stream as u64);
        let draws: Vec<f64> = (0..DRAWS).map(|_| exponential.draw(&mut rng)).collect();
        for row in rows {
            let threshold: f64 = number(row, "threshold");
            let below = draws.iter().filter(|&&draw| draw < threshold).count() as u64;
            let golden = (number(row, "count_below"), number(row, "draws"));
            assert_same_share(&format!("exponential below {threshold}"), golden, (below, DRAWS));
        }
    }
}

#[test]
fn operations_are_mixed_by_weight() {
    const NAMES: [&str; 5] = ["READ", "UPDATE", "INSERT", "SCAN", "READMODIFYWRITE"];
    for (stream, row) in table("operation_mix.csv").iter().enumerate() {
        let weights = NAMES.map(|name| {
            let column = format!("{}proportion", name.to_lowercase());
            (NAMES.iter().position(|n| *n == name).expect("a name"), number::<f64>(row, &column))
        });
        let choice = Weighted::new(&weights).expect("a positive weight");
        let golden = NAMES.map(|name| number::<u64>(row, name));
        let mut drawn = [0; NAMES.len()];
        let mut rng = rng(30 + stream as u64);
        (0..DRAWS).for_each(|_| drawn[choice.draw(&mut rng)] += 1);
        assert_same_distribution("operation mix", &golden, &drawn);
    }
}

#[test]
fn bytes_are_distributed_by_position_as_in_ycsb() {
    let rows = table("random_bytes.csv");
    let mut payload = Payload::new(&mut rng(40));
    let mut counts = vec![[0u64; 256]; 6];
    let mut value = [0; 100];
    for _ in 0..40_000 {
        payload.fill(&mut value);
        value.iter().enumerate().for_each(|(position, &byte)| counts[position % 6][usize::from(byte)] += 1);
    }
    for (position, counts) in counts.iter().enumerate() {
        let mut golden = [0; 256];
        for row in rows.iter().filter(|row| number::<usize>(row, "position_mod_6") == position) {
            golden[number::<usize>(row, "byte")] = number(row, "count");
        }
        let impossible = golden.iter().zip(counts).find(|&(&g, &d)| g == 0 && d > 0);
        assert_eq!(impossible, None, "position {position}");
        assert_same_distribution(&format!("bytes at {position}"), &golden, counts);
    }
}

#[test]
fn field_lengths_are_distributed_as_in_ycsb() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/fieldlength_histogram_input.csv");
    let rows = table("fieldlengths.csv");
    let same = |a: &&str, row: &std::collections::BTreeMap<String, String>| row["distribution"] == **a;
    for (stream, rows) in rows
        .chunk_by(|a, b| ["distribution", "minfieldlength", "fieldlength"].iter().all(|c| a[*c] == b[*c]))
        .enumerate()
    {
        let (low, high): (i64, i64) = (number(&rows[0], "minfieldlength"), number(&rows[0], "fieldlength"));
        let mut rng = rng(50 + stream as u64);
        let mut draw: Box<dyn FnMut() -> u64> = if same(&"uniform", &rows[0]) {
            let uniform = Uniform::new(low, high);
            Box::new(move || uniform.draw(&mut rng) as u64)
        } else if same(&"zipfian", &rows[0]) {
            let zipfian = Zipfian::new((high - low + 1) as u64, 0.99);
            Box::new(move || low as u64 + zipfian.draw(&mut rng))
        } else if same(&"histogram", &rows[0]) {
            let histogram = HistogramFile::read(Path::new(file)).expect("the golden histogram");
            Box::new(move || histogram.draw(&mut rng))
        } else {
            assert_eq!((rows.len(), number::<i64>(&rows[0], "length")), (1, high), "constant length");
            continue;
        };
        let lengths: Vec<u64> = rows.iter().map(|row| number(row, "length")).collect();
        let mut golden: Vec<u64> = rows.iter().map(|row| number(row, "count")).collect();
        golden.push(0);
        let drawn = counts_of(&lengths, &mut draw);
        assert_eq!(drawn[lengths.len()], 0, "a length that YCSB never drew");
        assert_same_distribution(&format!("{} lengths", rows[0]["distribution"]), &golden, &drawn);
    }
}
