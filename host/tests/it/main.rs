//! Behaviour of the program as a user sees it, by subject.

mod bad_input;
mod command_line;
mod support;
mod workload_files;
