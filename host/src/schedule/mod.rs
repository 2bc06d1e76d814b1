//! Layer 3: when the next operation of a client is due, and what happens after a stall.

mod arrivals;
mod paced;
mod properties;

pub use arrivals::SharedArrivals;
pub use paced::{Due, Schedule, Tally};
pub use properties::{
    ARRIVAL, ARRIVAL_PROCESS, Arrival, DECLARATIONS, Pacing, Policy, Process, TARGET, THROTTLE_POLICY,
};
