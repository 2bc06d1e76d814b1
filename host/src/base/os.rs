//! The few calls into the operating system that the standard library does not offer.
#![allow(unsafe_code)]

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

/// Whether stdout is still open at the other end: a pipe whose reader has gone reports an error.
pub fn stdout_is_readable_by_someone() -> bool {
    let mut poll = libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 };
    // SAFETY: one valid pollfd, no waiting.
    unsafe { libc::poll(&mut poll, 1, 0) };
    poll.revents & libc::POLLERR == 0
}
