//! A plugin written out by the program builds as it is, away from this workspace, and passes the kit.

use crate::support::{Place, plugins};
use std::path::Path;
use std::process::Command;

/// Has cargo take the author's crates, versions and profile of this workspace, which stand for published ones.
fn settle(place: &Place, folder: &str) {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let manifest = place.path(&format!("{folder}/Cargo.toml"));
    let text = std::fs::read_to_string(&manifest).expect("a manifest");
    let shared = std::fs::read_to_string(ours.join("Cargo.toml")).expect("our manifest");
    let (_, profile) = shared.split_once("[profile.dev]").expect("a profile");
    let (profile, _) = profile.split_once("[profile.release]").expect("another profile");
    let api = ours.join("plugin-api");
    let patch = format!(
        "\n[workspace]\n\n[profile.dev]{profile}\n[patch.crates-io]\nycsb-plugin-api = {{ path = {api:?} }}\n\
         ycsb-plugin-abi = {{ path = {:?} }}\n",
        api.join("abi")
    );
    std::fs::write(manifest, text + &patch).expect("written");
    std::fs::copy(ours.join("Cargo.lock"), place.path(&format!("{folder}/Cargo.lock"))).expect("a lock file");
}

#[test]
fn a_new_plugin_builds_and_passes_the_kit() {
    let place = Place::new();
    let made = place.line("new-plugin my-db");
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(made.stdout.contains("ycsb-host check ./target/release/libycsb_my_db.so"), "{made:?}");
    settle(&place, "ycsb-my-db");
    let target = plugins().parent().expect("the target folder");
    let built = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
        .args(["build", "--offline", "--quiet"])
        .current_dir(place.path("ycsb-my-db"))
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let library = target.join("debug/libycsb_my_db.so");
    // Not among the plugins of this workspace.
    let moved = place.path("libycsb_my_db.so");
    std::fs::copy(&library, &moved).expect("the library");
    std::fs::remove_file(&library).expect("removed");
    let checked = place.line("check ./libycsb_my_db.so -p my-db.file=records -p check.cycles=40");
    assert_eq!(checked.code, Some(0), "{}{}", checked.stdout, checked.stderr);
    let described = place.line("describe -db ./libycsb_my_db.so");
    assert!(described.stdout.contains("my-db.maxvalue=1MiB"), "{described:?}");
}

#[test]
fn bad_names_and_folders_that_exist_are_refused() {
    let place = Place::new();
    for (line, part) in [
        ("new-plugin My", "begin with a small letter"),
        ("new-plugin my_db", "small letters, digits and '-' only"),
        ("new-plugin ../x", "begin with a small letter"),
        ("new-plugin", "NAME"),
    ] {
        let ran = place.line(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{line}: {ran:?}");
        assert!(ran.stderr.contains(part), "{line}: {ran:?}");
    }
    std::fs::create_dir(place.path("there")).expect("a folder");
    let ran = place.line("new-plugin mydb --dir there");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.messages(), ["ycsb-host: there exists; name another folder with --dir"]);
}
