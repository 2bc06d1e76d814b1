//! The unsafe side of the border: everything that touches a plugin's memory or functions.
//!
//! Above this module a plugin is a [`Binding`] and a client is a [`ClientCell`]; both are safe to use.
#![allow(unsafe_code)]

mod attached;
mod cell;
mod host_api;
mod root;

pub use attached::AttachedClient;
pub use cell::{ClientCell, Ended, OpBuilder, Turn, Turns};
pub use host_api::{HostCallbacks, set_host_callbacks};
pub(super) use root::{ManifestView, RootError, StaticBytes, manifests, root_of, static_slice, static_text};

use super::Plugin;
use ycsb_plugin_abi::abi_stable::std_types::{RSlice, RStr};
use ycsb_plugin_abi::{
    Blocking, Handle, OpenArgs, Opened, Outcome, Pair, Pull, RunArgs, Status, as_bytes, as_text, status, step,
};

/// Arguments of an open, in the host's own words.
#[derive(Clone, Debug)]
pub struct OpenRequest {
    /// Which binding of the plugin.
    pub binding: usize,
    /// One of `ycsb_plugin_abi::phase`.
    pub phase: u32,
    /// Start from an empty table.
    pub fresh: bool,
    /// Threads of an async binding's runtime.
    pub workers: u32,
    /// Sessions that will be opened.
    pub clients: u64,
    /// Rows of a full batch; 1 = none.
    pub batch_size: u64,
    /// Records expected when the phase ends; 0 = unknown.
    pub expected_records: u64,
    /// Bytes of the longest value; 0 = unknown.
    pub largest_value_bytes: u64,
    /// Nanoseconds of CLOCK_MONOTONIC by which open has to return; 0 = none.
    pub deadline_ns: u64,
    /// The declared properties with their values.
    pub settings: Vec<(String, String)>,
    /// Table.
    pub table: String,
    /// Names of all fields.
    pub fields: Vec<String>,
}

/// Why a binding or session could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenFailure {
    /// A status number.
    pub status: Status,
    /// The plugin's words.
    pub detail: String,
}

/// An opened binding. Closing it is explicit: a binding whose calls hang is left as it is.
pub struct Binding {
    plugin: Plugin,
    handle: Handle,
    /// What this configuration can do: bits of `ycsb_plugin_abi::capability`.
    pub capabilities: u64,
    /// What the plugin says it is connected to.
    pub connected_to: String,
    flavour: Flavour,
}

#[derive(Clone, Copy)]
enum Flavour {
    Blocking(&'static Blocking),
    Pull(&'static Pull),
}

// SAFETY: the contract demands that a binding may be called from any thread; its handle is never
// dereferenced here, and the tables are immutable statics of a library that is never unloaded.
unsafe impl Send for Binding {}
// SAFETY: as above.
unsafe impl Sync for Binding {}

impl Binding {
    /// Opens a binding: connects and pings. May block for as long as the plugin likes.
    pub fn open(plugin: &Plugin, request: &OpenRequest) -> Result<Binding, OpenFailure> {
        let settings: Vec<Pair<'_>> = request
            .settings
            .iter()
            .map(|(name, value)| Pair { name: as_bytes(name.as_bytes()), value: as_bytes(value.as_bytes()) })
            .collect();
        let fields: Vec<RStr<'_>> = request.fields.iter().map(|name| as_text(name)).collect();
        let args = OpenArgs {
            binding: request.binding as u32,
            phase: request.phase,
            flags: if request.fresh { ycsb_plugin_abi::open_flag::FRESH } else { 0 },
            workers: request.workers,
            clients: request.clients,
            batch_size: request.batch_size,
            expected_records: request.expected_records,
            largest_value_bytes: request.largest_value_bytes,
            deadline_ns: request.deadline_ns,
            settings: RSlice::from_slice(&settings),
            table: as_text(&request.table),
            fields: RSlice::from_slice(&fields),
            extra: RSlice::EMPTY,
        };
        let mut opened = Opened { binding: Handle::NULL, capabilities: 0, blocking: None, pull: None };
        let mut outcome = Outcome::EMPTY;
        let status = plugin.root.open()(host_api::host_api(), &args, &mut opened, &mut outcome);
        let detail = outcome.detail_text().into_owned();
        let flavour = match (opened.blocking, opened.pull) {
            (Some(table), None) => Some(Flavour::Blocking(table)),
            (None, Some(table)) => Some(Flavour::Pull(table)),
            _ => None,
        };
        match (status, flavour) {
            (status::OK, Some(flavour)) => Ok(Binding {
                plugin: plugin.clone(),
                handle: opened.binding,
                capabilities: opened.capabilities,
                connected_to: detail,
                flavour,
            }),
            (status::OK, None) => Err(OpenFailure {
                status: status::ERROR,
                detail: "the plugin opened without exactly one table of functions; tell its author"
                    .to_owned(),
            }),
            (status, _) => Err(OpenFailure { status, detail }),
        }
    }

    /// Whether the plugin's own runtime asks for steps.
    pub fn is_async(&self) -> bool {
        matches!(self.flavour, Flavour::Pull(_))
    }

    /// Asks operations in flight to return soon. Any thread.
    pub fn interrupt(&self) {
        match self.flavour {
            Flavour::Blocking(table) => (table.interrupt)(self.handle),
            Flavour::Pull(table) => (table.cancel)(self.handle),
        }
    }

    /// Runs one client of a blocking binding on the calling thread until it stops.
    ///
    /// # Panics
    /// If the binding is async.
    pub fn run_client<T: Turns>(&self, cell: Box<ClientCell<T>>) -> Box<ClientCell<T>> {
        let mut client = AttachedClient::new(cell);
        while self.turn(&mut client) {}
        self.detach(client)
    }

    /// Does one turn of a client of a blocking binding; false once the client has stopped.
    ///
    /// # Panics
    /// If the binding is async.
    #[inline(always)]
    pub fn turn<T: Turns>(&self, client: &mut AttachedClient<T>) -> bool {
        let Flavour::Blocking(table) = self.flavour else { panic!("a client's turn on an async binding") };
        client.turn(table, self.handle)
    }

    /// Takes a client back and ends its session.
    ///
    /// # Panics
    /// If the binding is async.
    pub fn detach<T: Turns>(&self, client: AttachedClient<T>) -> Box<ClientCell<T>> {
        let Flavour::Blocking(table) = self.flavour else { panic!("a client's end on an async binding") };
        client.detach(table)
    }

    /// Runs all clients of an async binding; returns when every one of them stopped.
    ///
    /// # Panics
    /// If the binding is blocking.
    pub fn run_clients<T: Turns>(
        &self,
        cells: Vec<Box<ClientCell<T>>>,
    ) -> (Result<(), OpenFailure>, Vec<Box<ClientCell<T>>>) {
        let Flavour::Pull(table) = self.flavour else { panic!("run_clients on a blocking binding") };
        let raws: Vec<_> = cells.into_iter().map(cell::into_raw).collect();
        let handles: Vec<Handle> = raws.iter().map(|raw| Handle(raw.cast())).collect();
        let args = RunArgs { next: cell::next::<T>, clients: RSlice::from_slice(&handles) };
        let mut outcome = Outcome::EMPTY;
        let status = (table.run)(self.handle, &args, &mut outcome);
        // SAFETY: the contract ends all use of the clients when `run` returns.
        let cells = raws.into_iter().map(|raw| unsafe { cell::from_raw(raw) }).collect();
        let result = match status {
            status::OK | status::CANCELLED => Ok(()),
            status => Err(OpenFailure { status, detail: outcome.detail_text().into_owned() }),
        };
        (result, cells)
    }

    /// Closes the binding. Only after every client stopped.
    pub fn close(self) {
        self.plugin.root.close()(self.handle);
    }
}

/// Runs one client without any plugin: whatever it asks for is OK at once, every row of a batch and of a scan too.
/// What is left is the host's own work.
pub fn answer_at_once<T: Turns>(cell: Box<ClientCell<T>>) -> Box<ClientCell<T>> {
    let raw = cell::into_raw(cell);
    let mut status = status::NONE;
    loop {
        // SAFETY: `raw` came from a box that nobody else has, and no operation is in flight.
        let slot = unsafe { cell::advance(raw, status) };
        status = match slot.step.kind {
            step::OPEN => status::OK,
            step::RUN => {
                slot.outcome.rows = slot.op.limit;
                slot.accept_rows();
                status::OK
            }
            step::WAIT => {
                let until_ns = slot.step.until_ns;
                // SAFETY: as above; the wait borrows the turns alone.
                unsafe { cell::turns(raw) }.wait(until_ns);
                status::NONE
            }
            step::YIELD => status::NONE,
            _ => break,
        };
    }
    // SAFETY: `raw` came from `into_raw` above and nothing else sees it.
    unsafe { cell::from_raw(raw) }
}
