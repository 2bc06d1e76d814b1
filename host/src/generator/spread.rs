//! A fixed permutation that keeps popular ranks apart.

/// Permutes `0..items`: neighbouring ranks land far apart, every item is met exactly once.
///
/// With it a zipfian keeps its true frequencies, while its hot items do not sit side by side. Scattering by a
/// hash and a modulus, as YCSB does, makes ranks collide and changes the frequencies.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    items: u64,
    step: u64,
}

impl Spread {
    /// A permutation of `0..items`, at least one.
    ///
    /// Rank r goes to r times a step, modulo the number of items. The step is the number nearest above
    /// items / golden ratio that has no divisor in common with it: multiples of the golden ratio fill a circle
    /// most evenly.
    pub fn new(items: u64) -> Self {
        assert!(items > 0, "permutation of no items");
        let golden = (items as f64 * 0.618_033_988_749_894_9) as u64;
        let step = (golden.max(1)..).find(|&step| greatest_common_divisor(step, items) == 1);
        Spread { items, step: step.unwrap_or(1) % items.max(2) }
    }

    /// The item of a rank below the number of items.
    #[inline]
    pub fn item(&self, rank: u64) -> u64 {
        match rank.checked_mul(self.step) {
            Some(product) => product % self.items,
            None => (u128::from(rank) * u128::from(self.step) % u128::from(self.items)) as u64,
        }
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_met_exactly_once() {
        for items in [1u64, 2, 3, 4, 10, 997, 1000, 4096] {
            let spread = Spread::new(items);
            let mut met = vec![false; items as usize];
            for rank in 0..items {
                assert!(!std::mem::replace(&mut met[spread.item(rank) as usize], true), "{items}: {rank}");
            }
        }
    }

    #[test]
    fn large_ranges_do_not_overflow() {
        let spread = Spread::new(1 << 62);
        assert!(spread.item((1 << 62) - 1) < 1 << 62);
        assert_ne!(spread.item(1), spread.item(2));
    }

    #[test]
    fn hot_ranks_do_not_sit_side_by_side() {
        let spread = Spread::new(1000);
        let mut hottest: Vec<u64> = (0..10).map(|rank| spread.item(rank)).collect();
        hottest.sort_unstable();
        assert!(hottest.windows(2).all(|pair| pair[1] - pair[0] > 40), "{hottest:?}");
    }
}
