//! A parser written from the description of YCSB's reports reads YCSB's own and ours, and finds the same in both.

mod ycsb_parser;

#[path = "ycsb_parser_reads/ours.rs"]
mod ours;
#[path = "ycsb_parser_reads/same_shape.rs"]
mod same_shape;
