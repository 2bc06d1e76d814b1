//! The machine on which a run was measured, as far as it matters for the figures.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// Facts about hardware and kernel. `None` = not told by this machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineFacts {
    /// Model of the first processor.
    pub cpu_model: Option<String>,
    /// Processors online.
    pub cores: Option<u64>,
    /// Processors that a control group allows this process, 0.5 being half of one.
    pub core_quota: Option<f64>,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Release of the kernel.
    pub kernel: Option<String>,
    /// Name of the distribution.
    pub distribution: Option<String>,
    /// Frequency governor of the first processor.
    pub governor: Option<String>,
    /// Clock source of the kernel; anything but `tsc` makes reading the time expensive.
    pub clock_source: Option<String>,
    /// Who virtualizes the machine; `hypervisor` if it only says that someone does.
    pub virtualization: Option<String>,
}

impl MachineFacts {
    /// The facts of this machine.
    pub fn read() -> Self {
        Self::read_below(Path::new("/"))
    }

    /// The facts that `proc`, `sys` and `etc` below a folder tell.
    pub fn read_below(root: &Path) -> Self {
        let text = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
        let line = |path: &str| Some(text(path).trim().to_owned()).filter(|line| !line.is_empty());
        let cpuinfo = text("proc/cpuinfo");
        MachineFacts {
            cpu_model: field(&cpuinfo, "model name", ':'),
            cores: cores_in(&text("sys/devices/system/cpu/online")),
            core_quota: quota_in(&text("sys/fs/cgroup/cpu.max")),
            memory_bytes: kibibytes(&text("proc/meminfo"), "MemTotal"),
            kernel: line("proc/sys/kernel/osrelease"),
            distribution: field(&text("etc/os-release"), "PRETTY_NAME", '=')
                .map(|name| name.trim_matches('"').to_owned()),
            governor: line("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            clock_source: line("sys/devices/system/clocksource/clocksource0/current_clocksource"),
            virtualization: line("sys/hypervisor/type").or_else(|| {
                let hidden = cpuinfo.split_ascii_whitespace().any(|flag| flag == "hypervisor");
                hidden.then(|| line("sys/class/dmi/id/sys_vendor").unwrap_or_else(|| "hypervisor".to_owned()))
            }),
        }
    }
}

/// The value of the first line `name SEPARATOR value`.
pub(super) fn field(text: &str, name: &str, separator: char) -> Option<String> {
    text.lines().find_map(|line| {
        let (found, value) = line.split_once(separator)?;
        (found.trim() == name).then(|| value.trim().to_owned()).filter(|value| !value.is_empty())
    })
}

/// The value of a line `name: 12345 kB` in bytes.
pub(super) fn kibibytes(text: &str, name: &str) -> Option<u64> {
    field(text, name, ':')?.split_ascii_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Processors in a list like `0-3,8`.
fn cores_in(list: &str) -> Option<u64> {
    let count = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        last.parse::<u64>().ok()?.checked_sub(first.parse().ok()?)?.checked_add(1)
    };
    list.trim().split(',').map(count).sum()
}

/// Processors allowed by `QUOTA PERIOD`, both in microseconds; `None` for `max`.
fn quota_in(limit: &str) -> Option<f64> {
    let mut words = limit.split_ascii_whitespace();
    let (quota, period): (f64, f64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    (period > 0.0).then(|| quota / period)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(files: &[(&str, &str)]) -> MachineFacts {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        MachineFacts::read_below(root.path())
    }

    #[test]
    fn facts_are_read_from_the_files_of_a_virtual_machine() {
        let facts = machine(&[
            (
                "proc/cpuinfo",
                "processor\t: 0\nmodel name\t: Some CPU @ 2.3GHz\nflags\t\t: fpu hypervisor sse\n",
            ),
            ("proc/meminfo", "MemTotal:        8123456 kB\nMemFree: 1 kB\n"),
            ("proc/sys/kernel/osrelease", "6.1.0-17-amd64\n"),
            ("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
            ("sys/devices/system/cpu/online", "0-3,8\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
            ("sys/devices/system/clocksource/clocksource0/current_clocksource", "kvm-clock\n"),
            ("sys/class/dmi/id/sys_vendor", "QEMU\n"),
            ("sys/fs/cgroup/cpu.max", "150000 100000\n"),
        ]);
        assert_eq!(
            facts,
            MachineFacts {
                cpu_model: Some("Some CPU @ 2.3GHz".into()),
                cores: Some(5),
                core_quota: Some(1.5),
                memory_bytes: Some(8_123_456 * 1024),
                kernel: Some("6.1.0-17-amd64".into()),
                distribution: Some("Debian GNU/Linux 12 (bookworm)".into()),
                governor: Some("powersave".into()),
                clock_source: Some("kvm-clock".into()),
                virtualization: Some("QEMU".into()),
            }
        );
    }

    #[test]
    fn what_a_machine_does_not_tell_is_absent() {
        assert_eq!(machine(&[("sys/fs/cgroup/cpu.max", "max 100000\n")]), MachineFacts::default());
        let hidden = machine(&[("proc/cpuinfo", "flags : hypervisor\n")]);
        assert_eq!(hidden.virtualization.as_deref(), Some("hypervisor"));
    }

    #[test]
    fn garbage_in_the_files_is_not_believed() {
        let facts = machine(&[
            ("proc/meminfo", "MemTotal: many kB\n"),
            ("sys/devices/system/cpu/online", "3-1\n"),
            ("sys/fs/cgroup/cpu.max", "1 0\n"),
        ]);
        assert_eq!(facts, MachineFacts::default());
    }

    #[test]
    fn this_machine_has_cores_memory_and_a_kernel() {
        let facts = MachineFacts::read();
        assert!(facts.cores.unwrap() >= 1 && facts.memory_bytes.unwrap() > 0 && facts.kernel.is_some());
    }
}
