//! A random history of operations, checked against a model.

use super::super::finding::{Checked, Finding, demand, different};
use super::super::kit::{FIELDS, Kit, record};
use super::super::question::{Question, Record};
use super::super::rule::Rule;
use super::super::session::Session;
use crate::base::rng::StreamRng;
use std::collections::BTreeMap;
use std::time::Duration;
use ycsb_plugin_abi::{capability as can, kind, status};

pub(super) const RULES: &[Rule] = &[Rule::new(
    "history.random",
    "Every answer of a random history of operations is that of a model.",
    random,
)
.of_stores(can::INSERT | can::READ)];

/// Few keys, so that operations meet.
const KEYS: u64 = 24;

/// The records as they should be.
struct Model<'k, 's> {
    kit: &'k Kit<'k>,
    session: &'s Session,
    records: BTreeMap<String, Record>,
    rng: StreamRng,
    writes: u64,
}

fn random(kit: &Kit<'_>) -> Checked {
    if kit.can(can::UNACKNOWLEDGED_WRITES) {
        return Err(Finding::NotSupported("writes are not acknowledged, so reads may miss them".to_owned()));
    }
    kit.with_sessions(2, |sessions| {
        let mut model = Model {
            kit,
            session: &sessions[0],
            records: BTreeMap::new(),
            rng: StreamRng::new(kit.seed, 0),
            writes: 0,
        };
        for number in 0..kit.own.operations {
            model.session = &sessions[model.rng.below(2) as usize];
            model.step().map_err(|finding| in_history(finding, number, kit.seed))?;
        }
        Ok(None)
    })
}

fn in_history(finding: Finding, number: u64, seed: u64) -> Finding {
    match finding {
        Finding::Different { expected, came } => {
            different(format!("operation {number} of seed {seed}, {expected}"), came)
        }
        other => other,
    }
}

impl Model<'_, '_> {
    fn step(&mut self) -> Result<(), Finding> {
        let choices = [
            (kind::READ, can::READ, 30),
            (kind::INSERT, can::INSERT, 25),
            (kind::UPDATE, can::UPDATE, 20),
            (kind::DELETE, can::DELETE, 15),
            (kind::SCAN, can::SCAN_ORDERED, 10),
        ];
        let possible: Vec<_> = choices.into_iter().filter(|(_, bit, _)| self.kit.can(*bit)).collect();
        let mut drawn = self.rng.below(possible.iter().map(|(_, _, weight)| weight).sum());
        let number = self.rng.below(KEYS);
        let key = self.kit.key(&format!("{number:02}"));
        for (kind, _, weight) in possible {
            if drawn < weight {
                return self.operation(kind, &key);
            }
            drawn -= weight;
        }
        Ok(())
    }

    fn operation(&mut self, number: u32, key: &str) -> Result<(), Finding> {
        match number {
            kind::READ => self.read(key),
            kind::INSERT => self.insert(key),
            kind::UPDATE => self.update(key),
            kind::DELETE => self.delete(key),
            _ => self.scan(key),
        }
    }

    fn read(&mut self, key: &str) -> Result<(), Finding> {
        match self.records.get(key) {
            Some(fields) => self.kit.holds(self.session, key, fields),
            None => self.kit.is_absent(self.session, key),
        }
    }

    fn insert(&mut self, key: &str) -> Result<(), Finding> {
        self.writes += 1;
        let fields = record(key, format!("write {}", self.writes));
        let reply = self.session.ask(Question::insert(key, &fields))?;
        if self.records.contains_key(key) && !self.kit.can(can::INSERT_OVERWRITES) {
            let allowed = !reply.is_success
                && (reply.status == status::DUPLICATE || !self.kit.can(can::DETECTS_DUPLICATES));
            return demand(allowed, format!("INSERT of the existing {key}: DUPLICATE"), reply.told());
        }
        reply.succeeded(&format!("INSERT of {key}"))?;
        self.records.insert(key.to_owned(), fields);
        Ok(())
    }

    fn update(&mut self, key: &str) -> Result<(), Finding> {
        self.writes += 1;
        let first = self.rng.below(FIELDS.len() as u64) as usize;
        let salt = format!("write {}", self.writes);
        let change: Record = record(key, salt).into_iter().skip(first).take(3).collect();
        let reply = self.session.ask(Question::update(key, &change))?;
        match self.records.get_mut(key) {
            None if !self.kit.can(can::UPDATE_CREATES) => {
                reply.ended_with(&format!("UPDATE of the absent {key}"), &[status::NOT_FOUND])
            }
            fields => {
                reply.succeeded(&format!("UPDATE of {key}"))?;
                match fields {
                    Some(fields) => fields.extend(change),
                    None => drop(self.records.insert(key.to_owned(), change)),
                }
                Ok(())
            }
        }
    }

    fn delete(&mut self, key: &str) -> Result<(), Finding> {
        let reply = self.session.ask(Question::delete(key))?;
        match self.records.remove(key) {
            Some(_) => reply.succeeded(&format!("DELETE of {key}")),
            None => reply.ended_with(&format!("DELETE of the absent {key}"), &[status::NOT_FOUND]),
        }
    }

    /// The rows of this rule that a scan returns are those of the model.
    fn scan(&mut self, key: &str) -> Result<(), Finding> {
        // A scan that sees the past has nothing to be compared with while writes go on.
        if self.kit.own.settle > Duration::ZERO {
            return Ok(());
        }
        let limit = self.rng.below(8) + 1;
        let reply = self.session.ask(Question::scan(key, limit))?;
        let told = format!("SCAN of {limit} from {key}");
        reply.succeeded(&told)?;
        let expected: Vec<_> = self.records.range(key.to_owned()..).take(limit as usize).collect();
        let came = reply.rows.len();
        let enough = came >= expected.len() && came as u64 <= limit;
        demand(enough, format!("{told}: {} rows", expected.len()), came)?;
        for (row, (key, fields)) in reply.rows.iter().zip(expected) {
            row.holds(&format!("{told}, record of {key}"), fields)?;
        }
        Ok(())
    }
}
