//! What an error of the driver means.

use mongodb::error::{Error, ErrorKind, WriteFailure};
use ycsb_plugin_api::Failure;

/// Code of a write that would make a second record with the same key.
const DUPLICATE_KEY: i32 = 11000;

/// The failure that an error of the driver stands for.
#[cold]
pub(crate) fn failure(error: &Error) -> Failure {
    let failure = match error.kind.as_ref() {
        ErrorKind::Write(WriteFailure::WriteError(write)) => of_code(write.code, &write.message),
        ErrorKind::Write(WriteFailure::WriteConcernError(concern)) => of_code(
            concern.code,
            &format!("the write was not acknowledged as asked for: {}", concern.message),
        ),
        ErrorKind::InsertMany(many) => match (many.write_errors.as_deref(), &many.write_concern_error) {
            (Some([first, ..]), _) => of_code(first.code, &first.message),
            (_, Some(concern)) => of_code(
                concern.code,
                &format!("the write was not acknowledged as asked for: {}", concern.message),
            ),
            _ => Failure::error(error),
        },
        ErrorKind::Command(command) => of_code(command.code, &command.message),
        ErrorKind::Authentication { message, .. } => Failure::forbidden(format!("login refused: {message}")),
        ErrorKind::Io(io) => Failure::from_io(io),
        ErrorKind::ConnectionPoolCleared { message, .. } => Failure::unavailable(message).retry_safe(),
        ErrorKind::ServerSelection { message, .. } => Failure::unavailable(selection(message)).retry_safe(),
        ErrorKind::DnsResolve { message, .. } => Failure::unavailable(format!("name resolution: {message}")),
        ErrorKind::Shutdown => Failure::unavailable("the connection was closed at the end of the run"),
        ErrorKind::InvalidArgument { message, .. } | ErrorKind::InvalidTlsConfig { message, .. } => {
            Failure::bad_request(message)
        }
        _ => Failure::error(error),
    };
    if error.contains_label("SystemOverloadedError") {
        return Failure::overloaded(failure.text()).retry_safe();
    }
    failure
}

/// The failure that an error code of the server stands for.
#[cold]
pub(crate) fn of_code(code: i32, message: &str) -> Failure {
    let failure = match code {
        DUPLICATE_KEY | 11001 | 12582 => {
            return Failure::duplicate()
                .detail("the key exists; drop the collection with dropdata=true, or replace records with mongodb.upsert=true")
                .code(i64::from(code));
        }
        // BadValue, FailedToParse, TypeMismatch, Overflow, InvalidLength, DollarPrefixedFieldName, EmptyFieldName,
        // DottedFieldName, InvalidNamespace, DocumentValidationFailure, BSONObjectTooLarge, keys too long.
        2 | 9 | 14 | 15 | 16 | 52 | 56 | 57 | 73 | 121 | 10334 | 17280 | 17419 | 17420 => {
            Failure::bad_request(message)
        }
        // Unauthorized, AuthenticationFailed, UserNotFound, Atlas.
        13 | 18 | 11 | 8000 => Failure::forbidden(message),
        // ExceededTimeLimit, MaxTimeMSExpired, NetworkTimeout, WriteConcernFailed by time-out.
        24 | 50 | 64 | 89 | 202 | 262 => Failure::timeout(message),
        // Host unreachable or not found, shutting down, not the primary (any more).
        6 | 7 | 91 | 189 | 9001 | 10058 | 10107 | 11600 | 11602 | 13388 | 13435 | 13436 | 133 => {
            Failure::unavailable(message)
        }
        // Rate limits, admission control, memory pressure.
        462 | 16500 | 16501 | 146 | 290 => Failure::overloaded(message),
        _ => Failure::error(message),
    };
    failure.code(i64::from(code))
}

/// The driver prints its whole view of the cluster; the first error in it says what matters.
fn selection(message: &str) -> String {
    let part = |after: &str, until: &[&str]| {
        let rest = message.split_once(after)?.1;
        let end = until.iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
        Some(rest[..end].trim().trim_end_matches('.').to_owned())
    };
    match (part("Address: ", &[","]), part("Error: ", &[", labels", ", source", " }, {", " } ]"])) {
        (Some(address), Some(cause)) => {
            format!(
                "no server answers; {address}: {}",
                cause.trim_start_matches("Kind: ").trim_start_matches("I/O error: ")
            )
        }
        (Some(address), None) => {
            format!("no suitable server; {address} has another role or has not answered yet")
        }
        _ => message.to_owned(),
    }
}

/// Takes secrets out of a failure's text.
#[cold]
pub(crate) fn without(failure: Failure, secrets: &[String]) -> Failure {
    if !secrets.iter().any(|secret| failure.text().contains(secret.as_str())) {
        return failure;
    }
    let text =
        secrets.iter().fold(failure.text().to_owned(), |text, secret| text.replace(secret.as_str(), "***"));
    failure.detail(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_api::abi::status;

    #[test]
    fn codes_have_their_cause() {
        for (code, expected) in [
            (11000, status::DUPLICATE),
            (2, status::BAD_REQUEST),
            (10334, status::BAD_REQUEST),
            (13, status::FORBIDDEN),
            (50, status::TIMEOUT),
            (91, status::SERVICE_UNAVAILABLE),
            (10107, status::SERVICE_UNAVAILABLE),
            (462, status::OVERLOADED),
            (4711, status::ERROR),
        ] {
            assert_eq!(of_code(code, "why").status(), expected, "{code}");
        }
    }

    #[test]
    fn the_view_of_the_cluster_is_cut_to_its_first_error() {
        let message = "Server selection timeout: No available servers. Topology: { Type: Unknown, Servers: [ { Address: \
                       127.0.0.1:9, Type: Unknown, Error: Kind: I/O error: Connection refused (os error 111), labels: {} } ] }";
        assert_eq!(selection(message), "no server answers; 127.0.0.1:9: Connection refused (os error 111)");
        assert_eq!(selection("something else"), "something else");
    }

    #[test]
    fn secrets_do_not_stay_in_a_text() {
        let failure = without(Failure::error("bad host hunter2@x"), &["hunter2".to_owned()]);
        assert_eq!(failure.text(), "bad host ***@x");
    }
}
