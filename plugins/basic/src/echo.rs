//! The bindings `basic` and `basicts`: they echo operations and keep nothing.

use crate::delay::Delays;
use crate::line;
use crate::random::Random;
use crate::settings::{self, Delay, Options};
use crate::time_series::TimeSeries;
use crate::unique::{Kind, Unique};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use ycsb_plugin_api::{
    Alias, Answer, Binding, Client, Deadline, Delete, Done, Env, Failure, Host, Info, Opened, Read, Rows,
    Scan, Session, Settings, Write, capability::*,
};

/// What all bindings of this library can do.
pub(crate) const CAPABILITIES: u64 = READ | SCAN | UPDATE | INSERT | DELETE | KEEPS_NOTHING;

/// The binding `basic`.
pub struct Basic(Arc<Shared>);

/// The binding `basicts`.
pub struct BasicTs(Arc<Shared>);

struct Shared {
    host: Host,
    /// The properties, if they are to be printed.
    block: Option<String>,
    options: Options,
    series: Option<TimeSeries>,
    delays: Delays,
    unique: Option<Mutex<Unique>>,
    /// Sessions that have yet to end.
    to_end: AtomicUsize,
}

/// One client of `basic` or `basicts`.
pub struct EchoSession {
    shared: Arc<Shared>,
    line: Vec<u8>,
    random: Random,
}

impl Binding for Basic {
    const INFO: Info = Info::new("basic")
        .summary("Echoes every operation on standard output and keeps nothing")
        .aliases(&[Alias::new("site.ycsb.BasicDB")])
        .capabilities(CAPABILITIES)
        .properties(settings::BASIC);
    type Session = EchoSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Basic>, Failure> {
        open(settings, env, None, Basic)
    }

    fn session(&self, client: &Client<'_>) -> Result<EchoSession, Failure> {
        Ok(EchoSession::of(&self.0, client))
    }

    fn interrupt(&self) {
        self.0.delays.interrupt();
    }
}

impl Binding for BasicTs {
    const INFO: Info = Info::new("basicts")
        .summary("Echoes every operation on a time series on standard output and keeps nothing")
        .aliases(&[Alias::new("site.ycsb.BasicTSDB")])
        .capabilities(CAPABILITIES)
        .properties(settings::TIME_SERIES);
    type Session = EchoSession;

    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<BasicTs>, Failure> {
        open(settings, env, Some(settings::time_series(settings)?), BasicTs)
    }

    fn session(&self, client: &Client<'_>) -> Result<EchoSession, Failure> {
        Ok(EchoSession::of(&self.0, client))
    }

    fn interrupt(&self) {
        self.0.delays.interrupt();
    }
}

fn open<B>(
    settings: &Settings<'_>,
    env: &Env<'_>,
    series: Option<TimeSeries>,
    binding: impl FnOnce(Arc<Shared>) -> B,
) -> Result<Opened<B>, Failure> {
    let options = Options::read(settings)?;
    let shared = Shared {
        host: env.host(),
        block: options.verbose.then(|| settings::block(settings)),
        unique: options.count.then(Mutex::default),
        options,
        series,
        delays: Delays::default(),
        to_end: AtomicUsize::new(env.clients()),
    };
    Ok(Opened::new(binding(Arc::new(shared))).detail("nothing: operations are echoed and forgotten"))
}

impl EchoSession {
    fn of(shared: &Arc<Shared>, client: &Client<'_>) -> EchoSession {
        if let Some(block) = &shared.block {
            shared.host.echo(block);
        }
        EchoSession {
            shared: Arc::clone(shared),
            line: Vec::new(),
            random: Random::of_client(client.index()),
        }
    }

    fn take_time(&mut self, deadline: Deadline) -> Result<(), Failure> {
        let time = match self.shared.options.delay {
            Delay::None => return Ok(()),
            Delay::Exactly(time) => time,
            Delay::BelowMillis(bound) => Duration::from_millis(self.random.below(bound)),
        };
        if time.is_zero() { Ok(()) } else { self.shared.delays.take(time, deadline) }
    }

    /// Echoes a line, unless nobody wants to see it.
    fn echo(&mut self, line: impl FnOnce(&mut Vec<u8>)) {
        if self.shared.options.verbose {
            line(&mut self.line);
            self.shared.host.echo(&self.line);
        }
    }

    fn count(&self, count: impl FnOnce(MutexGuard<'_, Unique>)) {
        if let Some(unique) = &self.shared.unique {
            count(unique.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn write(&mut self, name: &str, kind: Kind, op: Write<'_>) -> Answer {
        self.take_time(op.deadline())?;
        let (at, values) = ((op.table(), op.key()), op.values());
        let shared = Arc::clone(&self.shared);
        let series = shared.series.as_ref();
        self.echo(|line| line::write(line, name, at, values, series));
        self.count(|mut unique| unique.write(kind, at, values, series));
        Ok(Done::OK)
    }
}

impl Session for EchoSession {
    fn read(&mut self, op: Read<'_>, _: &mut Rows<'_>) -> Answer {
        self.take_time(op.deadline())?;
        let at = (op.table(), op.key());
        self.echo(|line| line::read(line, at.0, at.1, op.select()));
        self.count(|mut unique| unique.select(Kind::Read, at, op.select(), self.shared.series.as_ref()));
        Ok(Done::OK)
    }

    fn scan(&mut self, op: Scan<'_>, _: &mut Rows<'_>) -> Answer {
        self.take_time(op.deadline())?;
        let at = (op.table(), op.key());
        self.echo(|line| line::scan(line, at.0, at.1, op.limit(), op.select()));
        self.count(|mut unique| unique.select(Kind::Scan, at, op.select(), self.shared.series.as_ref()));
        Ok(Done::OK)
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        self.write("UPDATE", Kind::Update, op)
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        self.write("INSERT", Kind::Insert, op)
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        self.take_time(op.deadline())?;
        self.echo(|line| line::delete(line, op.table(), op.key()));
        self.count(|mut unique| unique.delete(op.table(), op.key()));
        Ok(Done::OK)
    }

    /// The last of all sessions prints the counts.
    fn end(&mut self) -> Answer {
        if self.shared.to_end.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.count(|unique| self.shared.host.echo(unique.report(self.shared.series.is_some())));
        }
        Ok(Done::OK)
    }
}
