//! The blocking binding.

use crate::{CAPABILITIES, CONNECTED_TO};
use ycsb_plugin_api::{
    Answer, Batch, Binding, Client, Delete, Done, Env, Failure, Info, Opened, Read, Rows, Scan, Session,
    Settings, Write,
};

/// The binding `noop`.
pub struct Noop;

/// A session without state.
pub struct NoopSession;

impl Binding for Noop {
    const INFO: Info = Info::new("noop")
        .summary("Answers at once and keeps nothing: measures the host")
        .capabilities(CAPABILITIES);
    type Session = NoopSession;

    fn open(_: &Settings<'_>, _: &Env<'_>) -> Result<Opened<Noop>, Failure> {
        Ok(Opened::new(Noop).detail(CONNECTED_TO))
    }

    fn session(&self, _: &Client<'_>) -> Result<NoopSession, Failure> {
        Ok(NoopSession)
    }
}

impl Session for NoopSession {
    fn read(&mut self, _: Read<'_>, _: &mut Rows<'_>) -> Answer {
        Ok(Done::OK)
    }

    fn scan(&mut self, _: Scan<'_>, _: &mut Rows<'_>) -> Answer {
        Ok(Done::OK)
    }

    fn update(&mut self, _: Write<'_>) -> Answer {
        Ok(Done::OK)
    }

    fn insert(&mut self, _: Write<'_>) -> Answer {
        Ok(Done::OK)
    }

    fn delete(&mut self, _: Delete<'_>) -> Answer {
        Ok(Done::OK)
    }

    fn insert_batch(&mut self, _: &mut Batch<'_>) -> Answer {
        Ok(Done::OK)
    }
}
