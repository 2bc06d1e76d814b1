//! From an operation's kind to the author's method, for both flavours.

/// Executes an operation and evaluates to its status. `$($wait)*` is `.await` for async sessions.
macro_rules! dispatch {
    ($session:expr, $op:expr, $outcome:expr $(, $($wait:tt)*)?) => {{
        use $crate::abi::kind;
        use $crate::{Batch, Delete, Failure, Read, Rows, Scan, Write};
        let (session, op, outcome): (_, $crate::border::OpRef<'_>, &mut $crate::abi::Outcome) =
            ($session, $op, $outcome);
        let answer = match op.kind() {
            kind::READ => {
                let mut rows = Rows::of_read(op.sink(), op.key());
                let answer = session.read(Read(op), &mut rows) $($($wait)*)?;
                if answer.is_ok() {
                    rows.finish_read();
                }
                answer
            }
            kind::UPDATE => session.update(Write(op)) $($($wait)*)?,
            kind::INSERT => session.insert(Write(op)) $($($wait)*)?,
            kind::SCAN => {
                let mut rows = Rows::of_scan(op.sink());
                let answer = session.scan(Scan(op), &mut rows) $($($wait)*)?;
                outcome.rows = rows.count();
                answer
            }
            kind::DELETE => session.delete(Delete(op)) $($($wait)*)?,
            kind::INSERT_BATCH => {
                // SAFETY: the only view of the statuses while the operation runs.
                let mut batch = Batch::new(op, unsafe { op.row_status() });
                let answer = session.insert_batch(&mut batch) $($($wait)*)?;
                return batch.finish(answer, outcome);
            }
            kind::END => session.end() $($($wait)*)?,
            _ => Err(Failure::not_implemented()),
        };
        match answer {
            Ok(done) => done.record(outcome),
            Err(failure) => failure.record(outcome),
        }
    }};
}

pub(super) use dispatch;
