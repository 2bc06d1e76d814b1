//! Seeded random numbers: xoshiro256++ (Blackman and Vigna, 2018), one independent stream per client.

/// A stream of random numbers. The same seed and stream number give the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct StreamRng {
    state: [u64; 4],
}

impl StreamRng {
    /// The stream number `stream` of `seed`.
    ///
    /// The state is filled by splitmix64, as the authors of xoshiro recommend, from a mix of both numbers,
    /// so that neighbouring streams have unrelated states.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut mix = splitmix64(&mut seed.clone()) ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03);
        StreamRng { state: std::array::from_fn(|_| splitmix64(&mut mix)) }
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform in [0, 1) with 53 bits.
    #[inline]
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform in [0, bound), without bias (Lemire, 2019). A bound of 0 means all 64 bits.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return self.next_u64();
        }
        let mut product = u128::from(self.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }
}

fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_repeats_and_differs_from_its_neighbours() {
        let draw = |seed, stream| {
            let mut rng = StreamRng::new(seed, stream);
            std::array::from_fn::<u64, 4, _>(|_| rng.next_u64())
        };
        assert_eq!(draw(7, 0), draw(7, 0));
        assert_ne!(draw(7, 0), draw(7, 1));
        assert_ne!(draw(7, 0), draw(8, 0));
    }

    /// Chi-square over 10 cells with 9 degrees of freedom: 50.0 is exceeded with probability 1e-7.
    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut rng = StreamRng::new(1, 1);
        let mut counts = [0f64; 10];
        for _ in 0..1_000_000 {
            counts[rng.below(10) as usize] += 1.0;
        }
        let chi_square: f64 = counts.iter().map(|c| (c - 1e5) * (c - 1e5) / 1e5).sum();
        assert!(chi_square < 50.0, "chi-square {chi_square}");
    }
}
