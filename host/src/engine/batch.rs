//! Batches of inserts: gathered by the host, so that nothing is lost at the end and every row is counted.

use super::client::Client;
use super::endings::{say_no_retry, say_retry};
use super::flight::{Cargo, Flight, GatheredRow};
use super::worker::Worker;
use crate::base::clock::Clock;
use crate::binding::{Ended, Turn};
use crate::measure::{OpTiming, Series};
use crate::workload::{Next, Phase};
use ycsb_plugin_abi::{Status, status};

impl<C: Clock, W: Worker> Client<C, W> {
    /// Gathers rows, each when it is due, and sends the batch when it is full or nothing more comes.
    pub(super) fn decide_batch(&mut self, flight: &mut Flight, now_ns: u64) -> Turn {
        let full = self.shared.plan.batch_size;
        while flight.gathered < full && !self.is_done() {
            if let Some(turn) = self.pace(now_ns) {
                return turn;
            }
            if flight.gathered == flight.rows.len() {
                flight.rows.push(GatheredRow::default());
            }
            if !self.begin_one(now_ns) {
                break;
            }
            let row = &mut flight.rows[flight.gathered];
            if self.stream.next(&mut row.request) == Next::Exhausted {
                self.exhausted = true;
                break;
            }
            row.due_ns = self.due.take().map(|due| due.due_ns);
            row.attempts = 0;
            flight.gathered += 1;
        }
        if flight.gathered == 0 {
            return self.end(flight);
        }
        flight.cargo = Cargo::Batch;
        self.launch(flight, now_ns)
    }

    /// Records a batch and its rows. Rows that are to be tried again stay gathered.
    #[cold]
    pub(super) fn finish_batch(&mut self, flight: &mut Flight, ended: &Ended<'_>, now_ns: u64) {
        let sent_ns = self.sent_ns;
        let rows = std::mem::take(&mut flight.gathered);
        if self.measuring {
            let timing = OpTiming { due_ns: flight.rows[0].due_ns, sent_ns, done_ns: now_ns };
            self.worker.with_recorder(|recorder| {
                recorder.operation(Series::InsertBatch, ended.status, timing);
            });
        }
        self.panicked |= ended.status == status::PANIC;
        self.slow_down_in_a_storm(ended.status, now_ns);
        for row in 0..rows {
            let row_status = row_status(ended, row);
            let due_ns = flight.rows[row].due_ns;
            if self.measuring {
                self.worker.with_recorder(|recorder| {
                    recorder.operation(
                        Series::Insert,
                        row_status,
                        OpTiming { due_ns, sent_ns, done_ns: now_ns },
                    );
                });
            }
            let success = self.shared.plan.statuses.info(row_status).success;
            if !success && self.retries_row(flight, row, ended, row_status) {
                continue;
            }
            self.stream.ended(&flight.rows[row].request, success);
            self.one_done(success);
        }
        if flight.gathered > 0 {
            self.not_before_ns = self.not_before_ns.max(now_ns + self.retry_pause_ns());
        }
    }

    /// Whether a failed row is tried again; if so it moves to the front, into the next batch.
    fn retries_row(
        &mut self,
        flight: &mut Flight,
        row: usize,
        ended: &Ended<'_>,
        row_status: Status,
    ) -> bool {
        self.note_cause(Series::Insert, ended, row_status);
        if self.shared.plan.phase != Phase::Load {
            return false;
        }
        if flight.rows[row].attempts < self.shared.plan.insert_retry.limit {
            flight.rows[row].attempts += 1;
            say_retry(flight.rows[row].attempts);
            self.retries += 1;
            flight.rows.swap(row, flight.gathered);
            flight.gathered += 1;
            return true;
        }
        say_no_retry(flight.rows[row].attempts + 1, self.shared.plan.insert_retry.limit);
        if !self.shared.plan.insert_retry.keep_going {
            self.shared.control.count_load_error();
        }
        false
    }
}

/// How a row ended. A batch that failed as a whole without a word on its rows speaks for all of them.
fn row_status(ended: &Ended<'_>, row: usize) -> Status {
    let own = ended.row_status.get(row).copied().unwrap_or(ended.status);
    let untouched = own == status::ERROR;
    if untouched && ended.status != status::OK { ended.status } else { own }
}
