//! How long a connection may wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Tells all connections of a binding that the run is ending.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Ends every wait within a tenth of a second.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the run is ending.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long a connection may wait.
#[derive(Clone, Debug)]
pub struct TimeLimits {
    /// For the connection itself.
    pub connect: Option<Duration>,
    /// For the server to go on with its answer, or with taking our request.
    pub silence: Option<Duration>,
    /// The property that sets `connect`, for messages.
    pub connect_property: &'static str,
    /// The property that sets `silence`, for messages.
    pub silence_property: &'static str,
    /// The end of the run.
    pub interrupt: Interrupt,
}
