//! How blocking sessions use an asynchronous driver: lanes.
//!
//! A lane is a runtime without threads and a client of the driver that lives on it. The session that waits drives the
//! runtime itself, on its own thread: no answer travels from one thread to another. When there are more sessions than
//! lanes, several share one; tokio lets one of them drive and wakes the others.

use crate::connect::Connected;
use crate::renewal::Renewal;
use crate::store::Store;
use futures_util::task::AtomicWaker;
use mongodb::Client;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use ycsb_plugin_api::{Deadline, Failure};

/// Most lanes. Each costs a connection more, with which the driver watches the server.
const MOST_LANES: usize = 32;

/// While no session drives a lane, the driver's watch over the server rests, and would take its own rest for the
/// server's silence. So a lane that nobody used is driven this often, for this long.
const CARE_INTERVAL: Duration = Duration::from_secs(2);
const CARE: Duration = Duration::from_millis(20);

/// All lanes of a binding.
pub(crate) struct Lanes {
    connected: Connected,
    lanes: Vec<Mutex<Option<Arc<Lane>>>>,
    stop_signs: Mutex<Vec<Arc<StopSign>>>,
    /// Ends the caretaker when dropped.
    care: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
    cared_for: Arc<Mutex<Vec<Arc<Lane>>>>,
}

/// What a session needs for waiting.
pub(crate) struct Waiting {
    renewal: Renewal,
    stop: Arc<StopSign>,
}

/// The end of the run, as one session sees it.
#[derive(Default)]
struct StopSign {
    stopped: AtomicBool,
    waiting: AtomicWaker,
}

impl StopSign {
    fn tell(&self) {
        self.stopped.store(true, SeqCst);
        self.waiting.wake();
    }

    /// Whether the run is over; if not, the task is woken when it is.
    fn is_told(&self, context: &Context<'_>) -> bool {
        self.waiting.register(context.waker());
        self.stopped.load(SeqCst)
    }
}

#[cold]
fn stopped() -> Failure {
    Failure::timeout("no answer before the run ended")
}

/// A runtime and what lives on it.
pub(crate) struct Lane {
    /// Only taken by `drop`.
    runtime: Option<Runtime>,
    client: Client,
    store: Store,
    used: AtomicBool,
    operation_limit: Option<Duration>,
}

impl Lanes {
    pub(crate) fn new(connected: Connected, clients: usize) -> Lanes {
        // More lanes than connections would exceed what the URL allows.
        let count = clients.min(MOST_LANES).min(connected.connections() as usize).max(1);
        Lanes {
            connected,
            lanes: (0..count).map(|_| Mutex::new(None)).collect(),
            stop_signs: Mutex::default(),
            care: Mutex::new(None),
            cared_for: Arc::default(),
        }
    }

    /// The lane of a session; opened by the first one.
    ///
    /// # Errors
    /// What happened.
    pub(crate) fn lane(&self, client: usize) -> Result<Arc<Lane>, Failure> {
        let index = client % self.lanes.len();
        let mut lane = self.lanes[index].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lane) = &*lane {
            return Ok(Arc::clone(lane));
        }
        let opened = Arc::new(self.open(index)?);
        self.cared_for.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&opened));
        self.take_care()?;
        *lane = Some(Arc::clone(&opened));
        Ok(opened)
    }

    fn open(&self, index: usize) -> Result<Lane, Failure> {
        let runtime = runtime()?;
        // The first lanes take what does not divide evenly.
        let (all, count) = (self.connected.connections() as usize, self.lanes.len());
        let connections = all / count + usize::from(index < all % count);
        let connections = u32::try_from(connections).unwrap_or(u32::MAX);
        let (client, store) = runtime.block_on(self.connected.client(connections))?;
        Ok(Lane {
            runtime: Some(runtime),
            client,
            store,
            used: AtomicBool::new(true),
            operation_limit: self.connected.operation_limit,
        })
    }

    fn take_care(&self) -> Result<(), Failure> {
        let mut care = self.care.lock().unwrap_or_else(PoisonError::into_inner);
        if care.is_none() {
            let (end, ended) = channel::<()>();
            let lanes = Arc::clone(&self.cared_for);
            let caretaker = std::thread::Builder::new().name("mongodb-lanes".into()).spawn(move || {
                while ended.recv_timeout(CARE_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    let lanes = lanes.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    lanes
                        .iter()
                        .filter(|lane| !lane.used.swap(false, Relaxed))
                        .for_each(|lane| lane.drive(CARE));
                }
            })?;
            *care = Some((end, caretaker));
        }
        Ok(())
    }

    /// What a new session waits with.
    pub(crate) fn waiting(&self) -> Waiting {
        let stop = Arc::<StopSign>::default();
        self.stop_signs.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&stop));
        Waiting { renewal: Renewal::default(), stop }
    }

    /// Ends all waits.
    pub(crate) fn interrupt(&self) {
        let stop_signs = self.stop_signs.lock().unwrap_or_else(PoisonError::into_inner);
        stop_signs.iter().for_each(|sign| sign.tell());
    }

    /// Says goodbye to the server.
    pub(crate) fn close(self) {
        let care = self.care.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((end, caretaker)) = care {
            drop(end);
            // It ends within the time that it drives the lanes for.
            let _ = caretaker.join();
        }
        let lanes = std::mem::take(&mut *self.cared_for.lock().unwrap_or_else(PoisonError::into_inner));
        for lane in &lanes {
            lane.goodbye();
        }
    }
}

/// A runtime that the calling thread drives.
///
/// # Errors
/// If the system gives no more file descriptors.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

impl Lane {
    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().unwrap_or_else(|| unreachable!("taken by drop alone"))
    }

    /// The operations.
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Waits for an operation on the calling thread, until its deadline or the end of the run.
    ///
    /// The operation stays where it is built, on the stack: it measures kilobytes, and every function that took it by value
    /// would move it.
    #[inline]
    pub(crate) fn wait<T>(
        &self,
        session: &mut Waiting,
        deadline: Deadline,
        operation: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        self.used.store(true, Relaxed);
        let limit = match (deadline.time_left(), self.operation_limit) {
            (Some(left), Some(limit)) => Some(left.min(limit)),
            (left, limit) => left.or(limit),
        };
        let operation = pin!(operation);
        let mut operation = pin!(session.renewal.run(&self.store, operation));
        let unless_stopped = poll_fn(|context| match operation.as_mut().poll(context) {
            Poll::Pending if session.stop.is_told(context) => Poll::Ready(Err(stopped())),
            ended => ended,
        });
        match limit {
            None => self.runtime().block_on(unless_stopped),
            Some(limit) => self.runtime().block_on(async {
                let ended = tokio::time::timeout(limit, unless_stopped).await;
                ended.unwrap_or_else(|_| Err(too_late(limit)))
            }),
        }
    }

    /// Lets the driver's own tasks run.
    fn drive(&self, time: Duration) {
        self.runtime().block_on(async { tokio::time::sleep(time).await });
    }

    /// Ends the client, unless the server does not answer.
    fn goodbye(&self) {
        let shutdown = self.client.clone().shutdown().immediate(true);
        self.runtime().block_on(async {
            let _ = tokio::time::timeout(Duration::from_millis(200), shutdown).await;
        });
    }
}

/// The failure of an operation that its limit ended.
#[cold]
pub(crate) fn too_late(limit: Duration) -> Failure {
    Failure::timeout(format!("no answer within {limit:?}"))
}

impl Drop for Lane {
    fn drop(&mut self) {
        // A name look-up that hangs must not hold up the end of the run.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
