//! Words of commands that read them in their own way.

use super::EXIT_USAGE;
use clap::Parser;

/// Reads the words behind a command's name.
///
/// # Errors
/// The exit code, after the help (0) or the mistake (2) has been shown.
pub(super) fn parse<W: Parser>(words: &[String]) -> Result<W, i32> {
    // Flags of several letters work with one hyphen everywhere.
    let spelt = words.iter().map(|word| match word.strip_prefix('-') {
        Some(name) if name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            format!("-{word}")
        }
        _ => word.clone(),
    });
    W::try_parse_from(["".to_owned()].into_iter().chain(spelt)).map_err(|error| {
        // Nothing can be done about a closed terminal.
        let _ = error.print();
        if error.use_stderr() { EXIT_USAGE } else { 0 }
    })
}
