//! The rules, one file per group.

mod batch;
mod deadline;
mod history;
mod keys;
mod leaks;
mod manifest;
mod open;
mod operation;
mod properties;
mod record;
mod scan;
mod session;
mod silence;
mod values;

use super::rule::Rule;

/// Every rule, in the order in which they are checked: what needs no database first, what takes long last.
pub(super) fn all() -> impl Iterator<Item = Rule> {
    [
        manifest::RULES,
        properties::RULES,
        open::RULES,
        operation::RULES,
        record::RULES,
        values::RULES,
        keys::RULES,
        scan::RULES,
        batch::RULES,
        session::RULES,
        deadline::RULES,
        history::RULES,
        leaks::RULES,
        silence::RULES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_rule_has_a_name_of_its_own_and_one_sentence() {
        let mut seen = BTreeSet::new();
        for rule in all() {
            assert!(seen.insert(rule.name), "{}", rule.name);
            assert!(rule.name.contains('.'), "{}", rule.name);
            assert!(rule.sentence.ends_with('.') && !rule.sentence.trim_end_matches('.').contains(". "));
        }
    }
}
