//! The async flavour: the plugin's own runtime runs one task per session.

use crate::{
    Answer, Batch, Client, Delete, Done, Env, Failure, Info, Opened, Read, Rows, Scan, Settings, Write,
};
use std::future::{Future, ready};

/// An async binding: configuration, pools, what sessions share.
///
/// One is opened per run, on a tokio runtime of its own with [`workers`](AsyncBinding::workers)
/// threads, which serves `open`, the sessions and their operations, and ends with `close`. Write the methods as `async fn`.
///
/// # Dropped operations
/// An operation is dropped at a suspension point when its deadline passes (the host counts a time-out, and
/// the session goes on) or when the run is cancelled. If the connection is unusable after that, say by half
/// an answer in its buffer, the session has to notice and connect anew.
///
/// # Blocking work
/// A call that blocks holds up every session on the same worker. Put it into `tokio::task::spawn_blocking`,
/// or declare `MAY_BLOCK_RUNTIME`.
///
/// # Example
/// ```
/// # #[cfg(feature = "tokio")] {
/// use ycsb_plugin_api::{
///     Answer, AsyncBinding, AsyncSession, Client, Done, Env, Failure, Info, Opened, Read, Rows, Settings,
///     capability::READ,
/// };
///
/// struct Pool;
/// struct Connection;
///
/// impl AsyncBinding for Pool {
///     const INFO: Info = Info::new("pool-async").capabilities(READ);
///     type Session = Connection;
///
///     async fn open(_: &Settings<'_>, _: &Env<'_>) -> Result<Opened<Pool>, Failure> {
///         Ok(Opened::new(Pool).detail("nothing"))
///     }
///
///     async fn session(&self, _: &Client<'_>) -> Result<Connection, Failure> {
///         Ok(Connection)
///     }
/// }
///
/// impl AsyncSession for Connection {
///     async fn read(&mut self, _: Read<'_>, rows: &mut Rows<'_>) -> Answer {
///         ycsb_plugin_api::tokio::task::yield_now().await;
///         rows.field("field0", b"value");
///         Ok(Done::OK)
///     }
/// }
///
/// ycsb_plugin_api::export_plugin!(tokio Pool);
/// # }
/// ```
pub trait AsyncBinding: Sized + Send + Sync + 'static {
    /// What the binding says of itself.
    const INFO: Info;

    /// One client's session.
    type Session: AsyncSession;

    /// Number of threads of the binding's runtime; 0 counts as 1. Called before the runtime is made.
    ///
    /// The default, [`Env::workers`], suits drivers that need much processor time per operation. Where an
    /// operation is little more than a request and an answer, fewer threads serve the same load with fewer
    /// wake-ups.
    ///
    /// # Errors
    /// BAD_REQUEST for settings that cannot be honoured.
    fn workers(settings: &Settings<'_>, env: &Env<'_>) -> Result<usize, Failure> {
        let _ = settings;
        Ok(env.workers())
    }

    /// As [`Binding::open`](crate::Binding::open); dropped at [`Env::deadline`].
    ///
    /// # Errors
    /// As [`Binding::open`](crate::Binding::open).
    fn open(
        settings: &Settings<'_>,
        env: &Env<'_>,
    ) -> impl Future<Output = Result<Opened<Self>, Failure>> + Send;

    /// As [`Binding::session`](crate::Binding::session).
    ///
    /// # Errors
    /// What happened; the run does not start.
    fn session(&self, client: &Client<'_>) -> impl Future<Output = Result<Self::Session, Failure>> + Send;

    /// Called once, after every session is gone. What is not done after a second is dropped.
    fn close(self) -> impl Future<Output = ()> + Send {
        async move { drop(self) }
    }
}

/// One client's session of an async binding: one operation at a time.
///
/// An operation that is not implemented answers NOT_IMPLEMENTED; declare in [`Info::capabilities`] what is.
/// The methods mean what those of [`Session`](crate::Session) mean.
pub trait AsyncSession: Send + 'static {
    /// Reads a record and hands its fields to `rows`.
    ///
    /// # Errors
    /// NOT_FOUND if there is no such record, otherwise what happened.
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> impl Future<Output = Answer> + Send {
        let _ = (op, rows);
        ready(Err(Failure::not_implemented()))
    }

    /// Reads up to [`Scan::limit`] records from [`Scan::key`] on.
    ///
    /// # Errors
    /// What happened.
    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> impl Future<Output = Answer> + Send {
        let _ = (op, rows);
        ready(Err(Failure::not_implemented()))
    }

    /// Changes the given fields of a record and keeps the others.
    ///
    /// # Errors
    /// NOT_FOUND if there is no such record (unless the binding declares `UPDATE_CREATES`), otherwise what
    /// happened.
    fn update(&mut self, op: Write<'_>) -> impl Future<Output = Answer> + Send {
        let _ = op;
        ready(Err(Failure::not_implemented()))
    }

    /// Writes a whole record.
    ///
    /// # Errors
    /// DUPLICATE if the key exists and the binding declares `DETECTS_DUPLICATES`, otherwise what happened.
    fn insert(&mut self, op: Write<'_>) -> impl Future<Output = Answer> + Send {
        let _ = op;
        ready(Err(Failure::not_implemented()))
    }

    /// Removes a record.
    ///
    /// # Errors
    /// NOT_FOUND if there is no such record, otherwise what happened.
    fn delete(&mut self, op: Delete<'_>) -> impl Future<Output = Answer> + Send {
        let _ = op;
        ready(Err(Failure::not_implemented()))
    }

    /// Writes many whole records in one request.
    ///
    /// # Errors
    /// What happened to all records that [`Batch`] was told nothing about.
    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> impl Future<Output = Answer> + Send {
        let _ = batch;
        ready(Err(Failure::not_implemented()))
    }

    /// The last call: flush, say goodbye. Measured as CLEANUP.
    ///
    /// # Errors
    /// What happened.
    fn end(&mut self) -> impl Future<Output = Answer> + Send {
        ready(Ok(Done::OK))
    }
}
