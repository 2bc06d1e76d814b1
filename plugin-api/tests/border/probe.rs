//! Bindings that do what their property and the keys of operations say.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use ycsb_plugin_api::capability::{INSERT, INSERT_BATCH, READ, SCAN};
use ycsb_plugin_api::testing::{Open, OpenBinding, Plugin};
use ycsb_plugin_api::tokio::runtime::Handle;
use ycsb_plugin_api::tokio::task::yield_now;
use ycsb_plugin_api::{
    Alias, Answer, AsyncBinding, AsyncSession, Batch, Binding, Client, CustomStatus, Delete, Done, Env,
    Failure, Info, Opened, Property, Read, Rows, Scan, Session, Settings, Write,
};

/// What the probes say of themselves.
const INFO: Info = Info::new("probe")
    .summary("Does what it is told")
    .aliases(&[Alias::new("site.ycsb.Probe").presets(&[("probe.fault", "none")])])
    .capabilities(READ | SCAN | INSERT | INSERT_BATCH)
    .statuses(&[CustomStatus::success("HALF_DONE", "Done by half."), CustomStatus::failure("ODD", "Odd.")])
    .properties(&[
        Property::one_of(
            "probe.fault",
            &["none", "open", "session", "close", "interrupt", "drop", "slow", "slow-close"],
        )
        .default("none")
        .help("Where to fail."),
        Property::text("probe.name").default("").help("Where events are noted."),
        Property::duration("probe.time").default("250ms").allowed("0s..1h").help("A time."),
        Property::text("probe.password").secret().aliases(&["probe.pw"]).help("A secret."),
        Property::text("probe.more.").prefix().help("Anything."),
    ]);

static EVENTS: Mutex<BTreeMap<String, Vec<&'static str>>> = Mutex::new(BTreeMap::new());

fn note(name: &str, event: &'static str) {
    let mut events = EVENTS.lock().unwrap_or_else(PoisonError::into_inner);
    events.entry(name.to_owned()).or_default().push(event);
}

/// What happened to the bindings that were opened with this `probe.name`.
pub(crate) fn events(name: &str) -> Vec<&'static str> {
    EVENTS.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned().unwrap_or_default()
}

/// Opens a blocking and an async probe in this configuration.
pub(crate) fn both(how: impl Fn() -> Open) -> [OpenBinding; 2] {
    [Plugin::blocking::<Probe>(), Plugin::tokio::<AsyncProbe>()]
        .map(|plugin| plugin.open(how()).expect("opens"))
}

pub(crate) struct Probe {
    fault: String,
    name: String,
}

pub(crate) struct ProbeSession {
    fault: String,
    name: String,
}

impl Probe {
    fn new(settings: &Settings<'_>) -> Result<Probe, Failure> {
        let (fault, name): (String, String) = (settings.get("probe.fault")?, settings.get("probe.name")?);
        let time: Duration = settings.get("probe.time")?;
        if time < Duration::from_millis(1) {
            return Err(Failure::bad_request(format!("probe.time {time:?} is less than 1 ms")).code(7));
        }
        if fault == "open" {
            panic!("open of {name}");
        }
        Ok(Probe { fault, name })
    }

    fn new_session(&self) -> Result<ProbeSession, Failure> {
        if self.fault == "session" {
            panic!("session of {}", self.name);
        }
        note(&self.name, "session");
        Ok(ProbeSession { fault: self.fault.clone(), name: self.name.clone() })
    }

    fn end(self) {
        note(&self.name, "close");
        if self.fault == "close" {
            panic!("close of {}", self.name);
        }
    }
}

impl Drop for ProbeSession {
    fn drop(&mut self) {
        note(&self.name, "drop");
        if self.fault == "drop" {
            panic!("drop of {}", self.name);
        }
    }
}

/// What both flavours answer to a read, by key.
fn read(key: &str, rows: &mut Rows<'_>) -> Answer {
    match key {
        "absent" => Err(Failure::not_found()),
        "panic" | "panic-after" => panic!("read of {key}"),
        "thread" => match thread::spawn(|| panic!("in a thread of its own")).join() {
            Ok(()) => Ok(Done::OK),
            Err(_) => Err(Failure::error("the thread panicked")),
        },
        "io" => Err(std::io::Error::from_raw_os_error(104))?,
        "busy" => Err(Failure::overloaded("slow down").code(429).retry_safe()),
        "half" => Ok(Done::custom(0).server_time(Duration::from_nanos(17))),
        "odd" => Err(Failure::custom(1).detail("odd key")),
        "no-fields" => Ok(Done::UNACKNOWLEDGED),
        _ => {
            rows.field("field0", key);
            rows.field("empty", []);
            Ok(Done::OK)
        }
    }
}

fn scan(op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
    for index in 0..op.limit() {
        rows.row(format!("{}{index}", op.key()));
        for name in op.select().iter() {
            rows.field(name, index.to_string());
        }
    }
    if op.key() == "cut" { Err(Failure::unavailable("connection lost")) } else { Ok(Done::OK) }
}

fn insert(op: Write<'_>) -> Answer {
    match (op.key(), op.values().get("field0")) {
        (_, None) if op.values().is_empty() => Err(Failure::bad_request("no fields")),
        ("empty", Some([])) => Ok(Done::OK),
        (key, Some(value)) if value == key.as_bytes() => Ok(Done::OK),
        (_, value) => Err(Failure::unexpected_state(format!("field0 is {value:?}"))),
    }
}

fn insert_batch(batch: &mut Batch<'_>) -> Answer {
    for (index, record) in batch.records().enumerate() {
        match record.key() {
            "panic" => panic!("batch"),
            "duplicate" => batch.fail(index, Failure::duplicate().detail("twice")),
            "written" => batch.written(index),
            "cut" => return Err(Failure::unavailable("connection lost")),
            _ => {}
        }
    }
    Ok(Done::OK)
}

impl Binding for Probe {
    const INFO: Info = INFO;
    type Session = ProbeSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Probe>, Failure> {
        let probe = Probe::new(settings)?;
        Ok(Opened::new(probe).detail(format!("probe of {}", env.table())).capabilities(READ))
    }

    fn session(&self, _: &Client<'_>) -> Result<ProbeSession, Failure> {
        self.new_session()
    }

    fn interrupt(&self) {
        note(&self.name, "interrupt");
        if self.fault == "interrupt" {
            panic!("interrupt of {}", self.name);
        }
    }

    fn close(self) {
        self.end();
    }
}

impl Session for ProbeSession {
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        read(op.key(), rows)
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        scan(op, rows)
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        insert(op)
    }

    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        insert_batch(batch)
    }

    fn end(&mut self) -> Answer {
        note(&self.name, "end");
        Ok(Done::OK)
    }
}

pub(crate) struct AsyncProbe(Probe);

pub(crate) struct AsyncProbeSession(ProbeSession);

impl AsyncBinding for AsyncProbe {
    const INFO: Info = INFO;
    type Session = AsyncProbeSession;

    async fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<AsyncProbe>, Failure> {
        let probe = Probe::new(settings)?;
        yield_now().await;
        if probe.fault == "slow" {
            pending::<()>().await;
        }
        Ok(Opened::new(AsyncProbe(probe)).detail(format!("probe of {}", env.table())).capabilities(READ))
    }

    async fn session(&self, client: &Client<'_>) -> Result<AsyncProbeSession, Failure> {
        yield_now().await;
        // Sessions may need the runtime that they are opened on.
        let _spawned = tokio::spawn(async {}).await;
        if client.index() >= client.count() {
            return Err(Failure::error("index beyond count"));
        }
        Ok(AsyncProbeSession(self.0.new_session()?))
    }

    async fn close(self) {
        yield_now().await;
        if self.0.fault == "slow-close" {
            pending::<()>().await;
        }
        self.0.end();
    }
}

impl AsyncSession for AsyncProbeSession {
    async fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        match op.key() {
            "panic" => panic!("read of panic"),
            "hang" => {
                note(&self.0.name, "hanging");
                let _noted = NoteDrop(&self.0.name);
                pending::<()>().await;
            }
            // Holds the worker up until the deadline has passed.
            "block" => while op.deadline().time_left().is_some_and(|left| !left.is_zero()) {},
            _ => yield_now().await,
        }
        read(op.key(), rows)
    }

    async fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        yield_now().await;
        scan(op, rows)
    }

    async fn insert(&mut self, op: Write<'_>) -> Answer {
        yield_now().await;
        insert(op)
    }

    // Not an async fn: the call itself may panic.
    fn delete(&mut self, op: Delete<'_>) -> impl Future<Output = Answer> + Send {
        assert_ne!(op.key(), "panic", "delete of panic");
        std::future::ready(Ok(Done::OK))
    }

    async fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        if batch.records().any(|record| record.key() == "hang") {
            batch.written(0);
            pending::<()>().await;
        }
        yield_now().await;
        insert_batch(batch)
    }

    async fn end(&mut self) -> Answer {
        note(&self.0.name, "end");
        Ok(Done::OK)
    }
}

struct NoteDrop<'a>(&'a str);

impl Drop for NoteDrop<'_> {
    fn drop(&mut self) {
        note(self.0, "operation dropped");
    }
}

/// Says how many threads its runtime has.
pub(crate) struct Threads;

impl AsyncBinding for Threads {
    const INFO: Info = Info::new("threads").properties(&[Property::integer("threads").help("How many.")]);
    type Session = ThreadsSession;

    fn workers(settings: &Settings<'_>, _: &Env<'_>) -> Result<usize, Failure> {
        settings.get("threads")
    }

    async fn open(_: &Settings<'_>, _: &Env<'_>) -> Result<Opened<Threads>, Failure> {
        let threads = Handle::current().metrics().num_workers();
        Ok(Opened::new(Threads).detail(threads.to_string()))
    }

    async fn session(&self, _: &Client<'_>) -> Result<ThreadsSession, Failure> {
        Ok(ThreadsSession)
    }
}

pub(crate) struct ThreadsSession;

impl AsyncSession for ThreadsSession {}
