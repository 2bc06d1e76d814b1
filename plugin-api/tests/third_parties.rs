//! Crates of other people: built apart from this workspace, with another version of the author's crate, or
//! with a profile that would take the host down.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use ycsb_plugin_api::abi::{status, text_of};
use ycsb_plugin_api::testing::{Do, Open, Plugin};

const PLUGIN: &str = r#"
#![forbid(unsafe_code)]
use ycsb_plugin_api::*;

struct Later;

impl Binding for Later {
    const INFO: Info = Info::new("later").capabilities(capability::READ);
    type Session = Later;

    fn open(_: &Settings<'_>, env: &Env<'_>) -> Result<Opened<Later>, Failure> {
        Ok(Opened::new(Later).detail(env.table()))
    }

    fn session(&self, _: &Client<'_>) -> Result<Later, Failure> {
        Ok(Later)
    }
}

impl Session for Later {
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        if op.key() == "panic" {
            panic!("on purpose");
        }
        rows.field("field0", op.key());
        Ok(Done::OK)
    }
}

export_plugin!(blocking Later);
"#;

/// A workspace of its own with the author's crate at `version` and a plugin, sharing lock file, sources of
/// dependencies and build folder with this one.
fn workspace(folder: &str, version: &str) -> PathBuf {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let manifest = read(&ours.join("Cargo.toml"));
    let (_, shared) = manifest.split_once("[workspace.package]").expect("shared package fields");
    let shared = shared
        .replacen(r#"version = "0.1.0""#, &format!("version = {version:?}"), 1)
        .replace(
            r#"ycsb-plugin-api = { path = "plugin-api", version = "0.1.0" }"#,
            &format!("ycsb-plugin-api = {{ path = \"plugin-api\", version = {version:?} }}"),
        )
        .replace(r#"path = "plugin-api/abi""#, &format!("path = {:?}", ours.join("plugin-api/abi")));
    write(
        &root.join("Cargo.toml"),
        &format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\"plugin-api\", \"later\"]\n\n[workspace.package]{shared}"
        ),
    );
    write(&root.join("Cargo.lock"), &read(&ours.join("Cargo.lock")));
    copy(&ours.join("plugin-api/src"), &root.join("plugin-api/src"));
    write(&root.join("plugin-api/build.rs"), &read(&ours.join("plugin-api/build.rs")));
    write(&root.join("plugin-api/README.md"), "");
    let api = read(&ours.join("plugin-api/Cargo.toml"));
    let (api, _) = api.split_once("[dev-dependencies]").expect("development dependencies");
    write(&root.join("plugin-api/Cargo.toml"), api);
    write(&root.join("later/src/lib.rs"), PLUGIN);
    write(
        &root.join("later/Cargo.toml"),
        "[package]\nname = \"later\"\nversion = \"3.1.4\"\nedition = \"2024\"\n\n[lib]\nname = \"later_plugin\"\n\
         crate-type = [\"cdylib\"]\n\n[dependencies]\nycsb-plugin-api.workspace = true\n",
    );
    root
}

fn cargo(root: &Path, arguments: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the build folder");
    Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_NET_OFFLINE", "true")
        .output()
        .expect("cargo starts")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Leaves a file that is as it should be alone, or everything would be built again each time.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let path = entry.expect("an entry").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() { copy(&path, &to) } else { write(&to, &read(&path)) }
    }
}

#[test]
fn a_plugin_built_with_version_2_of_the_authors_crate_loads_beside_version_0() {
    assert!(env!("CARGO_PKG_VERSION").starts_with("0."), "compare with another version");
    let root = workspace("version-2", "2.0.0");
    let built = cargo(&root, &["build", "-p", "later"]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("debug").join("liblater_plugin.so");
    let plugin = Plugin::load(&library).expect("loads");
    let manifest = &plugin.manifests()[0];
    assert_eq!(text_of(manifest.api_version), Some("2.0.0"));
    assert_eq!((text_of(manifest.name), text_of(manifest.version)), (Some("later"), Some("3.1.4")));

    let binding = plugin.open(Open::default()).expect("opens");
    assert_eq!(binding.detail, "usertable");
    let ends = binding.play_one([Do::open(), Do::read("user1"), Do::read("panic"), Do::update("user1", &[])]);
    assert_eq!(ends[1].rows[0].field("field0"), Some(&b"user1"[..]));
    assert_eq!(ends[2].status, status::PANIC);
    assert!(ends[2].detail.ends_with(": on purpose"), "{}", ends[2].detail);
}

#[test]
fn a_plugin_whose_panics_abort_does_not_compile() {
    let root = workspace("abort", "0.1.0");
    // What `panic = "abort"` in the profile passes, without building all dependencies once more.
    let built = cargo(&root, &["rustc", "-p", "later", "--lib", "--", "-C", "panic=abort"]);
    let told = String::from_utf8_lossy(&built.stderr);
    assert!(!built.status.success(), "it compiles");
    assert!(told.contains("a ycsb-host plugin needs panic = \"unwind\""), "{told}");
}

/// A manifest whose published crates are replaced by those of this workspace. The profile is that of this
/// workspace, or all dependencies would be built once more.
fn settled(manifest: &str) -> String {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let shared = read(&ours.join("Cargo.toml"));
    let (_, profile) = shared.split_once("[profile.dev]").expect("a profile");
    let (profile, _) = profile.split_once("[profile.release]").expect("another profile");
    format!(
        "{manifest}\n[workspace]\n\n[profile.dev]{profile}\n[patch.crates-io]\n\
         ycsb-plugin-api = {{ path = {:?} }}\nycsb-plugin-abi = {{ path = {:?} }}\n",
        ours.join("plugin-api"),
        ours.join("plugin-api/abi")
    )
}

#[test]
fn the_template_builds_on_its_own_and_passes_its_tests() {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("template");
    for part in ["src", "tests"] {
        copy(&ours.join("plugins/template").join(part), &root.join(part));
    }
    write(&root.join("Cargo.lock"), &read(&ours.join("Cargo.lock")));
    write(&root.join("Cargo.toml"), &settled(&read(&ours.join("plugins/template/Cargo.toml"))));
    let tested = cargo(&root, &["test"]);
    assert!(tested.status.success(), "{}", String::from_utf8_lossy(&tested.stdout));
}

/// The first snippet of this language in the guide that holds a text.
fn snippet<'a>(guide: &'a str, language: &str, holding: &str) -> &'a str {
    let fence = format!("```{language}\n");
    let mut snippets = guide.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("```").next());
    snippets.find(|text| text.contains(holding)).unwrap_or_else(|| panic!("no snippet with {holding}"))
}

#[test]
fn the_plugin_of_the_guide_builds_with_its_manifest_and_loads() {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
    let guide = read(&ours.join("docs/writing-a-plugin.md"));
    let source = snippet(&guide, "rust", "export_plugin!(blocking MyDb);");
    write(&root.join("src/lib.rs"), &format!("#![forbid(unsafe_code)]\n{source}"));
    write(&root.join("Cargo.lock"), &read(&ours.join("Cargo.lock")));
    write(&root.join("Cargo.toml"), &settled(snippet(&guide, "toml", "[package]")));
    let built = cargo(&root, &["build"]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    // Away from the plugins of this workspace, among which the host would list it.
    let library = root.join("libycsb_mydb.so");
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("debug").join("libycsb_mydb.so");
    fs::rename(built, &library).expect("moved");
    let binding = Plugin::load(&library).expect("loads").open(Open::default()).expect("opens");
    assert_eq!(binding.detail, "store \"main\", table \"usertable\"");
    let field: &[(&str, &[u8])] = &[("field0", b"a")];
    let ends = binding.play_one([
        Do::open(),
        Do::read("user1"),
        Do::insert("user1", field),
        Do::insert("user1", field),
        Do::read("user1"),
        Do::update("user1", field),
    ]);
    let statuses: Vec<u32> = ends[1..].iter().map(|end| end.status).collect();
    let expected = [status::NOT_FOUND, status::OK, status::DUPLICATE, status::OK, status::NOT_IMPLEMENTED];
    assert_eq!(statuses, expected);
    assert_eq!(ends[4].rows[0].field("field0"), Some(&b"a"[..]));
}
