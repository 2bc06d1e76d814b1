//! What a response says when it is no plain success, and the response of a bulk request.

use crate::exchange::Response;
use serde::Deserialize;
use serde_json::Value;
use ycsb_plugin_api::Failure;

/// The failure that a response of status 300 or more stands for.
#[cold]
pub(crate) fn failure_of(response: &Response<'_>, authenticates: bool) -> Failure {
    let body: Value = serde_json::from_slice(response.body).unwrap_or_default();
    if response.status == 404 && body["error"].is_null() && is_missing_document(&body) {
        return Failure::not_found().code(404);
    }
    if matches!(response.status, 401 | 403) && body["error"].is_null() {
        return refused_login(response.status, authenticates);
    }
    if response.status == 401 {
        return refused_login(401, authenticates).context(error_text(&body["error"], 401));
    }
    classify(response.status, &body["error"])
}

fn is_missing_document(body: &Value) -> bool {
    body["found"] == Value::Bool(false) || body["result"] == "not_found"
}

fn refused_login(status: u16, authenticates: bool) -> Failure {
    let next = match authenticates {
        true => "check es.credentials.user and es.credentials.password",
        false => "set es.authentication=true with es.credentials.user and es.credentials.password",
    };
    Failure::forbidden(format!("the server refuses the login (HTTP {status}); {next}"))
        .code(i64::from(status))
}

/// The failure of a request, or of an item of a bulk request, by its status and its error.
fn classify(status: u16, error: &Value) -> Failure {
    let kind = error["type"].as_str().unwrap_or_default();
    let text = error_text(error, status);
    let failure = match (status, kind) {
        (404, "document_missing_exception") => Failure::not_found(),
        (404, "index_not_found_exception") => {
            Failure::error(format!("{text}; was the index deleted during the run?"))
        }
        (404, _) => Failure::error(text),
        (409, "version_conflict_engine_exception") if is_duplicate(error) => Failure::duplicate()
            .detail(format!("{text}; load with es.newdb=true, or overwrite with es.insert.op=index")),
        (409, _) => Failure::error(text),
        (401 | 403, _) => Failure::forbidden(text),
        (429, _) => Failure::overloaded(text).retry_safe(),
        (502..=504, _) => Failure::unavailable(text),
        (400..=499, _) => Failure::bad_request(text),
        _ => Failure::error(text),
    };
    failure.code(i64::from(status))
}

/// `create` of a document that exists and a lost race of updates have the same type and status.
fn is_duplicate(error: &Value) -> bool {
    error["reason"].as_str().is_some_and(|reason| reason.contains("document already exists"))
}

fn error_text(error: &Value, status: u16) -> String {
    match (error["type"].as_str(), error["reason"].as_str(), error.as_str()) {
        (Some(kind), Some(reason), _) => format!("HTTP {status}, {kind}: {reason}"),
        (Some(kind), None, _) => format!("HTTP {status}, {kind}"),
        (None, _, Some(text)) => format!("HTTP {status}: {text}"),
        (None, _, None) => format!("HTTP {status}"),
    }
}

/// The response of `_bulk`, as far as it was asked for.
#[derive(Deserialize)]
pub(crate) struct BulkReply {
    errors: bool,
    #[serde(default)]
    items: Vec<Value>,
}

/// What `filter_path` of a bulk request asks for: what [`BulkReply`] reads.
pub(crate) const BULK_FILTER: &str =
    "filter_path=errors,items.*.status,items.*.error.type,items.*.error.reason";

impl BulkReply {
    /// # Errors
    /// If it is not the response of a bulk request.
    pub(crate) fn parse(body: &[u8]) -> Result<BulkReply, serde_json::Error> {
        serde_json::from_slice(body)
    }

    /// The items that failed: which, and how.
    ///
    /// # Errors
    /// UNEXPECTED_STATE if there are not as many items as were sent.
    pub(crate) fn failures(&self, sent: usize) -> Result<Vec<(usize, Failure)>, Failure> {
        if self.items.len() != sent {
            return Err(Failure::unexpected_state(format!(
                "the server answered {} items of a bulk request of {sent}",
                self.items.len()
            )));
        }
        if !self.errors {
            return Ok(Vec::new());
        }
        let failed = |(index, item): (usize, &Value)| {
            let item = item.as_object()?.values().next()?;
            let status = item["status"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or(0);
            (!(200..300).contains(&status)).then(|| (index, classify(status, &item["error"])))
        };
        Ok(self.items.iter().enumerate().filter_map(failed).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_api::abi::status;

    fn classified(http: u16, body: &str) -> (u32, String) {
        let failure = failure_of(&Response { status: http, body: body.as_bytes() }, false);
        (failure.status(), failure.text().to_owned())
    }

    #[test]
    fn a_missing_document_and_a_missing_index_are_told_apart() {
        assert_eq!(classified(404, r#"{"_id":"k","found":false}"#).0, status::NOT_FOUND);
        assert_eq!(classified(404, r#"{"_id":"k","result":"not_found"}"#).0, status::NOT_FOUND);
        let missing = r#"{"error":{"type":"document_missing_exception","reason":"[k]: document missing"},"status":404}"#;
        assert_eq!(classified(404, missing).0, status::NOT_FOUND);
        let (status, text) =
            classified(404, r#"{"error":{"type":"index_not_found_exception","reason":"no such index [i]"}}"#);
        assert_eq!(status, status::ERROR);
        assert!(text.contains("no such index [i]"), "{text}");
    }

    #[test]
    fn every_status_has_its_cause() {
        let error = r#"{"error":{"type":"some_exception","reason":"why"}}"#;
        for (http, expected) in [
            (400, status::BAD_REQUEST),
            (413, status::BAD_REQUEST),
            (403, status::FORBIDDEN),
            (409, status::ERROR),
            (429, status::OVERLOADED),
            (500, status::ERROR),
            (502, status::SERVICE_UNAVAILABLE),
            (503, status::SERVICE_UNAVAILABLE),
            (504, status::SERVICE_UNAVAILABLE),
        ] {
            assert_eq!(classified(http, error), (expected, format!("HTTP {http}, some_exception: why")));
        }
    }

    #[test]
    fn a_refused_login_names_the_properties() {
        let (status, text) = classified(401, "<html>no</html>");
        assert_eq!(status, status::FORBIDDEN);
        assert!(text.contains("es.authentication=true"), "{text}");
    }

    #[test]
    fn the_items_of_a_bulk_response_fail_one_by_one() {
        let body = br#"{"errors":true,"items":[{"create":{"status":201}},
            {"create":{"status":409,"error":{"type":"version_conflict_engine_exception",
             "reason":"[k]: version conflict, document already exists (current version [1])"}}},
            {"create":{"status":429,"error":{"type":"es_rejected_execution_exception","reason":"full"}}}]}"#;
        let reply = BulkReply::parse(body).unwrap();
        let failures: Vec<_> = reply.failures(3).unwrap().iter().map(|(i, f)| (*i, f.status())).collect();
        assert_eq!(failures, [(1, status::DUPLICATE), (2, status::OVERLOADED)]);
        assert_eq!(reply.failures(4).unwrap_err().status(), status::UNEXPECTED_STATE);
    }
}
