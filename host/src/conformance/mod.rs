//! Layer 9: the conformance kit. Rules that hold for every binding, checked through the border that a run uses.

mod finding;
mod footprint;
mod kit;
mod listener;
mod overheard;
mod properties;
mod question;
pub mod report;
mod rule;
mod rules;
mod run;
mod session;
mod survey;

pub use properties::{DECLARATIONS, KitSettings};
pub use rule::Rule;
pub use run::{CheckError, Checked, Conformance, Progress, Verdict, check};
pub use survey::Survey;
