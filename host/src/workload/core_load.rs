//! The load phase of CoreWorkload, as one client carries it out.

use super::core::Core;
use super::digest::Digest;
use super::random::{Purpose, random_stream};
use super::stream::take_one;
use super::{Client, Next, OperationKind, OperationStream, Request, Verified};
use crate::base::rng::StreamRng;
use crate::generator::Payload;
use std::sync::Arc;

/// Inserts of one client: every `count`th record of the process, beginning with the client's own number.
///
/// One client meets the records in YCSB's order, many of them together keep close to it, and every client
/// knows its records without asking: the same seed loads the same values, and a client that stops early
/// leaves no other one's records out and takes none twice.
pub(super) struct LoadStream {
    core: Arc<Core>,
    next_number: i64,
    stride: i64,
    left: Option<u64>,
    rng: StreamRng,
    payload: Payload,
    digest: Digest,
}

impl LoadStream {
    pub(super) fn new(core: Arc<Core>, client: Client) -> Self {
        let stream = core.records.stream_of(&client);
        LoadStream {
            next_number: core.records.load.0 + client.index as i64,
            stride: client.count as i64,
            left: client.share,
            rng: random_stream(client.seed, stream, Purpose::Load),
            payload: Payload::new(&mut random_stream(client.seed, stream, Purpose::LoadValues)),
            digest: Digest::default(),
            core,
        }
    }
}

impl OperationStream for LoadStream {
    fn next(&mut self, request: &mut Request) -> Next {
        if !take_one(&mut self.left) {
            return Next::Exhausted;
        }
        request.kind = OperationKind::Insert;
        request.wants_values = false;
        request.key_number = self.next_number;
        request.key.clear();
        self.core.keys.write(self.next_number, &mut request.key);
        self.digest.add(self.next_number as u64);
        self.next_number += self.stride;
        let shape = &self.core.shape;
        shape.write(0..shape.field_names.len(), &mut self.rng, &mut self.payload, &mut self.digest, request);
        Next::Single
    }

    fn ended(&mut self, _: &Request, _: bool) -> Verified {
        Verified::NotChecked
    }

    fn digest(&self) -> u64 {
        self.digest.value()
    }
}
