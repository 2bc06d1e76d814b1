//! Layer 5: runs a plan.

mod batch;
mod budget;
mod calibrate;
mod client;
mod control;
mod controller;
mod endings;
mod flight;
mod lookout;
mod observer;
mod open;
mod phase;
mod probe;
mod signals;
mod turns;
mod worker;

pub use budget::Budget;
pub use calibrate::{Calibrated, calibrate};
pub use client::{Client, ClientPlan, MeasuredFrom, Shared, Start};
pub use control::{ClientState, Control, Stage, StopCause};
pub use controller::{Abandoned, ClockCheck, Limits};
pub use flight::{Flight, RunNames};
pub use observer::{Observer, RunView};
pub use open::{missing_capability, open_binding, open_request, usable_batch_size};
pub use phase::{PhaseInput, PhaseResult, run_phase};
pub use probe::{Probed, probe_inserts};
pub use signals::Signals;
pub use worker::{OwnThread, PulledThread, UNTIL_START_NS, Worker};
