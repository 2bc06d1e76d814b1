//! Layer 9: runs from the first word to the exit code.

mod callbacks;
mod client_summary;
mod exit;
mod finish;
mod one_run;
mod onlookers;
mod result_files;
mod summary;

pub use callbacks::{flush_echo, install as install_callbacks};
pub use exit::{EXIT_CANNOT_OPEN, EXIT_FAILED, EXIT_USAGE};
pub use one_run::one_run;
pub use result_files::ResultFiles;

pub(crate) use client_summary::{cost_lines, lag_line, response_lines};
pub(crate) use summary::verdict_lines;
