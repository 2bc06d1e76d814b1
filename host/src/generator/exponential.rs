//! Exponentially distributed distances.

use crate::base::rng::StreamRng;

/// Draws of which a given percentage lies below a given range.
#[derive(Clone, Copy, Debug)]
pub struct Exponential {
    gamma: f64,
}

impl Exponential {
    /// `percentile` percent of the draws lie below `range`; 0 < percentile < 100, range > 0.
    pub fn new(percentile: f64, range: f64) -> Self {
        Exponential { gamma: -(1.0 - percentile / 100.0).ln() / range }
    }

    /// Mean of the draws.
    pub fn mean(&self) -> f64 {
        1.0 / self.gamma
    }

    /// Draws a distance; infinite where the random number is 0.
    #[inline]
    pub fn draw(&self, rng: &mut StreamRng) -> f64 {
        -rng.next_f64().ln() / self.gamma
    }
}
