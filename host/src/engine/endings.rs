//! What a client does when an operation ended: records it, verifies it, and deals with failures.

use super::client::{Client, FirstHalf, Half, STORM_AFTER, STORM_PAUSE_NS};
use super::flight::{Cargo, Flight};
use super::worker::Worker;
use crate::base::clock::Clock;
use crate::base::streams;
use crate::binding::Ended;
use crate::measure::{OpTiming, Series};
use crate::workload::{Phase, Verified};
use ycsb_plugin_abi::{Status, status};

impl<C: Clock, W: Worker> Client<C, W> {
    /// Records the operation that ended.
    #[inline]
    pub(super) fn finish(&mut self, flight: &mut Flight, ended: &Ended<'_>, now_ns: u64) {
        if flight.cargo == Cargo::Batch {
            return self.finish_batch(flight, ended, now_ns);
        }
        let status = ended.status;
        let success = self.shared.plan.statuses.info(status).success;
        let series = flight.series();
        let due_ns = self.due.map(|due| due.due_ns);
        let timing = OpTiming { due_ns, sent_ns: self.sent_ns, done_ns: now_ns };
        let waited = std::mem::take(&mut self.waited);
        if self.measuring {
            self.worker.with_recorder(|recorder| {
                recorder.operation(series, status, timing);
                if let (true, Some(due)) = (waited, self.due) {
                    recorder.schedule_lag(self.sent_ns.saturating_sub(due.send_ns));
                }
                if series == Series::Scan && success && ended.outcome.rows > 0 {
                    let per_record_ns = (now_ns - self.sent_ns) / ended.outcome.rows;
                    let done_ns = self.sent_ns + per_record_ns;
                    recorder.operation(
                        Series::ScanLatencyPerRecord,
                        status::OK,
                        OpTiming { due_ns: None, sent_ns: self.sent_ns, done_ns },
                    );
                }
            });
        }
        if success {
            self.unavailable_in_a_row = 0;
        } else if self.failed_call(series, ended, status, now_ns) {
            // The same request again: nothing has ended for the stream yet.
            return;
        }
        self.attempts = 0;
        if flight.request.wants_values {
            self.verify(flight, success);
        } else {
            self.stream.ended(&flight.request, success);
        }
        match self.half {
            Half::Whole => self.one_done(success),
            Half::First => {
                self.first_half = Some(FirstHalf { sent_ns: self.sent_ns, success });
                return;
            }
            Half::Second => self.both_halves_done(success, due_ns, now_ns),
        }
        self.due = None;
    }

    #[cold]
    fn verify(&mut self, flight: &Flight, success: bool) {
        let sent_ns = self.clock.now_ns();
        let verified = self.stream.ended(&flight.request, success);
        let done_ns = self.clock.now_ns();
        let status = match verified {
            Verified::NotChecked => return,
            Verified::Equal => status::OK,
            Verified::Different => status::UNEXPECTED_STATE,
            Verified::Missing => status::ERROR,
        };
        if !self.measuring {
            return;
        }
        let text = self.stream.mismatch();
        self.worker.with_recorder(|recorder| {
            recorder.operation(Series::Verify, status, OpTiming { due_ns: None, sent_ns, done_ns });
            if verified != Verified::Equal {
                recorder.failure_cause(
                    Series::Verify,
                    status,
                    0,
                    text.as_deref().unwrap_or("no value came back"),
                );
            }
        });
    }

    fn both_halves_done(&mut self, success: bool, due_ns: Option<u64>, now_ns: u64) {
        let Some(first) = self.first_half.take() else { return self.one_done(success) };
        if self.measuring {
            let timing = OpTiming { due_ns, sent_ns: first.sent_ns, done_ns: now_ns };
            self.worker.with_recorder(|recorder| {
                recorder.operation(Series::ReadModifyWrite, status::OK, timing);
            });
        }
        self.one_done(first.success && success);
    }

    /// One operation of the client's share is over.
    #[inline]
    pub(super) fn one_done(&mut self, success: bool) {
        if !self.measuring {
            return;
        }
        if success {
            self.done += 1;
        } else {
            self.failed += 1;
        }
        self.worker.with_recorder(|recorder| recorder.finished(success));
        self.published().publish_counts(self.done, self.failed);
    }

    /// A call failed: keeps its cause, slows down in a storm, and says whether it is to be sent again.
    #[cold]
    pub(super) fn failed_call(
        &mut self,
        series: Series,
        ended: &Ended<'_>,
        status: Status,
        now_ns: u64,
    ) -> bool {
        self.note_cause(series, ended, status);
        self.panicked |= status == status::PANIC;
        self.slow_down_in_a_storm(status, now_ns);
        if self.shared.plan.phase != Phase::Load || series != Series::Insert {
            return false;
        }
        if self.attempts < self.shared.plan.insert_retry.limit {
            self.attempts += 1;
            say_retry(self.attempts);
            self.retries += 1;
            self.not_before_ns = self.not_before_ns.max(now_ns + self.retry_pause_ns());
            return true;
        }
        say_no_retry(self.attempts + 1, self.shared.plan.insert_retry.limit);
        if !self.shared.plan.insert_retry.keep_going {
            self.shared.control.count_load_error();
        }
        false
    }

    pub(super) fn note_cause(&self, series: Series, ended: &Ended<'_>, status: Status) {
        if status != status::OK && self.measuring {
            let detail = ended.outcome.detail_text();
            self.worker.with_recorder(|recorder| {
                recorder.failure_cause(series, status, ended.outcome.backend_code, &detail);
            });
        }
    }

    pub(super) fn slow_down_in_a_storm(&mut self, status: Status, now_ns: u64) {
        if !matches!(status, status::SERVICE_UNAVAILABLE | status::OVERLOADED) {
            self.unavailable_in_a_row = 0;
            return;
        }
        self.unavailable_in_a_row += 1;
        if self.unavailable_in_a_row > STORM_AFTER {
            let doublings = (self.unavailable_in_a_row - STORM_AFTER).min(6);
            let pause_ns = (500_000 << doublings).min(STORM_PAUSE_NS);
            self.slowed_down_ns += pause_ns;
            self.not_before_ns = now_ns + pause_ns;
        }
    }

    /// The pause before an insert is sent again: 0.8 to 1.2 times the interval.
    pub(super) fn retry_pause_ns(&mut self) -> u64 {
        let factor = 0.8 + 0.4 * self.rng.next_f64();
        (self.shared.plan.insert_retry.interval_s * 1e9 * factor) as u64
    }
}

/// YCSB's words for an insert that is sent once more.
pub(super) fn say_retry(attempts: u64) {
    streams::echo(&format!("Retrying insertion, retry count: {attempts}"));
}

/// YCSB's words for an insert that is given up; nothing stands between their two parts there either.
pub(super) fn say_no_retry(attempts: u64, limit: u64) {
    streams::echo(&format!(
        "Error inserting, not retrying any more. number of attempts: {attempts}Insertion Retry Limit: {limit}"
    ));
}
