//! A batch of records to insert, and how each of them ended.

use crate::abi::{Outcome, Status, status};
use crate::border::{OpRef, RowStatus, UNTOLD};
use crate::{Answer, Deadline, Failure, Record};

/// Records to insert in one request.
///
/// `Ok` means that every record was written but those that [`fail`](Batch::fail) named. `Err` means that
/// every record failed that way but those that [`written`](Batch::written) or [`fail`](Batch::fail) named.
///
/// ```
/// use ycsb_plugin_api::{Answer, Batch, Done, Failure};
///
/// fn insert_batch(batch: &mut Batch<'_>) -> Answer {
///     for (index, record) in batch.records().enumerate() {
///         if record.values().is_empty() {
///             batch.fail(index, Failure::bad_request(format!("{:?} has no fields", record.key())));
///         }
///     }
///     Ok(Done::OK)
/// }
/// ```
pub struct Batch<'a> {
    op: OpRef<'a>,
    status: RowStatus<'a>,
    first_failure: Option<Failure>,
}

impl<'a> Batch<'a> {
    #[inline]
    pub(crate) fn new(op: OpRef<'a>, status: RowStatus<'a>) -> Batch<'a> {
        status.0.fill(UNTOLD);
        Batch { op, status, first_failure: None }
    }

    /// The table.
    pub fn table(&self) -> &'a str {
        self.op.table()
    }

    /// When the answer stops being of use.
    pub fn deadline(&self) -> Deadline {
        Deadline::at_ns(self.op.deadline_ns())
    }

    /// The records, which outlive the borrow of the batch.
    pub fn records(&self) -> impl ExactSizeIterator<Item = Record<'a>> + use<'a> {
        self.op.rows().iter().map(Record)
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.op.rows().len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Says that a record was not written. The text of the first failure is kept. An index beyond the batch
    /// is ignored.
    pub fn fail(&mut self, index: usize, failure: Failure) {
        self.set(index, failure.status());
        self.first_failure.get_or_insert(failure);
    }

    /// Says that a record was written although the batch as a whole fails.
    pub fn written(&mut self, index: usize) {
        self.set(index, status::OK);
    }

    fn set(&mut self, index: usize, status: Status) {
        if let Some(slot) = self.status.0.get_mut(index) {
            *slot = status;
        }
    }

    /// Writes the statuses of all records; the batch has that of its first failure.
    pub(crate) fn finish(mut self, answer: Answer, outcome: &mut Outcome) -> Status {
        let rest = match &answer {
            Ok(done) => done.status(),
            Err(failure) => failure.status(),
        };
        self.status.settle(rest);
        let written = |status: &&Status| **status == status::OK || (answer.is_ok() && **status == rest);
        outcome.rows = self.status.0.iter().filter(written).count() as u64;
        match (answer, self.first_failure.take()) {
            (Err(failure), _) | (Ok(_), Some(failure)) => failure.record(outcome),
            (Ok(done), None) => done.record(outcome),
        }
    }
}
