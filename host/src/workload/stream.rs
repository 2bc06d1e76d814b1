//! What one client does, one operation after the other.

use super::Request;

/// What one client does, one operation after the other.
///
/// The engine asks with [`next`](OperationStream::next), sends the request, hands returned rows to
/// [`row`](OperationStream::row) and [`field`](OperationStream::field) if the request wants them, and ends
/// the operation with [`ended`](OperationStream::ended) before it asks again. Only inserts may be gathered:
/// several `next` before the `ended` of each, as batches need it. A failed insert may be sent again from the
/// same request: its values are in it.
pub trait OperationStream: Send {
    /// Writes the next operation into `request`. Allocates nothing once its buffers have grown.
    fn next(&mut self, request: &mut Request) -> Next;

    /// A row of the operation in flight begins. The key may be empty.
    fn row(&mut self, key: &[u8]) {
        let _ = key;
    }

    /// A field of the row that began last.
    fn field(&mut self, name: &[u8], value: &[u8]) {
        let _ = (name, value);
    }

    /// An operation ended: it was answered, given up or abandoned. What is returned is recorded as the VERIFY
    /// measurement.
    fn ended(&mut self, request: &Request, success: bool) -> Verified;

    /// What differed, after [`Verified::Different`] or [`Verified::Missing`]: names key and field.
    fn mismatch(&self) -> Option<String> {
        None
    }

    /// Digest of kind, raw draw, field and length of all operations so far, taken before acknowledged keys
    /// are applied: the same seed gives the same digest whatever the timing of the threads.
    fn digest(&self) -> u64;
}

/// What [`OperationStream::next`] answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The request is a whole operation.
    Single,
    /// The request is the read half of a read-modify-write; the next call gives the update of the same key.
    FirstOfTwo,
    /// The request is the update half of a read-modify-write.
    SecondOfTwo,
    /// There is nothing left to do.
    Exhausted,
}

/// Result of checking returned values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    /// Nothing was checked.
    NotChecked,
    /// All returned values were as expected. Counts as OK.
    Equal,
    /// A value differed. Counts as UNEXPECTED_STATE.
    Different,
    /// Nothing was returned although something had to be. Counts as ERROR.
    Missing,
}

/// A client among the clients of its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// Number of the client, from 0.
    pub index: usize,
    /// Clients of the process.
    pub count: usize,
    /// Seed of the run; the client's index makes its own streams of it.
    pub seed: u64,
    /// Operations after which the stream is exhausted; `None` means never.
    pub share: Option<u64>,
}

/// What client `index` of `count` has to do of `total` operations: the quotient, and one more for the first
/// clients until the remainder is used up. `None`, no limit, stays no limit.
pub fn share_of(total: Option<u64>, index: usize, count: usize) -> Option<u64> {
    let (index, count) = (index as u64, count as u64);
    total.map(|total| total / count + u64::from(index < total % count))
}

/// Takes one operation of what is left; false if nothing is. `None` never ends.
#[inline]
pub(super) fn take_one(left: &mut Option<u64>) -> bool {
    match left {
        None => true,
        Some(0) => false,
        Some(left) => {
            *left -= 1;
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::share_of;

    #[test]
    fn the_shares_of_all_clients_add_up_to_the_total() {
        for (total, count) in [(1003, 7), (5, 10), (0, 3), (12, 4)] {
            let shares: Vec<u64> = (0..count).filter_map(|i| share_of(Some(total), i, count)).collect();
            assert_eq!(shares.iter().sum::<u64>(), total);
            assert!(shares.iter().all(|s| s.abs_diff(total / count as u64) <= 1));
        }
        assert_eq!(share_of(None, 3, 7), None);
    }
}
