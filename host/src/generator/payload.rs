//! Bytes for field values, as YCSB mixes them.

use crate::base::rng::StreamRng;

/// Generators that run side by side, so that the compiler can keep them in vector registers.
const LANES: usize = 4;
const WORD_BYTES: usize = 8;
const BLOCK_BYTES: usize = LANES * WORD_BYTES;
/// After three blocks the masks repeat.
const STRIDE_BYTES: usize = 3 * BLOCK_BYTES;

/// Random bits that each position of a value keeps, modulo three; 32 is added to them. YCSB takes six bytes from
/// 32 random bits with these masks (tests/golden/random_bytes.csv). The third one has a gap: 32 to 63 and 96 to 127.
const KEPT_BITS: [u8; 3] = [31, 63, 95];

/// The kept bits of eight bytes that begin at a position with this remainder.
const WORD_MASKS: [u64; 3] = [word_mask(0), word_mask(1), word_mask(2)];
const OFFSET: u64 = 0x2020_2020_2020_2020;

/// A stream of value bytes: eight from one draw, by position distributed as YCSB's, without YCSB's dependence
/// between neighbours. Pseudo-random numbers are xorshift128+ (Vigna, 2017) in parallel lanes.
#[derive(Clone, Debug)]
pub struct Payload {
    low: [u64; LANES],
    high: [u64; LANES],
    /// Words of the last block that is given out word by word; those from `spent` on are fresh.
    spare: [u64; LANES],
    spent: usize,
}

impl Payload {
    /// A stream whose state comes from `rng`.
    pub fn new(rng: &mut StreamRng) -> Self {
        Payload {
            low: std::array::from_fn(|_| rng.next_u64() | 1),
            high: std::array::from_fn(|_| rng.next_u64()),
            spare: [0; LANES],
            spent: LANES,
        }
    }

    /// Fills `value`, which is one whole field value.
    pub fn fill(&mut self, value: &mut [u8]) {
        let (strides, rest) = value.as_chunks_mut::<STRIDE_BYTES>();
        for stride in strides {
            let (blocks, _) = stride.as_chunks_mut::<BLOCK_BYTES>();
            for (number, block) in blocks.iter_mut().enumerate() {
                let words = self.block();
                for (lane, bytes) in block.as_chunks_mut::<WORD_BYTES>().0.iter_mut().enumerate() {
                    *bytes = masked(words[lane], number * LANES + lane);
                }
            }
        }
        for (number, bytes) in rest.chunks_mut(WORD_BYTES).enumerate() {
            bytes.copy_from_slice(&masked(self.word(), number)[..bytes.len()]);
        }
    }

    #[inline(always)]
    fn block(&mut self) -> [u64; LANES] {
        std::array::from_fn(|lane| {
            let (mut x, y) = (self.low[lane], self.high[lane]);
            let word = x.wrapping_add(y);
            x ^= x << 23;
            self.low[lane] = y;
            self.high[lane] = x ^ y ^ (x >> 18) ^ (y >> 5);
            word
        })
    }

    #[inline(always)]
    fn word(&mut self) -> u64 {
        if self.spent == LANES {
            self.spare = self.block();
            self.spent = 0;
        }
        self.spent += 1;
        self.spare[self.spent - 1]
    }
}

/// Random bits as the bytes of the word with this number in its value.
#[inline(always)]
fn masked(bits: u64, word: usize) -> [u8; WORD_BYTES] {
    ((bits & WORD_MASKS[word * WORD_BYTES % 3]) + OFFSET).to_le_bytes()
}

const fn word_mask(start: usize) -> u64 {
    let mut bytes = [0; WORD_BYTES];
    let mut i = 0;
    while i < WORD_BYTES {
        bytes[i] = KEPT_BITS[(start + i) % 3];
        i += 1;
    }
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_every_length_keeps_its_mask() {
        let mut payload = Payload::new(&mut StreamRng::new(1, 0));
        for length in 0..300 {
            let mut value = vec![0u8; length];
            payload.fill(&mut value);
            for (position, byte) in value.iter().enumerate() {
                assert_eq!((byte - 32) & !KEPT_BITS[position % 3], 0, "length {length}, position {position}");
            }
        }
    }

    #[test]
    fn values_differ_from_one_another() {
        let mut payload = Payload::new(&mut StreamRng::new(1, 1));
        let mut values: Vec<Vec<u8>> = vec![vec![0; 20]; 1000];
        values.iter_mut().for_each(|value| payload.fill(value));
        values.sort();
        values.dedup();
        assert_eq!(values.len(), 1000);
    }
}
