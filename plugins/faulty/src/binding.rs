//! The blocking binding, and what both have in common.

use crate::fault::{Call, Fault, PROPERTIES};
use std::thread;
use std::time::Duration;
use ycsb_plugin_api::capability::{
    DELETE, DETECTS_DUPLICATES, INSERT, INSERT_BATCH, PROJECTION, READ, SCAN, SCAN_ORDERED, UPDATE,
};
use ycsb_plugin_api::{
    Answer, Batch, Binding, Client, Delete, Done, Env, Failure, Host, Info, Opened, Read, Rows, Scan,
    Session, Settings, Write,
};

/// What both bindings can do.
pub(crate) const CAPABILITIES: u64 =
    READ | SCAN | UPDATE | INSERT | DELETE | INSERT_BATCH | SCAN_ORDERED | PROJECTION | DETECTS_DUPLICATES;

/// Bytes that a session leaves behind, with the fault of that name.
const LEFT_BEHIND_BYTES: usize = 4096;
/// How late an answer comes, with the fault of that name.
const LATE: Duration = Duration::from_millis(700);

/// What sessions of either binding share.
#[derive(Clone, Copy)]
pub(crate) struct Shared {
    pub(crate) fault: Fault,
    host: Host,
}

/// The binding `faulty`.
pub struct Faulty(Shared);

/// One client of `faulty`.
pub struct FaultySession(Shared);

impl Shared {
    /// What opening either binding does.
    pub(crate) fn open<B>(
        settings: &Settings<'_>,
        env: &Env<'_>,
        make: impl FnOnce(Shared) -> B,
    ) -> Result<Opened<B>, Failure> {
        let fault = Fault::chosen(settings)?;
        fault.panic_in(Call::Open);
        fault.start(env.table(), env.fresh());
        let secret = settings.find::<&str>("faulty.password")?.filter(|_| fault == Fault::TellsSecret);
        let detail = match secret {
            Some(secret) => format!("faults on demand, logged in with {secret}"),
            None => format!("faults on demand: {fault:?}"),
        };
        let undeclared = if fault == Fault::ImplementsUndeclared { INSERT_BATCH } else { 0 };
        let opened = Opened::new(make(Shared { fault, host: env.host() }));
        Ok(opened.detail(detail).capabilities(CAPABILITIES & !undeclared))
    }

    /// What opening a session of either binding does.
    pub(crate) fn enter(self) {
        self.fault.panic_in(Call::Session);
        if self.fault == Fault::LeaksSessions {
            vec![1_u8; LEFT_BEHIND_BYTES].leak();
        }
    }

    /// What a read does before it reads, but for waiting.
    pub(crate) fn before_read(self) -> Result<(), Failure> {
        self.fault.panic_in(Call::Read);
        match self.fault {
            Fault::UnknownStatus => Err(Failure::custom(3_000).detail("a number that nobody declared")),
            Fault::LongDetail => Err(Failure::error("too long ".repeat(1_000))),
            Fault::Prints => {
                println!("printed by the plugin");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Blocks the thread until the host has given this call up, and goes on all the same.
    pub(crate) fn late_rows(self, rows: &mut Rows<'_>) -> Answer {
        thread::sleep(LATE);
        rows.field("field0", "too late");
        self.host.warn("rows were handed over too late");
        Ok(Done::OK)
    }

    /// What closing either binding does.
    pub(crate) fn leave(self) {
        self.fault.panic_in(Call::Close);
        if self.fault == Fault::LateLog {
            let host = self.host;
            thread::spawn(move || {
                loop {
                    host.warn("a thread of a closed binding goes on");
                    thread::sleep(Duration::from_millis(5));
                }
            });
        }
    }
}

impl Binding for Faulty {
    const INFO: Info = Info::new("faulty")
        .summary("Breaks one rule per switch")
        .capabilities(CAPABILITIES)
        .properties(PROPERTIES);
    type Session = FaultySession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Faulty>, Failure> {
        Shared::open(settings, env, Faulty)
    }

    fn session(&self, _: &Client<'_>) -> Result<FaultySession, Failure> {
        self.0.enter();
        Ok(FaultySession(self.0))
    }

    fn interrupt(&self) {
        self.0.fault.panic_in(Call::Interrupt);
    }

    fn close(self) {
        self.0.leave();
    }
}

impl FaultySession {
    fn begin(&self, call: Call) -> Fault {
        self.0.fault.panic_in(call);
        self.0.fault
    }
}

impl Session for FaultySession {
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        self.0.before_read()?;
        if self.0.fault.is_late_now() {
            return self.0.late_rows(rows);
        }
        if matches!(self.0.fault, Fault::Hang | Fault::BlockRuntime | Fault::Panic(Call::Interrupt)) {
            loop {
                thread::park();
            }
        }
        self.0.fault.read(op, rows)
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        self.begin(Call::Scan).scan(op, rows)
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        self.begin(Call::Update).update(op)
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        self.begin(Call::Insert).insert(op)
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        self.begin(Call::Delete).delete(op)
    }

    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        self.begin(Call::InsertBatch).insert_batch(batch)
    }

    fn end(&mut self) -> Answer {
        self.begin(Call::End);
        Ok(Done::OK)
    }
}

impl Drop for FaultySession {
    fn drop(&mut self) {
        self.begin(Call::Drop);
    }
}
