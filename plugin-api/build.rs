//! Tells the crate which compiler builds it, for the manifest of plugins.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    let version = env::var_os("RUSTC")
        .and_then(|rustc| Command::new(rustc).arg("--version").output().ok())
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok());
    // "rustc 1.95.0 (59807616e 2026-04-14)": the first two words.
    let version = version.as_deref().map(str::trim).unwrap_or("rustc of unknown version");
    let short = version.split(" (").next().unwrap_or(version);
    println!("cargo::rustc-env=YCSB_PLUGIN_COMPILER={short}");
}
