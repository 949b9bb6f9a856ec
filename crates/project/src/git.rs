//! What voxlint asks git: which commit a name stands for, the files of a commit, and their contents.
//!
//! The program `git` is run only where a name of a commit was given, and where a folder is searched in which something is ignored. The repository may be a stranger's: only commands
//! that read objects, the index and the ignore files are used, and they are told to run nothing and to fetch nothing,
//! whatever the configuration of the repository says. A name is never read as an option.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::contents::check_contents;
use crate::size_limit::SizeLimit;

/// The variables that would let git look at another repository than that of a folder. A hook sets some of them.
const OTHER_REPOSITORY: [&str; 12] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// What keeps a repository from running a program: it may set any of these keys itself, and these values come later.
const SETTINGS: [&str; 6] = [
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.hooksPath=/dev/null",
    // Personal ignore files would give another result on another machine.
    "core.excludesFile=",
    "protocol.allow=never",
    // A folder of the repository that looks like a bare repository is not one.
    "safe.bareRepository=explicit",
];

/// Why git could not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GitError {
    /// There is no program `git`.
    NotInstalled,
    /// The folder is not in a repository.
    NoRepository {
        /// The folder as users see it.
        folder: String,
        /// What git says.
        why: String,
    },
    /// The name stands for no commit of the repository.
    NoCommit {
        /// The name.
        name: String,
        /// Whether the repository is a shallow clone, which may lack the commit.
        is_shallow: bool,
    },
    /// The contents of a file are not in this clone.
    NoContents(String),
    /// The contents of a file are too large, and why.
    TooLarge(String),
    /// A command failed.
    Failed {
        /// The command.
        command: String,
        /// What git says.
        why: String,
    },
}

impl fmt::Display for GitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled => formatter.write_str(
                "git is needed to read a commit, and there is no program `git` on the PATH: install it, or name a folder",
            ),
            Self::NoRepository { folder, why } if why.is_empty() => {
                write!(formatter, "{folder} is not in a git repository, so no commit can be read")
            }
            Self::NoRepository { folder, why } => {
                write!(formatter, "{folder} is not in a git repository that can be read: {why}")
            }
            Self::NoCommit { name, is_shallow: true } => write!(
                formatter,
                "`{name}` is not a commit of this clone, which is shallow: fetch the whole history (`fetch-depth: 0` of \
                 actions/checkout, `GIT_DEPTH: 0` in GitLab, or `git fetch --unshallow`)"
            ),
            Self::NoCommit { name, is_shallow: false } => write!(
                formatter,
                "`{name}` is not a commit of this repository: name a branch, a tag or a commit, and fetch it first"
            ),
            Self::NoContents(path) => write!(
                formatter,
                "the contents of `{path}` are not in this clone, and voxlint fetches nothing: fetch them with git first"
            ),
            Self::TooLarge(why) => formatter.write_str(why),
            Self::Failed { command, why } => write!(formatter, "git {command} failed: {why}"),
        }
    }
}

impl std::error::Error for GitError {}

/// The id of a commit, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Commit(String);

impl Commit {
    /// The id.
    pub fn id(&self) -> &str {
        &self.0
    }
}

/// A file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommittedFile {
    /// Whether it is a symbolic link, whose contents are the path that it leads to.
    pub(crate) is_link: bool,
    /// The id of its contents.
    contents: String,
}

/// A repository. Its files have paths from its root, byte for byte and with forward slashes.
#[derive(Clone, Debug)]
pub(crate) struct Git {
    program: PathBuf,
    /// The folder of the working tree, without symbolic links.
    root: PathBuf,
}

impl Git {
    /// The repository that a folder is in.
    pub(crate) fn of_folder(folder: &Path) -> Result<Self, GitError> {
        let program = find_program().ok_or(GitError::NotInstalled)?;
        let mut git = Self { program, root: folder.to_owned() };
        let output = git.output(&["rev-parse", "--show-toplevel"])?;
        let root = output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout);
        if !output.status.success() || root.is_empty() {
            let folder = folder.to_string_lossy().into_owned();
            let why = message(&output);
            let why = if why.contains("not a git repository") { String::new() } else { why };
            return Err(GitError::NoRepository { folder, why });
        }
        let root = path_of(root);
        git.root = root.canonicalize().unwrap_or(root);
        Ok(git)
    }

    /// The folder of the working tree, without symbolic links.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The commit that a name stands for.
    pub(crate) fn commit(&self, name: &str) -> Result<Commit, GitError> {
        let no_commit = |is_shallow| GitError::NoCommit { name: name.to_owned(), is_shallow };
        if name.is_empty() || name.contains('\0') {
            return Err(no_commit(false));
        }
        let commit = format!("{name}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
        let output = self.output(&arguments)?;
        let id = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        let is_id = matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if output.status.success() && is_id {
            return Ok(Commit(id));
        }
        let shallow = self.output(&["rev-parse", "--is-shallow-repository"])?;
        Err(no_commit(shallow.stdout.starts_with(b"true")))
    }

    /// Those of some paths that are files of a commit.
    pub(crate) fn files(
        &self,
        commit: &Commit,
        wanted: &BTreeSet<Vec<u8>>,
    ) -> Result<BTreeMap<Vec<u8>, CommittedFile>, GitError> {
        let mut files = self.all_files(commit)?;
        files.retain(|path, _| wanted.contains(path));
        Ok(files)
    }

    /// All files of a commit.
    pub(crate) fn all_files(
        &self,
        commit: &Commit,
    ) -> Result<BTreeMap<Vec<u8>, CommittedFile>, GitError> {
        let mut files = BTreeMap::new();
        let arguments = ["ls-tree", "-z", "--full-tree", "-r", commit.id()].map(OsString::from);
        self.records(&arguments, &mut |record| files.extend(committed_file(record)))?;
        Ok(files)
    }

    /// The paths that git tracks or would track.
    pub(crate) fn all_tracked(&self) -> Result<BTreeSet<Vec<u8>>, GitError> {
        let mut tracked = BTreeSet::new();
        let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let arguments = arguments.map(OsString::from);
        self.records(&arguments, &mut |path| {
            tracked.insert(path.to_owned());
        })?;
        Ok(tracked)
    }

    /// Those of some paths that git tracks or would track: the others are ignored, or are in a repository of their own.
    pub(crate) fn tracked(
        &self,
        wanted: &BTreeSet<Vec<u8>>,
    ) -> Result<BTreeSet<Vec<u8>>, GitError> {
        Ok(self.all_tracked()?.intersection(wanted).cloned().collect())
    }

    /// The paths of all files that git tracks, whether it would ignore them or not.
    pub(crate) fn tracked_names(&self) -> Result<Vec<PathBuf>, GitError> {
        let mut names = Vec::new();
        let arguments = ["ls-files", "-z", "--cached"].map(OsString::from);
        self.records(&arguments, &mut |path| names.push(path_of(path)))?;
        Ok(names)
    }

    /// Whether git gives text files other line breaks in the working tree than in commits.
    pub(crate) fn converts_line_breaks(&self) -> Result<bool, GitError> {
        let output = self.output(&["config", "--get", "core.autocrlf"])?;
        Ok(output.stdout.trim_ascii() == b"true")
    }

    /// A reader of the contents of files, in one process for all of them.
    pub(crate) fn contents(&self) -> Result<Contents, GitError> {
        let failed = |error: io::Error| failed("cat-file", &error.to_string());
        let mut command = self.command(&["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (requests, answers) = pipes.ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
        let pipes = Pipes { child, requests: Some(requests), answers: BufReader::new(answers) };
        Ok(Contents(Mutex::new(pipes)))
    }

    /// Runs a command, and hands each of the records that it writes to `take`. They end with NUL.
    fn records(&self, arguments: &[OsString], take: &mut dyn FnMut(&[u8])) -> Result<(), GitError> {
        let name = arguments.first().map(|name| name.to_string_lossy()).unwrap_or_default();
        let error = |error: io::Error| failed(&name, &error.to_string());
        let mut command = self.command(arguments);
        // In a pipe, a long message could keep git from going on.
        let mut messages = tempfile::tempfile().map_err(error)?;
        let stderr = messages.try_clone().map_err(error)?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr);
        let mut child = command.spawn().map_err(error)?;
        let read = read_records(child.stdout.take(), take);
        if read.is_err() {
            // It would otherwise write on, and stay in the process table until this process ends.
            let _ = child.kill();
        }
        let status = child.wait().map_err(error)?;
        read.map_err(error)?;
        if status.success() {
            return Ok(());
        }
        let (mut stderr, stdout) = (Vec::new(), Vec::new());
        messages.rewind().and_then(|()| messages.read_to_end(&mut stderr)).map_err(error)?;
        Err(failed(&name, &message(&Output { status, stdout, stderr })))
    }

    fn output(&self, arguments: &[&str]) -> Result<Output, GitError> {
        let output = self.command(arguments).stdin(Stdio::null()).output();
        output.map_err(|error| {
            failed(arguments.first().copied().unwrap_or_default(), &error.to_string())
        })
    }

    fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.root);
        for name in OTHER_REPOSITORY {
            command.env_remove(name);
        }
        // A partial clone would fetch what it lacks, with programs that its configuration names.
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        command.args(["--no-pager", "--no-replace-objects", "--literal-pathspecs"]);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(arguments);
        command
    }
}

/// Reads the contents of files, one after the other.
#[derive(Debug)]
pub(crate) struct Contents(Mutex<Pipes>);

#[derive(Debug)]
struct Pipes {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Contents {
    /// The contents of a file of a commit. `path` is for messages.
    pub(crate) fn read(
        &self,
        file: &CommittedFile,
        path: &str,
        limit: Option<&SizeLimit>,
    ) -> Result<Vec<u8>, GitError> {
        let mut pipes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let read = pipes.read(&file.contents, limit);
        let read = read.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => GitError::TooLarge(error.to_string()),
            _ => failed("cat-file", &error.to_string()),
        });
        read?.ok_or_else(|| GitError::NoContents(path.to_owned()))
    }
}

impl Pipes {
    /// The contents with an id; `None` if they are not there.
    fn read(&mut self, id: &str, limit: Option<&SizeLimit>) -> io::Result<Option<Vec<u8>>> {
        let requests = self.requests.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        requests.write_all(id.as_bytes())?;
        requests.write_all(b"\n")?;
        requests.flush()?;
        let mut header = String::new();
        if self.answers.read_line(&mut header)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // `ID blob LENGTH`, or `ID missing`.
        let length = header.trim_end().rsplit(' ').next().and_then(|text| text.parse().ok());
        let Some(length) = length else { return Ok(None) };
        if let Some(Err(error)) = limit.map(|limit| limit.check(length)) {
            // The next answer begins after this one and its line break.
            io::copy(&mut (&mut self.answers).take(length), &mut io::sink())?;
            self.answers.read_exact(&mut [0])?;
            return Err(error);
        }
        let mut bytes = Vec::new();
        (&mut self.answers).take(length).read_to_end(&mut bytes)?;
        let mut end = [0];
        self.answers.read_exact(&mut end)?;
        let is_complete = bytes.len() as u64 == length && end == *b"\n";
        if !is_complete {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        check_contents(&bytes)?;
        Ok(Some(bytes))
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        // The process ends when nothing more is asked.
        self.requests = None;
        let _ = self.child.wait();
    }
}

/// Hands each record to `take`.
fn read_records(from: Option<impl io::Read>, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    let mut reader = BufReader::new(from.ok_or(io::ErrorKind::BrokenPipe)?);
    let mut record = Vec::new();
    while reader.read_until(0, &mut record)? > 0 {
        take(record.strip_suffix(&[0]).unwrap_or(&record));
        record.clear();
    }
    Ok(())
}

/// A file that git lists: `100644 blob ID` and a path, with a tab between them.
fn committed_file(record: &[u8]) -> Option<(Vec<u8>, CommittedFile)> {
    let (facts, path) = record.split_at(record.iter().position(|byte| *byte == b'\t')?);
    let facts = String::from_utf8_lossy(facts);
    let mut facts = facts.split(' ');
    let (mode, kind, id) = (facts.next()?, facts.next()?, facts.next()?);
    let file = CommittedFile { is_link: mode == "120000", contents: id.to_owned() };
    (kind == "blob").then(|| (path.get(1..).unwrap_or_default().to_owned(), file))
}

fn failed(command: &str, why: &str) -> GitError {
    GitError::Failed { command: command.to_owned(), why: why.to_owned() }
}

/// What git says, in one line.
fn message(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = lines.collect::<Vec<_>>().join(" ");
    if message.is_empty() { output.status.to_string() } else { message }
}

/// The program on the PATH. Its relative folders are skipped: they would be searched in the repository.
fn find_program() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let name = format!("git{}", env::consts::EXE_SUFFIX);
    let folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(&name)).find(|program| program.is_file())
}

/// A path that git has written.
#[cfg(unix)]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The part of a path as git writes it.
#[cfg(unix)]
pub(crate) fn bytes_of(part: &OsStr) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    part.as_bytes().to_owned()
}

#[cfg(not(unix))]
pub(crate) fn bytes_of(part: &OsStr) -> Vec<u8> {
    part.to_string_lossy().into_owned().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository with a commit of some files; `None` without git.
    fn repository(files: &[&str]) -> Option<(tempfile::TempDir, Git, Commit)> {
        let folder = tempfile::tempdir().unwrap();
        find_program()?;
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file).unwrap();
        }
        let run = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.current_dir(folder.path()).args(["-c", "user.name=Ada"]);
            command.args(["-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"]);
            for name in OTHER_REPOSITORY {
                command.env_remove(name);
            }
            assert!(command.args(arguments).output().unwrap().status.success(), "{arguments:?}");
        };
        run(&["init", "-q"]);
        run(&["add", "-A"]);
        run(&["commit", "-q", "-m", "one"]);
        let git = Git::of_folder(folder.path()).unwrap();
        let commit = git.commit("HEAD").unwrap();
        Some((folder, git, commit))
    }

    #[test]
    fn the_files_of_a_commit_are_found_in_every_folder() {
        let many: Vec<String> = (0..150).map(|number| format!("many/{number}/x.json")).collect();
        let mut files = vec!["a.json", "a/b.json", "a/b/c.json", "a/b-c/d.json", ":(top)x/e.json"];
        files.extend(many.iter().map(String::as_str));
        let Some((_folder, git, commit)) = repository(&files) else { return };
        let few = files.len() - many.len();
        for wanted in
            [&files[..0], &files[..1], &files[1..2], &files[2..few], &files[..few], &files]
        {
            let mut asked: BTreeSet<Vec<u8>> =
                wanted.iter().map(|path| path.as_bytes().to_owned()).collect();
            let expected: Vec<Vec<u8>> = asked.iter().cloned().collect();
            // A folder and what is not there are no files.
            asked.extend([b"a/b".to_vec(), b"nowhere/x.json".to_vec(), b"a/no.json".to_vec()]);
            let found = git.files(&commit, &asked).unwrap();
            assert_eq!(found.into_keys().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_command_that_fails_says_why() {
        let Some((_folder, git, _)) = repository(&["a.json"]) else { return };
        let arguments = ["ls-tree", "no-such-commit"].map(OsString::from);
        let error = git.records(&arguments, &mut |_| {}).unwrap_err();
        assert!(matches!(&error, GitError::Failed { command, .. } if command == "ls-tree"));
    }

    #[test]
    fn records_end_where_they_cannot_be_read() {
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        let mut taken = Vec::new();
        let read = read_records(Some((&b"one\0two"[..]).chain(Broken)), &mut |record| {
            taken.push(record.to_owned());
        });
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(taken, [b"one"]);
        assert!(read_records(None::<io::Empty>, &mut |_| {}).is_err());
    }
}
