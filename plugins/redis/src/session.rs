//! The operations.

use crate::command::Commands;
use crate::failure::unexpected;
use crate::index::{self, Walk};
use crate::record::{self, Found};
use crate::reply::Reply;
use crate::servers::Servers;
use crate::settings::{RedisSettings, ScanOrder};
use std::sync::Arc;
use ycsb_plugin_api::{
    Answer, AsyncSession, Batch, Delete, Done, Failure, Read, Rows, Scan, Select, Values, Write,
};

/// An update that does not create; 1 if the record was there.
const STRICT_UPDATE: &str = "if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end \
     for i = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end return 1";

/// One client's connections.
pub struct RedisSession {
    servers: Servers,
    commands: Commands,
    scan_order: ScanOrder,
    strict_update: bool,
    strict_update_script: Arc<str>,
}

impl RedisSession {
    pub(crate) fn new(
        servers: Servers,
        settings: &RedisSettings,
        strict_update_script: Arc<str>,
    ) -> RedisSession {
        RedisSession {
            servers,
            commands: Commands::default(),
            scan_order: settings.scan_order,
            strict_update: settings.strict_update,
            strict_update_script,
        }
    }

    /// Changes a record that has to be there, by a script, so that both are one step; whether it was there.
    async fn update_existing(&mut self, op: Write<'_>) -> Result<bool, Failure> {
        for script in [Script::ByHash, Script::InFull] {
            let arguments = 3 + 2 * op.values().len();
            self.commands.clear();
            match script {
                Script::ByHash => self.commands.start("EVALSHA", arguments).word(&*self.strict_update_script),
                Script::InFull => self.commands.start("EVAL", arguments).word(STRICT_UPDATE),
            };
            self.commands.integer(1).key(op.key());
            for (name, value) in op.values().iter() {
                self.commands.word(name).word(value);
            }
            let mut done = None;
            let exchange = self.servers.exchange(&self.commands, |_, answer| match answer {
                Reply::Integer(count) => {
                    done = Some(count == 1);
                    Ok(())
                }
                // The server has been restarted, or is another node.
                Reply::Error(error) if error.starts_with(b"NOSCRIPT") => Ok(()),
                other => Err(unexpected("an update by script", other)),
            });
            exchange.await?;
            if let Some(done) = done {
                return Ok(done);
            }
        }
        Err(Failure::error("the server does not know a script that it was sent"))
    }

    /// The next members of the index.
    async fn members(&mut self, walk: &Walk, count: usize) -> Result<Vec<String>, Failure> {
        self.commands.clear();
        walk.ask(&mut self.commands, count);
        let mut members = Vec::new();
        self.servers
            .exchange(&self.commands, |_, answer| {
                let Reply::Array(items) = answer else {
                    return Err(unexpected("a scan of the index", answer));
                };
                members.reserve(items.len());
                for item in items {
                    let Reply::Bulk(member) = item else {
                        return Err(unexpected("a scan of the index", item));
                    };
                    // Keys are text; a member that is none was not written by a benchmark.
                    members.push(String::from_utf8_lossy(member).into_owned());
                }
                Ok(())
            })
            .await?;
        Ok(members)
    }

    /// Reads the members' records and returns how many there were. Keys that the index has too many are left
    /// out: Java's delete leaves them there.
    async fn records(
        &mut self,
        members: &[String],
        select: Select<'_>,
        rows: &mut Rows<'_>,
    ) -> Result<usize, Failure> {
        self.commands.clear();
        for member in members {
            record::ask(&mut self.commands, member, select);
        }
        let mut count = 0;
        self.servers
            .exchange(&self.commands, |index, answer| {
                if let Some(found) = Found::of(answer)? {
                    rows.row(&members[index]);
                    found.hand_over(select, rows);
                    count += 1;
                }
                Ok(())
            })
            .await?;
        Ok(count)
    }
}

#[derive(Clone, Copy)]
enum Script {
    ByHash,
    InFull,
}

impl AsyncSession for RedisSession {
    #[inline]
    async fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        self.commands.clear();
        record::ask(&mut self.commands, op.key(), op.select());
        self.servers
            .exchange(&self.commands, |_, answer| match Found::of(answer)? {
                Some(found) => {
                    found.hand_over(op.select(), rows);
                    Ok(())
                }
                None => Err(Failure::not_found()),
            })
            .await?;
        Ok(Done::OK)
    }

    async fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        let mut walk = Walk::from(self.scan_order, op.key());
        let mut missing = op.limit();
        while missing > 0 {
            let members = self.members(&walk, missing).await?;
            let asked_for = missing;
            missing -= self.records(&members, op.select(), rows).await?.min(missing);
            if members.len() < asked_for {
                break;
            }
            walk.pass(&members);
        }
        Ok(Done::OK)
    }

    async fn update(&mut self, op: Write<'_>) -> Answer {
        refuse_empty(op.key(), op.values())?;
        if self.strict_update {
            return if self.update_existing(op).await? { Ok(Done::OK) } else { Err(Failure::not_found()) };
        }
        self.commands.clear();
        record::write(&mut self.commands, op.key(), op.values());
        self.servers.exchange(&self.commands, |_, answer| written("HSET", answer)).await?;
        Ok(Done::OK)
    }

    async fn insert(&mut self, op: Write<'_>) -> Answer {
        refuse_empty(op.key(), op.values())?;
        self.commands.clear();
        record::write(&mut self.commands, op.key(), op.values());
        index::enter(&mut self.commands, self.scan_order, std::iter::once(op.key()));
        self.servers
            .exchange(&self.commands, |index, answer| {
                written(if index == 0 { "HSET" } else { "ZADD" }, answer)
            })
            .await?;
        Ok(Done::OK)
    }

    async fn delete(&mut self, op: Delete<'_>) -> Answer {
        self.commands.clear();
        self.commands.start("DEL", 1).key(op.key());
        index::remove(&mut self.commands, self.scan_order, op.key());
        self.servers
            .exchange(&self.commands, |index, answer| match (index, answer) {
                (0, Reply::Integer(0)) => Err(Failure::not_found()),
                (_, Reply::Integer(_)) => Ok(()),
                (_, other) => Err(unexpected("a delete", other)),
            })
            .await?;
        Ok(Done::OK)
    }

    /// All records in one pipeline, their keys in one command at its end: a record counts as written when both
    /// have been acknowledged.
    async fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        self.commands.clear();
        let mut sent = Vec::with_capacity(batch.len());
        for (number, record) in batch.records().enumerate() {
            match refuse_empty(record.key(), record.values()) {
                Ok(()) => {
                    record::write(&mut self.commands, record.key(), record.values());
                    sent.push((number, record.key()));
                }
                Err(refused) => batch.fail(number, refused),
            }
        }
        if sent.is_empty() {
            return Ok(Done::OK);
        }
        index::enter(&mut self.commands, self.scan_order, sent.iter().map(|(_, key)| *key));
        self.servers
            .exchange(&self.commands, |index, answer| {
                let done = written("HSET or ZADD", answer);
                match (sent.get(index), done) {
                    (Some((number, _)), Err(refused)) => {
                        batch.fail(*number, refused);
                        Ok(())
                    }
                    (_, done) => done,
                }
            })
            .await?;
        Ok(Done::OK)
    }

    async fn end(&mut self) -> Answer {
        self.servers.close().await;
        Ok(Done::OK)
    }
}

fn written(command: &str, answer: Reply<'_>) -> Result<(), Failure> {
    match answer {
        Reply::Integer(_) => Ok(()),
        other => Err(unexpected(command, other)),
    }
}

/// Redis keeps no hash without fields.
fn refuse_empty(key: &str, values: Values<'_>) -> Result<(), Failure> {
    if values.is_empty() {
        return Err(Failure::bad_request(format!("record {key:?} has no fields, which Redis cannot store")));
    }
    Ok(())
}

/// The script that the strict update runs.
pub(crate) fn load_strict_update(commands: &mut Commands) {
    commands.start("SCRIPT", 2).word("LOAD").word(STRICT_UPDATE);
}
