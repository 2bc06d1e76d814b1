//! A hot part that gets its own share of the operations.

use super::Uniform;
use crate::base::rng::StreamRng;

/// Uniform over the first items with one probability, uniform over the rest otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Hotspot {
    /// `None` if the part is empty: draws that would fall into it come from the other.
    hot: Option<Uniform>,
    cold: Option<Uniform>,
    hot_operation_fraction: f64,
}

impl Hotspot {
    /// Over `low..=high`, of which the fraction `hot_data_fraction`, rounded down to whole items, gets
    /// `hot_operation_fraction` of the draws. Both fractions lie in 0..=1.
    pub fn new(low: i64, high: i64, hot_data_fraction: f64, hot_operation_fraction: f64) -> Self {
        assert!(low <= high, "hotspot over nothing: {low} to {high}");
        let items = (high - low) as f64 + 1.0;
        let hot_items = (items * hot_data_fraction) as i64;
        let first_cold = low.saturating_add(hot_items);
        Hotspot {
            hot: (hot_items > 0).then(|| Uniform::new(low, (first_cold - 1).min(high))),
            cold: (first_cold <= high).then(|| Uniform::new(first_cold, high)),
            hot_operation_fraction,
        }
    }

    /// Draws an item.
    #[inline]
    pub fn draw(&self, rng: &mut StreamRng) -> i64 {
        let (wanted, other) = if rng.next_f64() < self.hot_operation_fraction {
            (&self.hot, &self.cold)
        } else {
            (&self.cold, &self.hot)
        };
        match wanted.as_ref().or(other.as_ref()) {
            Some(part) => part.draw(rng),
            None => unreachable!("one of the parts holds an item"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_part_gives_its_draws_to_the_other() {
        let mut rng = StreamRng::new(5, 0);
        for (data, operations) in [(0.0, 0.8), (1.0, 0.2), (0.0, 1.0), (1.0, 0.0)] {
            let hotspot = Hotspot::new(10, 19, data, operations);
            assert!((0..1000).all(|_| (10..=19).contains(&hotspot.draw(&mut rng))));
        }
    }
}
