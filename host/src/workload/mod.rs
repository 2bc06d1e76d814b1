//! Layer 3: what to do next. A workload says which operation each client sends; it knows nothing of time,
//! of threads or of plugins.

mod request;

pub use request::{FieldRange, OperationKind, Request, Select};

/// What one client does, one operation after the other.
///
/// The engine asks with [`next`](OperationStream::next), sends the request, hands returned rows to
/// [`row`](OperationStream::row) and [`field`](OperationStream::field) if the request wants them, and ends
/// the operation with [`ended`](OperationStream::ended) before it asks again.
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

    /// The operation in flight ended. What is returned is recorded as the VERIFY measurement.
    fn ended(&mut self, request: &Request, success: bool) -> Verified;

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
    /// All returned values were as expected.
    Equal,
    /// A value differed.
    Different,
    /// Nothing was returned although something had to be.
    Missing,
}
