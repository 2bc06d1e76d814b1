//! SIGINT and SIGTERM: noticed, so that a run ends with its report.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// How often each signal came.
#[derive(Debug, Default)]
pub struct Signals {
    interrupts: AtomicU32,
    terminations: AtomicU32,
    output_closed: AtomicBool,
}

static INSTALLED: OnceLock<Arc<Signals>> = OnceLock::new();

impl Signals {
    /// Starts noticing SIGINT and SIGTERM, once per process: a thread waits for them and wakes `wake`.
    ///
    /// # Errors
    /// The operating system's answer if handlers cannot be installed.
    pub fn install(wake: std::thread::Thread) -> std::io::Result<Arc<Signals>> {
        if let Some(signals) = INSTALLED.get() {
            return Ok(Arc::clone(signals));
        }
        let signals = Arc::new(Signals::default());
        let mut incoming =
            signal_hook::iterator::Signals::new([signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM])?;
        let counted = Arc::clone(&signals);
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in incoming.forever() {
                let counter = match signal {
                    signal_hook::consts::SIGINT => &counted.interrupts,
                    _ => &counted.terminations,
                };
                counter.fetch_add(1, Ordering::SeqCst);
                wake.unpark();
            }
        })?;
        Ok(Arc::clone(INSTALLED.get_or_init(|| signals)))
    }

    /// Signals that never come, for tests.
    pub fn none() -> Arc<Signals> {
        Arc::new(Signals::default())
    }

    /// SIGINTs so far.
    pub fn interrupts(&self) -> u32 {
        self.interrupts.load(Ordering::SeqCst)
    }

    /// SIGTERMs so far.
    pub fn terminations(&self) -> u32 {
        self.terminations.load(Ordering::SeqCst)
    }

    /// Nobody reads what the binding echoes any more: the run has no purpose left.
    pub fn output_was_closed(&self) {
        self.output_closed.store(true, Ordering::SeqCst);
    }

    /// Whether nobody reads what the binding echoes any more.
    pub fn is_output_closed(&self) -> bool {
        self.output_closed.load(Ordering::SeqCst)
    }
}
