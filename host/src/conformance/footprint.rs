//! What this process holds: threads, open files, memory. Used to find what a plugin leaves behind.

use std::fmt;
use std::time::{Duration, Instant};

/// What this process holds at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footprint {
    pub(super) threads: u64,
    pub(super) files: u64,
    /// Memory in use, bytes.
    pub(super) memory_bytes: u64,
}

const PAGE_BYTES: u64 = 4096;
/// Memory per cycle that counts as growth: below lies what allocators do by themselves.
const GROWTH_BYTES: u64 = 1024;

impl Footprint {
    /// Reads it now.
    pub(super) fn read() -> Footprint {
        let entries = |path: &str| std::fs::read_dir(path).map_or(0, |entries| entries.count() as u64);
        let pages = std::fs::read_to_string("/proc/self/statm").ok();
        let pages = pages.and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
        Footprint {
            threads: entries("/proc/self/task"),
            files: entries("/proc/self/fd"),
            memory_bytes: pages.unwrap_or(0) * PAGE_BYTES,
        }
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
        let memory_kib = self.memory_bytes / 1024;
        write!(f, "{} threads, {} open files, {memory_kib} KiB", self.threads, self.files)
    }
}

/// What grew over equal numbers of cycles, in words; `None` if nothing did. The first reading was taken before
/// all of them.
///
/// Threads and files grow if half of the cycles left one behind; memory grows if every part after the first,
/// which warms caches up, took more than 1 KiB per cycle.
pub(super) fn growth(readings: &[Footprint], cycles_per_part: u64) -> Option<String> {
    let (first, last) = (readings.first()?, readings.last()?);
    let cycles = cycles_per_part * (readings.len() as u64 - 1);
    let half = (cycles / 2).max(1);
    let by = |then: u64, now: u64| now.saturating_sub(then);
    let threads = by(first.threads, last.threads);
    let files = by(first.files, last.files);
    let steadily = readings
        .windows(2)
        .skip(1)
        .all(|pair| by(pair[0].memory_bytes, pair[1].memory_bytes) > GROWTH_BYTES * cycles_per_part);
    let memory = by(readings.get(1)?.memory_bytes, last.memory_bytes);
    let told = match () {
        _ if threads >= half => format!("{threads} threads more"),
        _ if files >= half => format!("{files} open files more"),
        _ if readings.len() > 2 && steadily => {
            format!("{} bytes of memory more per cycle", memory / (cycles - cycles_per_part).max(1))
        }
        _ => return None,
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
                Footprint { threads, files, memory_bytes: memory_kib * 1024 }
            })
            .collect()
    }

    #[test]
    fn one_thread_file_or_kibibyte_per_cycle_is_growth() {
        assert!(growth(&readings(|part| (5 + part * 250, 9, 8_000)), 250).is_some());
        assert!(growth(&readings(|part| (5, 9 + part * 250, 8_000)), 250).is_some());
        let text = growth(&readings(|part| (5, 9, 8_000 + part * 500)), 250).expect("growth");
        assert!(text.starts_with("2048 bytes of memory more per cycle after 1000 cycles"), "{text}");
    }

    #[test]
    fn warming_up_and_noise_are_not_growth() {
        assert_eq!(growth(&readings(|part| (5 + part, 9, 8_000 + 5_000 * part.min(1))), 250), None);
        assert_eq!(
            growth(&readings(|part| (5, 9, 8_000 + [0, 900, 1_800, 1_800, 2_700][part as usize])), 250),
            None
        );
    }

    #[test]
    fn this_process_has_threads_files_and_memory() {
        let now = Footprint::read();
        assert!(now.threads >= 1 && now.files >= 1 && now.memory_bytes > 100_000, "{now}");
    }
}
