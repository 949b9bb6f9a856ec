//! The program, run as its users run it.

use std::env;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use voxlint_testing::repository;

/// Where the folders of tests are: not in this repository, whose thousands of files git would list for each run.
pub(crate) fn scratch() -> PathBuf {
    let repository = repository().to_string_lossy().replace(['/', '\\', ':'], "-");
    env::temp_dir().join(format!("voxlint-tests{repository}"))
}

/// A folder of its own for one test, with the files in it.
pub(crate) fn folder(name: &str, files: &[(&str, impl AsRef<[u8]>)]) -> PathBuf {
    let folder = scratch().join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    for (path, text) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder
}

/// The command with these arguments, and nothing of this environment that changes what it shows.
pub(crate) fn voxlint(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_voxlint"));
    command.current_dir(directory).args(arguments);
    for name in [
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "FORCE_COLOR",
        "TERM",
        "CI",
        "GITHUB_ACTIONS",
        "RAYON_NUM_THREADS",
        "VOXLINT_DOCS",
    ] {
        command.env_remove(name);
    }
    command
}

/// What the command says.
pub(crate) fn run(directory: &Path, arguments: &[&str]) -> Output {
    voxlint(directory, arguments).output().unwrap()
}

/// What the command says of a standard input.
pub(crate) fn run_with_input(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    run_with_stdin(repository(), arguments, input)
}

/// The same in a directory.
pub(crate) fn run_with_stdin(
    directory: &Path,
    arguments: &[&str],
    input: impl AsRef<[u8]>,
) -> Output {
    run_command(&mut voxlint(directory, arguments), input)
}

/// What a command says of a standard input.
pub(crate) fn run_command(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read all of it closes the pipe.
    if let Err(error) = child.stdin.take().unwrap().write_all(input.as_ref()) {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{error}");
    }
    child.wait_with_output().unwrap()
}

/// What went to standard output.
pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// What went to standard error.
pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The findings of a check, a line each, without the summary.
pub(crate) fn found(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let fixed = ["check", "--format", "concise", "-q"];
    let output = run(directory, &[&fixed[..], arguments].concat());
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    stdout(&output).lines().map(str::to_owned).collect()
}

/// The same without the messages: `agents/en.json:1:41: error[out-of-range]`.
pub(crate) fn places(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let lines = found(directory, arguments).into_iter();
    lines.map(|line| line.split_inclusive(']').next().unwrap_or_default().to_owned()).collect()
}

/// The exit code.
pub(crate) fn status(directory: &Path, arguments: &[&str]) -> i32 {
    run(directory, arguments).status.code().unwrap()
}

/// Copies a folder with everything in it, links as links.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        match fs::read_link(&path) {
            Ok(target) => link(target.to_str().unwrap(), &to),
            Err(_) if path.is_dir() => copy(&path, &to),
            Err(_) => drop(fs::copy(&path, &to).unwrap()),
        }
    }
}

#[cfg(unix)]
pub(crate) fn link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).unwrap();
}

#[cfg(not(unix))]
pub(crate) fn link(_: &str, _: &Path) {}

/// Runs git with nothing of this machine's settings.
pub(crate) fn git(directory: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(directory).args(arguments);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Ada");
        command.env(format!("GIT_{who}_EMAIL"), "ada@example.com");
        command.env(format!("GIT_{who}_DATE"), "2026-01-02T03:04:05Z");
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", stderr(&output));
    stdout(&output).trim_end().to_owned()
}

/// Whether git is installed.
pub(crate) fn has_git() -> bool {
    static HAS: LazyLock<bool> =
        LazyLock::new(|| Command::new("git").arg("--version").output().is_ok());
    *HAS
}

/// Commits everything in a folder, to a new repository with the branch `main` if it is none. Returns whether git is installed.
pub(crate) fn commit(directory: &Path) -> bool {
    if !has_git() {
        voxlint_testing::skip("git is not installed");
        return false;
    }
    if !directory.join(".git/HEAD").exists() {
        git(directory, &["init", "-q", "-b", "main", "--template="]);
    }
    git(directory, &["add", "-A"]);
    git(directory, &["commit", "-q", "--allow-empty", "-m", "one"]);
    true
}
