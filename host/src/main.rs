//! The program `ycsb-host`: words in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = Vec::new();
    for word in std::env::args_os().skip(1) {
        match word.into_string() {
            Ok(word) => words.push(word),
            Err(word) => {
                eprintln!(
                    "ycsb-host: the argument {word:?} is not UTF-8; rename the file or correct the argument"
                );
                return ExitCode::from(2);
            }
        }
    }
    let code = ycsb_host::cli::run(words);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
