//! Clients that do what they are told: threads for a blocking binding, the pull loop for an async one.

use super::memory::Prepared;
use super::plugin::{Flavour, OpenBinding};
use super::step::{Do, Ended};
use crate::abi::abi_stable::std_types::{RSlice, RStr};
use crate::abi::{
    Blocking, Handle, Outcome, Pull, RunArgs, SessionArgs, Status, Step, as_text, status, step,
};
use crate::border::monotonic_ns;
use std::ptr::null;
use std::thread;
use std::time::{Duration, Instant};

impl OpenBinding {
    /// One client does some steps; how each ended. Waits and yields have the status NONE.
    pub fn play_one(&self, steps: impl IntoIterator<Item = Do>) -> Vec<Ended> {
        self.play(vec![steps.into_iter().collect()]).pop().unwrap_or_default()
    }

    /// One client opens its session and does some steps; how each ended, without the opening.
    ///
    /// # Panics
    /// If the session does not open.
    pub fn play_opened(&self, steps: impl IntoIterator<Item = Do>) -> Vec<Ended> {
        let mut ends = self.play_one([Do::open()].into_iter().chain(steps));
        assert_eq!((ends[0].status, ends[0].detail.as_str()), (status::OK, ""));
        ends.remove(0);
        ends
    }

    /// Several clients do their steps at once. A client that was cancelled has fewer ends than steps.
    pub fn play(&self, clients: Vec<Vec<Do>>) -> Vec<Vec<Ended>> {
        let names: Vec<RStr<'_>> = self.fields.iter().map(|name| as_text(name)).collect();
        let count = clients.len() as u64;
        let mut clients: Vec<Box<Player<'_>>> = clients
            .into_iter()
            .zip(0..)
            .map(|(steps, index)| {
                let fields = RSlice::from_slice(&names);
                let session = SessionArgs { index, count, table: as_text(self.table), fields };
                Box::new(Player::new(steps, self.table, session))
            })
            .collect();
        match self.flavour {
            Flavour::Blocking(table) => thread::scope(|scope| {
                for client in &mut clients {
                    scope.spawn(move || client.work_blocking(table, self));
                }
            }),
            Flavour::Pull(table) => run_pull(table, self.handle, &mut clients),
        }
        clients.into_iter().map(|client| client.ends).collect()
    }
}

/// A client and all its memory.
struct Player<'a> {
    prepared: Vec<Prepared>,
    ends: Vec<Ended>,
    step: Step<'static>,
    session: SessionArgs<'a>,
    /// How often the step is still to be done.
    left: u64,
    began_ns: u64,
}

// SAFETY: the pointers in `step` lead to memory of the same player.
unsafe impl Send for Player<'_> {}

impl<'a> Player<'a> {
    fn new(steps: Vec<Do>, table: &'static str, session: SessionArgs<'a>) -> Player<'a> {
        let prepared: Vec<_> = steps.into_iter().map(|what| Prepared::new(what, table)).collect();
        let step = Step { kind: 0, until_ns: 0, session: null(), op: null(), outcome: std::ptr::null_mut() };
        let ends = Vec::with_capacity(prepared.len());
        Player { prepared, ends, step, session, left: 0, began_ns: 0 }
    }

    /// Ends the step that was handed out and prepares the next. The host's `next`, in small.
    fn next(&mut self, status: Status) -> &Step<'static> {
        if self.left > 1 {
            self.left -= 1;
            return &self.step;
        }
        let now_ns = monotonic_ns();
        if self.left == 1 {
            let mut ended = self.prepared[self.ends.len()].ended(status);
            ended.took = Duration::from_nanos(now_ns - self.began_ns);
            ended.late = Duration::from_nanos(now_ns.saturating_sub(self.step.until_ns));
            self.ends.push(ended);
        }
        self.left = 0;
        self.step.kind = step::STOP;
        if let Some(next) = self.prepared.get_mut(self.ends.len()) {
            if let Some(call) = &next.what.call {
                (call.0)();
            }
            self.began_ns = monotonic_ns();
            let at_ns = self.began_ns + next.what.time.as_nanos() as u64;
            next.reset(if next.what.time.is_zero() { 0 } else { at_ns });
            self.left = next.what.times;
            self.step = Step {
                kind: next.what.step,
                until_ns: at_ns,
                session: std::ptr::from_ref(&self.session).cast(),
                op: &raw const *next.op,
                outcome: &raw mut *next.outcome,
            };
        }
        &self.step
    }

    fn work_blocking(&mut self, table: &Blocking, binding: &OpenBinding) {
        let mut session = Handle::NULL;
        let mut status = status::NONE;
        loop {
            let step = self.next(status);
            // SAFETY: `next` made the pointers of memory that this player owns.
            let outcome = unsafe { step.outcome.as_mut() };
            status = match (step.kind, outcome) {
                (step::OPEN, Some(outcome)) => {
                    (table.release)(session);
                    // SAFETY: as above.
                    (table.session)(binding.handle, unsafe { &*step.session }, &mut session, outcome)
                }
                // SAFETY: as above.
                (step::RUN, Some(outcome)) => (table.execute)(session, unsafe { &*step.op }, outcome),
                (step::WAIT, _) => {
                    let wait_ns = step.until_ns.saturating_sub(monotonic_ns());
                    let end = Instant::now() + Duration::from_nanos(wait_ns);
                    while Instant::now() < end {
                        thread::park_timeout(end.saturating_duration_since(Instant::now()));
                    }
                    status::NONE
                }
                (step::STOP, _) => break,
                _ => status::NONE,
            };
        }
        (table.release)(session);
    }
}

fn run_pull(table: &Pull, binding: Handle, clients: &mut [Box<Player<'_>>]) {
    let handles: Vec<Handle> =
        clients.iter_mut().map(|client| Handle(std::ptr::from_mut::<Player<'_>>(client).cast())).collect();
    let args = RunArgs { next: next_of, clients: RSlice::from_slice(&handles) };
    let mut outcome = Outcome::EMPTY;
    let status = (table.run)(binding, &args, &mut outcome);
    assert_eq!(status, status::OK, "run: {}", outcome.detail_text());
}

extern "C" fn next_of<'a>(client: Handle, status: Status) -> *const Step<'a> {
    // SAFETY: `run_pull` made the handle of a player that lives until `run` has returned; the plugin calls
    // `next` one at a time for a client.
    let client = unsafe { &mut *client.0.cast::<Player<'_>>() };
    std::ptr::from_ref(client.next(status)).cast()
}
