//! What a server says of itself.

use crate::command::Commands;
use crate::connection::Connection;
use crate::reply::Reply;
use ycsb_plugin_api::Failure;

/// What a server says of itself; empty where it may not be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServerFacts {
    /// As in `7.0.15`.
    pub(crate) version: String,
    /// Whether it is a node of a cluster.
    pub(crate) is_cluster: bool,
    /// `always`, `everysec` or `no`; empty if it is not known.
    pub(crate) append_fsync: String,
    /// Whether it keeps an append-only file.
    pub(crate) append_only: Option<bool>,
}

impl ServerFacts {
    /// Asks a server. Users without the right to ask still may run benchmarks.
    pub(crate) async fn of(connection: &mut Connection) -> Result<ServerFacts, Failure> {
        let mut commands = Commands::default();
        commands.start("INFO", 1).word("server");
        commands.start("CONFIG", 2).word("GET").word("append*");
        connection.send(commands.bytes(), commands.len()).await?;
        let mut facts = ServerFacts::default();
        if let Reply::Bulk(text) = connection.receive().await? {
            let text = String::from_utf8_lossy(text);
            let value = |name: &str| {
                text.lines().filter_map(|line| line.split_once(':')).find(|(given, _)| *given == name)
            };
            facts.version = value("redis_version").map(|(_, version)| version.to_owned()).unwrap_or_default();
            facts.is_cluster = value("redis_mode").is_some_and(|(_, mode)| mode == "cluster");
        }
        if let Reply::Array(mut items) = connection.receive().await? {
            while let (Some(Reply::Bulk(name)), Some(Reply::Bulk(value))) = (items.next(), items.next()) {
                match name {
                    b"appendonly" => facts.append_only = Some(value == b"yes"),
                    b"appendfsync" => facts.append_fsync = String::from_utf8_lossy(value).into_owned(),
                    _ => {}
                }
            }
        }
        Ok(facts)
    }

    /// What a crash of the server may lose of what it acknowledged.
    pub(crate) fn durability(&self) -> &'static str {
        match (self.append_only, self.append_fsync.as_str()) {
            (Some(true), "always") => "acknowledged writes survive a crash (appendfsync always)",
            (Some(true), "everysec") => "a crash may lose the last second (appendfsync everysec)",
            (Some(true), _) => "a crash may lose what the system had not written yet (appendfsync no)",
            (Some(false), _) => "a crash loses everything since the last snapshot (appendonly no)",
            (None, _) => "what a crash may lose is not known",
        }
    }
}
