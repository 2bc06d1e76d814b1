//! What a client did, in one number.

/// A running hash of numbers, dependent on their order. Not a cryptographic one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(u64);

impl Digest {
    /// Takes in a number.
    #[inline]
    pub fn add(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    /// The hash so far.
    pub fn value(self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_numbers_matter() {
        let of = |numbers: &[u64]| {
            let mut digest = Digest::default();
            numbers.iter().for_each(|&number| digest.add(number));
            digest.value()
        };
        assert_eq!(of(&[1, 2, 3]), of(&[1, 2, 3]));
        assert_ne!(of(&[1, 2, 3]), of(&[1, 3, 2]));
        assert_ne!(of(&[1, 2, 3]), of(&[1, 2, 4]));
    }
}
