//! Layer 9: runs from the first word to the exit code.

mod callbacks;
mod exit;
mod one_run;
mod onlookers;
mod summary;

pub use callbacks::{flush_echo, install as install_callbacks};
pub use exit::{EXIT_CANNOT_OPEN, EXIT_FAILED, EXIT_USAGE};
pub use one_run::one_run;
