//! Behaviour of the program as a user sees it, by subject.

mod workload_files;
