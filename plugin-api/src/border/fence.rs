//! The fence that no panic crosses, and the hook that remembers what a panic said.

#[cfg(feature = "tokio")]
use crate::Failure;
use crate::abi::{HostApi, Outcome, Status, as_bytes, log_level, status};
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Once, OnceLock};

/// What a panic said and where.
pub(crate) struct Panicked(String);

impl Panicked {
    /// Says so in an outcome, instead of what a half-done operation may have written there.
    #[cold]
    pub(crate) fn record(self, outcome: &mut Outcome) -> Status {
        outcome.clear();
        outcome.set_detail(&self.0);
        status::PANIC
    }
}

#[cfg(feature = "tokio")]
impl From<Panicked> for Failure {
    fn from(panicked: Panicked) -> Failure {
        Failure::panicked(panicked.0)
    }
}

/// Calls `code`; a panic ends here.
///
/// What `code` borrows may be left half-changed by a panic: callers give up the session it belonged to.
#[inline]
pub(crate) fn fence<R>(code: impl FnOnce() -> R) -> Result<R, Panicked> {
    catch_unwind(AssertUnwindSafe(code)).map_err(what_happened)
}

/// Calls `code`; a panic ends here, and the host logs it: there is no outcome that could tell of it.
pub(crate) fn fence_and_log(code: impl FnOnce()) {
    if let Err(Panicked(text)) = fence(code) {
        log(&text);
    }
}

/// Has the host log what went wrong.
pub(crate) fn log(text: &str) {
    if let Some(host) = HOST.get() {
        (host.log)(log_level::ERROR, as_bytes(text.as_bytes()));
    }
}

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

#[cold]
fn what_happened(payload: Box<dyn Any + Send>) -> Panicked {
    let told = LAST_PANIC.try_with(|last| last.borrow_mut().take()).ok().flatten();
    let text = told.unwrap_or_else(|| format!("panicked: {}", message(payload.as_ref())));
    // The destructor of a payload may panic in its turn.
    std::mem::forget(payload);
    Panicked(text)
}

fn message(payload: &(dyn Any + Send)) -> &str {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "(no message)",
    }
}

static HOST: OnceLock<&'static HostApi> = OnceLock::new();

/// Remembers the host for panics on threads that no fence surrounds.
pub(super) fn remember_host(host: &'static HostApi) {
    HOST.get_or_init(|| host);
}

/// Replaces the panic hook of this library's copy of the standard library, which would print to stderr.
///
/// The new hook remembers the panic for the fence. There may be none on this thread, so that the host also
/// hears of it as a line for the plugin's author; before `open` there is no host to tell, and the panic is
/// printed as usual.
pub(super) fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic: &PanicHookInfo<'_>| {
            let text = match panic.location() {
                Some(place) => format!("panicked at {place}: {}", message(panic.payload())),
                None => format!("panicked: {}", message(panic.payload())),
            };
            match HOST.get() {
                Some(host) => (host.log)(log_level::DEBUG, as_bytes(text.as_bytes())),
                None => usual(panic),
            }
            // A panic inside this borrow would be a panic in the hook, which aborts; a failed borrow only
            // loses the text.
            let _ = LAST_PANIC.try_with(|last| last.try_borrow_mut().map(|mut last| *last = Some(text)));
        }));
    });
}
