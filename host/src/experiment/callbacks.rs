//! Where the words of a plugin go: log lines to stderr, echoed bytes to stdout.

use crate::binding::{HostCallbacks, set_host_callbacks};
use crate::config::Redactor;
use std::io::{BufWriter, Stdout, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use ycsb_plugin_abi::log_level;

/// Echoed lines wait here until the buffer is full, somebody looks at the run, or the report is due.
static ECHO: Mutex<Option<BufWriter<Stdout>>> = Mutex::new(None);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);
const ECHO_BUFFER_BYTES: usize = 1 << 16;

/// Sends a plugin's log lines to stderr, secrets taken out, and its echoed bytes to stdout.
pub fn install(binding: &str, redactor: &Redactor) {
    let (binding, redactor) = (binding.to_owned(), redactor.clone());
    set_host_callbacks(HostCallbacks {
        log: Box::new(move |level, text| {
            let word = match level {
                log_level::ERROR => "error: ",
                log_level::WARN => "warning: ",
                log_level::INFO => "",
                _ if std::env::var_os("YCSB_DEBUG").is_none() => return,
                _ => "debug: ",
            };
            let line = format!("{binding}: {word}{}\n", redactor.text(text));
            // A message that nobody can read is no reason to end a run.
            let _ = std::io::stderr().write_all(line.as_bytes());
        }),
        echo: Box::new(echo),
    });
}

fn echo(bytes: &[u8]) {
    let mut echo = ECHO.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let buffer = echo.get_or_insert_with(|| BufWriter::with_capacity(ECHO_BUFFER_BYTES, std::io::stdout()));
    if buffer.write_all(bytes).is_err() {
        STDOUT_CLOSED.store(true, Ordering::Relaxed);
    }
}

/// Writes out what was echoed so far.
pub fn flush_echo() {
    let mut echo = ECHO.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(buffer) = echo.as_mut()
        && buffer.flush().is_err()
    {
        STDOUT_CLOSED.store(true, Ordering::Relaxed);
    }
}

/// Whether nobody reads stdout any more.
pub(super) fn is_stdout_closed() -> bool {
    STDOUT_CLOSED.load(Ordering::Relaxed)
}
