//! The server, or the nodes of the cluster, that a session talks to.

use crate::cluster::{SlotRange, redirection, slot_of, slots};
use crate::command::Commands;
use crate::connection::Connection;
use crate::handshake::connect;
use crate::reply::Reply;
use crate::settings::RedisSettings;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use ycsb_plugin_api::Failure;
use ycsb_plugin_common::{Endpoint, Patience};

/// How often a command follows the nodes' advice to ask elsewhere.
const REDIRECTIONS: usize = 16;

/// How long nodes that disagree are given to agree.
const REDIRECTION_PAUSE: Duration = Duration::from_millis(20);

/// How long a lost connection is tried anew where no time-out is set.
const RECONNECT: Duration = Duration::from_secs(10);

/// One server, or the nodes of a cluster with the slots that they hold.
pub(crate) struct Servers {
    settings: Arc<RedisSettings>,
    nodes: Vec<Node>,
    /// Empty if the server is no cluster.
    ranges: Vec<(SlotRange, usize)>,
    /// The slots have to be asked for before the next operation.
    stale: bool,
    /// The node that each command of the operation went to.
    routes: Vec<usize>,
}

struct Node {
    endpoint: Endpoint,
    connection: Option<Connection>,
    /// Commands of the operation that go to this node.
    out: Vec<u8>,
    /// Answers that are still to come.
    pending: usize,
}

impl Node {
    fn at(endpoint: Endpoint) -> Node {
        Node { endpoint, connection: None, out: Vec::new(), pending: 0 }
    }

    /// Whether there is no connection, or one that owes answers to an operation that was dropped.
    #[inline]
    fn has_to_connect(&self) -> bool {
        self.connection.as_ref().is_none_or(Connection::is_behind)
    }

    /// The connection, made anew if it has to be.
    #[inline]
    async fn connection(&mut self, settings: &RedisSettings) -> Result<&mut Connection, Failure> {
        if self.has_to_connect() {
            self.connection = None;
            self.connection = Some(reconnect(settings, &self.endpoint).await?);
        }
        self.connection.as_mut().ok_or_else(|| Failure::unavailable("no connection"))
    }

    /// Sends the node, which is connected, its commands of the operation.
    async fn send(&mut self) -> Result<(), Failure> {
        match &mut self.connection {
            Some(connection) => connection.send(&self.out, self.pending).await,
            None => Err(Failure::unavailable(format!("no connection to {}", self.endpoint))),
        }
    }

    /// Drops a connection whose state is not known any more.
    fn drop_connection(&mut self) {
        self.connection = None;
        self.pending = 0;
    }
}

impl Servers {
    /// Connects to the server, or to all primaries of the cluster.
    pub(crate) async fn connect(settings: Arc<RedisSettings>) -> Result<Servers, Failure> {
        let mut seed = Node::at(settings.endpoint.clone());
        seed.connection = Some(connect(&settings, &seed.endpoint).await?);
        let stale = settings.cluster;
        let mut servers =
            Servers { settings, nodes: vec![seed], ranges: Vec::new(), stale, routes: Vec::new() };
        if stale {
            servers.ask_for_slots().await?;
            for node in servers.ranges.iter().map(|(_, node)| *node).collect::<Vec<_>>() {
                if servers.nodes[node].connection.is_none() {
                    let made = connect(&servers.settings, &servers.nodes[node].endpoint).await?;
                    servers.nodes[node].connection = Some(made);
                }
            }
        }
        Ok(servers)
    }

    /// The nodes that hold slots; the server itself if it is no cluster.
    pub(crate) fn primaries(&self) -> Vec<&Endpoint> {
        let mut primaries: Vec<usize> = self.ranges.iter().map(|(_, node)| *node).collect();
        primaries.sort_unstable();
        primaries.dedup();
        if primaries.is_empty() {
            primaries.push(0);
        }
        primaries.into_iter().map(|node| &self.nodes[node].endpoint).collect()
    }

    /// Sends all commands in one go, to each node its own, and hands over the answers in the order of the
    /// commands, with the command's number. Every answer is waited for, also after one that displeases.
    ///
    /// # Errors
    /// The first failure of `on_answer`, or of a connection; answers that a lost connection owes are not handed
    /// over.
    #[inline]
    pub(crate) async fn exchange(
        &mut self,
        commands: &Commands,
        mut on_answer: impl FnMut(usize, Reply<'_>) -> Result<(), Failure> + Send,
    ) -> Result<(), Failure> {
        if self.settings.cluster {
            return self.exchange_with_nodes(commands, &mut on_answer).await;
        }
        let answer = self.exchange_with_one(commands, &mut on_answer).await;
        match answer {
            Ok(answer) => answer,
            Err(lost) => {
                self.nodes[0].drop_connection();
                Err(lost)
            }
        }
    }

    /// The outer failure is the connection's, the inner one that of `on_answer`.
    #[inline]
    async fn exchange_with_one(
        &mut self,
        commands: &Commands,
        on_answer: &mut (impl FnMut(usize, Reply<'_>) -> Result<(), Failure> + Send),
    ) -> Result<Result<(), Failure>, Failure> {
        let connection = self.nodes[0].connection(&self.settings).await?;
        connection.send(commands.bytes(), commands.len()).await?;
        let mut answer = Ok(());
        for index in 0..commands.len() {
            let taken = on_answer(index, connection.receive().await?);
            if answer.is_ok() {
                answer = taken;
            }
        }
        Ok(answer)
    }

    async fn exchange_with_nodes(
        &mut self,
        commands: &Commands,
        on_answer: &mut (impl FnMut(usize, Reply<'_>) -> Result<(), Failure> + Send),
    ) -> Result<(), Failure> {
        let mut patience = Patience::until(self.settings.timeout.unwrap_or(RECONNECT));
        while let Err(failure) = self.make_ready(commands).await {
            self.stale = true;
            sleep(patience.pause_after(failure)?).await;
        }
        let mut answer = Ok(());
        for node in &mut self.nodes {
            if node.pending > 0
                && let Err(lost) = node.send().await
            {
                node.drop_connection();
                self.stale = true;
                answer = answer.and(Err(lost));
            }
        }
        for index in 0..commands.len() {
            let taken = self.take_answer(commands, index, on_answer).await;
            if answer.is_ok() {
                answer = taken;
            }
        }
        answer
    }

    /// Finds out which nodes the commands go to, and connects to those. Nothing has been sent when that fails, so that
    /// it can be done again when another node has taken over.
    async fn make_ready(&mut self, commands: &Commands) -> Result<(), Failure> {
        if self.stale {
            self.ask_for_slots().await?;
        }
        self.distribute(commands)?;
        for node in &mut self.nodes {
            if node.pending > 0 && node.has_to_connect() {
                node.connection = None;
                node.connection = Some(connect(&self.settings, &node.endpoint).await?);
            }
        }
        Ok(())
    }

    /// Copies each command to its node's own.
    fn distribute(&mut self, commands: &Commands) -> Result<(), Failure> {
        for node in &mut self.nodes {
            node.out.clear();
            node.pending = 0;
        }
        self.routes.clear();
        for index in 0..commands.len() {
            let slot = slot_of(commands.key_of(index));
            let place = self.ranges.partition_point(|(range, _)| range.last < slot);
            let Some((_, node)) = self.ranges.get(place).filter(|(range, _)| range.first <= slot) else {
                self.stale = true;
                return Err(Failure::unavailable(format!("no node of the cluster holds slot {slot}")));
            };
            self.nodes[*node].out.extend_from_slice(commands.command(index));
            self.nodes[*node].pending += 1;
            self.routes.push(*node);
        }
        Ok(())
    }

    async fn take_answer(
        &mut self,
        commands: &Commands,
        index: usize,
        on_answer: &mut (impl FnMut(usize, Reply<'_>) -> Result<(), Failure> + Send),
    ) -> Result<(), Failure> {
        let Some(node) = self.nodes.get_mut(self.routes[index]) else { return Ok(()) };
        // A lost connection owes nothing any more; that it is lost has been said.
        let (Some(connection), 1..) = (&mut node.connection, node.pending) else { return Ok(()) };
        node.pending -= 1;
        let elsewhere = match connection.receive().await {
            Ok(Reply::Error(error)) => match redirection(error, &node.endpoint) {
                Some(elsewhere) => elsewhere,
                None => return on_answer(index, Reply::Error(error)),
            },
            Ok(answer) => return on_answer(index, answer),
            Err(lost) => {
                node.drop_connection();
                self.stale = true;
                return Err(lost);
            }
        };
        self.follow(commands.command(index), elsewhere, |answer| on_answer(index, answer)).await
    }

    /// Asks again where a node said, on a connection of its own: the usual one may owe answers.
    #[cold]
    async fn follow(
        &mut self,
        command: &[u8],
        mut elsewhere: (Endpoint, bool),
        on_answer: impl FnOnce(Reply<'_>) -> Result<(), Failure> + Send,
    ) -> Result<(), Failure> {
        for hop in 0..REDIRECTIONS {
            // Nodes that send a command back and forth have not told each other yet.
            if hop > 1 {
                sleep(REDIRECTION_PAUSE).await;
            }
            let (endpoint, for_once) = elsewhere;
            self.stale |= !for_once;
            let mut connection = connect(&self.settings, &endpoint).await?;
            if for_once {
                let mut asking = Commands::default();
                asking.start("ASKING", 0);
                connection.send(asking.bytes(), 1).await?;
                connection.receive().await?;
            }
            connection.send(command, 1).await?;
            let answer = connection.receive().await?;
            let Reply::Error(error) = answer else { return on_answer(answer) };
            match redirection(error, &endpoint) {
                Some(further) => elsewhere = further,
                None => return on_answer(answer),
            }
        }
        Err(Failure::unavailable(format!("the cluster passed a command on {REDIRECTIONS} times")))
    }

    async fn ask_for_slots(&mut self) -> Result<(), Failure> {
        let mut failure = None;
        for node in 0..self.nodes.len() {
            match self.slots_of(node).await {
                Ok(found) => {
                    self.settle(found);
                    return Ok(());
                }
                Err(lost) => {
                    self.nodes[node].drop_connection();
                    failure.get_or_insert(lost);
                }
            }
        }
        Err(failure.unwrap_or_else(|| Failure::unavailable("the cluster has no known node")))
    }

    async fn slots_of(&mut self, node: usize) -> Result<Vec<SlotRange>, Failure> {
        let Node { endpoint, connection, .. } = &mut self.nodes[node];
        let connection = match connection {
            Some(connection) if !connection.is_behind() => connection,
            other => other.insert(connect(&self.settings, endpoint).await?),
        };
        slots(connection, endpoint).await
    }

    /// Takes the slots over. Nodes stay known, and connected, when they hold none any more.
    fn settle(&mut self, found: Vec<SlotRange>) {
        self.ranges = found
            .into_iter()
            .map(|range| {
                let known = self.nodes.iter().position(|node| node.endpoint == range.primary);
                let node = known.unwrap_or_else(|| {
                    self.nodes.push(Node::at(range.primary.clone()));
                    self.nodes.len() - 1
                });
                (range, node)
            })
            .collect();
        self.stale = false;
    }

    /// Says goodbye to all.
    pub(crate) async fn close(&mut self) {
        for node in &mut self.nodes {
            if let Some(connection) = node.connection.take() {
                connection.close().await;
            }
        }
    }
}

/// Connects anew to a server that was lost, for as long as one connection may take.
#[cold]
async fn reconnect(settings: &RedisSettings, endpoint: &Endpoint) -> Result<Connection, Failure> {
    let mut patience = Patience::until(settings.timeout.unwrap_or(RECONNECT));
    loop {
        match connect(settings, endpoint).await {
            Ok(connection) => return Ok(connection),
            Err(failure) => sleep(patience.pause_after(failure)?).await,
        }
    }
}
