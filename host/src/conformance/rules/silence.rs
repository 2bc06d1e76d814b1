//! What a plugin prints.

use super::super::finding::{Checked, Finding, demand};
use super::super::kit::Kit;
use super::super::question::shown;
use super::super::rule::Rule;

pub(super) const RULES: &[Rule] = &[Rule::new(
    "silence.prints_nothing",
    "The plugin writes nothing to standard output or standard error itself: it logs through the host.",
    prints_nothing,
)];

fn prints_nothing(kit: &Kit<'_>) -> Checked {
    let Some(diverted) = kit.diverted else {
        return Err(Finding::NotSupported("output could not be diverted".to_owned()));
    };
    let caught = diverted.caught();
    demand(caught.is_empty(), "nothing during all rules before", shown(&caught))?;
    Ok(None)
}
