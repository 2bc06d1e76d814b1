//! Layer 0: the clock, seeded random numbers, hashes, number texts, units, and the few calls into the
//! operating system. Knows nothing of benchmarks.

pub mod clock;
pub mod fnv;
pub mod java_text;
pub mod local_time;
pub mod os;
pub mod rng;
pub mod streams;
pub mod units;
