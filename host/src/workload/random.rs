//! Independent random streams for the clients of all processes.

use crate::base::rng::StreamRng;

/// What a client draws from a stream. Each purpose has its own, so that draws of one never shift those of another.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    Load,
    LoadValues,
    Run,
    RunValues,
    Keys,
    Redraws,
}

/// The stream of a client for a purpose; `client` is unique over all processes.
pub(super) fn random_stream(seed: u64, client: u64, purpose: Purpose) -> StreamRng {
    StreamRng::new(seed, client << 3 | purpose as u64)
}
