//! The blocking binding.

use crate::binding::{self, Seat, Shared, pause_of};
use crate::script::Cue;
use std::sync::Arc;
use ycsb_plugin_api::{
    Alias, Answer, Batch, Binding, Client, Deadline, Delete, Env, Failure, Info, Opened, Read, Rows, Scan,
    Session, Settings, Write, capability,
};

/// The binding `memdb`.
pub struct MemDb(Arc<Shared>);

/// One client of `memdb`.
pub struct MemDbSession(Seat);

impl Binding for MemDb {
    const INFO: Info = binding::info("memdb", "An ordered store in memory, with scripted faults and delays")
        .aliases(&[Alias::new("testdb.MemDB")]);
    type Session = MemDbSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<MemDb>, Failure> {
        binding::open(settings, env, true, MemDb)
    }

    fn session(&self, client: &Client<'_>) -> Result<MemDbSession, Failure> {
        Seat::take(&self.0, client).map(MemDbSession)
    }

    fn interrupt(&self) {
        self.0.interrupt.raise();
    }
}

impl MemDbSession {
    /// Counts a call and waits as long as the script wants.
    fn begin(&self, operation: u64, records: usize, deadline: Deadline) -> Result<Option<Cue>, Failure> {
        let cue = self.0.cue(operation, records)?;
        self.0.shared.interrupt.wait(pause_of(cue), deadline)?;
        Ok(cue)
    }
}

impl Session for MemDbSession {
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        let cue = self.begin(capability::READ, 1, op.deadline())?;
        self.0.read(cue, op, rows)
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        let cue = self.begin(capability::SCAN, 1, op.deadline())?;
        self.0.scan(cue, op, rows)
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        let cue = self.begin(capability::UPDATE, 1, op.deadline())?;
        self.0.update(cue, op)
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        let cue = self.begin(capability::INSERT, 1, op.deadline())?;
        self.0.insert(cue, op)
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        let cue = self.begin(capability::DELETE, 1, op.deadline())?;
        self.0.delete(cue, op)
    }

    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        let cue = self.begin(capability::INSERT, batch.len(), batch.deadline())?;
        self.0.insert_batch(cue, batch)
    }

    fn end(&mut self) -> Answer {
        self.0.end()
    }
}
