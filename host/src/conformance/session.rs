//! Sessions that rules talk to: opened together, asked one by one or all at once, and ended in bounded time.

use super::finding::{Finding, different};
use super::listener::{Command, Listener};
use super::question::{Question, Reply, kind_name};
use crate::binding::{AttachedClient, Binding, ClientCell};
use crate::engine::RunNames;
use crate::measure::StatusTable;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// One session.
pub(super) struct Session {
    commands: Sender<Command>,
    replies: Receiver<Reply>,
    patience: Duration,
}

impl Session {
    /// Opens the session, or closes it and opens it anew.
    pub(super) fn open(&self) -> Result<Reply, Finding> {
        self.command(Command::Open);
        self.await_reply("opening a session")
    }

    /// Executes one operation.
    pub(super) fn ask(&self, question: Question) -> Result<Reply, Finding> {
        let told = question.told();
        self.send(question);
        self.await_reply(&told)
    }

    /// Has an operation executed after those that were sent before; [`reply`](Self::reply) tells how it ended.
    pub(super) fn send(&self, question: Question) {
        self.command(Command::Run(question));
    }

    /// How the next of the operations that were sent ended.
    pub(super) fn reply(&self) -> Result<Reply, Finding> {
        self.await_reply("an operation")
    }

    /// The reply that has arrived already, if any.
    pub(super) fn arrived(&self) -> Option<Reply> {
        self.replies.try_recv().ok()
    }

    /// Goes on in another thread, or lets the runtime move the task.
    pub(super) fn pass_on(&self) {
        self.command(Command::PassOn);
    }

    fn command(&self, command: Command) {
        // A client that is gone is noticed where its reply is awaited.
        let _ = self.commands.send(command);
    }

    fn await_reply(&self, what: &str) -> Result<Reply, Finding> {
        match self.replies.recv_timeout(self.patience) {
            Ok(reply) => Ok(reply),
            Err(RecvTimeoutError::Timeout) => Err(Finding::Hung {
                expected: format!("{what}: an answer within {:?} (check.patience)", self.patience),
            }),
            Err(RecvTimeoutError::Disconnected) => {
                Err(different(format!("{what}: an answer"), "the client ended without one"))
            }
        }
    }
}

/// Sessions of one binding that live at the same time.
pub(super) struct Gathering {
    sessions: Vec<Session>,
    /// One message per thread that has ended.
    ended: Receiver<()>,
    threads: usize,
    patience: Duration,
}

impl Gathering {
    /// Clients of a binding, without sessions yet.
    pub(super) fn new(
        binding: &Arc<Binding>,
        clients: usize,
        names: RunNames,
        statuses: &Arc<StatusTable>,
        patience: Duration,
    ) -> Result<Gathering, Finding> {
        let (endings, ended) = channel();
        let mut sessions = Vec::new();
        let mut cells = Vec::new();
        for index in 0..clients {
            let (commands, orders) = channel();
            let (answers, replies) = channel();
            let listener = Listener::new(orders, answers, Arc::clone(statuses), !binding.is_async());
            let (index, count) = (index as u64, clients as u64);
            let cell = ClientCell::new(
                listener,
                Question::default(),
                index,
                count,
                names.table,
                names.border_fields,
            );
            sessions.push(Session { commands, replies, patience });
            cells.push(cell);
        }
        let threads = if binding.is_async() { 1 } else { clients };
        let spawned = match binding.is_async() {
            true => spawn_pull(Arc::clone(binding), cells, endings),
            false => cells
                .into_iter()
                .try_for_each(|cell| go_on(Arc::clone(binding), AttachedClient::new(cell), endings.clone())),
        };
        spawned.map_err(|error| different("a thread of the host", error))?;
        Ok(Gathering { sessions, ended, threads, patience })
    }

    /// The sessions.
    pub(super) fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// Opens every session.
    pub(super) fn open_all(&self) -> Result<(), Finding> {
        self.sessions.iter().for_each(|session| session.command(Command::Open));
        for session in &self.sessions {
            session.await_reply("opening a session")?.opened()?;
        }
        Ok(())
    }

    /// Every session says goodbye, then all clients end.
    pub(super) fn leave(self) -> Result<(), Finding> {
        for session in &self.sessions {
            let name = kind_name(ycsb_plugin_abi::kind::END);
            session.ask(Question::end())?.succeeded(name)?;
        }
        self.abandon()
    }

    /// All clients end without a goodbye.
    pub(super) fn abandon(self) -> Result<(), Finding> {
        let Gathering { sessions, ended, threads, patience } = self;
        drop(sessions);
        let until = Instant::now() + patience;
        for _ in 0..threads {
            let left = until.saturating_duration_since(Instant::now());
            if ended.recv_timeout(left).is_err() {
                return Err(Finding::Hung {
                    expected: format!("clients that end within {patience:?} when they are told to stop"),
                });
            }
        }
        Ok(())
    }
}

/// A client at its address, which its handle leads to.
type Client = Box<ClientCell<Listener>>;

fn spawn_pull(binding: Arc<Binding>, cells: Vec<Client>, endings: Sender<()>) -> std::io::Result<()> {
    let run = move || {
        let _ = binding.run_clients(cells);
        // The last holder of a binding closes it, so this has to be gone before the end is told.
        drop(binding);
        let _ = endings.send(());
    };
    std::thread::Builder::new().name("run".to_owned()).spawn(run).map(drop)
}

/// Runs a client in a new thread until it stops or is to go on in another one.
fn go_on(
    binding: Arc<Binding>,
    mut client: AttachedClient<Listener>,
    endings: Sender<()>,
) -> std::io::Result<()> {
    let run = move || {
        while binding.turn(&mut client) {
            if client.turns().passes_on() {
                // Without a further thread the client is lost, and its rule notices.
                let _ = go_on(binding, client, endings);
                return;
            }
        }
        binding.detach(client);
        drop(binding);
        let _ = endings.send(());
    };
    std::thread::Builder::new().name("client".to_owned()).spawn(run).map(drop)
}
