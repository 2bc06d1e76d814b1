//! What is sent: paths with encoded keys, JSON documents, lines of a bulk request.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ycsb_plugin_api::{Failure, Values};

/// Everything but what RFC 3986 calls unreserved.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The server refuses longer ids.
const LONGEST_ID_BYTES: usize = 512;

/// Appends text as one segment of a path.
pub(crate) fn push_segment(target: &mut Vec<u8>, text: &str) {
    if text.bytes().all(|byte| byte == b'.') {
        // "." and ".." would be steps in the path.
        text.bytes().for_each(|_| target.extend_from_slice(b"%2E"));
        return;
    }
    for piece in utf8_percent_encode(text, SEGMENT) {
        target.extend_from_slice(piece.as_bytes());
    }
}

/// Refuses keys that cannot be the id of a document.
#[inline]
pub(crate) fn check_id(key: &str) -> Result<(), Failure> {
    if key.is_empty() || key.len() > LONGEST_ID_BYTES {
        return Err(unusable_id(key));
    }
    Ok(())
}

#[cold]
fn unusable_id(key: &str) -> Failure {
    match key.len() {
        0 => Failure::bad_request("an empty key cannot be the id of a document"),
        bytes => Failure::bad_request(format!(
            "a key of {bytes} bytes cannot be the id of a document; Elasticsearch takes up to {LONGEST_ID_BYTES}"
        )),
    }
}

/// Appends a JSON string.
pub(crate) fn push_string(body: &mut Vec<u8>, text: &str) {
    // Writing a string to a vector cannot fail.
    let _ = serde_json::to_writer(body, text);
}

/// Appends a document: the copy of the key and the fields.
///
/// # Errors
/// BAD_REQUEST for a value that is not UTF-8; `body` then holds a part of the document.
pub(crate) fn push_document(
    body: &mut Vec<u8>,
    key_field: &str,
    key: &str,
    values: Values<'_>,
) -> Result<(), Failure> {
    body.push(b'{');
    push_string(body, key_field);
    body.push(b':');
    push_string(body, key);
    for (name, value) in values.iter() {
        let value = std::str::from_utf8(value).map_err(|_| not_text(name))?;
        body.push(b',');
        push_string(body, name);
        body.push(b':');
        push_string(body, value);
    }
    body.push(b'}');
    Ok(())
}

#[cold]
fn not_text(name: &str) -> Failure {
    Failure::bad_request(format!(
        "the value of {name:?} is not UTF-8, and a JSON document cannot hold other bytes"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(text: &str) -> String {
        let mut target = Vec::new();
        push_segment(&mut target, text);
        String::from_utf8(target).unwrap()
    }

    #[test]
    fn a_key_travels_as_one_segment_whatever_it_holds() {
        assert_eq!(segment("user1234567890"), "user1234567890");
        assert_eq!(segment("a/b?c#d%20 é"), "a%2Fb%3Fc%23d%2520%20%C3%A9");
        assert_eq!(
            (segment(".."), segment("."), segment(".a")),
            ("%2E%2E".into(), "%2E".into(), ".a".into())
        );
    }

    #[test]
    fn keys_that_are_no_ids_are_refused() {
        assert!(check_id("").is_err());
        assert!(check_id(&"x".repeat(513)).unwrap_err().text().starts_with("a key of 513 bytes"));
        assert!(check_id(&"x".repeat(512)).is_ok());
    }
}
