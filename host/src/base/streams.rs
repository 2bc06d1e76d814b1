//! Lines for the user. A reader that went away, as `head` does when it has seen enough, is no failure
//! and no reason to panic.

use std::io::Write;

/// Writes a text on standard output.
pub fn out(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Writes lines on standard error as they are.
pub fn echo(text: &str) {
    let _ = std::io::stderr().lock().write_all(format!("{text}\n").as_bytes());
}

/// Writes each line of a text on standard error, behind the program's name.
pub fn say(text: &str) {
    for line in text.lines() {
        echo(&format!("ycsb-host: {line}"));
    }
}
