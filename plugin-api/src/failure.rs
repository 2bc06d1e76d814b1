//! How an operation, an `open` or a session ended: [`Answer`], [`Done`] and [`Failure`].

use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::time::Duration;
use ycsb_plugin_abi::{Outcome, Status, outcome_flag, status};

/// What every operation answers.
pub type Answer = Result<Done, Failure>;

/// A success.
///
/// Most operations end with `Ok(Done::OK)`; what is not a plain acknowledgement says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    status: Status,
    server_ns: u64,
}

impl Done {
    /// Done and acknowledged by the database.
    pub const OK: Done = Done { status: status::OK, server_ns: 0 };
    /// Sent without asking for an acknowledgement; the report counts it apart.
    pub const UNACKNOWLEDGED: Done = Done { status: status::UNACKNOWLEDGED, server_ns: 0 };
    /// Accepted by a client library that writes later and cannot be told not to buffer.
    pub const BUFFERED: Done = Done { status: status::BATCHED_OK, server_ns: 0 };

    /// The `index`-th status of [`Info::statuses`](crate::Info::statuses), declared there as a success.
    pub const fn custom(index: u32) -> Done {
        Done { status: status::CUSTOM.saturating_add(index), server_ns: 0 }
    }

    /// Adds the time that the server says it took.
    pub fn server_time(mut self, time: Duration) -> Done {
        self.server_ns = nanoseconds(time);
        self
    }

    /// The status number that the host receives.
    pub const fn status(self) -> Status {
        self.status
    }

    #[inline]
    pub(crate) fn record(self, outcome: &mut Outcome) -> Status {
        if self.server_ns != 0 {
            outcome.server_ns = self.server_ns;
        }
        self.status
    }
}

/// A failure: a status, and what there is to say about it.
///
/// There is a constructor per status. `?` turns any error into one: an [`io::Error`] anywhere in the chain
/// of causes decides the status (see [`Failure::from_io`]), everything else is `ERROR`.
///
/// The text reaches reports and log files, so it must not contain secrets. The host keeps its first 240
/// bytes. Failures without text, such as [`Failure::not_found`], allocate nothing.
///
/// ```
/// use ycsb_plugin_api::Failure;
///
/// fn parse(text: &str) -> Result<u16, Failure> {
///     if text.is_empty() {
///         return Err(Failure::bad_request("the port is empty"));
///     }
///     Ok(text.parse::<u16>()?)
/// }
/// assert_eq!(parse("x").unwrap_err().text(), "invalid digit found in string");
/// ```
#[derive(Debug)]
pub struct Failure {
    status: Status,
    flags: u32,
    backend_code: i64,
    server_ns: u64,
    text: Option<Box<str>>,
}

impl Failure {
    const fn plain(status: Status) -> Failure {
        Failure { status, flags: 0, backend_code: 0, server_ns: 0, text: None }
    }

    #[cold]
    fn told(status: Status, text: impl Display) -> Failure {
        Failure { text: Some(text.to_string().into_boxed_str()), ..Failure::plain(status) }
    }

    /// The record is absent; from `open`: the table is.
    pub const fn not_found() -> Failure {
        Failure::plain(status::NOT_FOUND)
    }

    /// An insert of a key that exists.
    pub const fn duplicate() -> Failure {
        Failure::plain(status::DUPLICATE)
    }

    /// This binding cannot do that.
    pub const fn not_implemented() -> Failure {
        Failure::plain(status::NOT_IMPLEMENTED)
    }

    /// The answer contradicts the request.
    pub fn unexpected_state(text: impl Display) -> Failure {
        Failure::told(status::UNEXPECTED_STATE, text)
    }

    /// Refused as malformed or too large; from `open`: the settings contradict each other or the workload.
    pub fn bad_request(text: impl Display) -> Failure {
        Failure::told(status::BAD_REQUEST, text)
    }

    /// Authentication or permission.
    pub fn forbidden(text: impl Display) -> Failure {
        Failure::told(status::FORBIDDEN, text)
    }

    /// Connection refused or lost, server down.
    pub fn unavailable(text: impl Display) -> Failure {
        Failure::told(status::SERVICE_UNAVAILABLE, text)
    }

    /// Pool exhausted, throttled, busy.
    pub fn overloaded(text: impl Display) -> Failure {
        Failure::told(status::OVERLOADED, text)
    }

    /// A deadline or a time-out of the driver.
    pub fn timeout(text: impl Display) -> Failure {
        Failure::told(status::TIMEOUT, text)
    }

    /// Anything else.
    pub fn error(text: impl Display) -> Failure {
        Failure::told(status::ERROR, text)
    }

    /// The `index`-th status of [`Info::statuses`](crate::Info::statuses), declared there as a failure.
    pub const fn custom(index: u32) -> Failure {
        Failure::plain(status::CUSTOM.saturating_add(index))
    }

    /// An error of the operating system. Lost and refused connections are `SERVICE_UNAVAILABLE`, time-outs
    /// `TIMEOUT`, missing permissions `FORBIDDEN`, a full disk and the rest `ERROR`. The code is the
    /// system's error number.
    #[cold]
    pub fn from_io(error: &io::Error) -> Failure {
        use io::ErrorKind::*;
        let status = match error.kind() {
            ConnectionRefused | ConnectionReset | ConnectionAborted | NotConnected | BrokenPipe
            | UnexpectedEof | HostUnreachable | NetworkUnreachable | NetworkDown | AddrNotAvailable => {
                status::SERVICE_UNAVAILABLE
            }
            TimedOut | WouldBlock => status::TIMEOUT,
            PermissionDenied => status::FORBIDDEN,
            _ => status::ERROR,
        };
        Failure::told(status, error).code(i64::from(error.raw_os_error().unwrap_or(0)))
    }

    /// Any error, with the texts of its causes.
    #[cold]
    pub fn from_error(error: &(dyn Error + 'static)) -> Failure {
        let mut failure = Failure::plain(status::ERROR);
        let mut text = String::new();
        let mut cause = Some(error);
        while let Some(current) = cause {
            let sentence = current.to_string();
            // Many errors already print their cause.
            if !text.contains(&sentence) {
                if !text.is_empty() {
                    text.push_str(": ");
                }
                text.push_str(&sentence);
            }
            if let Some(error) = current.downcast_ref::<io::Error>() {
                failure = Failure::from_io(error);
            }
            cause = current.source();
        }
        failure.text = Some(text.into_boxed_str());
        failure
    }

    #[cfg(feature = "tokio")]
    pub(crate) fn panicked(text: String) -> Failure {
        Failure { text: Some(text.into_boxed_str()), ..Failure::plain(status::PANIC) }
    }

    /// Replaces the text.
    pub fn detail(mut self, text: impl Display) -> Failure {
        self.text = Some(text.to_string().into_boxed_str());
        self
    }

    /// Puts what was attempted before the text: `reading the index: connection reset`.
    pub fn context(mut self, what: impl Display) -> Failure {
        let text = match self.text {
            Some(text) => format!("{what}: {text}"),
            None => what.to_string(),
        };
        self.text = Some(text.into_boxed_str());
        self
    }

    /// Adds the error code of the driver or server; 0 means none.
    pub const fn code(mut self, backend_code: i64) -> Failure {
        self.backend_code = backend_code;
        self
    }

    /// Says that the operation had no effect, so that the host may send it again.
    pub const fn retry_safe(mut self) -> Failure {
        self.flags |= outcome_flag::RETRY_SAFE;
        self
    }

    /// Adds the time that the server says it took.
    pub fn server_time(mut self, time: Duration) -> Failure {
        self.server_ns = nanoseconds(time);
        self
    }

    /// The status number that the host receives.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// The text; empty if there is none.
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or("")
    }

    #[cold]
    pub(crate) fn record(self, outcome: &mut Outcome) -> Status {
        outcome.flags |= self.flags;
        outcome.backend_code = self.backend_code;
        outcome.server_ns = self.server_ns;
        if let Some(text) = &self.text {
            outcome.set_detail(text);
        }
        self.status
    }
}

// `Failure` itself is no `Error`, which is what allows this conversion for all errors.
impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::from_error(&error)
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text),
            None => write!(f, "status {}", self.status),
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Wrapped(io::Error);
    impl Display for Wrapped {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("cannot send the request")
        }
    }
    impl Error for Wrapped {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn an_io_error_among_the_causes_decides_the_status() {
        let failure = Failure::from(Wrapped(io::Error::from_raw_os_error(111)));
        assert_eq!(failure.status(), status::SERVICE_UNAVAILABLE);
        assert_eq!(failure.backend_code, 111);
        assert_eq!(failure.text(), "cannot send the request: Connection refused (os error 111)");
    }

    #[test]
    fn a_failure_fills_the_outcome_and_cuts_long_text_at_a_character() {
        let mut outcome = Outcome::EMPTY;
        let failure = Failure::overloaded("ä".repeat(200)).code(429).retry_safe();
        assert_eq!(failure.server_time(Duration::from_micros(3)).record(&mut outcome), status::OVERLOADED);
        assert_eq!(outcome.detail_text(), "ä".repeat(120));
        assert_eq!(
            (outcome.backend_code, outcome.flags, outcome.server_ns),
            (429, outcome_flag::RETRY_SAFE, 3_000)
        );
    }

    #[test]
    fn context_comes_before_the_text() {
        assert_eq!(Failure::error("no route").context("ping").text(), "ping: no route");
        assert_eq!(Failure::not_found().context("table t").text(), "table t");
    }

    #[test]
    fn a_plain_success_touches_nothing() {
        let mut outcome = Outcome::EMPTY;
        outcome.server_ns = 7;
        assert_eq!(Done::OK.record(&mut outcome), status::OK);
        assert_eq!(outcome.server_ns, 7);
        assert_eq!(Done::custom(2).record(&mut outcome), 1002);
    }
}
