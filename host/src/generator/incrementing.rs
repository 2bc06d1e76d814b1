//! Strings of a fixed length, counted up like an odometer.

const ALPHABET: &[u8; 52] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The string with the number `index` among those of `length` letters: A to Z then a to z, the last position
/// changes fastest, and after the last string comes the first (tests/golden/incrementing_strings.csv).
pub fn incrementing_string(length: usize, index: u64) -> String {
    let mut rest = index;
    let mut letters = vec![ALPHABET[0]; length];
    for letter in letters.iter_mut().rev() {
        *letter = ALPHABET[(rest % 52) as usize];
        rest /= 52;
    }
    letters.into_iter().map(char::from).collect()
}
