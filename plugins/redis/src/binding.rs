//! Opening: what the binding says of itself, the first connection, and the state of the indexes.

use crate::command::Commands;
use crate::failure::unexpected;
use crate::handshake::connect;
use crate::index;
use crate::reply::Reply;
use crate::server::ServerFacts;
use crate::servers::Servers;
use crate::session::{RedisSession, load_strict_update};
use crate::settings::{self, PROPERTIES, RedisSettings, ScanOrder};
use std::sync::Arc;
use tokio::runtime::Handle;
use ycsb_plugin_api::{
    Alias, AsyncBinding, Client, Env, Failure, Info, Opened, Phase, Settings, capability::*,
};

const CAPABILITIES: u64 = READ
    | SCAN
    | SCAN_ORDERED
    | UPDATE
    | UPDATE_CREATES
    | INSERT
    | INSERT_OVERWRITES
    | INSERT_BATCH
    | DELETE
    | PROJECTION;

/// Keys that are removed in one go when the data are dropped.
const DROP_BATCH: usize = 1_000;

/// The binding.
pub struct Redis {
    settings: Arc<RedisSettings>,
    strict_update_script: Arc<str>,
}

impl AsyncBinding for Redis {
    const INFO: Info = Info::new("redis")
        .summary("Redis hashes, with a sorted set as index for scans")
        .aliases(&[Alias::new("site.ycsb.db.RedisClient")])
        .capabilities(CAPABILITIES)
        .properties(PROPERTIES);
    type Session = RedisSession;

    fn workers(settings: &Settings<'_>, env: &Env<'_>) -> Result<usize, Failure> {
        settings::runtime_threads(settings, env)
    }

    async fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Redis>, Failure> {
        let settings = Arc::new(RedisSettings::read(settings)?);
        let opening = open(Arc::clone(&settings), env);
        // A little before the host gives up, whose message could not say which server kept silent.
        let Some(left) = env.deadline().time_left() else { return opening.await };
        tokio::time::timeout(left - left / 20, opening).await.unwrap_or_else(|_| {
            Err(Failure::timeout(format!("{} gave no answer by the deadline", settings.endpoint))
                .context(settings.endpoint_properties()))
        })
    }

    async fn session(&self, _: &Client<'_>) -> Result<RedisSession, Failure> {
        let servers = Servers::connect(Arc::clone(&self.settings)).await?;
        Ok(RedisSession::new(servers, &self.settings, Arc::clone(&self.strict_update_script)))
    }
}

async fn open(settings: Arc<RedisSettings>, env: &Env<'_>) -> Result<Opened<Redis>, Failure> {
    let mut first = connect(&settings, &settings.endpoint)
        .await
        .map_err(|failure| failure.context(settings.endpoint_properties()))?;
    let facts = ServerFacts::of(&mut first).await?;
    if facts.is_cluster && !settings.cluster {
        return Err(Failure::bad_request(format!(
            "{} is a node of a cluster; set redis.cluster=true",
            settings.endpoint
        )));
    }
    let mut servers = Servers::connect(Arc::clone(&settings)).await?;
    if env.fresh() {
        drop_records(&mut servers).await?;
    }
    if settings.scan_order == ScanOrder::Key && env.phase() == Phase::Run {
        compare_indexes(&mut servers).await?;
    }
    let strict_update_script = match settings.strict_update {
        true => strict_update_script(&mut servers).await?,
        false => "".into(),
    };
    let capabilities = capabilities(&settings);
    let detail = detail(&settings, &servers, &facts);
    servers.close().await;
    let binding = Redis { settings, strict_update_script };
    Ok(Opened::new(binding).detail(detail).capabilities(capabilities))
}

fn capabilities(settings: &RedisSettings) -> u64 {
    let mut bits = CAPABILITIES;
    if settings.scan_order == ScanOrder::Hash {
        bits &= !SCAN_ORDERED;
    }
    if settings.strict_update {
        bits &= !UPDATE_CREATES;
    }
    bits
}

fn detail(settings: &RedisSettings, servers: &Servers, facts: &ServerFacts) -> String {
    let version = if facts.version.is_empty() { "(version unknown)" } else { &facts.version };
    let place = match settings.cluster {
        true => {
            let nodes: Vec<_> = servers.primaries().iter().map(ToString::to_string).collect();
            format!("cluster of {}", nodes.join(", "))
        }
        false => format!("{}, database {}", settings.endpoint, settings.database),
    };
    let order = match settings.scan_order {
        ScanOrder::Hash => "in hash order",
        ScanOrder::Key => "in key order",
    };
    let tls = if settings.tls.is_some() { ", TLS" } else { "" };
    let threads = match Handle::current().metrics().num_workers() {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    format!("Redis {version} at {place}{tls}; scans {order}; clients on {threads}; {}", facts.durability())
}

/// Sends commands and hands over their answers.
async fn ask(
    servers: &mut Servers,
    commands: impl FnOnce(&mut Commands) + Send,
    on_answer: impl FnMut(usize, Reply<'_>) -> Result<(), Failure> + Send,
) -> Result<(), Failure> {
    let mut list = Commands::default();
    commands(&mut list);
    servers.exchange(&list, on_answer).await
}

/// Deletes the records that the index names, then the indexes, and nothing else.
async fn drop_records(servers: &mut Servers) -> Result<(), Failure> {
    loop {
        let mut keys = Vec::new();
        ask(
            servers,
            |commands| {
                commands.start("ZRANGE", 3).key(index::BY_HASH).integer(0).integer(DROP_BATCH - 1);
            },
            |_, answer| {
                let Reply::Array(items) = answer else { return Err(unexpected("ZRANGE", answer)) };
                for item in items {
                    let Reply::Bulk(key) = item else { return Err(unexpected("ZRANGE", item)) };
                    keys.push(key.to_vec());
                }
                Ok(())
            },
        )
        .await?;
        if keys.is_empty() {
            break;
        }
        ask(
            servers,
            |commands| {
                for key in &keys {
                    commands.start("DEL", 1).key(key);
                }
                // Last, so that nothing is forgotten when this is cut off.
                commands.start("ZREMRANGEBYRANK", 3).key(index::BY_HASH).integer(0).integer(keys.len() - 1);
            },
            |_, answer| match answer {
                Reply::Integer(_) => Ok(()),
                other => Err(unexpected("DEL", other)),
            },
        )
        .await?;
    }
    ask(
        servers,
        |commands| {
            commands.start("DEL", 1).key(index::BY_KEY);
        },
        |_, answer| match answer {
            Reply::Integer(_) => Ok(()),
            other => Err(unexpected("DEL", other)),
        },
    )
    .await
}

/// Scans by key need every record in the second index.
async fn compare_indexes(servers: &mut Servers) -> Result<(), Failure> {
    let mut sizes = [0; 2];
    ask(
        servers,
        |commands| {
            commands.start("ZCARD", 1).key(index::BY_HASH);
            commands.start("ZCARD", 1).key(index::BY_KEY);
        },
        |index, answer| match answer {
            Reply::Integer(size) => {
                sizes[index] = size;
                Ok(())
            }
            other => Err(unexpected("ZCARD", other)),
        },
    )
    .await?;
    let [by_hash, by_key] = sizes;
    if by_hash != by_key {
        return Err(Failure::unexpected_state(format!(
            "redis.scanorder=key: {} names {by_key} records but {} names {by_hash}; load the data with \
             redis.scanorder=key, or run without it",
            index::BY_KEY,
            index::BY_HASH
        )));
    }
    Ok(())
}

/// Makes the script known and returns the hash by which it is called.
async fn strict_update_script(servers: &mut Servers) -> Result<Arc<str>, Failure> {
    let mut hash = None;
    ask(servers, load_strict_update, |_, answer| match answer {
        Reply::Bulk(name) => {
            hash = Some(String::from_utf8_lossy(name).into());
            Ok(())
        }
        other => Err(unexpected("SCRIPT LOAD (for redis.strictupdate)", other)),
    })
    .await?;
    hash.ok_or_else(|| Failure::error("the server did not say the hash of a script"))
}
