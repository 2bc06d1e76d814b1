//! Runs the program in a fresh folder with the plugins of this workspace, and keeps all that it said.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use tempfile::TempDir;

/// Plugins that these tests run on.
const PLUGINS: [&str; 8] = [
    "ycsb-noop",
    "ycsb-memdb",
    "ycsb-basic",
    "ycsb-redb",
    "ycsb-faulty",
    "ycsb-faulty-major",
    "ycsb-faulty-layout",
    "ycsb-faulty-lengths",
];

/// Longer than any run here; a hang must not stop the tests for ever.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a run of the program did.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Exit code; `None` if it was killed by a signal.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

impl Ran {
    /// Lines of standard error behind the echo of the command line.
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.stderr.lines().filter(|line| !line.starts_with("Command line:")).collect()
    }
}

/// A fresh folder in which the program runs.
pub(crate) struct Place {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Place {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Place { folder: tempfile::tempdir().expect("a folder"), variables: Vec::new() }
    }

    /// Adds a variable to the environment of the program.
    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), content).expect(name);
        self
    }

    /// Path of a name in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the program with these words, in the folder.
    pub(crate) fn ycsb<W: AsRef<str>>(&self, words: impl IntoIterator<Item = W>) -> Ran {
        self.ycsb_reading("", words)
    }

    /// Runs the program with these words, in the folder, with a text on standard input.
    pub(crate) fn ycsb_reading<W: AsRef<str>>(&self, input: &str, words: impl IntoIterator<Item = W>) -> Ran {
        let words: Vec<String> = words.into_iter().map(|word| word.as_ref().to_owned()).collect();
        let output = assert_cmd::Command::cargo_bin("ycsb-host")
            .expect("the program")
            .current_dir(self.folder.path())
            .env("YCSB_PLUGIN_PATH", plugins())
            .envs(self.variables.clone())
            .args(&words)
            .write_stdin(input)
            .timeout(PATIENCE)
            .output()
            .unwrap_or_else(|error| panic!("{words:?}: {error}"));
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Starts the program with the words of a line and does not wait for it.
    pub(crate) fn spawn(&self, line: &str) -> Child {
        Command::new(assert_cmd::cargo::cargo_bin("ycsb-host"))
            .current_dir(self.folder.path())
            .env("YCSB_PLUGIN_PATH", plugins())
            .args(line.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program")
    }

    /// Runs the program with the words of a line, separated by blanks.
    pub(crate) fn line(&self, line: &str) -> Ran {
        self.ycsb(line.split_whitespace())
    }
}

/// Path of a workload file of this workspace.
pub(crate) fn workload(name: &str) -> String {
    format!("{}/../workloads/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the plugins, which are built first if they are not yet.
pub(crate) fn plugins() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // This program is PROFILE/deps/it-HASH below the target folder; cdylibs lie in PROFILE.
        let program = std::env::current_exe().expect("this program's path");
        let profile = program.ancestors().nth(2).expect("the profile's folder").to_owned();
        // Who names the program has built the plugins beside it.
        if std::env::var_os("YCSB_HOST_PROGRAM").is_some() {
            return profile;
        }
        let mut build = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
        build.args(["build", "--quiet", "--locked"]).current_dir(env!("CARGO_MANIFEST_DIR"));
        for plugin in PLUGINS {
            build.args(["--package", plugin]);
        }
        if profile.ends_with("release") {
            build.arg("--release");
        }
        build.arg("--target-dir").arg(profile.parent().expect("the target folder"));
        assert!(build.status().expect("cargo").success(), "the plugins cannot be built");
        profile
    })
}
