//! Zipfian numbers after Gray et al., "Quickly generating billion-record synthetic databases" (1994).

use super::zeta::zeta;
use crate::base::rng::StreamRng;

/// YCSB's skew: the share of the rank `i` is proportional to `i^-0.99`.
pub const THETA: f64 = 0.99;

/// Ranks `0..items`, the lowest the most popular. Constants are computed once and are YCSB's, bit by bit
/// (tests/golden/zipfian_params.csv).
#[derive(Clone, Debug, PartialEq)]
pub struct Zipfian {
    items: u64,
    constants: Constants,
}

/// What the formula needs beside the number of items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// The skew.
    pub theta: f64,
    /// 1 / (1 - theta).
    pub alpha: f64,
    /// Zeta of the number of items.
    pub zeta_n: f64,
    /// Zeta of 2.
    pub zeta_2: f64,
    /// The slope of the last branch.
    pub eta: f64,
    /// Below this value of `u * zeta_n` the second item is drawn.
    second_below: f64,
}

impl Constants {
    /// For `items` items whose zeta is known.
    pub fn new(items: u64, theta: f64, zeta_n: f64) -> Self {
        let zeta_2 = zeta(2, theta);
        let eta = (1.0 - (2.0 / items as f64).powf(1.0 - theta)) / (1.0 - zeta_2 / zeta_n);
        let second_below = 1.0 + 0.5f64.powf(theta);
        Constants { theta, alpha: 1.0 / (1.0 - theta), zeta_n, zeta_2, eta, second_below }
    }

    /// The rank below `items` for `u` in [0, 1).
    #[inline]
    pub fn rank(&self, items: u64, u: f64) -> u64 {
        let uz = u * self.zeta_n;
        if uz < 1.0 {
            return 0;
        }
        if uz < self.second_below {
            return 1.min(items - 1);
        }
        let rank = items as f64 * (self.eta * u - self.eta + 1.0).powf(self.alpha);
        // Rounding reaches `items` for u next to 1.
        (rank as u64).min(items - 1)
    }
}

impl Zipfian {
    /// Ranks `0..items` with the skew `theta`; `items` is at least 1, `theta` lies between 0 and 1, both
    /// excluded. Costs the same for a billion items as for a million.
    pub fn new(items: u64, theta: f64) -> Self {
        Self::with_zeta(items, theta, zeta(items, theta))
    }

    /// As [`new`](Self::new), with the zeta of `items` known beforehand.
    pub fn with_zeta(items: u64, theta: f64, zeta_n: f64) -> Self {
        assert!(items > 0, "zipfian over no items");
        Zipfian { items, constants: Constants::new(items, theta, zeta_n) }
    }

    /// Number of items.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// The constants.
    pub fn constants(&self) -> &Constants {
        &self.constants
    }

    /// The rank for `u` in [0, 1).
    #[inline]
    pub fn rank(&self, u: f64) -> u64 {
        self.constants.rank(self.items, u)
    }

    /// Draws a rank.
    #[inline]
    pub fn draw(&self, rng: &mut StreamRng) -> u64 {
        self.rank(rng.next_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_draw_is_one_of_the_items() {
        let largest_below_one = 1.0 - f64::EPSILON / 2.0;
        for items in [1, 2, 3, 10, 1000, 1_000_000_000] {
            let zipfian = Zipfian::new(items, THETA);
            assert_eq!(zipfian.rank(0.0), 0);
            assert!(zipfian.rank(largest_below_one) < items, "{items} items");
            assert!(zipfian.rank(0.5) < items, "{items} items");
        }
    }

    #[test]
    fn ranks_grow_with_u() {
        let zipfian = Zipfian::new(1000, THETA);
        let ranks: Vec<u64> = (0..10_000).map(|i| zipfian.rank(f64::from(i) / 10_000.0)).collect();
        assert!(ranks.is_sorted());
    }
}
