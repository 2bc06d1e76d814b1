//! What a scripted call answers: the words of `mem.fail`.

use ycsb_plugin_api::{Answer, CustomStatus, Done, Failure};

/// The words, in the order of the status numbers.
pub(crate) const WORDS: &[&str] = &[
    "OK",
    "BATCHED_OK",
    "UNACKNOWLEDGED",
    "NOT_FOUND",
    "DUPLICATE",
    "UNEXPECTED_STATE",
    "BAD_REQUEST",
    "FORBIDDEN",
    "NOT_IMPLEMENTED",
    "SERVICE_UNAVAILABLE",
    "OVERLOADED",
    "TIMEOUT",
    "ERROR",
    "PANIC",
    "THROW",
    "NULL",
    "UNKNOWN",
    "MEM_REFUSED",
    "MEM_DEFERRED",
];

/// Statuses of the binding's own.
pub(crate) const STATUSES: &[CustomStatus] = &[
    CustomStatus::failure("MEM_REFUSED", "Refused by the script (mem.fail)."),
    CustomStatus::success("MEM_DEFERRED", "Accepted by the script (mem.fail)."),
];

/// Beyond every declared status: a number that means nothing to the host.
const UNKNOWN: u32 = 998;

/// An answer that is forced on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forced {
    /// The operation is carried out; if it succeeds it says this.
    Success(Done),
    /// The operation is not carried out.
    Failure(Refusal),
    /// The plugin panics.
    Panic,
}

/// A failure that can be made any number of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    word: &'static str,
}

impl Forced {
    /// The answer of a word.
    pub(crate) fn of(word: &str) -> Option<Forced> {
        let word = WORDS.iter().copied().find(|known| *known == word)?;
        Some(match word {
            "OK" => Forced::Success(Done::OK),
            "BATCHED_OK" => Forced::Success(Done::BUFFERED),
            "UNACKNOWLEDGED" => Forced::Success(Done::UNACKNOWLEDGED),
            "MEM_DEFERRED" => Forced::Success(Done::custom(1)),
            "PANIC" | "THROW" => Forced::Panic,
            word => Forced::Failure(Refusal { word }),
        })
    }

    /// What the call answers; `operation` is carried out unless the call fails.
    pub(crate) fn answer(self, retry_safe: bool, operation: impl FnOnce() -> Answer) -> Answer {
        match self {
            Forced::Success(done) => operation().map(|_| done),
            Forced::Failure(refusal) if retry_safe => Err(refusal.failure().retry_safe()),
            Forced::Failure(refusal) => Err(refusal.failure()),
            Forced::Panic => panic!("binding exploded"),
        }
    }
}

impl Refusal {
    /// The failure.
    pub(crate) fn failure(self) -> Failure {
        const TEXT: &str = "scripted by mem.fail";
        match self.word {
            "NOT_FOUND" => Failure::not_found().detail(TEXT),
            "DUPLICATE" => Failure::duplicate().detail(TEXT),
            "UNEXPECTED_STATE" => Failure::unexpected_state(TEXT),
            "BAD_REQUEST" => Failure::bad_request(TEXT),
            "FORBIDDEN" => Failure::forbidden(TEXT),
            "NOT_IMPLEMENTED" => Failure::not_implemented().detail(TEXT),
            "SERVICE_UNAVAILABLE" => Failure::unavailable(TEXT),
            "OVERLOADED" => Failure::overloaded(TEXT),
            "TIMEOUT" => Failure::timeout(TEXT),
            "NULL" => Failure::error("a call without an answer, scripted by mem.fail"),
            "UNKNOWN" => Failure::custom(UNKNOWN).detail(TEXT),
            "MEM_REFUSED" => Failure::custom(0).detail(TEXT),
            _ => Failure::error(TEXT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_api::abi::status;

    fn status_of(word: &str) -> u32 {
        match Forced::of(word).unwrap().answer(false, || Ok(Done::OK)) {
            Ok(done) => done.status(),
            Err(failure) => failure.status(),
        }
    }

    #[test]
    fn words_are_the_statuses_that_they_name() {
        let expected = [
            ("OK", status::OK),
            ("BATCHED_OK", status::BATCHED_OK),
            ("UNACKNOWLEDGED", status::UNACKNOWLEDGED),
            ("NOT_FOUND", status::NOT_FOUND),
            ("DUPLICATE", status::DUPLICATE),
            ("UNEXPECTED_STATE", status::UNEXPECTED_STATE),
            ("BAD_REQUEST", status::BAD_REQUEST),
            ("FORBIDDEN", status::FORBIDDEN),
            ("NOT_IMPLEMENTED", status::NOT_IMPLEMENTED),
            ("SERVICE_UNAVAILABLE", status::SERVICE_UNAVAILABLE),
            ("OVERLOADED", status::OVERLOADED),
            ("TIMEOUT", status::TIMEOUT),
            ("ERROR", status::ERROR),
            ("NULL", status::ERROR),
            ("UNKNOWN", 1998),
            ("MEM_REFUSED", 1000),
            ("MEM_DEFERRED", 1001),
        ];
        for (word, number) in expected {
            assert_eq!(status_of(word), number, "{word}");
        }
        let tested = expected.iter().map(|(word, _)| *word).chain(["PANIC", "THROW"]);
        let mut tested: Vec<_> = tested.collect();
        let mut words = WORDS.to_vec();
        tested.sort_unstable();
        words.sort_unstable();
        assert_eq!(tested, words);
    }

    #[test]
    fn a_scripted_success_does_not_hide_a_failure() {
        let deferred = Forced::of("MEM_DEFERRED").unwrap();
        let ended = deferred.answer(false, || Err(Failure::duplicate()));
        assert_eq!(ended.unwrap_err().status(), status::DUPLICATE);
    }

    #[test]
    fn a_scripted_failure_happens_in_place_of_the_operation() {
        let mut carried_out = false;
        let refused = Forced::of("OVERLOADED").unwrap();
        let ended = refused.answer(true, || {
            carried_out = true;
            Ok(Done::OK)
        });
        assert!(ended.is_err() && !carried_out);
    }
}
