//! From an operation's kind to the author's method, for both flavours.

/// Executes an operation and evaluates to its status. `$wait` is a macro that waits for a call of the author's
/// to end.
macro_rules! dispatch {
    ($session:expr, $op:expr, $outcome:expr, $wait:ident) => {{
        use $crate::abi::kind;
        use $crate::{Batch, Delete, Failure, Read, Rows, Scan, Write};
        let (session, op, outcome): (_, $crate::border::OpRef<'_>, &mut $crate::abi::Outcome) =
            ($session, $op, $outcome);
        let answer = match op.kind() {
            kind::READ => {
                let mut rows = Rows::of_read(op.sink(), op.key());
                let answer = $wait!(session.read(Read(op), &mut rows));
                if answer.is_ok() {
                    rows.finish_read();
                }
                answer
            }
            kind::UPDATE => $wait!(session.update(Write(op))),
            kind::INSERT => $wait!(session.insert(Write(op))),
            kind::SCAN => {
                let mut rows = Rows::of_scan(op.sink());
                let answer = $wait!(session.scan(Scan(op), &mut rows));
                outcome.rows = rows.count();
                answer
            }
            kind::DELETE => $wait!(session.delete(Delete(op))),
            kind::INSERT_BATCH => {
                // SAFETY: the only view of the statuses while the operation runs.
                let mut batch = Batch::new(op, unsafe { op.row_status() });
                let answer = $wait!(session.insert_batch(&mut batch));
                return batch.finish(answer, outcome);
            }
            kind::END => $wait!(session.end()),
            _ => Err(Failure::not_implemented()),
        };
        match answer {
            Ok(done) => done.record(outcome),
            Err(failure) => failure.record(outcome),
        }
    }};
}

pub(super) use dispatch;
