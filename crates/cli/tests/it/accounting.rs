//! Every file, record and text that a run finds or receives is checked, skipped with a reason, or fails the run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::process::{folder, places, run, status, stderr, stdout, voxlint};

const GOOD: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 3 }\n";
const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12 }\n";
const BROKEN_TEXT: &str = "Hello {{name\n";

/// A repository of its own with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("accounting/{name}"), &[&head, files].concat())
}

fn with_input(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = voxlint(folder, arguments)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read standard input closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn a_run_that_checks_nothing_fails() {
    let empty = project("nothing", &[("package.json", "{ \"name\": \"shop\" }")]);
    for arguments in
        [&["check"][..], &["check", "--strict"], &["check", "--exit-zero"], &["check", "."]]
    {
        let output = run(&empty, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = stderr(&output);
        assert!(said.starts_with("no agent documents found · 1 file skipped\n"), "{said}");
        for hint in [
            "\"version_number\"",
            "voxlint check FILE",
            "voxlint init",
            "--allow-empty",
            "--show-files",
        ] {
            assert!(said.contains(hint), "{said}");
        }
    }
    let quiet = run(&empty, &["check", "-q"]);
    assert_eq!(quiet.status.code(), Some(2));
    assert_eq!(stderr(&quiet), "voxlint: no agent documents found, so nothing was checked\n");
    // Reports for build servers also fail.
    for (format, failure) in [
        ("json", "\"message\": \"no agent documents found, so nothing was checked\""),
        ("sarif", "\"executionSuccessful\":false"),
        ("junit", "errors=\"1\""),
    ] {
        let report = run(&empty, &["check", "--format", format]);
        assert!(stdout(&report).contains(failure), "{}", stdout(&report));
        let report = run(&empty, &["check", "--allow-empty", "--format", format]);
        assert!(!stdout(&report).contains(failure), "{}", stdout(&report));
    }
    for allowed in ["--allow-empty", "--only-documents"] {
        let output = run(&empty, &["check", allowed]);
        assert_eq!(output.status.code(), Some(0), "{allowed}");
        assert_eq!(stderr(&output), "no agent documents found · 1 file skipped\n");
    }
}

#[test]
fn a_document_that_is_skipped_by_its_name_is_counted() {
    let json5 = "{\n  // one\n  version_number: 3,\n  kb_max_chunks: 12,\n}\n";
    let trailing = "{ \"version_number\": 3, \"kb_max_chunks\": 12, }\n";
    let yaml = "version_number: 3\nkb_max_chunks: 12\n";
    let possible = [
        (".agents/x.json", FAULTY),
        (".agents/deep/y.yaml", yaml),
        ("agents/.a.json", FAULTY),
        ("agents/.all.ndjson", FAULTY),
        ("agents/a.json5", json5),
        ("agents/b.json.bak", trailing),
        ("agents/c.yaml~", yaml),
        ("agents/front-desk", FAULTY),
    ];
    // These are nothing that anybody would call a document.
    let others = [
        ("agents/en.json", GOOD),
        (".github/workflows/ci.yml", "name: checks\non: push\n"),
        (".settings.json", "{ \"editor\": 1 }\n"),
        ("LICENSE", "version_number and title are names.\n"),
        ("notes.md", "{ \"version_number\": 3 }\n"),
        (".gitignore", "local/\n.cache/\n"),
        ("local/a.json5", json5),
        (".cache/a.json", FAULTY),
        (".git/a.json", FAULTY),
    ];
    let folder = project("by-name", &[&possible[..], &others[..]].concat());
    let output = run(&folder, &["check"]);
    let summary =
        "1 document, nothing to report · 8 possible documents not checked (see --show-files)\n";
    assert_eq!(stderr(&output), summary);
    let listed = run(&folder, &["check", "--show-files", "-q"]);
    for (name, _) in possible {
        let hidden = name.contains("/.") || name.starts_with('.');
        let why = if hidden { "hidden" } else { "unknown extension" };
        let line = format!("skipped {name}: {why}, but it looks like an agent document\n");
        assert!(stderr(&listed).contains(&line), "{name}: {}", stderr(&listed));
    }
    // A hook may name such a file, and a configuration may use it.
    let output = run(&folder, &["check", "--only-documents", "agents/a.json5", "notes.md"]);
    assert!(stderr(&output).contains("1 possible document not checked"), "{}", stderr(&output));
    let toml = "[[documents]]\nfiles = \"agents/*.json\"\nstored = \"../.agents/x.json\"\n";
    std::fs::write(folder.join("voxlint.toml"), toml).unwrap();
    let listed = run(&folder, &["check", "--show-files", "-q"]);
    let line = "used    .agents/x.json: stored configuration of a document\n";
    assert!(stderr(&listed).contains(line), "{}", stderr(&listed));
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
    fn related_files_that_cannot_be_reached_fail_the_run() {
        for (part, name) in [("stored", "a.state"), ("texts", "a.hbs")] {
            let path = format!("{part}/{name}");
            let folder = |case: &str| {
                project(
                    &format!("reach-{part}-{case}"),
                    &[("voxlint.toml", RELATED), ("a.json", GOOD)],
                )
            };
            let absent = folder("absent");
            assert_eq!(status(&absent, &["check"]), 0);

            let dangling = folder("dangling");
            fs::create_dir(dangling.join(part)).unwrap();
            symlink("nowhere", dangling.join(&path)).unwrap();
            assert_eq!(failure(&dangling, &[]), format!("voxlint: {path}: broken symbolic link\n"));

            let above = folder("dangling-folder");
            symlink("nowhere", above.join(part)).unwrap();
            assert_eq!(
                failure(&above, &["a.json"]),
                format!("voxlint: {path}: broken symbolic link\n")
            );

            let looping = folder("looping");
            fs::create_dir(looping.join(part)).unwrap();
            symlink(name, looping.join(&path)).unwrap();
            assert!(failure(&looping, &["a.json"]).starts_with(&format!("voxlint: {path}: ")));

            let piped = folder("pipe");
            fs::create_dir(piped.join(part)).unwrap();
            pipe(&piped.join(&path));
            assert!(failure(&piped, &["a.json"]).contains("not a regular file"));

            let directory = folder("directory");
            fs::create_dir_all(directory.join(&path)).unwrap();
            assert_eq!(
                failure(&directory, &["a.json"]),
                format!("voxlint: {path}: this is a directory\n")
            );

            let closed = folder("closed");
            fs::create_dir(closed.join(part)).unwrap();
            fs::write(closed.join(&path), "{}").unwrap();
            fs::set_permissions(closed.join(part), Permissions::from_mode(0o0)).unwrap();
            // The superuser may enter everything.
            if fs::read_dir(closed.join(part)).is_err() {
                assert_eq!(
                    failure(&closed, &["a.json"]),
                    format!("voxlint: {path}: permission denied\n")
                );
            }
            fs::set_permissions(closed.join(part), Permissions::from_mode(0o755)).unwrap();
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

    #[test]
    fn a_configuration_that_cannot_be_read_fails_the_run() {
        for case in ["dangling", "pipe", "directory"] {
            let folder = project(&format!("configuration-{case}"), &[("agents/a.json", GOOD)]);
            let file = folder.join("voxlint.toml");
            match case {
                "dangling" => symlink("nowhere.toml", &file).unwrap(),
                "pipe" => pipe(&file),
                _ => fs::create_dir(&file).unwrap(),
            }
            assert!(failure(&folder, &["agents"]).contains("voxlint.toml: "), "{case}");
        }
    }

    #[test]
    fn links_are_followed_listed_or_fail_the_run() {
        let folder = project("links", &[("agents/a.json", GOOD)]);
        symlink("agents", folder.join("linked")).unwrap();
        symlink("agents/a.json", folder.join("b.json")).unwrap();
        symlink("nowhere.md", folder.join("notes.md")).unwrap();
        let output = run(&folder, &["check", "-q", "--show-files"]);
        assert_eq!(
            stderr(&output),
            "checked agents/a.json: 1 document (update)\n\
             checked b.json: 1 document (update)\n\
             skipped linked: a link to a folder, which is not followed\n\
             skipped notes.md: unknown extension\n"
        );
        assert_eq!(output.status.code(), Some(0));
        symlink("nowhere.json", folder.join("c.json")).unwrap();
        assert_eq!(failure(&folder, &[]), "voxlint: c.json: broken symbolic link\n");
        fs::remove_file(folder.join("c.json")).unwrap();
        pipe(&folder.join("c.json"));
        assert_eq!(failure(&folder, &[]), "voxlint: c.json: not a regular file\n");
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
    fn folders_behind_links_are_like_any_other() {
        let toml = "[[documents]]\nfiles = \"**\"\nstored = \"../linked/{stem}.state\"\n\
                    text_files = { prompt_text = \"../linked/texts/{stem}.hbs\" }\n";
        for (case, target) in [("relative", "real"), ("absolute", ""), ("nested", "link")] {
            let name = format!("link-{case}");
            let folder = project(&name, &[("real/a.json", GOOD), ("agents/a.json", GOOD)]);
            symlink("real", folder.join("link")).unwrap();
            let target = if target.is_empty() { folder.join("real") } else { target.into() };
            symlink(target, folder.join("linked")).unwrap();
            let passes = |arguments: &[&str]| {
                let output = run(&folder, arguments);
                assert_eq!(output.status.code(), Some(0), "{case} {arguments:?}: {output:?}");
            };
            passes(&["check", "linked/a.json"]);
            passes(&["check", "linked"]);
            // What the service answers depends on more than the document.
            assert_ne!(status(&folder, &["predict", "linked/a.json"]), 2, "{case}");
            let text = ["--text-files", "prompt_text=../linked/no.hbs"];
            passes(&[&["check", "agents/a.json"], &text[..]].concat());
            let named = ["check", "--stdin-filename", "linked/x.json"];
            assert_eq!(with_input(&folder, &named, GOOD).status.code(), Some(0), "{case}");
            fs::write(folder.join("voxlint.toml"), toml).unwrap();
            passes(&["check", "agents/a.json"]);
            // The target of the link is read.
            fs::create_dir(folder.join("real/texts")).unwrap();
            fs::write(folder.join("real/texts/a.hbs"), BROKEN_TEXT).unwrap();
            let fault = ["linked/texts/a.hbs:1:7: error[template-syntax-error]"];
            assert_eq!(places(&folder, &["agents/a.json"]), fault, "{case}");
            // A broken link is still a link.
            symlink("nowhere", folder.join("real/a.state")).unwrap();
            let said = "voxlint: linked/a.state: broken symbolic link\n";
            assert_eq!(failure(&folder, &["agents/a.json"]), said, "{case}");
        }
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

#[cfg(unix)]
#[test]
fn a_tracked_file_that_gitignore_lists_is_checked() {
    let git = |folder: &Path, arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(arguments).current_dir(folder).env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE");
        git.output().is_ok_and(|output| output.status.success())
    };
    let files = [
        ("agents/tracked.local.json", FAULTY),
        ("agents/other.local.json", FAULTY),
        ("build/deep/tracked.json", FAULTY),
        ("build/deep/other.json", FAULTY),
        ("build/other/other.json", FAULTY),
        ("agents/inner/tracked.local.json", FAULTY),
        ("agents/inner/other.local.json", FAULTY),
        ("agents/inner/.gitignore", "*.local.json\n"),
        ("agents/good.json", GOOD),
    ];
    let folder = folder("accounting/tracked", &files);
    let inner = folder.join("agents/inner");
    if !git(&folder, &["init", "-q"]) || !git(&inner, &["init", "-q"]) {
        voxlint_testing::skip("there is no git");
        return;
    }
    assert!(git(&inner, &["add", "-f", "tracked.local.json"]));
    assert!(git(&folder, &["add", "agents/tracked.local.json", "build/deep/tracked.json"]));
    std::fs::write(folder.join(".gitignore"), "*.local.json\nbuild/\n").unwrap();
    let error = |path: &str| format!("{path}:{}", "1:41: error[out-of-range]");
    let agents = ["inner/tracked.local.json", "tracked.local.json"];
    let whole: Vec<String> = agents.iter().map(|name| error(&format!("agents/{name}"))).collect();
    let whole = [whole, vec![error("build/deep/tracked.json")]].concat();
    assert_eq!(places(&folder, &[]), whole);
    assert_eq!(places(&folder, &["agents"]), whole[..2]);
    assert_eq!(places(&folder.join("agents"), &[]), agents.map(error));
    assert_eq!(places(&inner, &[]), [error("tracked.local.json")]);
    assert_eq!(places(&folder, &["agents", "--without-stored"]), whole[..2]);
    // Without the program `git`, tracked files are not known.
    let output = voxlint(&folder, &["check", "-q", "--format", "concise"]).env("PATH", "").output();
    assert_eq!(output.unwrap().status.code(), Some(0));
}
