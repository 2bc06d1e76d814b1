//! TimeSeriesWorkload as one client carries it out.

use super::check::{RowCheck, value_at};
use super::plan::{KeyChoice, Plan};
use super::query::Tokens;
use super::series::{Cursor, Field, SeriesSet};
use super::timeline::Timeline;
use crate::base::rng::StreamRng;
use crate::workload::digest::Digest;
use crate::workload::operation_mix::Operation;
use crate::workload::random::{Purpose, random_stream};
use crate::workload::stream::take_one;
use crate::workload::{
    Client, FieldRange, Next, OperationKind, OperationStream, Phase, Request, Select, Verified,
};
use std::sync::Arc;

/// Operations of one client: it writes the series of its own keys in turn and queries all.
pub(super) struct TimeSeriesStream {
    plan: Arc<Plan>,
    series: Arc<SeriesSet>,
    left: Option<u64>,
    cursor: Cursor,
    timeline: Timeline,
    rng: StreamRng,
    values: StreamRng,
    digest: Digest,
    /// The tokens of a delete, before they are joined.
    delete_tokens: Vec<String>,
    check: RowCheck,
    timestamp_key: String,
    value_key: String,
}

impl TimeSeriesStream {
    pub(super) fn new(plan: Arc<Plan>, series: Arc<SeriesSet>, client: Client) -> Self {
        let stream = (plan.process as u64) << 32 | client.index as u64;
        let (draws, values) = match plan.phase {
            Phase::Load => (Purpose::Load, Purpose::LoadValues),
            Phase::Run => (Purpose::Run, Purpose::RunValues),
        };
        let mut rng = random_stream(client.seed, stream, draws);
        let index = plan.process * client.count + client.index;
        let keys = series.keys_of(index, plan.processes * client.count);
        let name_of = |field: Field| {
            let place = series.fields.iter().position(|other| *other == field);
            place.map(|place| series.field_names[place].clone()).unwrap_or_default()
        };
        TimeSeriesStream {
            left: client.share,
            cursor: Cursor::new(keys, series.tags.len()),
            timeline: timeline(&plan, &mut rng),
            rng,
            values: random_stream(client.seed, stream, values),
            digest: Digest::default(),
            delete_tokens: Vec::new(),
            check: RowCheck::default(),
            timestamp_key: name_of(Field::Timestamp),
            value_key: name_of(Field::Value),
            plan,
            series,
        }
    }

    /// Writes the next value of the present series; false if all timestamps were written.
    fn write(&mut self, kind: OperationKind, request: &mut Request) -> bool {
        if self.plan.skip_below > 0 {
            let steps = self.rng.below(self.plan.skip_below);
            self.digest.add(steps);
            (1..steps).for_each(|_| self.advance());
        }
        let Some(current) = self.timeline.current else { return false };
        let timestamp = match kind {
            OperationKind::Update => self.timeline.earlier(&mut self.rng),
            _ => current - self.delay(),
        };
        request.kind = kind;
        request.tokens.clear();
        self.set_key(self.cursor.key, request);
        self.digest.add(self.cursor.index(&self.series));
        self.write_fields(timestamp, request);
        self.advance();
        true
    }

    fn advance(&mut self) {
        if self.cursor.advance(&self.series) {
            self.timeline.advance();
        }
    }

    /// How far the present series lags behind.
    fn delay(&self) -> i64 {
        let index = self.cursor.index(&self.series);
        if index as f64 / self.series.count() as f64 >= self.plan.delayed_series {
            return 0;
        }
        self.plan.scale.step * (index % self.plan.delayed_intervals) as i64
    }

    fn write_fields(&mut self, timestamp: i64, request: &mut Request) {
        let TimeSeriesStream { plan, series, cursor, values: rng, .. } = self;
        let Request { fields, values, .. } = request;
        fields.clear();
        values.clear();
        for (number, field) in series.fields.iter().enumerate() {
            let start = values.len();
            match field {
                Field::Tag(tag) => {
                    values.extend_from_slice(series.tags[*tag].values[cursor.tags[*tag]].as_bytes());
                }
                Field::Timestamp => values.extend_from_slice(&timestamp.to_be_bytes()),
                Field::Value if plan.integrity => {
                    values.extend_from_slice(&value_at(series, cursor, timestamp).to_be_bytes());
                }
                Field::Value => values.extend_from_slice(&plan.value_type.draw(rng)),
            }
            fields.push(FieldRange { field: number, start, len: values.len() - start });
        }
    }

    fn set_key(&self, key: usize, request: &mut Request) {
        request.key_number = key as i64;
        request.key.clear();
        request.key.push_str(&self.series.keys[key]);
    }

    /// A key by the request distribution.
    fn chosen_key(&mut self) -> usize {
        let key = match &self.plan.keys {
            // Shared by all clients, so no draw of this one.
            KeyChoice::Sequential(sequence) => return sequence.take() as usize,
            KeyChoice::Uniform(uniform) => uniform.draw(&mut self.rng),
            KeyChoice::Zipfian(scrambled) => scrambled.draw(&mut self.rng) as i64,
            KeyChoice::Hotspot(hotspot) => hotspot.draw(&mut self.rng),
        };
        self.digest.add(key as u64);
        key as usize
    }

    /// Any key, all alike.
    fn any_key(&mut self) -> usize {
        let key = self.rng.below(self.series.keys.len() as u64);
        self.digest.add(key);
        key as usize
    }

    /// Prepares a request that names a key and tokens.
    fn query(&mut self, kind: OperationKind, key: usize, request: &mut Request) {
        request.kind = kind;
        request.fields.clear();
        request.select = Select::All;
        self.set_key(key, request);
        let offset = self.rng.below(self.plan.offsets.saturating_sub(1).max(1));
        self.digest.add(offset);
        let timestamp = self.timeline.start + offset as i64 * self.plan.scale.step;
        let mut tokens = Tokens::new(&mut request.tokens);
        self.plan.query.write_tokens(&self.series, timestamp, &mut self.rng, &mut self.digest, &mut tokens);
    }
}

fn timeline(plan: &Plan, rng: &mut StreamRng) -> Timeline {
    let step = plan.scale.step;
    if plan.shuffled_timestamps {
        return Timeline::shuffled(plan.first, step, plan.offsets, rng);
    }
    // Without a given start, the present is the second timestamp.
    Timeline::ascending(if plan.first_given { plan.first } else { plan.first - step }, step)
}

impl OperationStream for TimeSeriesStream {
    fn next(&mut self, request: &mut Request) -> Next {
        if !take_one(&mut self.left) {
            return Next::Exhausted;
        }
        request.wants_values = false;
        let operation = match &self.plan.mix {
            None => Operation::Insert,
            Some(mix) => mix.choice.draw(&mut self.rng),
        };
        self.digest.add(operation as u64);
        match operation {
            Operation::Insert | Operation::Update => {
                let kind = match operation {
                    Operation::Insert => OperationKind::Insert,
                    _ => OperationKind::Update,
                };
                if !self.write(kind, request) {
                    return Next::Exhausted;
                }
            }
            // Read-modify-write was refused with the settings.
            Operation::Read | Operation::ReadModifyWrite => {
                let key = self.chosen_key();
                self.query(OperationKind::Read, key, request);
                if self.plan.integrity {
                    request.wants_values = true;
                    self.check.begin(&request.key);
                }
            }
            Operation::Scan => {
                let key = self.any_key();
                request.limit = self.plan.scan_lengths.draw(&mut self.rng);
                self.digest.add(request.limit);
                self.query(OperationKind::Scan, key, request);
            }
            Operation::Delete => {
                let key = self.any_key();
                self.query(OperationKind::Delete, key, request);
                // Deletes carry everything in their key.
                std::mem::swap(&mut request.tokens, &mut self.delete_tokens);
                request.tokens.clear();
                for token in &self.delete_tokens {
                    request.key.push_str(&self.plan.query.delete_delimiter);
                    request.key.push_str(token);
                }
            }
        }
        Next::Single
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        self.check.cell(&self.timestamp_key, &self.value_key, name, value);
    }

    fn ended(&mut self, request: &Request, success: bool) -> Verified {
        // As in YCSB a read that failed is not checked.
        if request.wants_values && success { self.check.judge() } else { Verified::NotChecked }
    }

    fn mismatch(&self) -> Option<String> {
        self.check.describe()
    }

    fn digest(&self) -> u64 {
        self.digest.value()
    }
}
