//! Every file, record and text that a run finds or receives is checked, skipped with a reason, or fails the run.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::process::{folder, places, run, status, stderr, stdout, voxlint};

const GOOD: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 3 }\n";
const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12 }\n";
const BROKEN_TEXT: &str = "Hello {{name\n";

/// A repository of its own with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("accounting/{name}"), &[&head, files].concat())
}

#[cfg(unix)]
#[test]
fn a_hidden_folder_that_cannot_be_read_does_not_fail_the_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let deep = format!(".cache/{}a.json", "d/".repeat(140));
    let folder = project("hidden-folders", &[("en.json", GOOD), (&deep, GOOD), (".x/a", "")]);
    let locked = folder.join(".x");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    assert_eq!(status(&folder, &["check"]), 0);
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::fs::{self, Permissions};
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::Command;

    use super::*;

    const RELATED: &str = "[[documents]]\nfiles = \"*.json\"\nstored = \"stored/{stem}.state\"\ntext_files = { prompt_text = \"texts/{stem}.hbs\" }\n";

    /// The expected failures of the run.
    fn failure(folder: &Path, arguments: &[&str]) -> String {
        let output = run(folder, &[&["check", "-q"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        stderr(&output).to_owned()
    }

    fn pipe(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn files_that_cannot_be_reached_fail_the_run() {
        for (part, name) in [("stored", "a.state"), ("texts", "a.hbs")] {
            let path = format!("{part}/{name}");
            let folder = |case: &str| {
                let files = [("voxlint.toml", RELATED), ("a.json", GOOD)];
                let folder = project(&format!("reach-{part}-{case}"), &files);
                fs::create_dir(folder.join(part)).unwrap();
                folder
            };
            let looping = folder("looping");
            symlink(name, looping.join(&path)).unwrap();
            assert!(failure(&looping, &["a.json"]).starts_with(&format!("voxlint: {path}: ")));

            let piped = folder("pipe");
            pipe(&piped.join(&path));
            assert!(failure(&piped, &["a.json"]).contains("not a regular file"));

            let closed = folder("closed");
            fs::write(closed.join(&path), "{}").unwrap();
            fs::set_permissions(closed.join(part), Permissions::from_mode(0o0)).unwrap();
            // The superuser may enter everything.
            if fs::read_dir(closed.join(part)).is_err() {
                let said = format!("voxlint: {path}: permission denied\n");
                assert_eq!(failure(&closed, &["a.json"]), said);
            }
            fs::set_permissions(closed.join(part), Permissions::from_mode(0o755)).unwrap();
        }
        for name in ["voxlint.toml", "c.json"] {
            let folder = project(&format!("pipe-{name}"), &[("agents/a.json", GOOD)]);
            pipe(&folder.join(name));
            let said = format!("voxlint: {name}: not a regular file\n");
            assert_eq!(failure(&folder, &[]), said);
        }
    }

    #[test]
    fn names_that_are_not_utf8_are_not_lost() {
        let odd =
            |end: &str| PathBuf::from(OsStr::from_bytes(&[b"a\xff", end.as_bytes()].concat()));
        let folder = project("odd-names", &[("voxlint.toml", RELATED)]);
        fs::write(folder.join(odd(".json")), GOOD).unwrap();
        assert!(failure(&folder, &[]).contains("is not UTF-8"));
        let predict = Command::new(env!("CARGO_BIN_EXE_voxlint"))
            .current_dir(&folder)
            .arg("predict")
            .arg(odd(".json"))
            .output()
            .unwrap();
        assert_eq!(predict.status.code(), Some(2));
        // A configuration in such a folder would be missed.
        let folder = project("odd-folders", &[]);
        fs::create_dir(folder.join(odd(""))).unwrap();
        for name in ["en.json", "en.ndjson", "en.yaml", "en.prompt.hbs"] {
            let path = folder.join(odd("")).join(name);
            fs::write(&path, GOOD).unwrap();
            assert!(failure(&folder, &[]).contains("is not UTF-8"), "{name}");
            assert_eq!(status(&folder, &["check", "--isolated"]), 0, "{name}");
            fs::remove_file(path).unwrap();
        }
        // The same convention works on the command line.
        let folder = project("odd-names-argued", &[]);
        fs::write(folder.join(odd(".json")), GOOD).unwrap();
        fs::write(folder.join(odd(".prompt.hbs")), BROKEN_TEXT).unwrap();
        let found = places(&folder, &["--text-files", "prompt_text={stem}.prompt.hbs"]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(".prompt.hbs:1:7: error[template-syntax-error]"), "{found:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn lines_before_a_read_error_are_accounted_for() {
        use std::os::fd::OwnedFd;
        use std::os::unix::net::UnixStream;

        let folder = project("read-error", &[]);
        let (ours, theirs) = UnixStream::pair().unwrap();
        // Unread input at this end fails the other end after it has read everything.
        (&theirs).write_all(b"unread").unwrap();
        let child = voxlint(&folder, &["check", "--stdin-filename", "a.ndjson"])
            .stdin(OwnedFd::from(theirs))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let blank = "\n".repeat(1 << 20);
        (&ours).write_all(format!("{FAULTY}{{}}\n{blank}").as_bytes()).unwrap();
        drop(ours);
        let output = child.wait_with_output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("a.ndjson: ") && said.contains("reset"), "{said}");
        assert!(!said.contains("internal error"), "{said}");
        assert!(said.contains("2 documents"), "{said}");
        assert!(stdout(&output).contains("out-of-range"), "{}", stdout(&output));
    }

    #[test]
    fn a_working_directory_that_is_gone_fails_the_run() {
        let folder = project("gone", &[("en.json", GOOD)]);
        let script = format!("cd {folder:?} && rm -r {folder:?} && exec \"$VOXLINT\" check");
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("VOXLINT", env!("CARGO_BIN_EXE_voxlint"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("the working directory cannot be used"));
    }
}
