//! The script: which calls fail, which take time, decided by counting calls.

use crate::verdict::Forced;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use ycsb_plugin_api::{Answer, Done};

/// Calls that fail.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faults {
    pub(crate) forced: Forced,
    pub(crate) every: u64,
    /// 0 = without end.
    pub(crate) times: u64,
    /// Capability bits of the operations that are counted.
    pub(crate) operations: u64,
    pub(crate) retry_safe: bool,
}

/// Calls that take time. Numbers count calls from 1; 0 means never.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pauses {
    pub(crate) delay: Duration,
    pub(crate) delay_every: u64,
    pub(crate) slow: Duration,
    pub(crate) slow_at: u64,
    pub(crate) stall_at: u64,
    pub(crate) stall_for: Duration,
    pub(crate) hang_at: u64,
    pub(crate) hang_blocks: bool,
}

/// The script of a binding, shared by its sessions.
pub(crate) struct Script {
    faults: Option<Faults>,
    pauses: Pauses,
    calls: AtomicU64,
    counted: AtomicU64,
    stalled_until: Mutex<Option<Instant>>,
}

/// What a call has to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Nothing.
    None,
    /// Some time.
    For(Duration),
    /// For ever, in a way that can be ended from outside.
    Suspended,
    /// For ever.
    Blocked,
}

/// The part of a call in the script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cue {
    pub(crate) pause: Pause,
    /// Number of the call among those that faults count, from 1; of a batch, of its first record.
    counted: Option<u64>,
}

impl Script {
    /// A script, unless there is nothing in it.
    pub(crate) fn new(faults: Option<Faults>, pauses: Pauses) -> Option<Script> {
        let idle = faults.is_none()
            && pauses.delay.is_zero()
            && pauses.slow.is_zero()
            && (pauses.stall_at == 0 || pauses.stall_for.is_zero())
            && pauses.hang_at == 0;
        (!idle).then(|| Script {
            faults,
            pauses,
            calls: AtomicU64::new(0),
            counted: AtomicU64::new(0),
            stalled_until: Mutex::new(None),
        })
    }

    /// Counts a call; `records` is 1, or the number of records in a batch.
    pub(crate) fn cue(&self, operation: u64, records: u64) -> Cue {
        let first = self.calls.fetch_add(records, Ordering::Relaxed) + 1;
        let counts = self.faults.as_ref().is_some_and(|faults| faults.operations & operation != 0);
        let counted = counts.then(|| self.counted.fetch_add(records, Ordering::Relaxed) + 1);
        Cue { pause: self.pause(first, first + records - 1), counted }
    }

    /// Answers a call, or a record of a batch by its `index`.
    pub(crate) fn answer(&self, cue: Cue, index: u64, operation: impl FnOnce() -> Answer) -> Answer {
        match (&self.faults, cue.counted) {
            (Some(faults), Some(first)) if faults.strike(first + index) => {
                faults.forced.answer(faults.retry_safe, operation)
            }
            _ => operation(),
        }
    }

    /// The success of a batch: the scripted one if it strikes every record.
    pub(crate) fn success_of_batch(&self, cue: Cue) -> Done {
        match (&self.faults, cue.counted) {
            (Some(Faults { forced: Forced::Success(done), every: 1, times: 0, .. }), Some(_)) => *done,
            _ => Done::OK,
        }
    }

    fn pause(&self, first: u64, last: u64) -> Pause {
        let pauses = &self.pauses;
        if (first..=last).contains(&pauses.hang_at) {
            return if pauses.hang_blocks { Pause::Blocked } else { Pause::Suspended };
        }
        let mut time = Duration::ZERO;
        if last / pauses.delay_every > (first - 1) / pauses.delay_every {
            time += pauses.delay;
        }
        if last >= pauses.slow_at {
            time += pauses.slow;
        }
        if pauses.stall_at != 0 && last >= pauses.stall_at {
            time = time.max(self.stall((first..=last).contains(&pauses.stall_at)));
        }
        if time.is_zero() { Pause::None } else { Pause::For(time) }
    }

    /// How long the store stands still from now on; a call `begins` it.
    fn stall(&self, begins: bool) -> Duration {
        let now = Instant::now();
        let mut until = self.stalled_until.lock().unwrap_or_else(PoisonError::into_inner);
        if begins {
            *until = Some(now + self.pauses.stall_for);
        }
        until.map_or(Duration::ZERO, |until| until.saturating_duration_since(now))
    }
}

impl Faults {
    fn strike(&self, number: u64) -> bool {
        number.is_multiple_of(self.every) && (self.times == 0 || number / self.every <= self.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ycsb_plugin_api::capability::{INSERT, READ};

    const NONE: Pauses = Pauses {
        delay: Duration::ZERO,
        delay_every: 1,
        slow: Duration::ZERO,
        slow_at: 1,
        stall_at: 0,
        stall_for: Duration::ZERO,
        hang_at: 0,
        hang_blocks: false,
    };

    fn faults(every: u64, times: u64, operations: u64) -> Option<Faults> {
        let forced = Forced::of("ERROR").unwrap();
        Some(Faults { forced, every, times, operations, retry_safe: false })
    }

    fn failing(script: &Script, operations: &[u64]) -> Vec<usize> {
        let fails = |&operation: &u64| {
            let cue = script.cue(operation, 1);
            script.answer(cue, 0, || Ok(Done::OK)).is_err()
        };
        (1..).zip(operations).filter(|(_, operation)| fails(operation)).map(|(number, _)| number).collect()
    }

    fn pauses(script: &Script, calls: usize) -> Vec<Pause> {
        (0..calls).map(|_| script.cue(READ, 1).pause).collect()
    }

    #[test]
    fn every_third_call_fails_and_no_more_often_than_asked() {
        let script = Script::new(faults(3, 2, u64::MAX), NONE).unwrap();
        assert_eq!(failing(&script, &[READ; 12]), [3, 6]);
    }

    #[test]
    fn only_calls_of_the_named_kind_are_counted() {
        let script = Script::new(faults(2, 0, INSERT), NONE).unwrap();
        assert_eq!(failing(&script, &[READ, INSERT, READ, INSERT, INSERT, INSERT]), [4, 6]);
    }

    #[test]
    fn the_records_of_a_batch_are_counted_one_by_one() {
        let script = Script::new(faults(3, 0, u64::MAX), NONE).unwrap();
        let failed = |records: u64| -> Vec<u64> {
            let cue = script.cue(INSERT, records);
            (0..records).filter(|index| script.answer(cue, *index, || Ok(Done::OK)).is_err()).collect()
        };
        assert_eq!([failed(4), failed(4)], [vec![2], vec![1]]);
    }

    #[test]
    fn a_script_with_nothing_in_it_is_none() {
        assert!(Script::new(None, NONE).is_none());
        assert!(Script::new(None, Pauses { stall_at: 3, ..NONE }).is_none());
    }

    #[test]
    fn delays_come_every_so_many_calls_and_slowness_stays() {
        let (delay, slow) = (Duration::from_millis(1), Duration::from_millis(10));
        let script = Script::new(None, Pauses { delay, delay_every: 2, slow, slow_at: 4, ..NONE }).unwrap();
        let expected = [
            Pause::None,
            Pause::For(delay),
            Pause::None,
            Pause::For(delay + slow),
            Pause::For(slow),
            Pause::For(delay + slow),
        ];
        assert_eq!(pauses(&script, 6), expected);
    }

    #[test]
    fn exactly_one_call_hangs() {
        let script = Script::new(None, Pauses { hang_at: 2, hang_blocks: true, ..NONE }).unwrap();
        assert_eq!(pauses(&script, 3), [Pause::None, Pause::Blocked, Pause::None]);
    }

    #[test]
    fn a_stall_holds_up_every_call_until_it_ends() {
        let long = Duration::from_secs(3600);
        let script = Script::new(None, Pauses { stall_at: 2, stall_for: long, ..NONE }).unwrap();
        let pauses = pauses(&script, 3);
        assert_eq!(pauses[..2], [Pause::None, Pause::For(long)]);
        assert!(matches!(pauses[2], Pause::For(time) if time <= long && !time.is_zero()));
    }
}
