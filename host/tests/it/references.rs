//! The reference part of every plugin's README is what the plugin says of itself.

use crate::support::plugins;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const BEGIN: &str = "<!-- reference: made by ycsb-host describe --markdown -->\n";
const END: &str = "<!-- end of reference -->\n";
/// Set to 1, it has the references written instead of compared.
const WRITE: &str = "WRITE_REFERENCES";

fn folder_of_plugins() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("plugins")
}

fn newest(folder: &Path) -> SystemTime {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let times = entries.map(|path| match path.is_dir() {
        true => newest(&path),
        false => path.metadata().and_then(|metadata| metadata.modified()).expect("a time"),
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Whether a library was built from the source as it is now, for the interface as it is now.
fn is_built(library: &Path, plugin: &Path) -> bool {
    let interface = folder_of_plugins().with_file_name("plugin-api").join("abi/src");
    let built = library.metadata().and_then(|metadata| metadata.modified());
    built.is_ok_and(|built| built >= newest(&plugin.join("src")).max(newest(&interface)))
}

fn page(library: &Path) -> String {
    let program = assert_cmd::cargo::cargo_bin("ycsb-host");
    let output = std::process::Command::new(program)
        .args(["describe", "--markdown", "--db"])
        .arg(library)
        .output()
        .expect("the program");
    assert!(output.status.success(), "{}: {}", library.display(), String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The README with the page in its reference part, which is put at the end if there is none.
fn with_page(readme: &str, page: &str) -> String {
    let part = format!("{BEGIN}\n{page}\n{END}");
    match (readme.find(BEGIN), readme.find(END)) {
        (Some(begin), Some(end)) if begin < end => {
            format!("{}{part}{}", &readme[..begin], &readme[end + END.len()..])
        }
        _ => format!("{}\n\n{part}", readme.trim_end()),
    }
}

#[test]
fn the_reference_in_the_readme_of_every_plugin_is_current() {
    let write = std::env::var(WRITE).is_ok_and(|value| value == "1");
    let libraries = plugins();
    let mut stale = Vec::new();
    for entry in std::fs::read_dir(folder_of_plugins()).expect("plugins") {
        let plugin = entry.expect("an entry").path();
        let name = plugin.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        // The template is a crate of its own and is built elsewhere; the faulty plugin is for tests only.
        let (source, readme) = (plugin.join("src"), plugin.join("README.md"));
        if ["template", "faulty"].contains(&name.as_str()) || !source.is_dir() || !readme.is_file() {
            continue;
        }
        let library = libraries.join(format!("libycsb_{}.so", name.replace('-', "_")));
        if !is_built(&library, &plugin) {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "{name} is not built; in CI nothing is skipped"
            );
            eprintln!(
                "skipped: {name} is not built from its present source; run cargo build --workspace first"
            );
            continue;
        }
        let text = std::fs::read_to_string(&readme).expect("a README");
        let current = with_page(&text, &page(&library));
        if current != text {
            match write {
                true => std::fs::write(&readme, current).expect("written"),
                false => stale.push(name),
            }
        }
    }
    assert!(
        stale.is_empty(),
        "stale references: {}; run {WRITE}=1 cargo test -p ycsb-host --test it references",
        stale.join(", ")
    );
}

#[test]
fn a_reference_replaces_its_part_and_keeps_what_stands_around_it() {
    let first = with_page("# x\n\nBy hand.\n", "old\n");
    assert!(first.starts_with("# x\n\nBy hand.\n\n") && first.ends_with(END));
    let second = with_page(&format!("{first}\nAfter.\n"), "new\n");
    assert!(second.contains("new\n") && !second.contains("old") && second.ends_with("\nAfter.\n"));
}
