//! Golden tables and the statistics with which samples are compared with them.

use std::collections::BTreeMap;

/// Reads a table of tests/golden: its rows by column name.
pub(crate) fn table(name: &str) -> Vec<BTreeMap<String, String>> {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|reason| panic!("{path}: {reason}"));
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().expect("a header").split(',').collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), columns.len(), "{path}: {line}");
            columns.iter().zip(cells).map(|(column, cell)| ((*column).to_owned(), cell.to_owned())).collect()
        })
        .collect()
}

/// A cell as a number.
pub(crate) fn number<T: std::str::FromStr>(row: &BTreeMap<String, String>, column: &str) -> T {
    row[column].parse().unwrap_or_else(|_| panic!("{column}={} is no number", row[column]))
}

/// A cell that holds the bits of a double in hexadecimal.
pub(crate) fn bits(row: &BTreeMap<String, String>, column: &str) -> u64 {
    u64::from_str_radix(row[column].trim_start_matches("0x"), 16).expect("hexadecimal bits")
}

/// Asserts that two samples come from the same distribution: counts of the same cells, compared by chi-square.
///
/// Cells that hold fewer than 20 of both samples together are compared as one. The bound is exceeded by chance with a probability of
/// 3e-7 (five standard deviations after Wilson and Hilferty).
pub(crate) fn assert_same_distribution(subject: &str, golden: &[u64], drawn: &[u64]) {
    assert_eq!(golden.len(), drawn.len(), "{subject}: cells");
    let sum = |counts: &[u64]| counts.iter().sum::<u64>() as f64;
    let ratio = (sum(drawn) / sum(golden)).sqrt();
    let mut small = (0u64, 0u64);
    let mut cells: Vec<(u64, u64)> = Vec::new();
    for (&g, &d) in golden.iter().zip(drawn) {
        if g + d < 20 {
            small = (small.0 + g, small.1 + d);
        } else {
            cells.push((g, d));
        }
    }
    if small.0 + small.1 > 0 {
        cells.push(small);
    }
    let chi_square: f64 =
        cells.iter().map(|&(g, d)| (ratio * g as f64 - d as f64 / ratio).powi(2) / (g + d) as f64).sum();
    let freedom = (cells.len() - 1) as f64;
    let part = 2.0 / (9.0 * freedom);
    let bound = freedom * (1.0 - part + 5.0 * part.sqrt()).powi(3);
    assert!(freedom > 0.0, "{subject}: one cell");
    assert!(chi_square < bound, "{subject}: chi-square {chi_square:.1}, {freedom} degrees, bound {bound:.1}");
}

/// Asserts that a share agrees with a golden share, both of so many draws. Five standard errors are exceeded by
/// chance with a probability of 6e-7.
pub(crate) fn assert_same_share(subject: &str, golden: (u64, u64), drawn: (u64, u64)) {
    let share = |(count, draws): (u64, u64)| count as f64 / draws as f64;
    let (expected, found) = (share(golden), share(drawn));
    let pooled = (golden.0 + drawn.0) as f64 / (golden.1 + drawn.1) as f64;
    let error = (pooled * (1.0 - pooled) * (1.0 / golden.1 as f64 + 1.0 / drawn.1 as f64)).sqrt();
    assert!((expected - found).abs() <= 5.0 * error, "{subject}: {found} instead of {expected} (+- {error})");
}
