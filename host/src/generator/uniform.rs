//! Uniform whole numbers.

use crate::base::rng::StreamRng;

/// Uniform over `low..=high`, without the bias of a modulus.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    low: i64,
    /// 0 stands for all 2^64 numbers.
    count: u64,
}

impl Uniform {
    /// Numbers from `low` to `high`, both included.
    pub fn new(low: i64, high: i64) -> Self {
        assert!(low <= high, "uniform over nothing: {low} to {high}");
        Uniform { low, count: (high.wrapping_sub(low) as u64).wrapping_add(1) }
    }

    /// Draws a number.
    #[inline]
    pub fn draw(&self, rng: &mut StreamRng) -> i64 {
        self.low.wrapping_add(rng.below(self.count) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_drawn_and_nothing_beyond() {
        let mut rng = StreamRng::new(3, 0);
        let uniform = Uniform::new(-2, 2);
        let mut met = [0u32; 5];
        (0..1000).for_each(|_| met[(uniform.draw(&mut rng) + 2) as usize] += 1);
        assert!(met.iter().all(|&count| count > 100), "{met:?}");
    }

    #[test]
    fn the_whole_range_and_a_single_number_work() {
        let mut rng = StreamRng::new(3, 1);
        assert_eq!(Uniform::new(7, 7).draw(&mut rng), 7);
        let whole = Uniform::new(i64::MIN, i64::MAX);
        assert_ne!(whole.draw(&mut rng), whole.draw(&mut rng));
    }
}
