//! The blocking flavour: one thread of the host per session calls the plugin.

use crate::{Answer, Batch, Client, Delete, Done, Env, Failure, Info, Read, Rows, Scan, Settings, Write};

/// What `open` made: the binding, and what there is to say about it.
pub struct Opened<B> {
    pub(crate) binding: B,
    pub(crate) detail: String,
    pub(crate) capabilities: Option<u64>,
}

impl<B> Opened<B> {
    /// A binding that is ready.
    pub fn new(binding: B) -> Opened<B> {
        Opened { binding, detail: String::new(), capabilities: None }
    }

    /// One line that says what was really connected to: server, version, database, table. It is printed
    /// before the run and kept in the result, so it must not contain secrets.
    pub fn detail(mut self, line: impl Into<String>) -> Opened<B> {
        self.detail = line.into();
        self
    }

    /// What this configuration can do, if that is less than [`Info::capabilities`] says.
    pub fn capabilities(mut self, bits: u64) -> Opened<B> {
        self.capabilities = Some(bits);
        self
    }

    /// The binding.
    pub fn into_binding(self) -> B {
        self.binding
    }
}

/// A blocking binding: configuration, pools, what sessions share.
///
/// One is opened per run. It is used from many threads at once.
///
/// # Example
/// A store that remembers keys only:
/// ```
/// use std::collections::BTreeSet;
/// use std::sync::{Arc, Mutex};
/// use ycsb_plugin_api::{
///     Answer, Binding, Client, Done, Env, Failure, Info, Opened, Read, Rows, Session, Settings, Write,
///     capability::{INSERT, READ},
/// };
///
/// struct Keys(Arc<Mutex<BTreeSet<String>>>);
/// struct KeysSession(Arc<Mutex<BTreeSet<String>>>);
///
/// impl Binding for Keys {
///     const INFO: Info = Info::new("keys").summary("Remembers keys").capabilities(READ | INSERT);
///     type Session = KeysSession;
///
///     fn open(_: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Keys>, Failure> {
///         let detail = format!("keys of table {:?} in this process", env.table());
///         Ok(Opened::new(Keys(Arc::default())).detail(detail))
///     }
///
///     fn session(&self, _: &Client<'_>) -> Result<KeysSession, Failure> {
///         Ok(KeysSession(Arc::clone(&self.0)))
///     }
/// }
///
/// impl Session for KeysSession {
///     fn read(&mut self, op: Read<'_>, _: &mut Rows<'_>) -> Answer {
///         let keys = self.0.lock().map_err(|_| Failure::error("the set is broken"))?;
///         if keys.contains(op.key()) { Ok(Done::OK) } else { Err(Failure::not_found()) }
///     }
///
///     fn insert(&mut self, op: Write<'_>) -> Answer {
///         let mut keys = self.0.lock().map_err(|_| Failure::error("the set is broken"))?;
///         if keys.insert(op.key().to_owned()) { Ok(Done::OK) } else { Err(Failure::duplicate()) }
///     }
/// }
///
/// ycsb_plugin_api::export_plugin!(blocking Keys);
/// ```
pub trait Binding: Sized + Send + Sync + 'static {
    /// What the binding says of itself.
    const INFO: Info;

    /// One client's session.
    type Session: Session;

    /// Reads the settings, connects and pings: whatever cannot work fails here and not in the first
    /// operation. Creates the table in the load phase; starts from an empty one if [`Env::fresh`].
    ///
    /// # Errors
    /// BAD_REQUEST for settings that contradict each other or the workload, NOT_FOUND for an absent table in
    /// the run phase, otherwise what happened.
    fn open(settings: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Self>, Failure>;

    /// Opens a session. Called from several threads at once, and again after a session panicked.
    ///
    /// # Errors
    /// What happened; the run does not start.
    fn session(&self, client: &Client<'_>) -> Result<Self::Session, Failure>;

    /// Called from any thread when the run has to end: operations in flight should return soon.
    fn interrupt(&self) {}

    /// Called once, after every session is gone.
    fn close(self) {}
}

/// One client's session of a blocking binding: one operation at a time, not always on the same thread.
///
/// An operation that is not implemented answers NOT_IMPLEMENTED; declare in [`Info::capabilities`] what is.
/// A session whose operation panicked is dropped and not used again.
pub trait Session: Send + 'static {
    /// Reads a record and hands its fields to `rows`.
    ///
    /// # Errors
    /// NOT_FOUND if there is no such record, otherwise what happened.
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        let _ = (op, rows);
        Err(Failure::not_implemented())
    }

    /// Reads up to [`Scan::limit`] records from [`Scan::key`] on, which need not exist, in ascending order
    /// of the key's bytes. No records at all is a success.
    ///
    /// # Errors
    /// What happened.
    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        let _ = (op, rows);
        Err(Failure::not_implemented())
    }

    /// Changes the given fields of a record and keeps the others.
    ///
    /// # Errors
    /// NOT_FOUND if there is no such record (unless the binding declares `UPDATE_CREATES`), otherwise what
    /// happened.
    fn update(&mut self, op: Write<'_>) -> Answer {
        let _ = op;
        Err(Failure::not_implemented())
    }

    /// Writes a whole record.
    ///
    /// # Errors
    /// DUPLICATE if the key exists and the binding declares `DETECTS_DUPLICATES`, otherwise what happened.
    fn insert(&mut self, op: Write<'_>) -> Answer {
        let _ = op;
        Err(Failure::not_implemented())
    }

    /// Removes a record.
    ///
    /// # Errors
    /// NOT_FOUND if there is no such record, otherwise what happened.
    fn delete(&mut self, op: Delete<'_>) -> Answer {
        let _ = op;
        Err(Failure::not_implemented())
    }

    /// Writes many whole records in one request.
    ///
    /// # Errors
    /// What happened to all records that [`Batch`] was told nothing about.
    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        let _ = batch;
        Err(Failure::not_implemented())
    }

    /// The last call: flush, say goodbye. Measured as CLEANUP.
    ///
    /// # Errors
    /// What happened.
    fn end(&mut self) -> Answer {
        Ok(Done::OK)
    }
}
