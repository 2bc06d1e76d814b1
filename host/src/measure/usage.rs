//! What the host process itself took: processor time, waiting for a processor, context switches, memory.

use super::machine::{field, kibibytes};
use crate::base::os;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What one thread took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadUsage {
    /// Name of the thread.
    pub name: String,
    /// Time on a processor, nanoseconds.
    pub cpu_ns: u64,
    /// Time in which it could have run and no processor was free, nanoseconds.
    pub run_queue_delay_ns: u64,
    /// Times it gave up the processor to wait for something.
    pub voluntary_switches: u64,
    /// Times the processor was taken from it.
    pub involuntary_switches: u64,
}

impl ThreadUsage {
    /// What the calling thread took so far.
    pub fn of_this_thread() -> Self {
        let folder = format!("/proc/self/task/{}", os::thread_id());
        let read = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).unwrap_or_default();
        ThreadUsage::parse(&read("schedstat"), &read("status"))
    }

    /// Reads `/proc/PID/task/TID/schedstat` and `status`; what they do not tell is 0.
    fn parse(schedstat: &str, status: &str) -> Self {
        let mut times = schedstat.split_ascii_whitespace().map(|word| word.parse().unwrap_or(0));
        let count = |name| field(status, name, ':').and_then(|value| value.parse().ok()).unwrap_or(0);
        ThreadUsage {
            name: field(status, "Name", ':').unwrap_or_default(),
            cpu_ns: times.next().unwrap_or(0),
            run_queue_delay_ns: times.next().unwrap_or(0),
            voluntary_switches: count("voluntary_ctxt_switches"),
            involuntary_switches: count("nonvoluntary_ctxt_switches"),
        }
    }

    /// What was taken since an earlier reading.
    pub fn since(&self, earlier: &ThreadUsage) -> ThreadUsage {
        ThreadUsage {
            name: self.name.clone(),
            cpu_ns: self.cpu_ns.saturating_sub(earlier.cpu_ns),
            run_queue_delay_ns: self.run_queue_delay_ns.saturating_sub(earlier.run_queue_delay_ns),
            voluntary_switches: self.voluntary_switches.saturating_sub(earlier.voluntary_switches),
            involuntary_switches: self.involuntary_switches.saturating_sub(earlier.involuntary_switches),
        }
    }
}

/// What the process and each of its threads took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessUsage {
    /// Processor time of all threads, also of those that have ended, nanoseconds.
    pub cpu_ns: u64,
    /// Most memory that was in use at once, bytes.
    pub peak_memory_bytes: u64,
    /// Living threads by the kernel's number.
    pub threads: BTreeMap<i32, ThreadUsage>,
}

impl ProcessUsage {
    /// What this process took so far.
    pub fn read() -> Self {
        ProcessUsage { cpu_ns: os::process_cpu_ns(), ..ProcessUsage::read_below(Path::new("/proc/self")) }
    }

    /// Memory and threads, from a folder that looks like `/proc/self`.
    fn read_below(folder: &Path) -> Self {
        let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
        let tasks = std::fs::read_dir(folder.join("task")).into_iter().flatten().flatten();
        let thread = |task: std::fs::DirEntry| {
            let number = task.file_name().to_str()?.parse().ok()?;
            let path = task.path();
            Some((number, ThreadUsage::parse(&text(&path.join("schedstat")), &text(&path.join("status")))))
        };
        ProcessUsage {
            cpu_ns: 0,
            peak_memory_bytes: kibibytes(&text(&folder.join("status")), "VmHWM").unwrap_or(0),
            threads: tasks.filter_map(thread).collect(),
        }
    }

    /// What was taken since an earlier reading; threads that began in between are counted whole.
    pub fn since(&self, earlier: &ProcessUsage) -> ProcessUsage {
        let nothing = ThreadUsage::default();
        let thread = |(number, usage): (&i32, &ThreadUsage)| {
            (*number, usage.since(earlier.threads.get(number).unwrap_or(&nothing)))
        };
        ProcessUsage {
            cpu_ns: self.cpu_ns.saturating_sub(earlier.cpu_ns),
            peak_memory_bytes: self.peak_memory_bytes,
            threads: self.threads.iter().map(thread).collect(),
        }
    }

    /// Waiting for a processor, all living threads together, nanoseconds.
    pub fn run_queue_delay_ns(&self) -> u64 {
        self.threads.values().map(|thread| thread.run_queue_delay_ns).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str = "Name:\tclient-3\nVmHWM:\t   2048 kB\nThreads:\t4\nvoluntary_ctxt_switches:\t150\n\
                          nonvoluntary_ctxt_switches:\t7\n";

    #[test]
    fn a_thread_is_read_from_its_two_files() {
        let usage = ThreadUsage::parse("2500000 130000 12\n", STATUS);
        assert_eq!(
            usage,
            ThreadUsage {
                name: "client-3".into(),
                cpu_ns: 2_500_000,
                run_queue_delay_ns: 130_000,
                voluntary_switches: 150,
                involuntary_switches: 7,
            }
        );
        assert_eq!(ThreadUsage::parse("", "garbage"), ThreadUsage::default());
    }

    #[test]
    fn a_process_is_read_with_all_its_threads() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("status"), STATUS).unwrap();
        for (thread, delay_ns) in [(11, 5), (12, 7)] {
            let task = folder.path().join(format!("task/{thread}"));
            std::fs::create_dir_all(&task).unwrap();
            std::fs::write(task.join("schedstat"), format!("100 {delay_ns} 1")).unwrap();
        }
        let usage = ProcessUsage::read_below(folder.path());
        assert_eq!(usage.peak_memory_bytes, 2048 * 1024);
        assert_eq!(usage.threads.keys().copied().collect::<Vec<_>>(), [11, 12]);
        assert_eq!(usage.run_queue_delay_ns(), 12);
    }

    #[test]
    fn the_difference_of_two_readings_is_what_was_taken_in_between() {
        let thread =
            |cpu_ns, switches| ThreadUsage { cpu_ns, voluntary_switches: switches, ..ThreadUsage::default() };
        let reading = |cpu_ns, threads: &[(i32, ThreadUsage)]| ProcessUsage {
            cpu_ns,
            peak_memory_bytes: cpu_ns,
            threads: threads.iter().cloned().collect(),
        };
        let earlier = reading(100, &[(1, thread(40, 2))]);
        let later = reading(175, &[(1, thread(60, 5)), (2, thread(9, 1))]);
        assert_eq!(
            later.since(&earlier),
            ProcessUsage {
                cpu_ns: 75,
                peak_memory_bytes: 175,
                threads: BTreeMap::from([(1, thread(20, 3)), (2, thread(9, 1))]),
            }
        );
    }

    #[test]
    fn this_thread_is_one_of_this_process() {
        let usage = ProcessUsage::read();
        assert!(usage.peak_memory_bytes > 0 && usage.threads.contains_key(&os::thread_id()));
        assert!(!ThreadUsage::of_this_thread().name.is_empty());
    }
}
