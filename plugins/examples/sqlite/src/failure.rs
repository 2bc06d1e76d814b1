//! From the errors of SQLite to the statuses of the host.

use rusqlite::ErrorCode;
use ycsb_plugin_api::Failure;

/// What happened, as the host tells it.
pub(crate) fn told(error: rusqlite::Error) -> Failure {
    let failure = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Failure::overloaded(&error),
        Some(ErrorCode::ConstraintViolation) => Failure::duplicate(),
        Some(ErrorCode::TooBig) => Failure::bad_request(&error),
        Some(ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => Failure::forbidden(&error),
        Some(ErrorCode::CannotOpen | ErrorCode::NotADatabase) => Failure::unavailable(&error),
        _ => Failure::from_error(&error),
    };
    failure.code(error.sqlite_error().map_or(0, |code| i64::from(code.extended_code)))
}
