//! What follows an operation that was cut short, by its deadline or by `socketTimeoutMS`.
//!
//! A dropped operation takes its connection with it, or leaves its request for one in the queue of the driver's pool.
//! The pool serves one request per event, also those that nobody waits for any more, and while nothing else happens it
//! has two events a second: some dozens of such requests hold up the next operation for as many half seconds. So the
//! session first gets its connection back with a ping that nothing cuts short, and leaves no more requests meanwhile.

use crate::store::Store;
use tokio::task::JoinHandle;
use ycsb_plugin_api::Failure;

/// Whether a session has a connection to count on.
#[derive(Default)]
pub(crate) struct Renewal {
    /// The last operation has not ended by itself.
    due: bool,
    ping: Option<JoinHandle<Result<(), Failure>>>,
}

impl Renewal {
    /// Runs an operation, after what the one before may have left over.
    ///
    /// # Errors
    /// That of the operation, or why there is no connection.
    #[inline]
    pub(crate) async fn run<T>(
        &mut self,
        store: &Store,
        operation: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        if self.due {
            self.renew(store).await?;
        }
        // It stays so if this future is dropped before the operation ends.
        self.due = true;
        let ended = operation.await;
        self.due = false;
        ended
    }

    /// Waits for the ping. When this is dropped the ping goes on, and the next operation waits for the same one.
    #[cold]
    async fn renew(&mut self, store: &Store) -> Result<(), Failure> {
        let ping = self.ping.get_or_insert_with(|| {
            let store = store.clone();
            tokio::spawn(async move { store.ping().await })
        });
        let ended = ping.await;
        self.ping = None;
        ended.unwrap_or_else(|_| Err(Failure::unavailable("the connection was closed at the end of the run")))
    }
}
