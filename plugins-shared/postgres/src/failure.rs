//! Error answers of the server as statuses.

use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::ErrorResponseBody;
use ycsb_plugin_api::Failure;
use ycsb_plugin_api::abi::status;

/// What the server said.
pub(crate) struct ServerError {
    pub(crate) sqlstate: String,
    pub(crate) message: String,
    /// The server ends the connection.
    pub(crate) fatal: bool,
}

impl ServerError {
    #[cold]
    pub(crate) fn of(body: &ErrorResponseBody) -> ServerError {
        let mut error = ServerError { sqlstate: String::new(), message: String::new(), fatal: false };
        let mut fields = body.fields();
        while let Ok(Some(field)) = fields.next() {
            let text = || String::from_utf8_lossy(field.value_bytes()).into_owned();
            match field.type_() {
                b'C' => error.sqlstate = text(),
                b'M' => error.message = text(),
                // The severity that is not translated.
                b'V' => error.fatal = matches!(field.value_bytes(), b"FATAL" | b"PANIC"),
                _ => {}
            }
        }
        error
    }

    /// The status of its cause.
    #[cold]
    pub(crate) fn failure(&self) -> Failure {
        let text = format!("{} (SQLSTATE {})", self.message, self.sqlstate);
        let (class, code) = (self.sqlstate.get(..2).unwrap_or(""), self.sqlstate.as_str());
        let failure = match (class, code) {
            (_, "23505") => Failure::duplicate().detail(text),
            (_, "22021" | "22P05" | "22001" | "22P02" | "23514" | "23502") => Failure::bad_request(text),
            ("28", _) | (_, "42501") => Failure::forbidden(text),
            ("53", _) => Failure::overloaded(text),
            ("08", _) | (_, "57P01" | "57P02" | "57P03") => Failure::unavailable(text),
            (_, "57014") => Failure::timeout(text),
            _ => Failure::error(text),
        };
        // Codes with letters are in the text alone.
        failure.code(code.parse().unwrap_or(0))
    }
}

/// Whether a statement for many rows failed because of one of them, so that the others are worth another try.
pub fn is_of_the_data(failure: &Failure) -> bool {
    matches!(failure.status(), status::DUPLICATE | status::BAD_REQUEST | status::ERROR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_the_status_of_its_sqlstate() {
        for (sqlstate, expected, code) in [
            ("23505", status::DUPLICATE, 23_505),
            ("22021", status::BAD_REQUEST, 22_021),
            ("22P05", status::BAD_REQUEST, 0),
            ("22001", status::BAD_REQUEST, 22_001),
            ("23514", status::BAD_REQUEST, 23_514),
            ("28P01", status::FORBIDDEN, 0),
            ("28000", status::FORBIDDEN, 28_000),
            ("42501", status::FORBIDDEN, 42_501),
            ("53300", status::OVERLOADED, 53_300),
            ("08006", status::SERVICE_UNAVAILABLE, 8_006),
            ("57P01", status::SERVICE_UNAVAILABLE, 0),
            ("57P03", status::SERVICE_UNAVAILABLE, 0),
            ("57014", status::TIMEOUT, 57_014),
            ("42P01", status::ERROR, 0),
            ("XX000", status::ERROR, 0),
            ("", status::ERROR, 0),
        ] {
            let error = ServerError { sqlstate: sqlstate.into(), message: "no".into(), fatal: false };
            let failure = error.failure();
            assert_eq!((failure.status(), failure.text()), (expected, &*format!("no (SQLSTATE {sqlstate})")));
            assert!(format!("{failure:?}").contains(&format!("backend_code: {code},")), "{failure:?}");
        }
    }
}
