//! Records as CoreWorkload chooses them, compared with YCSB's own choices.

use crate::golden::{assert_same_distribution, number, table};
use ycsb_host::base::rng::StreamRng;
use ycsb_host::config::{Given, Origin, Settings};
use ycsb_host::workload::Phase;
use ycsb_host::workload::digest::Digest;
use ycsb_host::workload::key_chooser::KeyChooser;
use ycsb_host::workload::records::Records;
use ycsb_host::workload::request_distribution::RequestDistribution;

const DRAWS: usize = 1_000_000;

struct Draws {
    chooser: KeyChooser,
    stream: u64,
}

impl Draws {
    fn new(distribution: &str, given: &[(&str, &str)], insert_proportion: f64, stream: u64) -> Self {
        let mut settings = Settings::default();
        for (name, value) in given.iter().chain([&("requestdistribution", distribution)]) {
            let origin = Origin::Argument(format!("-p {name}={value}"));
            settings.set(name, Given { spelling: (*name).to_owned(), value: (*value).to_owned(), origin });
        }
        let records = Records::from_settings(&settings, Phase::Run).expect("records");
        let distribution =
            RequestDistribution::from_settings(&settings, records.operations, insert_proportion)
                .expect("a distribution");
        Draws { chooser: KeyChooser::new(distribution, &records, records.count - 1), stream }
    }

    fn keys(&self) -> impl Iterator<Item = i64> {
        let stream = |number| StreamRng::new(20_261_130, 2 * self.stream + number);
        let mut view = self.chooser.view(stream(0), stream(1));
        let mut digest = Digest::default();
        (0..DRAWS).map(move |_| self.chooser.draw(&mut view, &mut digest))
    }

    fn counts(&self, records: usize) -> Vec<u64> {
        let mut counts = vec![0; records];
        self.keys().for_each(|key| counts[key as usize] += 1);
        counts
    }
}

#[test]
fn every_record_is_chosen_as_often_as_in_ycsb() {
    let rows = table("keychooser_counts.csv");
    for (stream, name) in ["uniform", "zipfian", "latest", "hotspot", "exponential"].into_iter().enumerate() {
        let golden: Vec<u64> = rows.iter().map(|row| number(row, name)).collect();
        let drawn = Draws::new(name, &[("recordcount", "1000")], 0.0, stream as u64).counts(1000);
        assert_same_distribution(name, &golden, &drawn);
    }
}

#[test]
fn expected_inserts_widen_the_zipfian_as_in_ycsb() {
    let golden: Vec<u64> =
        table("keychooser_zipfian_inserts5pct.csv").iter().map(|row| number(row, "count")).collect();
    let given = [("recordcount", "1000"), ("operationcount", "1000")];
    let drawn = Draws::new("zipfian", &given, 0.05, 10).counts(1000);
    assert_same_distribution("zipfian with 5 % inserts", &golden, &drawn);
}

#[test]
fn a_window_of_records_is_kept_to_as_far_as_ycsb_keeps_to_it() {
    for (stream, row) in table("keychooser_window.csv").iter().enumerate() {
        let name = &row["distribution"];
        let given = [("recordcount", "1000"), ("insertstart", "200"), ("insertcount", "300")];
        let keys: Vec<i64> = Draws::new(name, &given, 0.0, 20 + stream as u64).keys().collect();
        assert_eq!(keys.iter().min(), Some(&number(row, "min_key")), "{name}");
        assert_eq!(keys.iter().max(), Some(&number(row, "max_key")), "{name}");
        assert_eq!(number::<usize>(row, "draws"), DRAWS);
        let mean = keys.iter().sum::<i64>() as f64 / DRAWS as f64;
        let variance = keys.iter().map(|&key| (key as f64 - mean).powi(2)).sum::<f64>() / DRAWS as f64;
        // Both means vary; five standard errors of their difference are exceeded with a probability of 6e-7.
        let bound = if name == "sequential" { 0.0 } else { 5.0 * (2.0 * variance / DRAWS as f64).sqrt() };
        let golden: f64 = number(row, "mean_key");
        assert!((mean - golden).abs() <= bound, "{name}: mean {mean} instead of {golden} (+- {bound})");
    }
}

#[test]
fn the_newest_records_stay_the_most_popular_while_records_are_added() {
    let draws = Draws::new("latest", &[("recordcount", "1000")], 0.0, 30);
    let inserts = draws.chooser.inserts();
    (0..1000).for_each(|_| inserts.ended(inserts.take(), true));
    assert_eq!(inserts.newest(), 1999);
    let mut by_distance = vec![0u64; 2001];
    draws.keys().for_each(|key| by_distance[(1999 - key) as usize] += 1);

    let rows = table("latest_after_growth.csv");
    let (mut golden, mut drawn) = (Vec::new(), Vec::new());
    for row in &rows {
        golden.push(number::<u64>(row, "count"));
        drawn.push(by_distance[number::<usize>(row, "distance_from_newest")]);
    }
    golden.push(10_000_000 - golden.iter().sum::<u64>());
    drawn.push(DRAWS as u64 - drawn.iter().sum::<u64>());
    assert_same_distribution("latest, by distance", &golden, &drawn);

    let rows = table("latest_after_growth_buckets.csv");
    let golden: Vec<u64> = rows.iter().map(|row| number(row, "count")).collect();
    let drawn: Vec<u64> = rows
        .iter()
        .map(|row| {
            by_distance[number(row, "distance_from")..number(row, "distance_to_exclusive")].iter().sum()
        })
        .collect();
    assert_same_distribution("latest, by hundreds", &golden, &drawn);
}
