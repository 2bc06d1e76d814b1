//! What the tasks of an async binding stand on: a precise timer, and futures that end in time and without
//! panics.

mod alarm_heap;
mod guarded;
mod latch;
mod timer;

pub(crate) use guarded::{fenced, until};
pub(crate) use latch::{Latch, LatchGuard};
pub(crate) use timer::{Alarm, Timer};
