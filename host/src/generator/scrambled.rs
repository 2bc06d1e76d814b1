//! YCSB's scrambled zipfian: popular items scattered over the whole range.

use super::zipfian::{THETA, Zipfian};
use crate::base::fnv::fnv64;
use crate::base::rng::StreamRng;

/// The inner ranks are always drawn from this many items, however many there are to choose from.
pub const INNER_ITEMS: u64 = 10_000_000_001;

/// Zeta of [`INNER_ITEMS`] for a skew of 0.99, as YCSB has it.
pub const INNER_ZETA: f64 = 26.46902820178302;

/// Items `0..items`: the hash of a zipfian rank, modulo the number of items.
///
/// Because the inner range is fixed, the skew does not depend on the number of items, and it is weaker than
/// its name says: the hottest of 1,000 items gets 3.9 % of the draws where a zipfian(1000) gives it 12.9 %.
/// That is YCSB's `requestdistribution=zipfian`; [`super::Spread`] is the true one.
#[derive(Clone, Debug)]
pub struct Scrambled {
    ranks: Zipfian,
    items: u64,
}

impl Scrambled {
    /// Items `0..items`, at least one. Set-up costs nothing.
    pub fn new(items: u64) -> Self {
        assert!(items > 0, "scrambled zipfian over no items");
        Scrambled { ranks: Zipfian::with_zeta(INNER_ITEMS, THETA, INNER_ZETA), items }
    }

    /// Number of items.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// The ranks before they are scattered.
    pub fn ranks(&self) -> &Zipfian {
        &self.ranks
    }

    /// The item of a rank.
    #[inline]
    pub fn item(&self, rank: u64) -> u64 {
        fnv64(rank as i64) as u64 % self.items
    }

    /// Draws a rank of the inner range.
    #[inline]
    pub fn draw_rank(&self, rng: &mut StreamRng) -> u64 {
        self.ranks.draw(rng)
    }

    /// Draws an item.
    #[inline]
    pub fn draw(&self, rng: &mut StreamRng) -> u64 {
        self.item(self.draw_rank(rng))
    }
}
