//! Choice by weight.

use crate::base::rng::StreamRng;

/// Picks entries with probabilities in proportion to their weights, which need not add up to anything.
#[derive(Clone, Debug)]
pub struct Weighted<T> {
    /// Entry and the upper end of its part of 0..1; the last end is never compared.
    entries: Vec<(T, f64)>,
}

impl<T: Copy> Weighted<T> {
    /// The entries whose weight is above 0; `None` if there are none.
    pub fn new(weights: &[(T, f64)]) -> Option<Self> {
        let total: f64 = weights.iter().map(|(_, weight)| weight.max(0.0)).sum();
        let mut end = 0.0;
        let entries: Vec<(T, f64)> = weights
            .iter()
            .filter(|(_, weight)| *weight > 0.0)
            .map(|&(entry, weight)| {
                end += weight / total;
                (entry, end)
            })
            .collect();
        (!entries.is_empty()).then_some(Weighted { entries })
    }

    /// The entries that can be picked.
    pub fn entries(&self) -> impl Iterator<Item = T> {
        self.entries.iter().map(|(entry, _)| *entry)
    }

    /// Picks an entry.
    #[inline]
    pub fn draw(&self, rng: &mut StreamRng) -> T {
        let u = rng.next_f64();
        let (last, others) = self.entries.split_last().expect("checked when made");
        others.iter().find(|(_, end)| u < *end).unwrap_or(last).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_without_weight_are_never_picked() {
        let mut rng = StreamRng::new(9, 0);
        let choice = Weighted::new(&[('a', 0.0), ('b', 3.0), ('c', -1.0)]).expect("one entry");
        assert!((0..100).all(|_| choice.draw(&mut rng) == 'b'));
        assert!(Weighted::new(&[('a', 0.0)]).is_none());
    }
}
