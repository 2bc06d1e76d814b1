//! The generalised harmonic number on which zipfian distributions stand.

/// Up to this many terms the sum is formed term by term, which gives YCSB's bits; above it a formula takes
/// over, so that a billion items cost as much as a thousand.
pub const DIRECT_TERMS: u64 = 1_000_000;

/// Terms that are summed directly before the formula starts: its error is below one part in 1e15 from here on.
const HEAD_TERMS: u64 = 1024;

/// Zeta of `n` and `theta`: the sum of `i^-theta` for `i` in `1..=n`, with 0 < theta < 1.
///
/// The sum is YCSB's, bit by bit, up to [`DIRECT_TERMS`] (tests/golden/zeta.csv); above it agrees with the exact
/// value to 12 digits (Euler-Maclaurin).
pub fn zeta(n: u64, theta: f64) -> f64 {
    if n <= DIRECT_TERMS {
        zeta_sum(0, 0.0, n, theta)
    } else {
        zeta_sum(0, 0.0, HEAD_TERMS, theta) + tail(HEAD_TERMS, n, theta)
    }
}

/// Adds the terms `from + 1` to `to` to the sum of the first `from`, one by one as YCSB does.
pub fn zeta_sum(from: u64, sum: f64, to: u64, theta: f64) -> f64 {
    (from + 1..=to).fold(sum, |sum, i| sum + 1.0 / (i as f64).powf(theta))
}

/// Zeta of `to`, given the zeta of `from <= to`. Long ways are not walked.
pub(super) fn zeta_grown(from: u64, sum: f64, to: u64, theta: f64) -> f64 {
    if to - from <= DIRECT_TERMS { zeta_sum(from, sum, to, theta) } else { zeta(to, theta) }
}

/// The terms `from + 1` to `to` by the Euler-Maclaurin formula with two correction terms.
fn tail(from: u64, to: u64, theta: f64) -> f64 {
    let (a, b) = (from as f64, to as f64);
    let integral = (b.powf(1.0 - theta) - a.powf(1.0 - theta)) / (1.0 - theta);
    let ends = (b.powf(-theta) - a.powf(-theta)) / 2.0;
    let first = -theta * (b.powf(-theta - 1.0) - a.powf(-theta - 1.0)) / 12.0;
    let third = theta * (theta + 1.0) * (theta + 2.0) * (b.powf(-theta - 3.0) - a.powf(-theta - 3.0)) / 720.0;
    integral + ends + first + third
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_continues_the_sum() {
        for theta in [0.5, 0.8, 0.99] {
            let sum = zeta_sum(0, 0.0, DIRECT_TERMS + 1, theta);
            let formula = zeta(DIRECT_TERMS + 1, theta);
            assert!((formula / sum - 1.0).abs() < 1e-12, "theta {theta}: {formula} against {sum}");
        }
    }

    #[test]
    fn a_grown_sum_equals_a_fresh_one() {
        let grown = zeta_grown(999, zeta(999, 0.99), 1999, 0.99);
        assert_eq!(grown.to_bits(), zeta(1999, 0.99).to_bits());
    }
}
