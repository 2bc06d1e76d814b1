//! The names that declarations make known: exact names, other spellings, prefixes.

use super::Declaration;
use std::collections::BTreeMap;

/// Declarations that can be looked up by any spelling.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    declarations: Vec<Declaration>,
    by_name: BTreeMap<&'static str, usize>,
    by_alias: BTreeMap<&'static str, usize>,
}

impl Vocabulary {
    /// Adds declarations. A name that is known already keeps its declaration and gains the new aliases: so a
    /// workload may declare a host property again, and a binding may add another spelling of one.
    pub fn add<'a>(&mut self, declarations: impl IntoIterator<Item = &'a Declaration>) {
        for declaration in declarations {
            let place = *self.by_name.entry(declaration.name).or_insert_with(|| {
                self.declarations.push(*declaration);
                self.declarations.len() - 1
            });
            for alias in declaration.aliases {
                self.by_alias.entry(alias).or_insert(place);
            }
        }
    }

    /// The declaration behind a spelling: the exact name first, then aliases, then the longest prefix.
    pub fn find(&self, spelling: &str) -> Option<&Declaration> {
        let exact = self.by_name.get(spelling).or_else(|| self.by_alias.get(spelling));
        if let Some(place) = exact {
            return Some(&self.declarations[*place]);
        }
        self.declarations
            .iter()
            .filter(|declaration| declaration.prefix && spelling.starts_with(declaration.name))
            .max_by_key(|declaration| declaration.name.len())
    }

    /// The name under which a value given under `spelling` is stored.
    pub fn canonical<'a>(&self, spelling: &'a str) -> &'a str {
        match self.find(spelling) {
            Some(declaration) if !declaration.prefix => declaration.name,
            _ => spelling,
        }
    }

    /// All declarations, in the order in which they were added.
    pub fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Declaration = Declaration::integer("batchsize").aliases(&["batch.size"]).help("Size.");
    const AGAIN: Declaration =
        Declaration::integer("batchsize").aliases(&["mongodb.batchsize"]).help("Again.");
    const TRACE: Declaration = Declaration::text("htrace.").prefix().no_effect().help("Tracing.");

    #[test]
    fn a_name_declared_twice_keeps_the_first_and_gains_aliases() {
        let mut known = Vocabulary::default();
        known.add([&SIZE, &TRACE]);
        known.add([&AGAIN]);
        assert_eq!(known.declarations().len(), 2);
        for spelling in ["batchsize", "batch.size", "mongodb.batchsize"] {
            assert_eq!(known.find(spelling).map(|found| found.help), Some("Size."), "{spelling}");
            assert_eq!(known.canonical(spelling), "batchsize");
        }
    }

    #[test]
    fn a_prefix_stands_for_all_names_that_start_with_it() {
        let mut known = Vocabulary::default();
        known.add([&TRACE]);
        assert!(known.find("htrace.sampler").is_some_and(|found| found.no_effect));
        assert_eq!(known.canonical("htrace.sampler"), "htrace.sampler");
        assert!(known.find("htrac").is_none());
    }
}
