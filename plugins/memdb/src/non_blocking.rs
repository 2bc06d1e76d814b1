//! The async binding.

use crate::binding::{self, Seat, Shared, pause_of};
use crate::pause;
use crate::script::Cue;
use std::sync::Arc;
use ycsb_plugin_api::{
    Alias, Answer, AsyncBinding, AsyncSession, Batch, Client, Deadline, Delete, Env, Failure, Info, Opened,
    Read, Rows, Scan, Settings, Write, capability,
};

/// The binding `memdb-async`.
pub struct MemDbAsync(Arc<Shared>);

/// One client of `memdb-async`.
pub struct MemDbAsyncSession(Seat);

impl AsyncBinding for MemDbAsync {
    const INFO: Info =
        binding::info("memdb-async", "An ordered store in memory, with scripted faults and delays, async")
            .aliases(&[Alias::new("testdb.AsyncMemDB")]);
    type Session = MemDbAsyncSession;

    async fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<MemDbAsync>, Failure> {
        binding::open(settings, env, false, MemDbAsync)
    }

    async fn session(&self, client: &Client<'_>) -> Result<MemDbAsyncSession, Failure> {
        Seat::take(&self.0, client).map(MemDbAsyncSession)
    }
}

impl MemDbAsyncSession {
    /// Counts a call and waits as long as the script wants.
    async fn begin(
        &self,
        operation: u64,
        records: usize,
        deadline: Deadline,
    ) -> Result<Option<Cue>, Failure> {
        let cue = self.0.cue(operation, records)?;
        pause::suspend(pause_of(cue), deadline).await?;
        Ok(cue)
    }
}

impl AsyncSession for MemDbAsyncSession {
    async fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        let cue = self.begin(capability::READ, 1, op.deadline()).await?;
        self.0.read(cue, op, rows)
    }

    async fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        let cue = self.begin(capability::SCAN, 1, op.deadline()).await?;
        self.0.scan(cue, op, rows)
    }

    async fn update(&mut self, op: Write<'_>) -> Answer {
        let cue = self.begin(capability::UPDATE, 1, op.deadline()).await?;
        self.0.update(cue, op)
    }

    async fn insert(&mut self, op: Write<'_>) -> Answer {
        let cue = self.begin(capability::INSERT, 1, op.deadline()).await?;
        self.0.insert(cue, op)
    }

    async fn delete(&mut self, op: Delete<'_>) -> Answer {
        let cue = self.begin(capability::DELETE, 1, op.deadline()).await?;
        self.0.delete(cue, op)
    }

    async fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        let cue = self.begin(capability::INSERT, batch.len(), batch.deadline()).await?;
        self.0.insert_batch(cue, batch)
    }

    async fn end(&mut self) -> Answer {
        self.0.end()
    }
}
