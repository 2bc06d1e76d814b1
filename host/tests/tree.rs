//! Rules of the tree that a compiler does not know: layers, file sizes, where `unsafe` may stand.

use std::path::{Path, PathBuf};

const LAYERS: &[&[&str]] = &[
    &["base"],
    &["config"],
    &["generator", "binding"],
    &["workload", "schedule", "measure"],
    &["plan"],
    &["engine"],
    &["result"],
    &["analysis"],
    &["report", "live"],
    &["experiment", "conformance", "shell"],
    &["cli"],
];

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|names| names.contains(&module))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                found.extend(sources(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn imports_go_down_the_layers_only() {
    let src = root().join("host/src");
    let mut wrong = Vec::new();
    for path in sources(&src) {
        let inside = path.strip_prefix(&src).unwrap();
        let module = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        let Some(own) = layer_of(module) else { continue };
        let text = std::fs::read_to_string(&path).unwrap();
        for part in text.split("crate::").skip(1) {
            let used: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if layer_of(&used).is_some_and(|layer| layer > own) {
                wrong.push(format!("{}: crate::{used}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "imports against the layers:\n{}", wrong.join("\n"));
}

#[test]
fn files_have_at_most_400_lines() {
    let mut long = Vec::new();
    for folder in ["host", "plugin-api", "plugins"] {
        for path in sources(&root().join(folder)) {
            let lines = std::fs::read_to_string(&path).unwrap().lines().count();
            if lines > 400 {
                long.push(format!("{}: {lines}", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "one purpose per file, 400 lines at most:\n{}", long.join("\n"));
}

#[test]
fn unsafe_code_is_allowed_in_three_places_only() {
    let mut allowing = Vec::new();
    for folder in ["host", "plugin-api", "plugins"] {
        for path in sources(&root().join(folder)) {
            let text = std::fs::read_to_string(&path).unwrap();
            if text.lines().any(|line| line.trim_start().starts_with("#![allow(unsafe_code"))
                || text.lines().any(|line| line.trim_start().starts_with("#[allow(unsafe_code"))
            {
                allowing.push(path.strip_prefix(root()).unwrap().display().to_string());
            }
        }
    }
    allowing.retain(|path| {
        !path.starts_with("plugin-api/src/border")
            && !path.starts_with("plugin-api/tests/")
            && path != "host/src/binding/border.rs"
            && path != "host/src/base/os.rs"
    });
    assert!(allowing.is_empty(), "unsafe code outside of its places:\n{}", allowing.join("\n"));
}

/// What YCSB's core did, value for value.
const GOLDEN: [&str; 33] = [
    "cli_cases.json",
    "deterministic_values.csv",
    "distributions_top50.csv",
    "exponential.csv",
    "export_order.json",
    "fieldlength_histogram_input.csv",
    "fieldlengths.csv",
    "hdr_log.json",
    "hotspot.csv",
    "incrementing_strings.csv",
    "json_exporters.json",
    "keychooser_counts.csv",
    "keychooser_window.csv",
    "keychooser_zipfian_inserts5pct.csv",
    "keynames.csv",
    "latest_after_growth.csv",
    "latest_after_growth_buckets.csv",
    "number_format.csv",
    "operation_mix.csv",
    "properties_syntax.json",
    "random_bytes.csv",
    "remaining_formatter.csv",
    "reports.json",
    "reports_raw.json",
    "return_order.json",
    "runs_basicdb_echo.json",
    "runs_basicdb_reports.json",
    "shell_transcripts.json",
    "status_runs.json",
    "statuses.csv",
    "timeseries_runs.json",
    "zeta.csv",
    "zipfian_params.csv",
];

/// Whether a line of a test reads the file: its name ends a text there, and the line is no comment.
fn reads(text: &str, file: &str) -> bool {
    let ends = [format!("/{file}\""), format!("\"{file}\"")];
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .any(|line| ends.iter().any(|end| line.contains(end)))
}

#[test]
fn every_golden_file_is_there_and_compared_by_a_test() {
    let mut there: Vec<String> = std::fs::read_dir(root().join("host/tests/golden"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    assert_eq!(there, GOLDEN);
    let own = root().join("host/tests/tree.rs");
    let texts: Vec<String> = ["host/src", "host/tests"]
        .iter()
        .flat_map(|folder| sources(&root().join(folder)))
        .filter(|path| *path != own)
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let unread: Vec<&String> =
        there.iter().filter(|file| !texts.iter().any(|text| reads(text, file))).collect();
    assert!(unread.is_empty(), "golden files that no test reads: {unread:?}");
}
