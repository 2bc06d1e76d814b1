//! The program `ycsb-host`: parses, dispatches, sets the exit code.
fn main() {}
