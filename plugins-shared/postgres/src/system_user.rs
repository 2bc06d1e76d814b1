//! Who runs this program.

use std::fs;
use std::os::unix::fs::MetadataExt;

/// The name of the operating system's user, which PostgreSQL's clients log in as when they are told no other.
pub(crate) fn system_user() -> Option<String> {
    let uid = fs::metadata("/proc/self").ok()?.uid().to_string();
    let users = fs::read_to_string("/etc/passwd").ok()?;
    let named = users.lines().find_map(|line| {
        let mut cells = line.split(':');
        let name = cells.next()?;
        (cells.nth(1)? == uid).then(|| name.to_owned())
    });
    named.or_else(|| std::env::var("USER").ok())
}
