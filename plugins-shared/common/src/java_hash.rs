//! The hash that Java gives a string.

/// `String.hashCode` of Java: over UTF-16 code units, modulo 2^32, signed. YCSB scores and places keys by it.
///
/// ```
/// assert_eq!(ycsb_plugin_common::java_hash("user0"), 111_578_565);
/// ```
pub fn java_hash(text: &str) -> i32 {
    if text.is_ascii() {
        return text.bytes().fold(0_i32, |hash, byte| step(hash, u16::from(byte)));
    }
    text.encode_utf16().fold(0, step)
}

fn step(hash: i32, unit: u16) -> i32 {
    hash.wrapping_mul(31).wrapping_add(i32::from(unit))
}
