//! Behaviour of the program as a user sees it, by subject.

mod bad_input;
mod basic;
mod check;
mod cli_cases;
mod command_line;
mod redb;
mod support;
mod transcript;
mod workload_files;
