//! The reference of properties as Markdown, made from their declarations.

use crate::config::{Declaration, Kind};
use std::fmt::Write;

/// A heading and a table with one row per declaration: name, what it takes, default, meaning.
pub fn reference<'a>(title: &str, declarations: impl IntoIterator<Item = &'a Declaration>) -> String {
    format!("## {title}\n\n{}", table(declarations))
}

/// The table alone.
pub fn table<'a>(declarations: impl IntoIterator<Item = &'a Declaration>) -> String {
    let mut declarations = declarations.into_iter().peekable();
    if declarations.peek().is_none() {
        return "No properties.\n".to_owned();
    }
    let mut text = "| property | takes | default | meaning |\n| --- | --- | --- | --- |\n".to_owned();
    for declaration in declarations {
        let name = shown_name(declaration);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "| `{name}` | {} | {} | {} |",
            cell(&takes(declaration)),
            default(declaration),
            cell(&meaning(declaration))
        );
    }
    text
}

/// The name; a prefix with a star.
pub(super) fn shown_name(declaration: &Declaration) -> String {
    let star = if declaration.prefix { "*" } else { "" };
    format!("{}{star}", declaration.name)
}

/// What the property takes, in words.
pub(super) fn takes(declaration: &Declaration) -> String {
    let range = match declaration.allowed.is_empty() {
        true => String::new(),
        false => format!(" {}", declaration.allowed),
    };
    match declaration.kind {
        Kind::Text => "text".to_owned(),
        Kind::Integer => format!("whole number{range}"),
        Kind::Number => format!("number{range}"),
        Kind::Bool => "true, false".to_owned(),
        Kind::Duration => format!("time{range}"),
        Kind::Bytes => format!("bytes{range}"),
        Kind::OneOf => declaration.allowed.replace('|', ", "),
        Kind::Url => "URL".to_owned(),
        Kind::File => "path".to_owned(),
        Kind::Hosts => "hosts".to_owned(),
    }
}

fn default(declaration: &Declaration) -> String {
    match declaration.default {
        Some("") => "empty".to_owned(),
        Some(default) => format!("`{}`", cell(default)),
        None if declaration.required => "has to be given".to_owned(),
        None => "none".to_owned(),
    }
}

/// The help and all remarks.
pub(super) fn meaning(declaration: &Declaration) -> String {
    let mut text = declaration.help.to_owned();
    let mut add = |applies: bool, remark: &str| {
        if applies {
            text.push(' ');
            text.push_str(remark);
        }
    };
    add(declaration.no_effect, "Without effect.");
    add(declaration.deprecated, "Old.");
    add(declaration.secret, "Secret: give it as env:NAME or file:PATH.");
    add(declaration.load_only, "Load only.");
    add(declaration.run_only, "Run only.");
    let aliases: Vec<String> = declaration.aliases.iter().map(|alias| format!("`{alias}`")).collect();
    add(!aliases.is_empty(), &format!("Also {}.", aliases.join(", ")));
    text
}

/// A bar would end the cell.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::catalog::host_declarations;
    use crate::plan::host_properties::WITHOUT_EFFECT;
    use crate::workload::WorkloadClass;
    use std::collections::BTreeMap;

    fn all_declarations() -> Vec<Declaration> {
        let workloads = WorkloadClass::ALL.iter().map(|class| class.declarations());
        let lists = host_declarations().into_iter().chain(workloads).chain([WITHOUT_EFFECT]);
        lists.flatten().copied().collect()
    }

    #[test]
    fn every_declaration_has_one_sentence_of_help_and_a_default_that_it_allows() {
        for declaration in all_declarations() {
            let name = declaration.name;
            assert!(declaration.help.ends_with('.'), "{name}: {:?}", declaration.help);
            assert!(!(declaration.required && declaration.default.is_some()), "{name}");
            if let Some(default) = declaration.default {
                let given = crate::config::Given {
                    spelling: name.to_owned(),
                    value: default.to_owned(),
                    origin: crate::config::Origin::Default,
                };
                assert_eq!(crate::config::check(&declaration, &given), Ok(()), "{name}");
            }
        }
    }

    #[test]
    fn host_declarations_name_every_property_once() {
        let mut seen = BTreeMap::new();
        for declaration in host_declarations().into_iter().flatten() {
            for name in declaration.aliases.iter().chain([&declaration.name]) {
                assert!(seen.insert(*name, declaration.name).is_none(), "{name} is declared twice");
            }
        }
    }

    #[test]
    fn a_row_shows_name_default_and_meaning() {
        let declaration = Declaration::one_of("word", "a|b").default("a").aliases(&["w"]).help("A word.");
        let text = reference("Words", [&declaration]);
        assert!(text.ends_with("| `word` | a, b | `a` | A word. Also `w`. |\n"), "{text}");
    }
}
