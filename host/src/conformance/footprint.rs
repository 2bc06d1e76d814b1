//! What this process holds: threads, open files, memory. Used to find what a plugin leaves behind.

use crate::base::os;
use std::fmt;
use std::time::{Duration, Instant};

/// What this process holds at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footprint {
    pub(super) threads: u64,
    pub(super) files: u64,
    /// Memory in use, bytes: what any allocator took from the system, and stacks.
    pub(super) memory_bytes: u64,
    /// Allocated from the heap of the C library and not freed, bytes. Memory that was freed earlier hides this
    /// from the system.
    pub(super) allocated_bytes: u64,
    /// What that heap took from the system, bytes. It grows by itself, when what is free lies in pieces.
    pub(super) heap_bytes: u64,
}

const PAGE_BYTES: u64 = 4096;
/// Growth of what is allocated per cycle that counts. A session that is forgotten is larger.
const ALLOCATED_GROWTH_BYTES: u64 = 256;
/// Growth of a part that never counts, however few cycles it has: caches and buffers come and go.
const ALLOCATED_ALLOWED_BYTES: u64 = 64 << 10;
/// The same for memory outside of the C library's heap, where allocators of plugins take it in advance.
const ELSEWHERE_GROWTH_BYTES: u64 = 1024;
const ELSEWHERE_ALLOWED_BYTES: u64 = 1 << 20;

impl Footprint {
    /// Reads it now.
    pub(super) fn read() -> Footprint {
        let entries = |path: &str| std::fs::read_dir(path).map_or(0, |entries| entries.count() as u64);
        let pages = std::fs::read_to_string("/proc/self/statm").ok();
        let pages = pages.and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
        let heap = os::heap();
        Footprint {
            threads: entries("/proc/self/task"),
            files: entries("/proc/self/fd"),
            memory_bytes: pages.unwrap_or(0) * PAGE_BYTES,
            allocated_bytes: heap.allocated_bytes,
            heap_bytes: heap.taken_bytes,
        }
    }

    /// Memory that is not in the C library's heap, bytes.
    fn elsewhere_bytes(&self) -> u64 {
        self.memory_bytes.saturating_sub(self.heap_bytes)
    }

    /// Reads it once threads that are about to end have ended: no more than before, or a second later.
    pub(super) fn read_settled(before: &Footprint) -> Footprint {
        let until = Instant::now() + Duration::from_secs(1);
        loop {
            let now = Footprint::read();
            if (now.threads <= before.threads && now.files <= before.files) || Instant::now() >= until {
                return now;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (memory_kib, allocated_kib) = (self.memory_bytes / 1024, self.allocated_bytes / 1024);
        let Footprint { threads, files, .. } = self;
        write!(f, "{threads} threads, {files} open files, {memory_kib} KiB ({allocated_kib} KiB allocated)")
    }
}

/// What grew over equal numbers of cycles, in words; `None` if nothing did. The first reading was taken before
/// all of them.
///
/// Threads and files grow if half of the cycles left one behind; memory grows if every part after the first,
/// which warms caches up, took more than what allocators and caches do by themselves.
pub(super) fn growth(readings: &[Footprint], cycles_per_part: u64) -> Option<String> {
    let (first, last) = (readings.first()?, readings.last()?);
    let cycles = cycles_per_part * (readings.len() as u64 - 1);
    let half = (cycles / 2).max(1);
    let by = |then: u64, now: u64| now.saturating_sub(then);
    let threads = by(first.threads, last.threads);
    let files = by(first.files, last.files);
    // Bytes per cycle after the first part, if every part took more.
    let steadily = |of: fn(&Footprint) -> u64, per_cycle_bytes: u64, always_bytes: u64| {
        let allowed_bytes = (per_cycle_bytes * cycles_per_part).max(always_bytes);
        let too_much = |pair: &[Footprint]| by(of(&pair[0]), of(&pair[1])) > allowed_bytes;
        let grew = readings.len() > 2 && readings.windows(2).skip(1).all(too_much);
        grew.then(|| by(of(&readings[1]), of(last)) / (cycles - cycles_per_part).max(1))
    };
    let memory = steadily(|one| one.allocated_bytes, ALLOCATED_GROWTH_BYTES, ALLOCATED_ALLOWED_BYTES)
        .or_else(|| steadily(Footprint::elsewhere_bytes, ELSEWHERE_GROWTH_BYTES, ELSEWHERE_ALLOWED_BYTES));
    let told = match memory {
        _ if threads >= half => format!("{threads} threads more"),
        _ if files >= half => format!("{files} open files more"),
        Some(bytes) => format!("{bytes} bytes of memory more per cycle"),
        None => return None,
    };
    Some(format!("{told} after {cycles} cycles: from {first} to {last}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(of: impl Fn(u64) -> (u64, u64, u64)) -> Vec<Footprint> {
        (0..5)
            .map(|part| {
                let (threads, files, memory_kib) = of(part);
                Footprint {
                    threads,
                    files,
                    memory_bytes: memory_kib * 1024,
                    allocated_bytes: 0,
                    heap_bytes: 0,
                }
            })
            .collect()
    }

    #[test]
    fn one_thread_file_or_kibibyte_per_cycle_is_growth() {
        assert!(growth(&readings(|part| (5 + part * 250, 9, 8_000)), 250).is_some());
        assert!(growth(&readings(|part| (5, 9 + part * 250, 8_000)), 250).is_some());
        let text = growth(&readings(|part| (5, 9, 8_000 + part * 1_250)), 250).expect("growth");
        assert!(text.starts_with("5120 bytes of memory more per cycle after 1000 cycles"), "{text}");
    }

    #[test]
    fn warming_up_and_noise_are_not_growth() {
        assert_eq!(growth(&readings(|part| (5 + part, 9, 8_000 + 5_000 * part.min(1))), 250), None);
        assert_eq!(
            growth(&readings(|part| (5, 9, 8_000 + [0, 9_000, 18_000, 18_000, 27_000][part as usize])), 250),
            None
        );
    }

    fn allocating(bytes_per_cycle: u64, cycles_per_part: u64) -> Option<String> {
        let mut readings = readings(|_| (5, 9, 8_000));
        (0..).zip(&mut readings).for_each(|(part, one)| {
            one.allocated_bytes = 1_000_000 + part * bytes_per_cycle * cycles_per_part;
        });
        growth(&readings, cycles_per_part)
    }

    #[test]
    fn what_is_allocated_counts_where_the_system_sees_no_growth() {
        let text = allocating(300, 250).expect("growth");
        assert!(text.starts_with("300 bytes of memory more per cycle"), "{text}");
        assert_eq!(allocating(200, 250), None);
    }

    #[test]
    fn a_heap_that_falls_to_pieces_is_not_growth() {
        let mut readings = readings(|part| (5, 9, 8_000 + part * 5_000));
        (0..).zip(&mut readings).for_each(|(part, one)| one.heap_bytes = (4_000 + part * 5_000) * 1024);
        assert_eq!(growth(&readings, 250), None);
    }

    #[test]
    fn after_few_cycles_only_much_memory_counts() {
        assert_eq!(allocating(12_000, 5), None);
        assert!(allocating(14_000, 5).is_some());
    }

    #[test]
    fn this_process_has_threads_files_and_memory() {
        let now = Footprint::read();
        assert!(now.threads >= 1 && now.files >= 1 && now.memory_bytes > 100_000, "{now}");
        let held = vec![1_u8; 1 << 20];
        assert!(Footprint::read().allocated_bytes >= now.allocated_bytes.max(1 << 20), "{now}");
        drop(held);
    }
}
