//! Layer 2: integer, byte and string generators. Pure: randomness is passed in.
//!
//! Each file is one distribution. Nothing here knows a property or an operation.

pub mod counter;
pub mod exponential;
pub mod histogram_file;
pub mod hotspot;
pub mod incrementing;
pub mod latest;
pub mod payload;
pub mod scrambled;
pub mod sequential;
pub mod spread;
pub mod uniform;
pub mod weighted;
pub mod zeta;
pub mod zipfian;

pub use counter::{AcknowledgedCounter, Counter};
pub use exponential::Exponential;
pub use histogram_file::{HistogramError, HistogramFile};
pub use hotspot::Hotspot;
pub use incrementing::incrementing_string;
pub use latest::{Latest, LatestView};
pub use payload::Payload;
pub use scrambled::Scrambled;
pub use sequential::Sequential;
pub use spread::Spread;
pub use uniform::Uniform;
pub use weighted::Weighted;
pub use zipfian::Zipfian;
