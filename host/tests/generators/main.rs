//! Generators and key choosers against golden vectors drawn by YCSB itself.

mod exact;
mod golden;
mod shapes;
