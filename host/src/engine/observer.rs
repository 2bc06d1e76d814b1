//! What looks at a run in progress: status lines, progress, the journal of the result.

use crate::measure::{RecorderSet, Snapshot};

/// The state of a run at one moment.
#[derive(Clone, Copy, Debug)]
pub struct RunView<'a> {
    /// Now (CLOCK_MONOTONIC, nanoseconds).
    pub now_ns: u64,
    /// When all clients were open; `None` before that.
    pub started_ns: Option<u64>,
    /// From when operations are recorded; `None` while that is not known.
    pub measured_from_ns: Option<u64>,
    /// Operations that succeeded.
    pub done: u64,
    /// Operations that failed.
    pub failed: u64,
    /// Operations that the clients still have to do; `None` = no limit.
    pub remaining: Option<u64>,
    /// All recorders.
    pub recorders: &'a RecorderSet,
}

impl RunView<'_> {
    /// Everything recorded so far.
    pub fn snapshot(&self) -> Snapshot {
        self.recorders.snapshot()
    }
}

/// Something that looks at a run from time to time, in the controller's thread.
pub trait Observer {
    /// The clients are about to be started.
    fn begin(&mut self, view: &RunView<'_>);

    /// Time of the next look.
    fn next_look_ns(&self) -> u64;

    /// Looks.
    fn look(&mut self, view: &RunView<'_>);

    /// All clients are done or given up.
    fn end(&mut self, view: &RunView<'_>);
}
