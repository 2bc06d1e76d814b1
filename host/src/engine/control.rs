//! What the clients of a run and their controller share. Touched in the operation path only by relaxed loads
//! of words that change a few times per run, and by stores into a cache line that belongs to one client.

use crate::base::clock::Clock;
use crate::binding::OpenFailure;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::thread::Thread;

/// Where a client is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Stage {
    /// Its session is not open yet.
    Unopened = 0,
    /// It works, or waits for its turn.
    Running = 1,
    /// It says goodbye.
    Ending = 2,
    /// It stopped by itself.
    Ended = 3,
    /// Its session could not be opened.
    NotOpened = 4,
}

/// What one client publishes. Written by that client alone, read by the controller at any moment.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct ClientState {
    done: AtomicU64,
    failed: AtomicU64,
    in_flight_since_ns: AtomicU64,
    in_flight_series: AtomicU32,
    stage: AtomicU32,
    /// The controller's wish that the client leaves, because its call is overdue.
    leave: AtomicBool,
    /// The controller gave up on the client: its operation in flight was counted already.
    abandoned: AtomicBool,
}

impl ClientState {
    /// Operations that succeeded.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Operations that failed.
    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    /// Time at which the call in flight was sent, and its series; `None` if there is none.
    pub fn in_flight(&self) -> Option<(u64, u32)> {
        let since_ns = self.in_flight_since_ns.load(Ordering::SeqCst);
        (since_ns != 0).then(|| (since_ns, self.in_flight_series.load(Ordering::Relaxed)))
    }

    /// Where the client is.
    pub fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Acquire) {
            0 => Stage::Unopened,
            1 => Stage::Running,
            2 => Stage::Ending,
            3 => Stage::Ended,
            _ => Stage::NotOpened,
        }
    }

    pub(super) fn publish_counts(&self, done: u64, failed: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.failed.store(failed, Ordering::Relaxed);
    }

    pub(super) fn publish_sent(&self, sent_ns: u64) {
        self.in_flight_since_ns.store(sent_ns, Ordering::Relaxed);
    }

    pub(super) fn publish_series(&self, series: u32) {
        self.in_flight_series.store(series, Ordering::Relaxed);
    }

    pub(super) fn publish_stage(&self, stage: Stage) {
        self.stage.store(stage as u32, Ordering::Release);
    }

    /// The call returned. False if the controller had given up on it and counted it already.
    pub(super) fn returned(&self) -> bool {
        if self.leave.load(Ordering::Relaxed) {
            // Both sides write their own word and then read the other's, in one total order: the call is
            // counted by exactly one of them.
            self.in_flight_since_ns.store(0, Ordering::SeqCst);
            return !self.abandoned.load(Ordering::SeqCst);
        }
        self.in_flight_since_ns.store(0, Ordering::Relaxed);
        true
    }

    pub(super) fn is_asked_to_leave(&self) -> bool {
        self.leave.load(Ordering::Relaxed)
    }

    /// Asks the client to leave when its call returns.
    pub(super) fn ask_to_leave(&self) {
        self.leave.store(true, Ordering::SeqCst);
    }

    /// Gives up on the client; returns the series of the call that will not be waited for.
    ///
    /// To be called only some time after [`ask_to_leave`](Self::ask_to_leave), when the client is sure to see
    /// that wish as soon as its call returns.
    pub(super) fn abandon(&self) -> Option<u32> {
        self.abandoned.store(true, Ordering::SeqCst);
        self.in_flight().map(|(_, series)| series)
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::SeqCst)
    }
}

/// Why clients were told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum StopCause {
    /// They were not: every client did its share.
    None = 0,
    /// `maxexecutiontime` or `duration`.
    TimeLimit = 1,
    /// SIGINT.
    Interrupt = 2,
    /// SIGTERM.
    Terminate = 3,
    /// More failed inserts of a load than `errors.allowed`.
    LoadErrors = 4,
    /// A session could not be opened.
    OpenFailed = 5,
    /// The state machine of a client panicked: a fault of this program.
    Broken = 6,
    /// Nobody reads what the binding echoes any more.
    OutputClosed = 7,
}

impl StopCause {
    fn of(number: u32) -> StopCause {
        match number {
            1 => StopCause::TimeLimit,
            2 => StopCause::Interrupt,
            3 => StopCause::Terminate,
            4 => StopCause::LoadErrors,
            5 => StopCause::OpenFailed,
            6 => StopCause::Broken,
            7 => StopCause::OutputClosed,
            _ => StopCause::None,
        }
    }
}

/// Shared by all clients of a phase and its controller.
#[derive(Debug)]
pub struct Control {
    clients: Vec<ClientState>,
    /// Time at which the run started, 0 = not yet: not all clients are open.
    started_ns: AtomicU64,
    opened: AtomicUsize,
    finished: AtomicUsize,
    stop_cause: AtomicU32,
    load_errors: AtomicU64,
    /// Failed inserts after which a load stops.
    load_errors_allowed: u64,
    open_failure: Mutex<Option<OpenFailure>>,
    broken: Mutex<Option<String>>,
    sleepers: Mutex<Vec<Thread>>,
    controller: Thread,
}

impl Control {
    /// For this many clients; the calling thread is the controller, which is woken on every change.
    pub fn new(clients: usize, load_errors_allowed: u64) -> Self {
        Control {
            clients: (0..clients).map(|_| ClientState::default()).collect(),
            started_ns: AtomicU64::new(0),
            opened: AtomicUsize::new(0),
            finished: AtomicUsize::new(0),
            stop_cause: AtomicU32::new(0),
            load_errors: AtomicU64::new(0),
            load_errors_allowed,
            open_failure: Mutex::new(None),
            broken: Mutex::new(None),
            sleepers: Mutex::new(Vec::new()),
            controller: std::thread::current(),
        }
    }

    /// The states of all clients.
    pub fn clients(&self) -> &[ClientState] {
        &self.clients
    }

    /// Time at which the run started, once all clients were open.
    pub fn started_ns(&self) -> Option<u64> {
        let at = self.started_ns.load(Ordering::Acquire);
        (at != 0).then_some(at)
    }

    /// Why clients were told to stop.
    pub fn stop_cause(&self) -> StopCause {
        StopCause::of(self.stop_cause.load(Ordering::Relaxed))
    }

    /// Whether clients have been told to stop.
    #[inline]
    pub fn is_stopping(&self) -> bool {
        self.stop_cause.load(Ordering::Relaxed) != 0
    }

    /// Tells all clients to stop; the first cause is kept.
    pub fn stop(&self, cause: StopCause) {
        let _ = self.stop_cause.compare_exchange(0, cause as u32, Ordering::SeqCst, Ordering::SeqCst);
        self.wake_all();
    }

    /// Clients that will do nothing any more: ended, not opened, or abandoned.
    pub fn finished(&self) -> usize {
        self.finished.load(Ordering::Acquire)
    }

    /// Clients whose sessions are open.
    pub fn opened(&self) -> usize {
        self.opened.load(Ordering::Acquire)
    }

    /// The first session that could not be opened.
    pub fn open_failure(&self) -> Option<OpenFailure> {
        lock(&self.open_failure).clone()
    }

    /// The message of a panic in a client's state machine.
    pub fn broken(&self) -> Option<String> {
        lock(&self.broken).clone()
    }

    /// Failed inserts of a load so far (retries used up).
    pub fn load_errors(&self) -> u64 {
        self.load_errors.load(Ordering::Relaxed)
    }

    /// Registers a thread that is woken by [`stop`](Self::stop) and by the start.
    pub(super) fn register_sleeper(&self, thread: Thread) {
        lock(&self.sleepers).push(thread);
    }

    /// A client's session is open. The last one starts the run.
    pub(super) fn client_opened(&self, clock: &impl Clock, before_start: impl FnOnce(u64)) {
        if self.opened.fetch_add(1, Ordering::SeqCst) + 1 == self.clients.len() {
            let now_ns = clock.now_ns();
            before_start(now_ns);
            self.started_ns.store(now_ns, Ordering::Release);
            self.wake_all();
        }
    }

    pub(super) fn client_not_opened(&self, failure: OpenFailure) {
        lock(&self.open_failure).get_or_insert(failure);
        self.stop(StopCause::OpenFailed);
    }

    pub(super) fn client_broke(&self, message: &str) {
        lock(&self.broken).get_or_insert(message.to_owned());
        self.stop(StopCause::Broken);
    }

    pub(super) fn client_finished(&self) {
        self.finished.fetch_add(1, Ordering::AcqRel);
        self.controller.unpark();
    }

    /// The plugin's runtime has returned: no client will do anything any more.
    pub(super) fn all_clients_returned(&self) {
        self.finished.store(self.clients.len(), Ordering::Release);
        self.controller.unpark();
    }

    /// A record of a load is lost. Stops all clients once there are more of them than allowed.
    pub(super) fn count_load_error(&self) {
        let errors = self.load_errors.fetch_add(1, Ordering::Relaxed) + 1;
        if errors > self.load_errors_allowed {
            self.stop(StopCause::LoadErrors);
        }
    }

    fn wake_all(&self) {
        for thread in lock(&self.sleepers).iter() {
            thread.unpark();
        }
        self.controller.unpark();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::clock::FakeClock;

    #[test]
    fn the_last_client_that_opens_starts_the_run() {
        let control = Control::new(2, 0);
        let clock = FakeClock::at(77);
        control.client_opened(&clock, |_| panic!("one client is missing"));
        assert_eq!(control.started_ns(), None);
        let mut seen = 0;
        control.client_opened(&clock, |at| seen = at);
        assert_eq!((control.started_ns(), seen), (Some(77), 77));
    }

    #[test]
    fn the_first_cause_of_a_stop_is_kept() {
        let control = Control::new(1, 0);
        control.stop(StopCause::TimeLimit);
        control.stop(StopCause::Interrupt);
        assert_eq!(control.stop_cause(), StopCause::TimeLimit);
    }

    #[test]
    fn a_load_stops_when_one_more_record_is_lost_than_allowed() {
        let control = Control::new(1, 2);
        control.count_load_error();
        control.count_load_error();
        assert!(!control.is_stopping());
        control.count_load_error();
        assert_eq!(control.stop_cause(), StopCause::LoadErrors);
    }

    #[test]
    fn an_overdue_call_is_counted_by_one_side_only() {
        let late = ClientState::default();
        late.publish_sent(5);
        late.ask_to_leave();
        assert_eq!(late.abandon(), Some(0));
        assert!(!late.returned());

        let in_time = ClientState::default();
        in_time.publish_sent(5);
        in_time.ask_to_leave();
        assert!(in_time.returned());
        assert_eq!(in_time.abandon(), None);
    }
}
