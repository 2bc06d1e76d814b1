//! The program `ycsb-host`: words in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    let code = ycsb_host::cli::run(std::env::args_os().skip(1));
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
