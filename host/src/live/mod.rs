//! Layer 8: views of a run in progress: YCSB's status lines, and a progress bar on terminals without them.

mod observers;
mod progress;
mod remaining;
mod status_line;
mod summary;

pub use observers::{ProgressObserver, StatusObserver};
pub use progress::ProgressDisplay;
pub use remaining::{remaining_seconds, remaining_text};
pub use status_line::{Moment, Progress, StatusLines, StatusPlan, status_line};
pub use summary::summaries;
