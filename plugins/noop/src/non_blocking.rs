//! The async binding.

use crate::{CAPABILITIES, CONNECTED_TO};
use ycsb_plugin_api::{
    Answer, AsyncBinding, AsyncSession, Batch, Client, Delete, Done, Env, Failure, Info, Opened, Read, Rows,
    Scan, Settings, Write,
};

/// The binding `noop-async`.
pub struct NoopAsync;

/// A session without state.
pub struct NoopAsyncSession;

impl AsyncBinding for NoopAsync {
    const INFO: Info = Info::new("noop-async")
        .summary("Answers at once and keeps nothing: measures the host's pull loop")
        .capabilities(CAPABILITIES);
    type Session = NoopAsyncSession;

    async fn open(_: &Settings<'_>, _: &Env<'_>) -> Result<Opened<NoopAsync>, Failure> {
        Ok(Opened::new(NoopAsync).detail(CONNECTED_TO))
    }

    async fn session(&self, _: &Client<'_>) -> Result<NoopAsyncSession, Failure> {
        Ok(NoopAsyncSession)
    }
}

impl AsyncSession for NoopAsyncSession {
    async fn read(&mut self, _: Read<'_>, _: &mut Rows<'_>) -> Answer {
        Ok(Done::OK)
    }

    async fn scan(&mut self, _: Scan<'_>, _: &mut Rows<'_>) -> Answer {
        Ok(Done::OK)
    }

    async fn update(&mut self, _: Write<'_>) -> Answer {
        Ok(Done::OK)
    }

    async fn insert(&mut self, _: Write<'_>) -> Answer {
        Ok(Done::OK)
    }

    async fn delete(&mut self, _: Delete<'_>) -> Answer {
        Ok(Done::OK)
    }

    async fn insert_batch(&mut self, _: &mut Batch<'_>) -> Answer {
        Ok(Done::OK)
    }
}
