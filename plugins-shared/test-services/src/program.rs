//! Whole runs: the host's program with a plugin of this workspace.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// YCSB's workload files.
pub const STOCK: [&str; 6] = ["workloada", "workloadb", "workloadc", "workloadd", "workloade", "workloadf"];

/// The words of a command line; blanks are between them, never in them.
pub fn split(words: &str) -> impl Iterator<Item = String> + '_ {
    words.split_whitespace().map(str::to_owned)
}

/// Longer than any run of a test; a hang must not stop the tests for ever.
const PATIENCE: Duration = Duration::from_secs(240);

/// The program, with a plugin that it finds.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
    plugins: PathBuf,
}

/// What a run of the program did.
#[derive(Debug)]
pub struct Ran {
    /// Exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output: the report.
    pub stdout: String,
    /// Standard error: everything else.
    pub stderr: String,
}

/// Builds for one test after the other.
static BUILDING: Mutex<()> = Mutex::new(());

impl Program {
    /// Builds the program and the package of a plugin, unless they are there, in the profile of the test that calls.
    ///
    /// # Panics
    /// If they cannot be built.
    pub fn with_plugin(package: &str) -> Program {
        let _one_by_one = BUILDING.lock();
        // A test is PROFILE/deps/NAME-HASH below the target folder; programs and plugins lie in PROFILE.
        let test = std::env::current_exe().expect("this program's path");
        let plugins = test.ancestors().nth(2).expect("the profile's folder").to_owned();
        if let Some(path) = std::env::var_os("YCSB_HOST_PROGRAM") {
            return Program { path: path.into(), plugins };
        }
        let mut build = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
        build.args(["build", "--quiet", "--locked", "--package", "ycsb-host", "--package", package]);
        build.current_dir(workspace());
        if plugins.ends_with("release") {
            build.arg("--release");
        }
        build.arg("--target-dir").arg(plugins.parent().expect("the target folder"));
        assert!(build.status().expect("cargo").success(), "{package} cannot be built");
        Program { path: plugins.join("ycsb-host"), plugins }
    }

    /// Runs it with these words to its end.
    ///
    /// # Panics
    /// If it cannot be started, or does not end within four minutes.
    pub fn run<W: AsRef<str>>(&self, words: impl IntoIterator<Item = W>) -> Ran {
        let words: Vec<String> = words.into_iter().map(|word| word.as_ref().to_owned()).collect();
        let mut child = Command::new(&self.path)
            .env("YCSB_PLUGIN_PATH", &self.plugins)
            .current_dir(workspace())
            .args(&words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let code = await_end(&mut child, &words);
        let text = |bytes: thread::JoinHandle<Vec<u8>>| {
            String::from_utf8_lossy(&bytes.join().expect("read")).into_owned()
        };
        Ran { code, stdout: text(stdout), stderr: text(stderr) }
    }
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn await_end(child: &mut Child, words: &[String]) -> Option<i32> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child of this process") {
            return status.code();
        }
        if began.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("ycsb-host {} did not end", words.join(" "));
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// The folder of the workspace.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Ran {
    /// A figure of the report: `[INSERT], Return=OK, 1000` has the name `INSERT` and the label `Return=OK`.
    pub fn value(&self, name: &str, label: &str) -> Option<f64> {
        let start = format!("[{name}], {label}, ");
        self.stdout
            .lines()
            .find_map(|line| line.strip_prefix(&start))
            .and_then(|value| value.trim().parse().ok())
    }

    /// How often an operation returned a status.
    pub fn returned(&self, name: &str, status: &str) -> u64 {
        self.value(name, &format!("Return={status}")).unwrap_or_default() as u64
    }

    /// How often an operation returned OK.
    pub fn succeeded(&self, name: &str) -> u64 {
        self.returned(name, "OK")
    }

    /// Operations that succeeded; the two halves of a read-modify-write count each.
    pub fn done(&self) -> u64 {
        ["READ", "UPDATE", "INSERT", "SCAN"].iter().map(|name| self.succeeded(name)).sum()
    }

    /// The same with each read-modify-write as one, as `operationcount` has it.
    pub fn turns(&self) -> u64 {
        self.done() - self.value("READ-MODIFY-WRITE", "Operations").unwrap_or_default() as u64
    }

    /// Itself.
    ///
    /// # Panics
    /// If the exit code is not 0.
    pub fn sound(&self) -> &Ran {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// Every record that was read was verified (`dataintegrity`), and each is what was written.
    ///
    /// # Panics
    /// If that is not so, or nothing was read.
    pub fn verified_all_reads(&self) {
        let verified = self.returned("VERIFY", "OK");
        assert_eq!(verified, self.succeeded("READ"), "{self:?}");
        assert!(verified > 0 && self.value("VERIFY", "Return=UNEXPECTED_STATE").is_none(), "{self:?}");
    }

    /// Everything that it wrote.
    pub fn everything(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}
