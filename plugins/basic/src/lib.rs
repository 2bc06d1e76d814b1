//! Bindings without a database.
//!
//! `basic` echoes every operation as YCSB's BasicDB does, `basicts` as its BasicTSDB, and `goodbadugly` takes
//! time like a database with good, bad and ugly moments.
#![forbid(unsafe_code)]

mod delay;
mod echo;
mod good_bad_ugly;
mod line;
mod random;
mod settings;
mod time_series;
mod unique;

pub use echo::{Basic, BasicTs, EchoSession};
pub use good_bad_ugly::{GoodBadUgly, GoodBadUglySession};

ycsb_plugin_api::export_plugin!(blocking Basic, blocking BasicTs, blocking GoodBadUgly);
