//! Layer 5: runs a plan.

mod batch;
mod client;
mod control;
mod controller;
mod flight;
mod observer;
mod phase;
mod signals;
mod turns;
mod worker;

pub use client::{Client, ClientPlan, MeasuredFrom, Shared, Start, WarmUp};
pub use control::{ClientState, Control, Stage, StopCause};
pub use controller::{Abandoned, ClockCheck, Limits};
pub use flight::{Flight, RunNames};
pub use observer::{Observer, RunView};
pub use phase::{PhaseInput, PhaseResult, run_phase};
pub use signals::Signals;
pub use worker::{OwnThread, PulledThread, Worker};
