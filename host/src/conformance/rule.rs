//! What a rule is.

use super::finding::Checked;
use super::kit::Kit;
use crate::binding::capability_names;
use ycsb_plugin_abi::capability;

/// One sentence that holds for every binding, and how it is checked.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Name: group and subject, as in `record.update`.
    pub name: &'static str,
    /// The sentence.
    pub sentence: &'static str,
    /// Bits of `ycsb_plugin_abi::capability` without which the rule does not apply.
    pub needs: u64,
    /// Whether the rule is about data that the binding keeps.
    pub is_of_stores: bool,
    pub(super) check: fn(&Kit<'_>) -> Checked,
}

impl Rule {
    pub(super) const fn new(
        name: &'static str,
        sentence: &'static str,
        check: fn(&Kit<'_>) -> Checked,
    ) -> Rule {
        Rule { name, sentence, needs: 0, is_of_stores: false, check }
    }

    /// Applies to bindings with these capabilities, and reads what it wrote.
    pub(super) const fn of_stores(mut self, needs: u64) -> Rule {
        self.needs = needs;
        self.is_of_stores = true;
        self
    }

    /// Why the rule does not apply to a binding with these capabilities.
    pub(super) fn excuse(&self, capabilities: u64) -> Option<String> {
        if self.is_of_stores && capabilities & capability::KEEPS_NOTHING != 0 {
            return Some("the binding keeps nothing (KEEPS_NOTHING)".to_owned());
        }
        let missing = self.needs & !capabilities;
        (missing != 0).then(|| format!("the binding does not declare {}", capability_names(missing)))
    }

    /// Whether the rule is among those chosen; none means all.
    pub(super) fn is_chosen(&self, chosen: &[String]) -> bool {
        let chosen_by = |choice: &String| {
            self.name == choice
                || self.name.strip_prefix(choice.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        chosen.is_empty() || chosen.iter().any(chosen_by)
    }
}
