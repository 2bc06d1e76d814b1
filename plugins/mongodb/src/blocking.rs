//! The binding `mongodb`: one thread per client.

use crate::connect::connect;
use crate::info;
use crate::lane::{Lane, Lanes, Waiting, runtime};
use std::sync::Arc;
use ycsb_plugin_api::{
    Alias, Answer, Batch, Binding, Client, Delete, Env, Failure, Info, Opened, Read, Rows, Scan, Session,
    Settings, Write,
};

/// The blocking binding.
pub struct Mongo {
    lanes: Lanes,
}

/// One client's session.
pub struct MongoSession {
    lane: Arc<Lane>,
    waiting: Waiting,
}

impl Binding for Mongo {
    const INFO: Info = info(
        "mongodb",
        "MongoDB, one thread per client",
        &[Alias::new("site.ycsb.db.MongoDbClient"), Alias::new("com.yahoo.ycsb.db.MongoDbClient")],
    );
    type Session = MongoSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Mongo>, Failure> {
        let runtime = runtime()?;
        let connected = runtime.block_on(connect(settings, env));
        runtime.shutdown_background();
        let connected = connected?;
        let (detail, capabilities) = (connected.detail.clone(), connected.capabilities);
        let lanes = Lanes::new(connected, env.clients());
        Ok(Opened::new(Mongo { lanes }).detail(detail).capabilities(capabilities))
    }

    fn session(&self, client: &Client<'_>) -> Result<MongoSession, Failure> {
        Ok(MongoSession { lane: self.lanes.lane(client.index())?, waiting: self.lanes.waiting() })
    }

    fn interrupt(&self) {
        self.lanes.interrupt();
    }

    fn close(self) {
        self.lanes.close();
    }
}

impl Session for MongoSession {
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        self.lane.wait(&mut self.waiting, op.deadline(), self.lane.store().read(op, rows))
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        self.lane.wait(&mut self.waiting, op.deadline(), self.lane.store().scan(op, rows))
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        self.lane.wait(&mut self.waiting, op.deadline(), self.lane.store().update(op))
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        self.lane.wait(&mut self.waiting, op.deadline(), self.lane.store().insert(op))
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        self.lane.wait(&mut self.waiting, op.deadline(), self.lane.store().delete(op))
    }

    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        self.lane.wait(&mut self.waiting, batch.deadline(), self.lane.store().insert_batch(batch))
    }
}
