//! Layer 9: the interactive shell: YCSB's commands and replies, on blocking and async bindings.

mod client;
mod editor;
mod grammar;
mod repl;

pub use repl::run_shell;
