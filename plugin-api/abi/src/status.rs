//! Status numbers: how an operation, an `open` or a session ended.

/// A status number. Any value may arrive; the constants of this module are those that have a meaning.
pub type Status = u32;

/// Done and acknowledged.
pub const OK: Status = 0;
/// Accepted, written later by a client library that cannot be told not to buffer.
pub const BATCHED_OK: Status = 1;
/// Sent without asking for an acknowledgement: a success that is counted apart.
pub const UNACKNOWLEDGED: Status = 2;
/// The record (or, from `open`, the table) is absent.
pub const NOT_FOUND: Status = 10;
/// Insert of a key that exists.
pub const DUPLICATE: Status = 11;
/// The answer contradicts the request.
pub const UNEXPECTED_STATE: Status = 12;
/// Refused as malformed or too large; from `open`: the settings contradict each other or the workload.
pub const BAD_REQUEST: Status = 13;
/// Authentication or permission.
pub const FORBIDDEN: Status = 14;
/// This binding cannot do that.
pub const NOT_IMPLEMENTED: Status = 15;
/// Connection refused or lost, server down.
pub const SERVICE_UNAVAILABLE: Status = 20;
/// Pool exhausted, throttled, busy.
pub const OVERLOADED: Status = 21;
/// The deadline of the operation or a time-out of the driver.
pub const TIMEOUT: Status = 22;
/// Anything else.
pub const ERROR: Status = 30;
/// Plugin code panicked; the session is dead.
pub const PANIC: Status = 40;
/// Dropped by a stop.
pub const CANCELLED: Status = 41;
/// The first number of the statuses that a manifest declares itself: `CUSTOM + i` is the i-th.
pub const CUSTOM: Status = 1000;
/// Nothing ended since the last step. Only ever passed to `next`.
pub const NONE: Status = u32::MAX;
