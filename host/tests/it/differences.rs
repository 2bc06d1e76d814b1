//! What `docs/differences.md` names.

use std::collections::BTreeSet;

/// The names in the first column of its tables.
pub(crate) fn documented() -> BTreeSet<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/differences.md");
    let text = std::fs::read_to_string(path).expect(path);
    let mut documented = BTreeSet::new();
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        assert!(cells.iter().all(|cell| !cell.is_empty()), "{line}");
        documented.insert(cells[0].to_owned());
    }
    documented
}
