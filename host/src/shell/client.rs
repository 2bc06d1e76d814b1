//! The one client of a shell: waits for commands and carries them out through the same border as a run.

use crate::base::clock::{Clock, HostClock};
use crate::binding::{Binding, ClientCell, Ended, OpBuilder, OpenFailure, Turn, Turns};
use crate::engine::RunNames;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::Duration;
use ycsb_plugin_abi::{Status, kind, status};

/// How long the client waits before it looks for a command again.
const POLL: Duration = Duration::from_millis(20);

/// One operation.
#[derive(Clone, Debug, Default)]
pub(super) struct Command {
    pub(super) kind: u32,
    pub(super) table: String,
    pub(super) key: String,
    pub(super) select: Vec<String>,
    pub(super) values: Vec<(String, String)>,
    pub(super) limit: u64,
}

/// Names and values of a returned record.
pub(super) type Row = Vec<(String, Vec<u8>)>;

/// How an operation ended.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub(super) status: Status,
    pub(super) detail: String,
    pub(super) rows: Vec<Row>,
    /// From the call to its answer, waiting for the client's turn apart.
    pub(super) took: Duration,
}

/// The client, seen from the one who types.
pub(super) struct ShellClient {
    commands: Option<Sender<Command>>,
    replies: Receiver<Reply>,
    ended: Receiver<()>,
}

impl ShellClient {
    /// Starts the client on a thread of its own and waits until its session is open.
    ///
    /// # Errors
    /// The session could not be opened, or not in time.
    pub(super) fn start(
        binding: &Arc<Binding>,
        table: &str,
        fields: &[String],
        patience: Duration,
    ) -> Result<ShellClient, OpenFailure> {
        let names = RunNames::new(table, fields);
        let (commands, incoming) = channel();
        let (outgoing, replies) = channel();
        let turns =
            Client { incoming, outgoing, state: State::Unopened, next: None, rows: Vec::new(), sent_ns: 0 };
        let cell = ClientCell::new(turns, Command::default(), 0, 1, names.table, names.border_fields);
        let binding = Arc::clone(binding);
        let (end, ended) = channel();
        let spawned = std::thread::Builder::new().name("shell".to_owned()).spawn(move || {
            if binding.is_async() {
                let _ = binding.run_clients(vec![cell]);
            } else {
                let _ = binding.run_client(cell);
            }
            drop(binding);
            let _ = end.send(());
        });
        let failure = |detail: String| OpenFailure { status: status::ERROR, detail };
        spawned.map_err(|error| failure(format!("no thread for the session: {error}")))?;
        match replies.recv_timeout(patience) {
            Ok(Reply { status: status::OK, .. }) => {
                Ok(ShellClient { commands: Some(commands), replies, ended })
            }
            Ok(reply) => Err(OpenFailure { status: reply.status, detail: reply.detail }),
            Err(RecvTimeoutError::Timeout) => Err(OpenFailure {
                status: status::TIMEOUT,
                detail: "the session did not open in time; raise connect.timeout".to_owned(),
            }),
            Err(RecvTimeoutError::Disconnected) => Err(failure("the session ended".to_owned())),
        }
    }

    /// Carries out an operation; `None` if the client is gone.
    pub(super) fn call(&self, command: Command) -> Option<Reply> {
        self.commands.as_ref()?.send(command).ok()?;
        self.replies.recv().ok()
    }

    /// Ends the session; false if it did not end in time.
    pub(super) fn end(mut self, patience: Duration) -> bool {
        self.commands = None;
        self.ended.recv_timeout(patience).is_ok()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unopened,
    Opening,
    Idle,
    Asking,
    Ending,
}

struct Client {
    incoming: Receiver<Command>,
    outgoing: Sender<Reply>,
    state: State,
    /// A command that came while the client waited.
    next: Option<Result<Command, TryRecvError>>,
    rows: Vec<Row>,
    sent_ns: u64,
}

impl Client {
    fn reply(&mut self, ended: &Ended<'_>) {
        let detail = ended.outcome.detail_text().into_owned();
        let rows = std::mem::take(&mut self.rows);
        let took = Duration::from_nanos(HostClock::new().now_ns() - self.sent_ns);
        let _ = self.outgoing.send(Reply { status: ended.status, detail, rows, took });
    }

    fn look_for_command(&mut self, command: &mut Command) -> Turn {
        match self.next.take().unwrap_or_else(|| self.incoming.try_recv()) {
            Ok(next) => {
                *command = next;
                self.state = State::Asking;
                Turn::Run
            }
            Err(TryRecvError::Empty) => Turn::Wait(HostClock::new().now_ns() + POLL.as_nanos() as u64),
            Err(TryRecvError::Disconnected) => {
                *command = Command { kind: kind::END, ..Command::default() };
                self.state = State::Ending;
                Turn::Run
            }
        }
    }
}

impl Turns for Client {
    type Data = Command;

    fn next(&mut self, command: &mut Command, ended: Ended<'_>) -> Turn {
        match self.state {
            State::Unopened => {
                self.state = State::Opening;
                return Turn::Open;
            }
            State::Opening => {
                self.reply(&ended);
                if ended.status != status::OK {
                    return Turn::Stop;
                }
                self.state = State::Idle;
            }
            State::Asking => {
                self.reply(&ended);
                self.state = State::Idle;
                if ended.status == status::PANIC {
                    // The session is dead; the next reply tells how opening another one went.
                    self.state = State::Opening;
                    return Turn::Open;
                }
            }
            State::Ending => return Turn::Stop,
            State::Idle => {}
        }
        self.look_for_command(command)
    }

    fn fill<'a>(command: &'a Command, op: &mut OpBuilder<'_, 'a>) {
        op.begin(command.kind, &command.key, 0);
        if command.kind != kind::END {
            op.table(&command.table);
        }
        command.values.iter().for_each(|(name, value)| op.field(name, value.as_bytes()));
        command.select.iter().for_each(|name| op.select(name));
        op.limit(command.limit);
        op.want_values();
    }

    fn sent(&mut self) {
        self.sent_ns = HostClock::new().now_ns();
    }

    fn row(&mut self, _key: &[u8]) {
        self.rows.push(Row::new());
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        // A read hands over its fields without starting a row.
        if self.rows.is_empty() {
            self.rows.push(Row::new());
        }
        if let Some(row) = self.rows.last_mut() {
            row.push((String::from_utf8_lossy(name).into_owned(), value.to_vec()));
        }
    }

    fn wait(&mut self, _until_ns: u64) {
        self.next = match self.incoming.recv_timeout(POLL) {
            Ok(command) => Some(Ok(command)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(TryRecvError::Disconnected)),
        };
    }

    fn broken(&mut self, _message: &str) {}
}
