//! Behaviour of the program as a user sees it, by subject.

mod bad_files;
mod bad_input;
mod basic;
mod check;
mod cli_cases;
mod command_line;
mod differences;
mod faulty;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod frozen;
mod golden_runs;
mod honest;
mod life_cycle;
mod new_plugin;
mod redb;
mod references;
mod result_files;
mod shell;
mod support;
mod time_series;
mod transcript;
mod workload_files;
#[path = "../ycsb_parser/mod.rs"]
mod ycsb_parser;
