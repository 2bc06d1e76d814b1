//! The binding `mongodb-async`: thousands of clients on a few threads.

use crate::connect::connect;
use crate::info;
use crate::lane::too_late;
use crate::renewal::Renewal;
use crate::store::Store;
use std::pin::pin;
use std::time::Duration;
use ycsb_plugin_api::{
    Alias, Answer, AsyncBinding, AsyncSession, Batch, Client, Delete, Env, Failure, Info, Opened, Read, Rows,
    Scan, Settings, Write,
};

/// The asynchronous binding.
pub struct MongoAsync {
    client: mongodb::Client,
    store: Store,
    operation_limit: Option<Duration>,
}

/// One client's session.
pub struct MongoAsyncSession {
    store: Store,
    waiting: Waiting,
}

struct Waiting {
    renewal: Renewal,
    operation_limit: Option<Duration>,
}

impl AsyncBinding for MongoAsync {
    const INFO: Info = info(
        "mongodb-async",
        "MongoDB, many clients on a few threads",
        &[Alias::new("site.ycsb.db.AsyncMongoDbClient"), Alias::new("com.yahoo.ycsb.db.AsyncMongoDbClient")],
    );
    type Session = MongoAsyncSession;

    async fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<MongoAsync>, Failure> {
        let connected = connect(settings, env).await?;
        let (client, store) = connected.client(connected.connections()).await?;
        let binding = MongoAsync { client, store, operation_limit: connected.operation_limit };
        Ok(Opened::new(binding).detail(connected.detail).capabilities(connected.capabilities))
    }

    async fn session(&self, _: &Client<'_>) -> Result<MongoAsyncSession, Failure> {
        let waiting = Waiting { renewal: Renewal::default(), operation_limit: self.operation_limit };
        Ok(MongoAsyncSession { store: self.store.clone(), waiting })
    }

    async fn close(self) {
        self.client.shutdown().immediate(true).await;
    }
}

impl Waiting {
    /// The host ends operations at their deadline; `socketTimeoutMS` may end them earlier.
    async fn on<T>(
        &mut self,
        store: &Store,
        operation: impl Future<Output = Result<T, Failure>> + Unpin,
    ) -> Result<T, Failure> {
        let operation = pin!(self.renewal.run(store, operation));
        match self.operation_limit {
            None => operation.await,
            Some(limit) => {
                tokio::time::timeout(limit, operation).await.unwrap_or_else(|_| Err(too_late(limit)))
            }
        }
    }
}

impl AsyncSession for MongoAsyncSession {
    async fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        self.waiting.on(&self.store, pin!(self.store.read(op, rows))).await
    }

    async fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        self.waiting.on(&self.store, pin!(self.store.scan(op, rows))).await
    }

    async fn update(&mut self, op: Write<'_>) -> Answer {
        self.waiting.on(&self.store, pin!(self.store.update(op))).await
    }

    async fn insert(&mut self, op: Write<'_>) -> Answer {
        self.waiting.on(&self.store, pin!(self.store.insert(op))).await
    }

    async fn delete(&mut self, op: Delete<'_>) -> Answer {
        self.waiting.on(&self.store, pin!(self.store.delete(op))).await
    }

    async fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        self.waiting.on(&self.store, pin!(self.store.insert_batch(batch))).await
    }
}
