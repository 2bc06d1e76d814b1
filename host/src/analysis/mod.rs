//! Layer 7: opinions on results. Pure functions of documents and figures.

mod steadiness;
mod verdict;

pub use steadiness::{Steadiness, steadiness};
pub use verdict::verdict;
