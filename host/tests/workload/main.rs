//! Generators, key choosers and workloads against golden vectors made by YCSB itself.

mod choosers;
mod echo;
mod exact;
mod golden;
mod keys;
mod shapes;
mod time_series;
