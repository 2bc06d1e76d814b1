//! ycsb-host: how fast is a database really?
//!
//! The modules stand in layers; each imports from those above it in this list only.

pub mod base;

pub mod config;

pub mod binding;
pub mod generator;

pub mod measure;
pub mod schedule;
pub mod workload;

pub mod plan;

pub mod engine;

pub mod result;

pub mod analysis;

pub mod live;
pub mod report;

pub mod conformance;
pub mod experiment;
pub mod shell;

pub mod cli;
