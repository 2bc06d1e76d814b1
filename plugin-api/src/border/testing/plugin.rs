//! A plugin, linked in or loaded from a file, and what opening it makes.

use super::step::Ended;
use crate::Binding;
use crate::abi::abi_stable::library::lib_header_from_path;
use crate::abi::abi_stable::std_types::{RSlice, RStr};
use crate::abi::{
    self, ABI_MINOR, Blocking, Extension, Handle, HostApi, Manifest, OpenArgs, Outcome, Pair, Property, Pull,
    RootRef, as_bytes, as_text, bytes_of, open_flag, phase, property_flag, property_kind, status, text_of,
};
use crate::border::{Export, Library, Manifests, monotonic_ns, root, slice_of};
use std::marker::PhantomData;
use std::path::Path;
use std::ptr::null;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A plugin library.
#[derive(Clone, Copy)]
pub struct Plugin {
    root: RootRef,
}

struct Only<B>(PhantomData<B>);

impl<B: Binding> Library for Only<B> {
    const EXPORTS: &'static [Export] = &[Export::blocking::<B>("0.0.0")];

    fn manifests() -> &'static Manifests {
        Box::leak(Box::new(Manifests::new()))
    }
}

#[cfg(feature = "tokio")]
struct OnlyAsync<B>(PhantomData<B>);

#[cfg(feature = "tokio")]
impl<B: crate::AsyncBinding> Library for OnlyAsync<B> {
    const EXPORTS: &'static [Export] = &[Export::tokio::<B>("0.0.0")];

    fn manifests() -> &'static Manifests {
        Box::leak(Box::new(Manifests::new()))
    }
}

impl Plugin {
    /// A library with one blocking binding, linked into the test.
    pub fn blocking<B: Binding>() -> Plugin {
        Plugin { root: root::<Only<B>>() }
    }

    /// A library with one async binding, linked into the test.
    #[cfg(feature = "tokio")]
    pub fn tokio<B: crate::AsyncBinding>() -> Plugin {
        Plugin { root: root::<OnlyAsync<B>>() }
    }

    /// Loads a library and checks its layout, as the host does.
    ///
    /// # Errors
    /// What the dynamic loader or the layout check has to say.
    pub fn load(path: &Path) -> Result<Plugin, String> {
        let header = lib_header_from_path(path).map_err(|error| error.to_string())?;
        let root = header.init_root_module::<RootRef>().map_err(|error| error.to_string())?;
        Ok(Plugin { root })
    }

    /// What the library says of its bindings.
    pub fn manifests(&self) -> &'static [Manifest] {
        slice_of((self.root.manifests())())
    }

    /// Opens a binding.
    ///
    /// # Errors
    /// How opening ended if not with OK.
    pub fn open(&self, how: Open) -> Result<OpenBinding, Box<Ended>> {
        let manifest = self.manifests().get(how.binding as usize);
        let settings =
            settings(manifest.map_or(&[], |manifest| slice_of(manifest.properties)), &how.settings);
        let pairs: Vec<Pair<'_>> = settings
            .iter()
            .map(|(name, value)| Pair { name: as_bytes(name.as_bytes()), value: as_bytes(value.as_bytes()) })
            .collect();
        let fields: Vec<RStr<'_>> = how.fields.iter().map(|name| as_text(name)).collect();
        let args = OpenArgs {
            binding: how.binding,
            phase: if how.run { phase::RUN } else { phase::LOAD },
            flags: if how.fresh { open_flag::FRESH } else { 0 },
            workers: how.workers,
            clients: how.clients,
            batch_size: how.batch_size,
            expected_records: how.expected_records,
            largest_value_bytes: how.largest_value_bytes,
            deadline_ns: how.within.map_or(0, |time| monotonic_ns() + time.as_nanos() as u64),
            settings: RSlice::from_slice(&pairs),
            table: as_text(how.table),
            fields: RSlice::from_slice(&fields),
            extra: RSlice::EMPTY,
        };
        let mut opened = abi::Opened { binding: Handle::NULL, capabilities: 0, blocking: None, pull: None };
        let mut outcome = Outcome::EMPTY;
        let status = (self.root.open())(&HOST, &args, &mut opened, &mut outcome);
        let detail = outcome.detail_text().into_owned();
        let flavour = match (status, opened.blocking, opened.pull) {
            (status::OK, Some(table), None) => Flavour::Blocking(table),
            (status::OK, None, Some(table)) => Flavour::Pull(table),
            _ => {
                let backend_code = outcome.backend_code;
                return Err(Box::new(Ended { status, detail, backend_code, ..Ended::default() }));
            }
        };
        Ok(OpenBinding {
            root: self.root,
            handle: opened.binding,
            capabilities: opened.capabilities,
            detail,
            flavour,
            table: how.table,
            fields: how.fields,
        })
    }
}

/// How a binding is opened.
#[derive(Clone, Debug)]
pub struct Open {
    /// Which binding of the library.
    pub binding: u32,
    /// Properties as a user writes them; defaults are filled in.
    pub settings: Vec<(String, String)>,
    /// Run phase instead of load phase.
    pub run: bool,
    /// From an empty table.
    pub fresh: bool,
    /// Number of sessions.
    pub clients: u64,
    /// Threads of an async binding's runtime.
    pub workers: u32,
    /// Records in a full batch.
    pub batch_size: u64,
    /// Records expected at the end; 0 = unknown.
    pub expected_records: u64,
    /// Bytes of the longest value; 0 = unknown.
    pub largest_value_bytes: u64,
    /// How long opening may take.
    pub within: Option<Duration>,
    /// Table.
    pub table: &'static str,
    /// Names of all fields.
    pub fields: Vec<String>,
}

impl Default for Open {
    /// The load phase of one client on the table `usertable` with `field0` to `field9`.
    fn default() -> Open {
        Open {
            binding: 0,
            settings: Vec::new(),
            run: false,
            fresh: false,
            clients: 1,
            workers: 1,
            batch_size: 1,
            expected_records: 0,
            largest_value_bytes: 0,
            within: None,
            table: "usertable",
            fields: (0..10).map(|index| format!("field{index}")).collect(),
        }
    }
}

impl Open {
    /// Adds a property.
    pub fn set(mut self, name: &str, value: &str) -> Open {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// An opened binding; closed when dropped.
pub struct OpenBinding {
    root: RootRef,
    pub(super) handle: Handle,
    /// What this configuration can do.
    pub capabilities: u64,
    /// What the plugin says it is connected to.
    pub detail: String,
    pub(super) flavour: Flavour,
    pub(super) table: &'static str,
    pub(super) fields: Vec<String>,
}

#[derive(Clone, Copy)]
pub(super) enum Flavour {
    Blocking(&'static Blocking),
    Pull(&'static Pull),
}

// SAFETY: by contract a binding is called from any thread; the tables are immutable statics.
unsafe impl Send for OpenBinding {}
// SAFETY: as above.
unsafe impl Sync for OpenBinding {}

impl OpenBinding {
    /// Asks operations in flight to end: `interrupt` or `cancel`.
    pub fn stop(&self) {
        match self.flavour {
            Flavour::Blocking(table) => (table.interrupt)(self.handle),
            Flavour::Pull(table) => (table.cancel)(self.handle),
        }
    }
}

impl Drop for OpenBinding {
    fn drop(&mut self) {
        (self.root.close())(self.handle);
    }
}

/// The given properties and the defaults of the others, durations as nanoseconds and sizes as bytes.
fn settings(declared: &[Property], given: &[(String, String)]) -> Vec<(String, String)> {
    let kind_of = |name: &str| {
        declared
            .iter()
            .find(|property| text_of(property.name) == Some(name))
            .map_or(0, |property| property.kind)
    };
    let mut all: Vec<_> =
        given.iter().map(|(name, value)| (name.clone(), plain(kind_of(name), value))).collect();
    for property in declared.iter().filter(|property| property.flags & property_flag::HAS_DEFAULT != 0) {
        let (name, value) = (text_of(property.name).unwrap_or(""), text_of(property.default).unwrap_or(""));
        if all.iter().all(|(given, _)| given != name) {
            all.push((name.to_owned(), plain(property.kind, value)));
        }
    }
    all
}

fn plain(kind: u32, value: &str) -> String {
    let units: &[(&str, u64)] = match kind {
        property_kind::DURATION => &[
            ("us", 1_000),
            ("ms", 1_000_000),
            ("s", 1_000_000_000),
            ("m", 60_000_000_000),
            ("h", 3_600_000_000_000),
        ],
        property_kind::BYTES => &[("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)],
        _ => return value.to_owned(),
    };
    let digits = value.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = value[digits.len()..].trim();
    let factor = units.iter().find(|(name, _)| *name == unit).map_or(1, |(_, factor)| *factor);
    digits.trim().parse::<u64>().map_or_else(|_| value.to_owned(), |number| (number * factor).to_string())
}

static LOGGED: Mutex<Vec<(u32, String)>> = Mutex::new(Vec::new());
static ECHOED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// All lines that plugins have logged in this process so far, with their levels.
pub fn logged() -> Vec<(u32, String)> {
    LOGGED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// All bytes that plugins have echoed in this process so far.
pub fn echoed() -> Vec<u8> {
    ECHOED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

static HOST: HostApi = HostApi { abi_minor: ABI_MINOR, log, echo, extension };

extern "C" fn log(level: u32, text: RSlice<'_, u8>) {
    let text = String::from_utf8_lossy(bytes_of(text)).into_owned();
    // A test whose assertion fails in a process with an opened plugin shows why.
    eprintln!("{text}");
    LOGGED.lock().unwrap_or_else(PoisonError::into_inner).push((level, text));
}

extern "C" fn echo(bytes: RSlice<'_, u8>) {
    ECHOED.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes_of(bytes));
}

extern "C" fn extension(_: RStr<'_>) -> Extension {
    Extension { layout: null(), table: null() }
}
