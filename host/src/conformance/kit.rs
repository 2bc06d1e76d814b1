//! What rules have to hand: opening and closing bindings, sessions, keys and records of their own.

use super::finding::{Checked, Finding, demand, different};
use super::properties::KitSettings;
use super::question::{Question, Record};
use super::session::{Gathering, Session};
use crate::base::clock::{Clock, HostClock};
use crate::base::os::DivertedOutput;
use crate::binding::{Binding, OpenFailure, OpenRequest};
use crate::engine::{RunNames, open_binding};
use crate::measure::{CustomStatus, StatusTable};
use crate::plan::Settled;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use ycsb_plugin_abi::{capability, phase, status};

/// Names of the fields of the kit's records: those of a workload that says nothing else.
pub(super) const FIELDS: [&str; 10] =
    ["field0", "field1", "field2", "field3", "field4", "field5", "field6", "field7", "field8", "field9"];
/// How long an unacknowledged write may take until it is seen.
const UNACKNOWLEDGED: Duration = Duration::from_secs(3);
/// Pause between two looks at something that has to settle.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How a binding is opened.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub(super) run: bool,
    pub(super) fresh: bool,
    pub(super) clients: usize,
    pub(super) table: String,
    /// What the plugin receives.
    pub(super) settings: Vec<(String, String)>,
}

/// All that rules have in common.
pub(super) struct Kit<'a> {
    pub(super) settled: &'a Settled,
    pub(super) own: &'a KitSettings,
    pub(super) connect_timeout_ns: u64,
    pub(super) batch_size: usize,
    pub(super) seed: u64,
    pub(super) plugin_settings: Vec<(String, String)>,
    pub(super) statuses: Arc<StatusTable>,
    /// What the opened binding can do.
    pub(super) capabilities: Cell<u64>,
    /// Whether the kit may open with an empty table.
    pub(super) may_empty: Cell<bool>,
    /// Whether a call never returned.
    pub(super) is_stuck: Cell<bool>,
    /// What keys of the rule at hand begin with.
    prefix: RefCell<String>,
    keys: RefCell<Vec<String>>,
    names: RunNames,
    /// Where what the process prints goes meanwhile.
    pub(super) diverted: Option<&'a DivertedOutput>,
}

impl<'a> Kit<'a> {
    pub(super) fn new(
        settled: &'a Settled,
        own: &'a KitSettings,
        plugin_settings: Vec<(String, String)>,
        numbers: Numbers,
        diverted: Option<&'a DivertedOutput>,
    ) -> Kit<'a> {
        let fields: Vec<String> = FIELDS.iter().map(|name| (*name).to_owned()).collect();
        Kit {
            settled,
            own,
            connect_timeout_ns: numbers.connect_timeout_ns,
            batch_size: numbers.batch_size,
            seed: numbers.seed,
            plugin_settings,
            statuses: Arc::new(statuses_of(settled)),
            capabilities: Cell::new(0),
            may_empty: Cell::new(false),
            is_stuck: Cell::new(false),
            prefix: RefCell::default(),
            keys: RefCell::default(),
            names: RunNames::new(&own.table, &fields),
            diverted,
        }
    }

    /// Whether the opened binding has a capability.
    pub(super) fn can(&self, bit: u64) -> bool {
        self.capabilities.get() & bit != 0
    }

    /// Sets what keys begin with from now on.
    pub(super) fn begin_rule(&self, prefix: String) {
        *self.prefix.borrow_mut() = prefix;
    }

    /// A key that belongs to the rule at hand.
    pub(super) fn key(&self, name: &str) -> String {
        let key = format!("{}{name}", self.prefix.borrow());
        self.keys.borrow_mut().push(key.clone());
        key
    }

    /// Notes a key that was made elsewhere as one to be deleted in the end.
    pub(super) fn foreign_key(&self, key: String) -> String {
        self.keys.borrow_mut().push(key.clone());
        key
    }

    /// What the keys of the rule at hand begin with.
    pub(super) fn prefix(&self) -> String {
        self.prefix.borrow().clone()
    }

    /// All keys that were given out.
    pub(super) fn keys(&self) -> Vec<String> {
        self.keys.take()
    }

    /// The opening that most rules use: the load phase, keeping what is there.
    pub(super) fn opening(&self) -> Opening {
        Opening {
            run: false,
            fresh: false,
            clients: 1,
            table: self.own.table.clone(),
            settings: self.plugin_settings.clone(),
        }
    }

    /// Opens a binding, in bounded time.
    pub(super) fn try_open(&self, opening: &Opening) -> Result<OpenBinding<'_>, OpenFailure> {
        let request = OpenRequest {
            binding: self.settled.binding,
            phase: if opening.run { phase::RUN } else { phase::LOAD },
            fresh: opening.fresh,
            workers: if opening.clients > 1 { 2 } else { 1 },
            clients: opening.clients as u64,
            batch_size: self.batch_size as u64,
            expected_records: 0,
            largest_value_bytes: 0,
            deadline_ns: HostClock::new().now_ns().saturating_add(self.connect_timeout_ns),
            settings: opening.settings.clone(),
            table: opening.table.clone(),
            fields: FIELDS.iter().map(|name| (*name).to_owned()).collect(),
        };
        let opened = open_binding(&self.settled.plugin, request, self.connect_timeout_ns);
        if let Err(OpenFailure { status: status::TIMEOUT, .. }) = &opened {
            // The thread that opens may still be inside of the plugin.
            self.is_stuck.set(true);
        }
        let names = match opening.table == self.own.table {
            true => self.names,
            false => RunNames::new(&opening.table, &FIELDS.map(str::to_owned)),
        };
        Ok(OpenBinding { kit: self, binding: Some(Arc::new(opened?)), names })
    }

    /// Opens a binding; a failure is a finding.
    pub(super) fn open(&self, opening: &Opening) -> Result<OpenBinding<'_>, Finding> {
        self.try_open(opening).map_err(|failure| {
            let name = self.statuses.info(failure.status).name.clone();
            different("the binding opens", format!("{name} ({})", failure.detail.escape_debug()))
        })
    }

    /// Has a rule's questions asked by one session of a binding of its own.
    pub(super) fn with_session(&self, ask: impl FnOnce(&Session) -> Checked) -> Checked {
        self.with_sessions(1, |sessions| ask(&sessions[0]))
    }

    /// Has a rule's questions asked by several sessions of a binding of its own.
    pub(super) fn with_sessions(&self, count: usize, ask: impl FnOnce(&[Session]) -> Checked) -> Checked {
        self.with_opening(&Opening { clients: count, ..self.opening() }, ask)
    }

    /// Has a rule's questions asked by as many sessions as the opening says.
    pub(super) fn with_opening(&self, opening: &Opening, ask: impl FnOnce(&[Session]) -> Checked) -> Checked {
        let binding = self.open(opening)?;
        let gathering = binding.gather(opening.clients)?;
        gathering.open_all()?;
        let remark = ask(gathering.sessions())?;
        gathering.leave()?;
        binding.close()?;
        Ok(remark)
    }

    /// Looks again until a read sees what was written: at once, but for writes that nobody acknowledged.
    pub(super) fn once_written<T>(&self, look: impl FnMut() -> Result<T, Finding>) -> Result<T, Finding> {
        let unacknowledged = self.can(capability::UNACKNOWLEDGED_WRITES);
        look_until(if unacknowledged { UNACKNOWLEDGED } else { Duration::ZERO }, look)
    }

    /// Looks again until a scan sees what was written, for as long as `check.settle` allows.
    pub(super) fn once_settled<T>(&self, look: impl FnMut() -> Result<T, Finding>) -> Result<T, Finding> {
        let unacknowledged = self.can(capability::UNACKNOWLEDGED_WRITES);
        look_until(self.own.settle.max(if unacknowledged { UNACKNOWLEDGED } else { Duration::ZERO }), look)
    }

    /// Reads a record and demands these fields.
    pub(super) fn holds(&self, session: &Session, key: &str, record: &Record) -> Result<(), Finding> {
        self.once_written(|| {
            let question = Question::read(key);
            let told = question.told();
            session.ask(question)?.returned(&told, record)
        })
    }

    /// Reads a record and demands that it is absent.
    pub(super) fn is_absent(&self, session: &Session, key: &str) -> Result<(), Finding> {
        self.once_written(|| {
            let question = Question::read(key);
            let told = question.told();
            session.ask(question)?.ended_with(&told, &[status::NOT_FOUND])
        })
    }

    /// Inserts a record, which has to succeed.
    pub(super) fn insert(&self, session: &Session, key: &str, record: &Record) -> Result<(), Finding> {
        let question = Question::insert(key, record);
        let told = question.told();
        session.ask(question)?.succeeded(&told)
    }
}

/// The common statuses and those of the binding's manifest.
fn statuses_of(settled: &Settled) -> StatusTable {
    let custom = settled.info().statuses.iter().map(|own| CustomStatus {
        name: own.name.to_owned(),
        success: own.success,
        text: own.text.to_owned(),
    });
    StatusTable::new(&custom.collect::<Vec<_>>())
}

/// Numbers of the host's properties.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    pub(super) connect_timeout_ns: u64,
    pub(super) batch_size: usize,
    pub(super) seed: u64,
}

fn look_until<T>(longest: Duration, mut look: impl FnMut() -> Result<T, Finding>) -> Result<T, Finding> {
    let until = Instant::now() + longest;
    loop {
        match look() {
            Err(Finding::Different { .. }) if Instant::now() < until => std::thread::sleep(LOOK_AGAIN),
            result => return result,
        }
    }
}

/// A record of all fields; `salt` tells its values from those of others.
pub(super) fn record(key: &str, salt: impl std::fmt::Display) -> Record {
    FIELDS
        .iter()
        .map(|field| ((*field).to_owned(), format!("{field} of {key}, {salt}").into_bytes()))
        .collect()
}

/// A record of one field.
pub(super) fn one_field(name: &str, value: impl AsRef<[u8]>) -> Record {
    Record::from([(name.to_owned(), value.as_ref().to_vec())])
}

/// A binding that a rule has opened. One that is dropped is closed as far as it lets itself be closed.
pub(super) struct OpenBinding<'k> {
    kit: &'k Kit<'k>,
    binding: Option<Arc<Binding>>,
    names: RunNames,
}

impl OpenBinding<'_> {
    fn binding(&self) -> &Arc<Binding> {
        self.binding.as_ref().expect("a binding is there until it is closed")
    }

    /// What it can do.
    pub(super) fn capabilities(&self) -> u64 {
        self.binding().capabilities
    }

    /// What it says it is connected to.
    pub(super) fn connected_to(&self) -> &str {
        &self.binding().connected_to
    }

    /// Whether its own runtime asks for steps.
    pub(super) fn is_async(&self) -> bool {
        self.binding().is_async()
    }

    /// Clients without sessions yet.
    pub(super) fn gather(&self, clients: usize) -> Result<Gathering, Finding> {
        Gathering::new(self.binding(), clients, self.names, &self.kit.statuses, self.kit.own.patience)
    }

    /// Asks operations in flight to return soon; says whether the call itself returned.
    pub(super) fn interrupt(&self) -> Result<(), Finding> {
        let binding = Arc::clone(self.binding());
        self.bounded("interrupt", move || binding.interrupt())
    }

    /// Closes it.
    pub(super) fn close(mut self) -> Result<(), Finding> {
        let Some(binding) = self.binding.take() else { return Ok(()) };
        match Arc::try_unwrap(binding) {
            Ok(binding) => self.bounded("close", move || binding.close()),
            Err(_) => Err(Finding::Hung { expected: "a binding that nobody uses any more".to_owned() }),
        }
    }

    fn bounded(&self, what: &str, call: impl FnOnce() + Send + 'static) -> Result<(), Finding> {
        let (done, returned) = channel();
        let thread = std::thread::Builder::new().name(what.to_owned()).spawn(move || {
            call();
            let _ = done.send(());
        });
        demand(thread.is_ok(), "a thread of the host", "none could be made")?;
        let patience = self.kit.own.patience;
        returned.recv_timeout(patience).map_err(|_| Finding::Hung {
            expected: format!("{what} returns within {patience:?} (check.patience)"),
        })
    }
}

impl Drop for OpenBinding<'_> {
    fn drop(&mut self) {
        // A rule that failed leaves its clients behind, which notice within moments.
        let until = Instant::now() + Duration::from_secs(1);
        while let Some(binding) = self.binding.take() {
            match Arc::try_unwrap(binding) {
                Ok(binding) => {
                    let closing = self.bounded("close", move || binding.close());
                    self.kit.is_stuck.set(self.kit.is_stuck.get() || closing.is_err());
                }
                Err(binding) if Instant::now() < until => {
                    self.binding = Some(binding);
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(_) => self.kit.is_stuck.set(true),
            }
        }
    }
}
