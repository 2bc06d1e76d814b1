//! `ycsb-host new-plugin NAME`: writes out the template as a crate of its own, ready to build.

use super::{EXIT_USAGE, own};
use crate::base::streams;
use crate::experiment::EXIT_FAILED;
use std::path::{Path, PathBuf};

/// The files of the template, by their path in the new crate. The program carries them, so that they are of
/// its own version and nothing else has to be installed.
const TEMPLATE: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../../../plugins/template/Cargo.toml")),
    ("README.md", include_str!("../../../plugins/template/README.md")),
    ("src/lib.rs", include_str!("../../../plugins/template/src/lib.rs")),
    ("src/session.rs", include_str!("../../../plugins/template/src/session.rs")),
    ("src/settings.rs", include_str!("../../../plugins/template/src/settings.rs")),
    ("src/snapshot.rs", include_str!("../../../plugins/template/src/snapshot.rs")),
    ("src/store.rs", include_str!("../../../plugins/template/src/store.rs")),
    ("tests/operations.rs", include_str!("../../../plugins/template/tests/operations.rs")),
];

#[derive(clap::Parser)]
#[command(bin_name = "ycsb-host new-plugin", about = "Writes out a complete small plugin to start from")]
struct Words {
    /// Name of the binding: small letters and digits, with '-' between
    name: String,
    /// Folder of the new crate, which must not exist yet (default: ycsb-NAME)
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

/// Writes the crate; the result is the exit code.
pub(super) fn execute(words: &[String]) -> i32 {
    let words: Words = match own::parse(words) {
        Ok(words) => words,
        Err(code) => return code,
    };
    if let Err(reason) = check_name(&words.name) {
        streams::say(&format!("plugin name \"{}\": {reason}", words.name));
        return EXIT_USAGE;
    }
    let folder = words.dir.unwrap_or_else(|| PathBuf::from(format!("ycsb-{}", words.name)));
    if folder.exists() {
        streams::say(&format!("{} exists; name another folder with --dir", folder.display()));
        return EXIT_USAGE;
    }
    if let Err(error) = write(&folder, &words.name) {
        streams::say(&format!(
            "{}: cannot be written: {error}; choose another folder with --dir",
            folder.display()
        ));
        return EXIT_FAILED;
    }
    streams::out(&next_steps(&folder, &words.name));
    0
}

fn check_name(name: &str) -> Result<(), &'static str> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match () {
        _ if !name.starts_with(|c: char| c.is_ascii_lowercase()) => Err("begin with a small letter"),
        _ if !name.chars().all(letters) => Err("use small letters, digits and '-' only"),
        _ if name.ends_with('-') || name.contains("--") => Err("put single '-' between letters or digits"),
        _ if name.len() > 40 => Err("use at most 40 characters"),
        _ => Ok(()),
    }
}

fn write(folder: &Path, name: &str) -> std::io::Result<()> {
    for (path, text) in TEMPLATE {
        let file = folder.join(path);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(file, renamed(text, name))?;
    }
    Ok(())
}

/// The text of the template under another name: of package and library, type, properties and file marks.
fn renamed(text: &str, name: &str) -> String {
    let mut type_name: String = name.split('-').map(capitalised).collect();
    if TAKEN.contains(&type_name.as_str()) {
        type_name.push_str("Plugin");
    }
    let library = name.replace('-', "_");
    text.replace("ycsb_template", &format!("ycsb_{library}"))
        .replace("ycsb-template", &format!("ycsb-{name}"))
        .replace("Template", &type_name)
        .replace("\"template\"", &format!("\"{name}\""))
        .replace("template.", &format!("{name}."))
        .replace("the template plugin", &format!("the plugin {name}"))
}

/// Names of types that the template imports.
const TAKEN: &[&str] = &[
    "Answer", "Arc", "Batch", "Binding", "Client", "Delete", "Do", "Done", "Env", "Failure", "Fields",
    "File", "Info", "Open", "Opened", "Option", "Path", "Phase", "Plugin", "Property", "Read", "Record",
    "Result", "Rows", "Scan", "Select", "Session", "Settings", "Store", "String", "Table", "Tables",
    "Values", "Vec", "Write",
];

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn next_steps(folder: &Path, name: &str) -> String {
    let library = name.replace('-', "_");
    format!(
        "{folder} holds a complete plugin. Next:\n\
         \x20   cd {folder}\n\
         \x20   cargo build --release\n\
         \x20   ycsb-host check ./target/release/libycsb_{library}.so -p {name}.file=records\n",
        folder = folder.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_library_could_have_are_refused() {
        for good in ["mydb", "my-db2"] {
            assert_eq!(check_name(good), Ok(()));
        }
        for bad in ["", "My", "2db", "-a", "a--b", "a-", "a_b", "a/b", "../x", &"a".repeat(41)] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn nothing_of_the_template_keeps_its_name() {
        for (path, text) in TEMPLATE {
            let text = renamed(text, "my-db");
            assert!(!text.contains("ycsb_template") && !text.contains("ycsb-template"), "{path}");
            assert!(!text.contains("Template") && !text.contains("\"template"), "{path}");
        }
        let taken = renamed("struct Template; struct TemplateSession;", "store");
        assert_eq!(taken, "struct StorePlugin; struct StorePluginSession;");
        let manifest = renamed(TEMPLATE[0].1, "my-db");
        assert!(manifest.contains("name = \"ycsb-my-db\"") && manifest.contains("name = \"ycsb_my_db\""));
    }

    #[test]
    fn the_program_carries_every_file_of_the_template() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins/template");
        for folder in ["src", "tests"] {
            for entry in std::fs::read_dir(root.join(folder)).expect(folder) {
                let name = entry.expect("an entry").file_name();
                let path = format!("{folder}/{}", name.to_str().expect("UTF-8"));
                assert!(TEMPLATE.iter().any(|(carried, _)| *carried == path), "{path}");
            }
        }
    }
}
