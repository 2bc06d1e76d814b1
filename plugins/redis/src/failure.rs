//! Error answers of the server as statuses.

use crate::reply::Reply;
use ycsb_plugin_api::Failure;

/// What an error answer means.
#[cold]
pub(crate) fn from_server(error: &[u8]) -> Failure {
    let text = String::from_utf8_lossy(error);
    match code(error) {
        "NOAUTH" | "WRONGPASS" | "NOPERM" => Failure::forbidden(text),
        "WRONGTYPE" => Failure::unexpected_state(text),
        "LOADING" | "BUSY" | "OOM" | "TRYAGAIN" => Failure::overloaded(text),
        "CLUSTERDOWN" | "MASTERDOWN" => Failure::unavailable(text),
        _ if text.contains("max number of clients reached") => Failure::overloaded(text),
        _ => Failure::error(text),
    }
}

/// The first word of an error answer.
pub(crate) fn code(error: &[u8]) -> &str {
    let word = error.split(|byte| *byte == b' ').next().unwrap_or(error);
    std::str::from_utf8(word).unwrap_or("")
}

/// An answer that the command cannot have.
#[cold]
pub(crate) fn unexpected(command: &str, reply: Reply<'_>) -> Failure {
    match reply {
        Reply::Error(error) => from_server(error),
        _ => Failure::error(format!("unexpected answer to {command}: {reply:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_api::abi::status;

    #[test]
    fn an_error_answer_has_the_status_of_its_cause() {
        for (answer, expected) in [
            ("NOAUTH Authentication required.", status::FORBIDDEN),
            ("WRONGPASS invalid username-password pair", status::FORBIDDEN),
            ("NOPERM this user has no permissions", status::FORBIDDEN),
            ("WRONGTYPE Operation against a key", status::UNEXPECTED_STATE),
            ("LOADING Redis is loading the dataset in memory", status::OVERLOADED),
            ("BUSY Redis is busy running a script", status::OVERLOADED),
            ("OOM command not allowed when used memory > 'maxmemory'.", status::OVERLOADED),
            ("TRYAGAIN Multiple keys request during rehashing of slot", status::OVERLOADED),
            ("ERR max number of clients reached", status::OVERLOADED),
            ("CLUSTERDOWN The cluster is down", status::SERVICE_UNAVAILABLE),
            ("MASTERDOWN Link with MASTER is down", status::SERVICE_UNAVAILABLE),
            ("ERR unknown command", status::ERROR),
            ("MISCONF Redis is configured to save RDB snapshots", status::ERROR),
        ] {
            let failure = from_server(answer.as_bytes());
            assert_eq!((failure.status(), failure.text()), (expected, answer));
        }
    }
}
