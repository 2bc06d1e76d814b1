//! The 64-bit FNV-1a hash with which YCSB scatters record numbers.

const OFFSET_BASIS: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 1_099_511_628_211;

/// FNV-1a over the eight bytes of `value`, least significant first, as a signed number made positive.
///
/// `i64::MIN` has no positive counterpart and stays negative, as in YCSB.
#[inline]
pub fn fnv64(value: i64) -> i64 {
    // A byte that is zero only multiplies: for the usual numbers, the upper four do it in one step.
    const PRIME_4: u64 = PRIME.wrapping_mul(PRIME).wrapping_mul(PRIME).wrapping_mul(PRIME);
    let bytes = value.to_le_bytes();
    let (lower, upper) = bytes.split_at(4);
    let half = hash(OFFSET_BASIS, lower);
    let whole = if upper == [0; 4] { half.wrapping_mul(PRIME_4) } else { hash(half, upper) };
    (whole as i64).wrapping_abs()
}

#[inline]
fn hash(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::fnv64;

    #[test]
    fn the_first_record_numbers_hash_as_in_ycsb() {
        assert_eq!([0, 1, 2].map(fnv64), [6284781860667377211, 8517097267634966620, 1820151046732198393]);
    }
}
