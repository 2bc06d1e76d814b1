//! What a library says of itself, before anything is opened.

use super::super::finding::{Checked, demand, different};
use super::super::kit::Kit;
use super::super::rule::Rule;
use crate::binding::capability_names;
use crate::measure::StatusTable;
use std::collections::BTreeSet;
use ycsb_plugin_abi::capability as can;

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "manifest.complete",
        "The manifest has a version, a summary of one line, the compiler and the version of the plugin API.",
        complete,
    ),
    Rule::new(
        "manifest.names",
        "The library is called libycsb_NAME.so after one of its bindings, and their names and aliases are distinct.",
        names,
    ),
    Rule::new(
        "manifest.statuses",
        "Statuses of the binding's own have a sentence and names in capitals that no other status has.",
        statuses,
    ),
    Rule::new(
        "manifest.capabilities",
        "Capabilities do not contradict one another, and an opened binding has none that its manifest lacks.",
        capabilities,
    ),
];

fn complete(kit: &Kit<'_>) -> Checked {
    let info = kit.settled.info();
    for (what, text) in [
        ("version", info.version),
        ("summary", info.summary),
        ("compiler", info.compiler),
        ("version of the plugin API", info.api_version),
    ] {
        demand(!text.trim().is_empty(), format!("a {what}"), "it is empty")?;
        demand(!text.contains('\n'), format!("a {what} of one line"), text.escape_debug())?;
    }
    Ok(None)
}

fn names(kit: &Kit<'_>) -> Checked {
    let plugin = &kit.settled.plugin;
    let mut seen = BTreeSet::new();
    for info in &plugin.bindings {
        let aliases = info.aliases.iter().map(|preset| preset.alias);
        for name in aliases.chain([info.name]) {
            demand(!name.is_empty(), format!("names of {}", info.name), "one is empty")?;
            demand(seen.insert(name), "every name once in the library", format!("{name} again"))?;
        }
    }
    let file = plugin.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    // YCSB's rule for modules: mongodb-async lives in mongodb.
    let whole = |name: &str| format!("libycsb_{}.so", name.replace('-', "_"));
    let family = |name: &str| whole(name.split('-').next().unwrap_or(name));
    let expected: Vec<String> = plugin.bindings.iter().map(|info| whole(info.name)).collect();
    let found =
        plugin.bindings.iter().any(|info| [whole(info.name), family(info.name)].contains(&file.to_owned()));
    demand(found, format!("a file called {}", expected.join(" or ")), file)?;
    Ok(None)
}

fn statuses(kit: &Kit<'_>) -> Checked {
    let mut seen: BTreeSet<String> = StatusTable::default().iter().map(|info| info.name.clone()).collect();
    for own in &kit.settled.info().statuses {
        let letters = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let well_formed = !own.name.is_empty() && own.name.chars().all(letters);
        demand(well_formed, "a name in capitals, digits and underscores", format!("{:?}", own.name))?;
        demand(!own.text.trim().is_empty(), format!("a sentence for {}", own.name), "it is empty")?;
        demand(seen.insert(own.name.to_owned()), "names that no other status has", own.name)?;
    }
    Ok(None)
}

/// Each bit on the left makes sense only with one of those on the right.
const NEEDS: &[(u64, u64)] = &[
    (can::SCAN_ORDERED, can::SCAN),
    (can::PROJECTION, can::READ | can::SCAN),
    (can::UPDATE_CREATES, can::UPDATE),
    (can::INSERT_OVERWRITES, can::INSERT | can::INSERT_BATCH),
    (can::DETECTS_DUPLICATES, can::INSERT | can::INSERT_BATCH),
    (can::UNACKNOWLEDGED_WRITES, can::INSERT | can::UPDATE | can::DELETE | can::INSERT_BATCH),
];

fn capabilities(kit: &Kit<'_>) -> Checked {
    let (opened, declared) = (kit.capabilities.get(), kit.settled.info().capabilities);
    let more = opened & !declared;
    demand(more == 0, "only what the manifest declares", format!("{} besides", capability_names(more)))?;
    for (bit, needed) in NEEDS {
        if opened & bit != 0 && opened & needed == 0 {
            let (bit, needed) = (capability_names(*bit), capability_names(*needed));
            return Err(different(format!("{bit} together with {needed}"), format!("{bit} alone")));
        }
    }
    let both = can::INSERT_OVERWRITES | can::DETECTS_DUPLICATES;
    demand(
        opened & both != both,
        "INSERT_OVERWRITES or DETECTS_DUPLICATES, not both",
        "an opened binding with both",
    )?;
    Ok(None)
}
