//! The few calls into the operating system.

/// CLOCK_MONOTONIC in nanoseconds.
#[inline]
pub(crate) fn monotonic_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer leads to a timespec, and the clock exists on every Linux; the call cannot fail.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Lets the sleeps of the calling thread end on time, instead of up to 50 microseconds later.
#[cfg(feature = "tokio")]
pub(crate) fn precise_sleeps() {
    // SAFETY: the call takes a number and changes the calling thread only. If the kernel refuses, sleeps
    // are as imprecise as they were.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1_u64, 0_u64, 0_u64, 0_u64) };
}
