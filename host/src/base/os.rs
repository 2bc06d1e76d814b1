//! The few calls into the operating system that the standard library does not offer.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::num::NonZero;
use std::ops::Deref;
use std::os::fd::{AsFd, AsRawFd, FromRawFd};
use std::os::unix::fs::FileExt;
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

/// Nanoseconds of CLOCK_MONOTONIC.
pub fn monotonic_ns() -> u64 {
    clock_ns(libc::CLOCK_MONOTONIC)
}

/// Processor time of the calling thread in nanoseconds.
pub fn thread_cpu_ns() -> u64 {
    clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Processor time of the whole process in nanoseconds.
pub fn process_cpu_ns() -> u64 {
    clock_ns(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn clock_ns(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the result, and the clocks used here exist on every Linux.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Asks the kernel to wake the calling thread as near to the requested time as it can (1 ns of slack in
/// place of 50 us).
pub fn wake_this_thread_precisely() {
    // SAFETY: PR_SET_TIMERSLACK takes one number and touches no memory of ours.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1 as libc::c_ulong) };
}

/// Processors that this process may use, at least 1. Asked of the system once, which reads files for the answer.
pub fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

/// The kernel's number of the calling thread, as in `/proc/self/task`.
pub fn thread_id() -> i32 {
    // SAFETY: gettid has no arguments and cannot fail.
    unsafe { libc::gettid() }
}

/// Ends the process at once: no destructors, no exit handlers.
///
/// The end of a run in which a call into a plugin never returned: its thread still owns memory that
/// destructors would free.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: _exit takes a number and does not return.
    unsafe { libc::_exit(code) }
}

/// The heap of the C library, which the host and most plugins share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heap {
    /// Allocated and not freed, bytes.
    pub allocated_bytes: u64,
    /// Taken from the system, bytes: what is allocated, and what was freed and is kept for later.
    pub taken_bytes: u64,
}

/// Reads the heap of the C library. Memory of plugins with an allocator of their own is not in it.
pub fn heap() -> Heap {
    // SAFETY: takes no arguments, and glibc locks each arena while it counts.
    let counted = unsafe { libc::mallinfo2() };
    Heap {
        allocated_bytes: (counted.uordblks + counted.hblkhd) as u64,
        taken_bytes: (counted.arena + counted.hblkhd) as u64,
    }
}

/// Whether stdout is still open at the other end: a pipe whose reader has gone reports an error.
pub fn stdout_is_readable_by_someone() -> bool {
    let mut poll = libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 };
    // SAFETY: one valid pollfd, no waiting.
    unsafe { libc::poll(&mut poll, 1, 0) };
    poll.revents & libc::POLLERR == 0
}

/// Catches what the process writes on stdout and stderr, until it is dropped.
///
/// The way to notice a plugin that prints. Writing to the terminal meanwhile goes through
/// [`stdout`](Self::stdout) and [`stderr`](Self::stderr).
#[derive(Debug)]
pub struct DivertedOutput {
    caught: File,
    stdout: File,
    stderr: File,
}

impl DivertedOutput {
    /// Begins to catch.
    ///
    /// # Errors
    /// The operating system's answer; nothing is diverted then.
    pub fn begin() -> io::Result<Self> {
        // SAFETY: a name that ends with NUL; the call makes a new descriptor.
        let descriptor = unsafe { libc::memfd_create(c"output".as_ptr(), libc::MFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor was just made and belongs to nobody else.
        let caught = unsafe { File::from_raw_fd(descriptor) };
        let stdout = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let stderr = File::from(io::stderr().as_fd().try_clone_to_owned()?);
        let diverted = DivertedOutput { caught, stdout, stderr };
        // Half of it done, the drop undoes.
        replace(libc::STDOUT_FILENO, &diverted.caught)?;
        replace(libc::STDERR_FILENO, &diverted.caught)?;
        Ok(diverted)
    }

    /// What was written so far.
    pub fn caught(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut part = [0; 4096];
        // What cannot be read was not caught.
        while let Ok(length @ 1..) = self.caught.read_at(&mut part, text.len() as u64) {
            text.extend_from_slice(&part[..length]);
        }
        text
    }

    /// The real stdout.
    pub fn stdout(&self) -> &File {
        &self.stdout
    }

    /// The real stderr.
    pub fn stderr(&self) -> &File {
        &self.stderr
    }
}

impl Drop for DivertedOutput {
    fn drop(&mut self) {
        let _ = replace(libc::STDOUT_FILENO, &self.stdout);
        let _ = replace(libc::STDERR_FILENO, &self.stderr);
    }
}

/// Makes a descriptor lead to where a file leads.
fn replace(descriptor: libc::c_int, file: &File) -> io::Result<()> {
    // SAFETY: two open descriptors; nobody owns those of stdout and stderr, which stay open throughout.
    match unsafe { libc::dup2(file.as_raw_fd(), descriptor) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// A table of counters that starts as zeroes and takes memory only where it is touched.
///
/// The pages are mapped when they are first written; huge pages are declined, since a table of which a few
/// kilobytes are in use would otherwise hold two megabytes.
#[derive(Debug)]
pub struct ZeroedCounters {
    first: NonNull<AtomicU64>,
    len: usize,
}

// SAFETY: the memory belongs to this value alone, and atomics may be shared and sent.
unsafe impl Send for ZeroedCounters {}
// SAFETY: as above; only shared references to the atomics are handed out.
unsafe impl Sync for ZeroedCounters {}

impl ZeroedCounters {
    /// `len` counters, all 0.
    ///
    /// When the address space is used up the program ends as for any other failed allocation.
    pub fn new(len: usize) -> Self {
        let size = Self::size_bytes(len);
        // SAFETY: a fresh private mapping that touches nothing that exists.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        let first = (address != libc::MAP_FAILED).then_some(address.cast::<AtomicU64>());
        let Some(first) = first.and_then(NonNull::new) else {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<u64>());
        };
        // SAFETY: the range is the mapping made above. Advice only: a kernel without huge pages refuses it.
        unsafe { libc::madvise(address, size, libc::MADV_NOHUGEPAGE) };
        ZeroedCounters { first, len }
    }

    fn size_bytes(len: usize) -> usize {
        (len * size_of::<AtomicU64>()).max(1)
    }
}

impl Deref for ZeroedCounters {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: `first` points to `len` zeroed, page-aligned words that live as long as `self`; any bits are
        // a valid AtomicU64, and nobody holds a mutable reference to them.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl Drop for ZeroedCounters {
    fn drop(&mut self) {
        // SAFETY: the mapping made by `new`, of the same size; no reference outlives `self`.
        unsafe { libc::munmap(self.first.as_ptr().cast(), Self::size_bytes(self.len)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn counters_start_at_zero_and_keep_what_is_stored() {
        let counters = ZeroedCounters::new(40_000);
        assert!(counters.iter().all(|counter| counter.load(Ordering::Relaxed) == 0));
        counters[39_999].store(7, Ordering::Relaxed);
        assert_eq!(counters[39_999].load(Ordering::Relaxed), 7);
        assert_eq!(counters.len(), 40_000);
    }

    #[test]
    fn an_empty_table_is_allowed() {
        assert!(ZeroedCounters::new(0).is_empty());
    }
}
