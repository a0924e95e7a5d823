//! The real program, started as an operator starts it.

use crate::support::Caller;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_clusterwright");
/// Inputs whose plan is computed quickly.
pub const QUERY: &str = "model.preset=llama-3.2-1b&max_gpus=8&accelerators=h100-sxm";

/// Name of the database in the directory of a test.
pub fn database(directory: &Path) -> PathBuf {
    directory.join("t.sqlite")
}

/// A command of the program on the database of a directory, without the settings of whoever runs the test.
fn command(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args);
    configure(&mut command, directory);
    command
}

fn configure(command: &mut Command, directory: &Path) {
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path))).current_dir(directory);
    command.env("CLUSTERWRIGHT_DATABASE", database(directory)).env("CLUSTERWRIGHT_SITE_ROOT", directory.join("site"));
}

/// Runs a command to its end.
pub fn run(directory: &Path, args: &[&str]) -> Output {
    command(directory, args).output().unwrap()
}

/// Runs a command that has to succeed; what it printed.
pub fn succeed(directory: &Path, args: &[&str]) -> String {
    let output = run(directory, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs a command that has to fail; what it said.
pub fn fail(directory: &Path, args: &[&str]) -> String {
    let output = run(directory, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A running server; killed when dropped.
pub struct Process {
    child: Child,
    pub base: String,
    log: PathBuf,
}

impl Process {
    /// Starts on the database of a directory, migrates, and waits until it listens. It counts no rates.
    pub fn start(directory: &Path, flags: &[&str]) -> Self {
        Self::start_in(directory, directory, &[], flags)
    }

    /// As [`Self::start`], through a program that prepares the room; the log stays outside of it.
    pub fn start_in(directory: &Path, outside: &Path, wrapper: &[&str], flags: &[&str]) -> Self {
        let serve = [PROGRAM, "serve", "--migrate", "--address", "127.0.0.1:0", "--rate-writes", "off"];
        let serve = serve.into_iter().chain(["--rate-compute", "off", "--rate-missed-links", "off"]);
        let serve = serve.chain(["--rate-log-in", "off", "--rate-log-in-account", "off", "--rate-sign-up", "off"]);
        let words: Vec<&OsStr> =
            wrapper.iter().copied().chain(serve).chain(flags.iter().copied()).map(OsStr::new).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        configure(&mut command, directory);
        let log = outside.join("log");
        let log_file = OpenOptions::new().append(true).create(true).open(&log).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log_file).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let base = line.split_whitespace().find(|word| word.starts_with("http://"));
        let base = base.unwrap_or_else(|| panic!("{line}{}", std::fs::read_to_string(&log).unwrap())).to_owned();
        Self { child, base, log }
    }

    pub fn caller(&self) -> Caller {
        Caller::of(&self.base)
    }

    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        let mut text = String::new();
        File::open(&self.log).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// Ends it as a power cut would: SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end: SIGTERM.
    pub fn terminate(&self) {
        let killed = Command::new("sh").args(["-c", &format!("kill -TERM {}", self.id())]).status().unwrap();
        assert!(killed.success());
    }

    /// Waits for its end.
    pub fn ended(&mut self, within: Duration) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < within, "it still runs after {within:?}: {}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // it may have ended by itself
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
