//! What a plugin says to the host while it is checked.

use crate::binding::{HostCallbacks, set_host_callbacks};
use std::sync::{Mutex, PoisonError};

/// Log lines, the latest last. The lines of a plugin that says the same thousands of times are not worth
/// keeping.
static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
const MOST_LINES: usize = 10_000;

/// Begins to listen. What is echoed to stdout is dropped: it is no part of a report of the kit.
pub(super) fn install() {
    set_host_callbacks(HostCallbacks { log: Box::new(|_, text| keep(text)), echo: Box::new(|_| {}) });
}

fn keep(text: &str) {
    let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    if lines.len() < MOST_LINES {
        lines.push(text.to_owned());
    }
}

/// The lines since the last time.
pub(super) fn take() -> Vec<String> {
    std::mem::take(&mut *LINES.lock().unwrap_or_else(PoisonError::into_inner))
}
