//! The run phase of CoreWorkload, as one client carries it out.

use super::core::{Core, RunPlan};
use super::digest::Digest;
use super::integrity::Expectation;
use super::key_chooser::{ChooserView, KeyChooser};
use super::operation_mix::Operation;
use super::random::{Purpose, random_stream};
use super::stream::take_one;
use super::{Client, Next, OperationKind, OperationStream, Request, Select, Verified};
use crate::base::rng::StreamRng;
use crate::generator::Payload;
use std::ops::Range;
use std::sync::Arc;

/// Operations of one client.
pub(super) struct RunStream {
    core: Arc<Core>,
    chooser: Arc<KeyChooser>,
    left: Option<u64>,
    draws: Draws,
    /// The update of a read-modify-write whose read was handed out.
    second_half: Request,
    second_half_due: bool,
    expectation: Expectation,
}

/// The client's random streams and what they gave so far.
struct Draws {
    view: ChooserView,
    rng: StreamRng,
    payload: Payload,
    digest: Digest,
}

impl RunStream {
    pub(super) fn new(core: Arc<Core>, chooser: Arc<KeyChooser>, client: Client) -> Self {
        let stream = core.records.stream_of(&client);
        RunStream {
            left: client.share,
            draws: Draws {
                view: chooser.view(
                    random_stream(client.seed, stream, Purpose::Keys),
                    random_stream(client.seed, stream, Purpose::Redraws),
                ),
                rng: random_stream(client.seed, stream, Purpose::Run),
                payload: Payload::new(&mut random_stream(client.seed, stream, Purpose::RunValues)),
                digest: Digest::default(),
            },
            second_half: Request::default(),
            second_half_due: false,
            expectation: Expectation::default(),
            core,
            chooser,
        }
    }

    /// Prepares the comparison of what the read in `request` returns.
    fn expect_values(&mut self, request: &mut Request) {
        let shape = &self.core.shape;
        let Some(length) = shape.constant_length().filter(|_| shape.deterministic) else { return };
        let fields = match request.select {
            Select::All | Select::AllByName => 0..shape.field_names.len(),
            Select::One(field) => field..field + 1,
        };
        self.expectation.prepare(&request.key, fields.start, &shape.field_names[fields], length);
        request.wants_values = true;
    }
}

impl Draws {
    /// Chooses a record and writes its key.
    #[inline]
    fn record(&mut self, core: &Core, chooser: &KeyChooser, request: &mut Request) {
        let place = chooser.draw(&mut self.view, &mut self.digest);
        set_key(core, place, request);
    }

    /// One field at random.
    #[inline]
    fn field(&mut self, core: &Core) -> usize {
        let field = self.rng.below(core.shape.field_names.len() as u64);
        self.digest.add(field);
        field as usize
    }

    #[inline]
    fn select(&mut self, core: &Core, plan: &RunPlan, all: Select) -> Select {
        if plan.read_all { all } else { Select::One(self.field(core)) }
    }

    #[inline]
    fn update(&mut self, core: &Core, plan: &RunPlan, request: &mut Request) {
        let fields = if plan.write_all {
            0..core.shape.field_names.len()
        } else {
            let field = self.field(core);
            field..field + 1
        };
        self.values(core, fields, request);
    }

    fn values(&mut self, core: &Core, fields: Range<usize>, request: &mut Request) {
        core.shape.write(fields, &mut self.rng, &mut self.payload, &mut self.digest, request);
    }
}

#[inline]
fn set_key(core: &Core, place: i64, request: &mut Request) {
    request.key_number = core.records.number_at(place);
    request.key.clear();
    core.keys.write(request.key_number, &mut request.key);
}

impl OperationStream for RunStream {
    fn next(&mut self, request: &mut Request) -> Next {
        if self.second_half_due {
            self.second_half_due = false;
            std::mem::swap(request, &mut self.second_half);
            return Next::SecondOfTwo;
        }
        let RunStream { core, chooser, draws, left, .. } = self;
        let Some(plan) = &core.run else { return Next::Exhausted };
        if !take_one(left) {
            return Next::Exhausted;
        }
        request.wants_values = false;
        request.fields.clear();
        let operation = plan.mix.choice.draw(&mut draws.rng);
        draws.digest.add(operation as u64);
        match operation {
            Operation::Read => {
                request.kind = OperationKind::Read;
                draws.record(core, chooser, request);
                let all = if plan.read_all_by_name { Select::AllByName } else { Select::All };
                request.select = draws.select(core, plan, all);
                self.expect_values(request);
            }
            Operation::Update => {
                request.kind = OperationKind::Update;
                draws.record(core, chooser, request);
                draws.update(core, plan, request);
            }
            Operation::Insert => {
                request.kind = OperationKind::Insert;
                set_key(core, chooser.inserts().take(), request);
                draws.values(core, 0..core.shape.field_names.len(), request);
            }
            Operation::Scan => {
                request.kind = OperationKind::Scan;
                draws.record(core, chooser, request);
                request.limit = plan.scan_lengths.draw(&mut draws.rng);
                draws.digest.add(request.limit);
                request.select = draws.select(core, plan, Select::All);
            }
            Operation::Delete => {
                request.kind = OperationKind::Delete;
                draws.record(core, chooser, request);
            }
            Operation::ReadModifyWrite => {
                request.kind = OperationKind::Read;
                draws.record(core, chooser, request);
                request.select = draws.select(core, plan, Select::All);
                // The new value is made before the read is sent, as in YCSB: no part of the time between them.
                let second = &mut self.second_half;
                second.kind = OperationKind::Update;
                second.wants_values = false;
                second.key_number = request.key_number;
                second.key.clone_from(&request.key);
                draws.update(core, plan, second);
                self.second_half_due = true;
                self.expect_values(request);
                return Next::FirstOfTwo;
            }
        }
        Next::Single
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        self.expectation.compare(&self.core.shape.field_names, name, value);
    }

    fn ended(&mut self, request: &Request, success: bool) -> Verified {
        match request.kind {
            OperationKind::Insert => {
                self.chooser.inserts().ended(self.core.records.place_of(request.key_number), success);
                Verified::NotChecked
            }
            OperationKind::Read if request.wants_values => self.expectation.result(),
            _ => Verified::NotChecked,
        }
    }

    fn mismatch(&self) -> Option<String> {
        self.expectation.describe()
    }

    fn digest(&self) -> u64 {
        self.draws.digest.value()
    }
}
