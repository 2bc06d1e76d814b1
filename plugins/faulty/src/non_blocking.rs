//! The async binding: the same faults, at once or after a suspension.

use crate::binding::{CAPABILITIES, Shared};
use crate::fault::{ASYNC_PROPERTIES, Call, Fault, SUSPENDED};
use std::thread;
use std::time::Duration;
use ycsb_plugin_api::{
    Answer, AsyncBinding, AsyncSession, Batch, Client, Delete, Done, Env, Failure, Info, Opened, Read, Rows,
    Scan, Settings, Write,
};

/// The binding `faulty-async`.
pub struct FaultyAsync {
    shared: Shared,
    suspended: bool,
}

/// One client of `faulty-async`.
pub struct FaultyAsyncSession {
    shared: Shared,
    suspended: bool,
}

async fn suspend(suspended: bool) {
    if suspended {
        tokio::time::sleep(Duration::from_micros(10)).await;
    }
}

impl AsyncBinding for FaultyAsync {
    const INFO: Info = Info::new("faulty-async")
        .summary("Breaks one rule per switch, async")
        .capabilities(CAPABILITIES)
        .properties(ASYNC_PROPERTIES);
    type Session = FaultyAsyncSession;

    async fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<FaultyAsync>, Failure> {
        let suspended = settings.get(SUSPENDED)?;
        suspend(suspended).await;
        Shared::open(settings, env, |shared| FaultyAsync { shared, suspended })
    }

    async fn session(&self, _: &Client<'_>) -> Result<FaultyAsyncSession, Failure> {
        suspend(self.suspended).await;
        self.shared.enter();
        Ok(FaultyAsyncSession { shared: self.shared, suspended: self.suspended })
    }

    async fn close(self) {
        suspend(self.suspended).await;
        self.shared.leave();
    }
}

impl FaultyAsyncSession {
    async fn begin(&self, call: Call) -> Fault {
        suspend(self.suspended).await;
        self.shared.fault.panic_in(call);
        self.shared.fault
    }
}

impl AsyncSession for FaultyAsyncSession {
    async fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        suspend(self.suspended).await;
        self.shared.before_read()?;
        if self.shared.fault.is_late_now() {
            return self.shared.late_rows(rows);
        }
        match self.shared.fault {
            Fault::Hang => std::future::pending().await,
            Fault::BlockRuntime => loop {
                thread::park();
            },
            fault => fault.read(op, rows),
        }
    }

    async fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        self.begin(Call::Scan).await.scan(op, rows)
    }

    async fn update(&mut self, op: Write<'_>) -> Answer {
        self.begin(Call::Update).await.update(op)
    }

    async fn insert(&mut self, op: Write<'_>) -> Answer {
        self.begin(Call::Insert).await.insert(op)
    }

    async fn delete(&mut self, op: Delete<'_>) -> Answer {
        self.begin(Call::Delete).await.delete(op)
    }

    async fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        self.begin(Call::InsertBatch).await.insert_batch(batch)
    }

    async fn end(&mut self) -> Answer {
        self.begin(Call::End).await;
        Ok(Done::OK)
    }
}

impl Drop for FaultyAsyncSession {
    fn drop(&mut self) {
        self.shared.fault.panic_in(Call::Drop);
    }
}
