//! Measurements as YCSB names, groups and orders them, in reports and status lines alike.

use super::aggregates::Aggregates;
use super::histogram::Histogram;
use super::java_order::{hash_table_order, java_text_hash};
use super::plan::{Interval, MeasurePlan};
use super::raw_samples::{RawSample, RawSamples};
use super::series::Series;
use super::snapshot::{Outcomes, Snapshot};
use super::statuses::StatusInfo;
use ycsb_plugin_abi::status;

/// One measurement of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// Name, as in `READ`, `READ-FAILED`, `Intended-READ`.
    pub name: String,
    /// Latencies.
    pub latencies: Histogram,
    /// What some measurement types need beside them.
    pub aggregates: Aggregates,
    /// Names and counts of `Return=` lines, in order.
    pub returns: Vec<(String, u64)>,
    /// Time at which each operation ended (nanoseconds of CLOCK_MONOTONIC) and its latency (microseconds); filled
    /// where raw samples are reported.
    pub raw: Vec<(u64, u64)>,
}

/// The measurements of a snapshot, in YCSB's order: service times first, then response times.
///
/// Operations that a stop dropped are not measurements; they are reported as abandoned.
pub fn blocks(snapshot: &Snapshot, plan: &MeasurePlan, raw: Option<&RawSamples>) -> Vec<Block> {
    let kinds: &[(Latency, &str, bool)] = match plan.interval {
        Interval::Op => &[(Latency::Service, "", true)],
        Interval::Intended => &[(Latency::Response, "", true)],
        Interval::Both => &[(Latency::Service, "", true), (Latency::Response, "Intended-", false)],
    };
    let mut blocks = Vec::new();
    for &(latency, prefix, with_returns) in kinds {
        let mut registry = Registry { latency, with_returns, plan, raw, entries: Vec::new() };
        for (series, status, outcomes) in
            snapshot.iter().filter(|(_, info, _)| info.number != status::CANCELLED)
        {
            registry.add(series, status, outcomes);
        }
        blocks.extend(
            registry.in_order().map(|block| Block { name: format!("{prefix}{}", block.name), ..block }),
        );
    }
    blocks
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Latency {
    Service,
    Response,
}

/// The measurements of one kind of latency, as far as they are built.
struct Registry<'a> {
    latency: Latency,
    with_returns: bool,
    plan: &'a MeasurePlan,
    raw: Option<&'a RawSamples>,
    entries: Vec<Entry>,
}

struct Entry {
    /// In YCSB the measurement of a failure comes into use right before that of its operation.
    first_use: (u64, bool),
    block: Block,
    returns: Vec<Return>,
}

struct Return {
    name: String,
    java_hash: u32,
    first_use: u64,
    count: u64,
}

impl Registry<'_> {
    fn add(&mut self, series: Series, status: &StatusInfo, outcomes: &Outcomes) {
        let failed_apart = series.is_operation() && !status.success;
        if self.latency == Latency::Service || !series.service_only() {
            let suffix = failed_apart.then(|| self.plan.failures.suffix(status));
            let name = suffix
                .map_or_else(|| series.name().to_owned(), |suffix| format!("{}-{suffix}", series.name()));
            let (latencies, aggregates) = match self.latency {
                Latency::Service => (&outcomes.service, &outcomes.service_aggregates),
                Latency::Response => (outcomes.response_or_service(), &outcomes.response_aggregates),
            };
            let latency = self.latency;
            let in_raw = |sample: &RawSample| {
                let latency_us =
                    if latency == Latency::Service { sample.service_us } else { sample.response_us };
                (sample.done_ns, latency_us)
            };
            let raw = self.raw.map(|raw| raw.of(series, &[status.number])).unwrap_or_default();
            let block = &mut self.entry(&name, (outcomes.first_use, !failed_apart)).block;
            block.latencies.merge(latencies);
            block.aggregates.merge(aggregates);
            block.raw.extend(raw.iter().map(in_raw));
            block.raw.sort_by_key(|(done_ns, _)| *done_ns);
        }
        if series.counts_returns() && self.with_returns {
            self.entry(series.name(), (outcomes.first_use, true)).count(status, outcomes);
        }
    }

    fn entry(&mut self, name: &str, first_use: (u64, bool)) -> &mut Entry {
        let position = match self.entries.iter().position(|entry| entry.block.name == name) {
            Some(position) => position,
            None => {
                let block = Block { name: name.to_owned(), ..Block::default() };
                self.entries.push(Entry { first_use, block, returns: Vec::new() });
                self.entries.len() - 1
            }
        };
        let entry = &mut self.entries[position];
        entry.first_use = entry.first_use.min(first_use);
        entry
    }

    fn in_order(mut self) -> impl Iterator<Item = Block> {
        self.entries.sort_by_key(|entry| entry.first_use);
        in_hash_order(self.entries, |entry| java_text_hash(&entry.block.name)).map(|mut entry| {
            entry.returns.sort_by_key(|counted| counted.first_use);
            entry.block.returns = in_hash_order(entry.returns, |counted| counted.java_hash)
                .map(|counted| (counted.name, counted.count))
                .collect();
            entry.block
        })
    }
}

impl Entry {
    /// Counts a status; those that YCSB does not tell apart are added up.
    fn count(&mut self, status: &StatusInfo, outcomes: &Outcomes) {
        let same =
            |counted: &&mut Return| counted.name == status.upstream && counted.java_hash == status.java_hash;
        match self.returns.iter_mut().find(same) {
            Some(counted) => {
                counted.count += outcomes.count();
                counted.first_use = counted.first_use.min(outcomes.first_use);
            }
            None => self.returns.push(Return {
                name: status.upstream.clone(),
                java_hash: status.java_hash,
                first_use: outcomes.first_use,
                count: outcomes.count(),
            }),
        }
    }
}

/// Things in the order of first use, put into the order in which Java's hash table lists them.
fn in_hash_order<T>(things: Vec<T>, hash: impl Fn(&T) -> u32) -> impl Iterator<Item = T> {
    let hashes: Vec<u32> = things.iter().map(hash).collect();
    let mut things: Vec<Option<T>> = things.into_iter().map(Some).collect();
    hash_table_order(&hashes).into_iter().filter_map(move |place| things[place].take())
}

#[cfg(test)]
#[path = "blocks_tests.rs"]
mod tests;
