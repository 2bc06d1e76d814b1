//! One item after the other, for all clients together.

use super::counter::Counter;

/// Items `first..first + count` in order, starting again after the last. Shared by definition.
#[derive(Debug)]
pub struct Sequential {
    first: i64,
    count: u64,
    taken: Counter,
}

impl Sequential {
    /// Items `first..first + count`, at least one.
    pub fn new(first: i64, count: u64) -> Self {
        assert!(count > 0, "sequence of nothing");
        Sequential { first, count, taken: Counter::new(0) }
    }

    /// The next item.
    #[inline]
    pub fn take(&self) -> i64 {
        self.first + (self.taken.take() as u64 % self.count) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_last_item_comes_the_first() {
        let sequence = Sequential::new(200, 3);
        assert_eq!(std::array::from_fn(|_| sequence.take()), [200, 201, 202, 200, 201]);
    }
}
