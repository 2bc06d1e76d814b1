//! What the count of rows means for an operation on one record.

use ycsb_plugin_api::{Answer, Done, Failure};

/// The answer to an operation on one record that touched so many rows.
///
/// # Errors
/// NOT_FOUND for none, UNEXPECTED_STATE for more than one.
#[inline]
pub fn one_row(key: &str, count: u64) -> Answer {
    match count {
        1 => Ok(Done::OK),
        0 => Err(Failure::not_found()),
        more => Err(Failure::unexpected_state(format!("{more} rows have the key {key:?}"))),
    }
}
