//! The table of an async binding: its runtime, its timer, and the tasks of its clients.

use super::client_task::{ClientTask, Link, NextStep};
use super::fence::{fence, fence_and_log, log};
use super::library::{BindingHead, Opening};
use super::system::monotonic_ns;
use super::views::slice_of;
use crate::abi::{self, Handle, Outcome, Pull, RunArgs, Status, status};
use crate::pull::{Latch, Timer, fenced, until};
use crate::{AsyncBinding, Env, Failure, Settings};
use std::mem::transmute;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::AbortHandle;

/// How long `close` waits for the author's `close`.
const CLOSE_NS: u64 = 1_000_000_000;
/// How long the runtime's threads may take to end; what is stuck is left behind.
const SHUTDOWN: Duration = Duration::from_millis(100);
/// The slot of the timer for `open` and `close`, when there are no clients.
const OWN_SLOT: usize = 0;

#[repr(C)]
struct OpenBinding<B> {
    head: BindingHead,
    runtime: Runtime,
    timer: Timer,
    binding: Arc<B>,
    /// The tasks of the `run` that goes on.
    tasks: Mutex<Vec<AbortHandle>>,
}

trait Table {
    const TABLE: Pull;
}

impl<B: AsyncBinding> Table for B {
    const TABLE: Pull = Pull { run: run::<B>, cancel: cancel::<B> };
}

pub(super) fn open<B: AsyncBinding>(
    settings: &Settings<'_>,
    env: &Env<'_>,
    opened: &mut abi::Opened,
) -> Result<Opening, Failure> {
    let workers = fence(|| B::workers(settings, env)).map_err(Failure::from).flatten()?;
    let runtime = Builder::new_multi_thread()
        .worker_threads(workers.max(1))
        .thread_name(format!("ycsb-{}", B::INFO.name()))
        .enable_all()
        .build()
        .map_err(|error| Failure::from_io(&error).context("the runtime of the plugin does not start"))?;
    let timer = Timer::start()
        .map_err(|error| Failure::from_io(&error).context("the timer of the plugin does not start"))?;
    timer.reserve(env.clients().min(1 << 20));
    let deadline_ns = env.deadline().as_ns().unwrap_or(0);
    let result = block_on(&runtime, &timer, deadline_ns, || B::open(settings, env)).and_then(|result| {
        result.unwrap_or_else(|| Err(Failure::timeout("opening took longer than it may")))
    });
    let crate::Opened { binding, detail, capabilities } = match result {
        Ok(opened) => opened,
        Err(failure) => {
            runtime.shutdown_timeout(SHUTDOWN);
            return Err(failure);
        }
    };
    let open = Box::new(OpenBinding {
        head: BindingHead { close: close::<B> },
        runtime,
        timer,
        binding: Arc::new(binding),
        tasks: Mutex::default(),
    });
    opened.binding = Handle(Box::into_raw(open).cast());
    opened.pull = Some(const { &B::TABLE });
    Ok(Opening { detail, capabilities })
}

/// Waits on this thread for what `call` returns; `None` if it suspends past the deadline (0 = none).
fn block_on<F: Future>(
    runtime: &Runtime,
    timer: &Timer,
    deadline_ns: u64,
    call: impl FnOnce() -> F,
) -> Result<Option<F::Output>, Failure> {
    let mut alarm = timer.alarm(OWN_SLOT);
    // The block owns the future, so that the call and the future's end are inside the fence too.
    let whole = pin!(async { until(pin!(call()), deadline_ns, &mut alarm).await });
    runtime.block_on(fenced(whole)).map_err(Failure::from)
}

/// # Safety
/// The handle was made by [`open`] for the same `B` and is not used again.
unsafe fn close<B: AsyncBinding>(handle: Handle) {
    // SAFETY: the caller's promise.
    let open = unsafe { Box::from_raw(handle.0.cast::<OpenBinding<B>>()) };
    let OpenBinding { runtime, timer, binding, .. } = *open;
    // A run that was given up still holds the binding; the runtime drops it with the tasks.
    if let Some(binding) = Arc::into_inner(binding) {
        // Neither a panic nor being late leaves anything more to do than to say so.
        match block_on(&runtime, &timer, monotonic_ns() + CLOSE_NS, || binding.close()) {
            Ok(Some(())) => {}
            Ok(None) => log("closing took longer than a second and was given up"),
            Err(failure) => log(failure.text()),
        }
    }
    runtime.shutdown_timeout(SHUTDOWN);
}

/// # Safety
/// The handle was made by [`open`] for the same `B` and is not closed during `'a`.
unsafe fn binding_of<'a, B: AsyncBinding>(handle: Handle) -> &'a OpenBinding<B> {
    // SAFETY: the caller's promise.
    unsafe { &*handle.0.cast::<OpenBinding<B>>() }
}

extern "C" fn run<B: AsyncBinding>(binding: Handle, args: &RunArgs<'_>, outcome: &mut Outcome) -> Status {
    // SAFETY: the host passes a handle that it got with this table and has not closed.
    let open = unsafe { binding_of::<B>(binding) };
    let latch = Arc::new(Latch::default());
    // SAFETY: a change of a lifetime alone. The host promises that a step lives until the next one is asked
    // for, and `Link` hands it out for no longer.
    let next: NextStep = unsafe { transmute(args.next) };
    let started = fence(|| open.start(next, slice_of(args.clients), &latch));
    if started.is_err() {
        open.abort();
    }
    // The arguments and all client memory are the host's again after the return: every task has to be gone.
    latch.wait();
    open.forget_tasks();
    match started {
        Ok(()) => status::OK,
        Err(panicked) => panicked.record(outcome),
    }
}

extern "C" fn cancel<B: AsyncBinding>(binding: Handle) {
    // SAFETY: the host passes a handle that it got with this table and has not closed.
    let open = unsafe { binding_of::<B>(binding) };
    fence_and_log(|| open.abort());
}

impl<B: AsyncBinding> OpenBinding<B> {
    fn start(&self, next: NextStep, clients: &[Handle], latch: &Arc<Latch>) {
        self.timer.reserve(clients.len());
        // Held until all tasks are known, so that a cancel meanwhile waits for the last and finds it.
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        for (slot, &client) in clients.iter().enumerate() {
            let task = ClientTask {
                session: None,
                alarm: self.timer.alarm(slot),
                binding: Arc::clone(&self.binding),
                link: Link::new(next, client),
                guard: latch.guard(),
            };
            tasks.push(self.runtime.spawn(task.run()).abort_handle());
        }
    }

    fn abort(&self) {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(AbortHandle::abort);
    }

    fn forget_tasks(&self) {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
