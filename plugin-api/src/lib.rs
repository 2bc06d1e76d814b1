//! Write database plugins for ycsb-host.
