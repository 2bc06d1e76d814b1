//! Generators and key choosers against golden vectors drawn by YCSB itself.

mod choosers;
mod exact;
mod golden;
mod keys;
mod shapes;
