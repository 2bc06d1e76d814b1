//! The state machine of a session that a rule talks to: does what it is told, and tells how it ended.

use super::question::{Question, Reply, ReturnedRow};
use crate::base::clock::{Clock, HostClock};
use crate::binding::{Ended, OpBuilder, Turn, Turns};
use crate::measure::StatusTable;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::time::Duration;

/// What a session is told to do.
pub(super) enum Command {
    /// Open the session, or open it anew.
    Open,
    /// Execute an operation.
    Run(Question),
    /// Go on in another thread, or let the runtime's other tasks run.
    PassOn,
}

/// The longest pause of a task that has nothing to do.
const LONGEST_PAUSE_NS: u64 = 1_000_000;
/// After so many turns in a row a task lets others run.
const TURNS_IN_A_ROW: u32 = 32;

/// Listens for commands. A blocking binding's listener waits for them; an async binding's, which must not,
/// looks again and again.
pub(super) struct Listener {
    commands: Receiver<Command>,
    replies: Sender<Reply>,
    statuses: Arc<StatusTable>,
    may_block: bool,
    is_asked: bool,
    rows: Vec<ReturnedRow>,
    sent_ns: u64,
    turns: u32,
    idle: u32,
    passes_on: bool,
}

impl Listener {
    pub(super) fn new(
        commands: Receiver<Command>,
        replies: Sender<Reply>,
        statuses: Arc<StatusTable>,
        may_block: bool,
    ) -> Listener {
        Listener {
            commands,
            replies,
            statuses,
            may_block,
            is_asked: false,
            rows: Vec::new(),
            sent_ns: 0,
            turns: 0,
            idle: 0,
            passes_on: false,
        }
    }

    /// Whether the client is to go on in another thread.
    pub(super) fn passes_on(&self) -> bool {
        self.passes_on
    }

    fn reply(&mut self, ended: &Ended<'_>) {
        let done_ns = HostClock::new().now_ns();
        let known = self.statuses.is_declared(ended.status);
        let info = self.statuses.info(ended.status);
        let reply = Reply {
            status: ended.status,
            name: if known { info.name.clone() } else { format!("status {}", ended.status) },
            is_success: known && info.success,
            detail: ended.outcome.detail_text().into_owned(),
            counted_rows: ended.outcome.rows,
            rows: std::mem::take(&mut self.rows),
            row_status: ended.row_status.to_vec(),
            took_ns: done_ns.saturating_sub(self.sent_ns),
        };
        // A rule that has given up listens no more.
        let _ = self.replies.send(reply);
    }

    fn command(&mut self) -> Result<Command, Turn> {
        if self.may_block {
            return self.commands.recv().map_err(|_| Turn::Stop);
        }
        match self.commands.try_recv() {
            Ok(command) => {
                self.idle = 0;
                Ok(command)
            }
            Err(TryRecvError::Disconnected) => Err(Turn::Stop),
            Err(TryRecvError::Empty) => {
                self.idle = (self.idle + 1).min(10);
                let pause_ns = (10_000 << self.idle).min(LONGEST_PAUSE_NS);
                Err(Turn::Wait(HostClock::new().now_ns() + pause_ns))
            }
        }
    }
}

impl Turns for Listener {
    type Data = Question;

    fn next(&mut self, question: &mut Question, ended: Ended<'_>) -> Turn {
        if std::mem::take(&mut self.is_asked) {
            self.reply(&ended);
        }
        self.passes_on = false;
        self.turns += 1;
        if !self.may_block && self.turns.is_multiple_of(TURNS_IN_A_ROW) {
            return Turn::Yield;
        }
        match self.command() {
            Ok(Command::Open) => {
                self.is_asked = true;
                self.sent_ns = HostClock::new().now_ns();
                Turn::Open
            }
            Ok(Command::Run(asked)) => {
                self.is_asked = true;
                *question = asked;
                Turn::Run
            }
            Ok(Command::PassOn) => {
                self.passes_on = true;
                Turn::Yield
            }
            Err(turn) => turn,
        }
    }

    fn fill<'a>(question: &'a Question, op: &mut OpBuilder<'_, 'a>) {
        question.fill(op);
    }

    fn sent(&mut self) {
        self.sent_ns = HostClock::new().now_ns();
    }

    fn row(&mut self, key: &[u8]) {
        self.rows.push(ReturnedRow { key: key.to_vec(), fields: Vec::new() });
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        if self.rows.is_empty() {
            self.rows.push(ReturnedRow::default());
        }
        if let Some(row) = self.rows.last_mut() {
            row.fields.push((name.to_vec(), value.to_vec()));
        }
    }

    fn wait(&mut self, until_ns: u64) {
        std::thread::sleep(Duration::from_nanos(until_ns.saturating_sub(HostClock::new().now_ns())));
    }

    /// The client stops, which its rule notices.
    fn broken(&mut self, _message: &str) {}
}
