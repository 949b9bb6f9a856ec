//! The command `voxlint plan`, saved plans, and runs over what has changed since a commit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use voxlint_testing::skip;

use crate::process::{folder, run, status, stderr, stdout, voxlint};

/// Pairs documents with text files, stored configurations and facts.
const SETTINGS: &str = "root = true
extends = \"shared/base.toml\"
facts = \"facts.json\"
[[documents]]
files = \"agents/*.json\"
stored = \"../stored/{stem}.json\"
text_files = { prompt_text = \"{stem}.hbs\" }
";

const DOCUMENT: &str = "{ \"version_number\": 3, \"title\": \"Front desk\" }\n";

/// The stored configuration of an agent whose draft has another title.
pub(crate) fn stored(id: &str, title: &str) -> String {
    format!(
        r#"{{
  "agent": {{ "id": "{id}", "agent_type": "Single_Prompt_Agent", "versions": [{{ "version_number": 3, "is_published": false }}] }},
  "version": {{ "version_number": 3, "title": "{title}", "is_published": false }},
  "complete": true
}}
"#
    )
}

/// Three agents with stored configurations, one of them with a text file.
fn fleet(name: &str) -> PathBuf {
    let (en, de, fr) = (stored("ag_en", "Desk"), stored("ag_de", "Desk"), stored("ag_fr", "Desk"));
    let files = [
        ("voxlint.toml", SETTINGS),
        ("shared/base.toml", "[rules]\nnegative-time = \"off\"\n"),
        ("facts.json", "{ \"webhooks\": [] }\n"),
        ("agents/de.json", DOCUMENT),
        ("agents/en.json", DOCUMENT),
        ("agents/fr.json", DOCUMENT),
        ("agents/fr.hbs", "Be kind.\n"),
        ("stored/de.json", &de),
        ("stored/en.json", &en),
        ("stored/fr.json", &fr),
        (".gitignore", "/plan/\n"),
    ];
    folder(&format!("plan/{name}"), &files)
}

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

/// Commits everything in a folder to a new repository, on the branch `main`. Returns whether git is installed.
pub(crate) fn commit(directory: &Path) -> bool {
    if Command::new("git").arg("--version").output().is_err() {
        skip("git is not installed");
        return false;
    }
    git(directory, &["init", "-q", "-b", "main"]);
    git(directory, &["add", "-A"]);
    git(directory, &["commit", "-q", "-m", "one"]);
    true
}

/// The documents that a run over what has changed checks.
fn checked(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let fixed = ["check", "--show-files", "--changed-since", "main"];
    let output = run(directory, &[&fixed[..], arguments].concat());
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    let lines = stderr(&output).lines().filter_map(|line| line.strip_prefix("checked "));
    lines.map(|line| line.split(": ").next().unwrap().to_owned()).collect()
}

pub(crate) fn write(directory: &Path, path: &str, text: &str) {
    let path = directory.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn add_line(directory: &Path, path: &str) {
    let text = fs::read_to_string(directory.join(path)).unwrap();
    write(directory, path, &format!("{text}\n"));
}

#[test]
fn the_plan_does_not_depend_on_threads() {
    let folder = fleet("threads");
    for number in 0..40 {
        write(&folder, &format!("agents/n{number}.json"), DOCUMENT);
        write(&folder, &format!("stored/n{number}.json"), &stored(&format!("ag_{number}"), "x"));
    }
    let plan = |threads: &str| {
        let mut command = voxlint(&folder, &["plan", "--format", "json"]);
        command.env("RAYON_NUM_THREADS", threads).output().unwrap().stdout
    };
    let one = plan("1");
    assert!(one.len() > 1000);
    assert_eq!(plan("5"), one);
}

/// What is changed, and the files that are checked then.
type Change = (fn(&Path), &'static [&'static str]);

#[test]
fn a_document_is_checked_if_anything_that_decides_its_result_has_changed() {
    const ALL: &[&str] = &["agents/de.json", "agents/en.json", "agents/fr.json"];
    let changes: [Change; 14] = [
        (|_| (), &[]),
        (|folder| add_line(folder, "agents/en.json"), &["agents/en.json"]),
        (|folder| add_line(folder, "agents/fr.hbs"), &["agents/fr.json"]),
        (|folder| write(folder, "agents/de.hbs", "Be brief."), &["agents/de.json"]),
        (|folder| add_line(folder, "stored/de.json"), &["agents/de.json"]),
        (|folder| fs::remove_file(folder.join("stored/de.json")).unwrap(), &["agents/de.json"]),
        (|folder| fs::remove_file(folder.join("agents/fr.hbs")).unwrap(), &["agents/fr.json"]),
        (|folder| add_line(folder, "facts.json"), ALL),
        (|folder| add_line(folder, "voxlint.toml"), ALL),
        (|folder| add_line(folder, "shared/base.toml"), ALL),
        // Without the pairing, the text is a template of its own.
        (
            |folder| write(folder, "agents/voxlint.toml", ""),
            &["agents/de.json", "agents/en.json", "agents/fr.hbs", "agents/fr.json"],
        ),
        (|folder| write(folder, "agents/new.json", DOCUMENT), &["agents/new.json"]),
        (
            |folder| {
                fs::rename(folder.join("agents/en.json"), folder.join("agents/it.json")).unwrap();
            },
            &["agents/it.json"],
        ),
        (|folder| fs::remove_file(folder.join("agents/en.json")).unwrap(), &[]),
    ];
    for (number, (change, expected)) in changes.into_iter().enumerate() {
        let folder = fleet(&format!("changed-{number}"));
        if !commit(&folder) {
            return;
        }
        change(&folder);
        assert_eq!(checked(&folder, &[]), expected, "change {number}");
        // Whether a change is committed makes no difference to a comparison with a commit.
        let head = git(&folder, &["rev-parse", "HEAD"]);
        git(&folder, &["checkout", "-q", "-b", "topic"]);
        git(&folder, &["add", "-A"]);
        git(&folder, &["commit", "-q", "--allow-empty", "-m", "two"]);
        assert_eq!(checked(&folder, &[]), expected, "change {number}, committed");
        assert_eq!(git(&folder, &["rev-parse", "main"]), head);
    }
}

#[test]
fn a_configuration_that_is_gone_counts_as_changed() {
    let folder = fleet("gone");
    write(&folder, "agents/voxlint.toml", "[rules]\nout-of-range = \"off\"\n");
    if !commit(&folder) {
        return;
    }
    assert_eq!(checked(&folder, &[]), [""; 0]);
    fs::remove_file(folder.join("agents/voxlint.toml")).unwrap();
    assert_eq!(checked(&folder, &[]), ["agents/de.json", "agents/en.json", "agents/fr.json"]);
}

#[test]
fn files_that_git_ignores_count_only_as_documents() {
    let folder = fleet("ignored");
    write(&folder, ".gitignore", "/stored/\n/agents/local.json\n");
    fs::write(folder.join("agents/local.json"), DOCUMENT).unwrap();
    if !commit(&folder) {
        return;
    }
    add_line(&folder, "stored/en.json");
    assert_eq!(checked(&folder, &[]), [""; 0]);
    assert_eq!(checked(&folder, &["agents/local.json"]), ["agents/local.json"]);
    // A misspelled name is not a document without changes.
    let output = run(&folder, &["check", "agents/nope.json", "--changed-since", "main"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("agents/nope.json: no such file"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn links_are_compared_with_what_they_were() {
    use std::os::unix::fs::symlink;
    let folder = fleet("links");
    write(&folder, "drafts/a.json", DOCUMENT);
    write(&folder, "drafts/b.json", DOCUMENT);
    symlink("../drafts/a.json", folder.join("agents/link.json")).unwrap();
    if !commit(&folder) {
        return;
    }
    assert_eq!(checked(&folder, &["agents"]), [""; 0]);
    add_line(&folder, "drafts/a.json");
    assert_eq!(checked(&folder, &["agents"]), ["agents/link.json"]);
    git(&folder, &["checkout", "-q", "."]);
    fs::remove_file(folder.join("agents/link.json")).unwrap();
    symlink("../drafts/b.json", folder.join("agents/link.json")).unwrap();
    assert_eq!(checked(&folder, &["agents"]), ["agents/link.json"]);
}

#[test]
fn marks_of_the_index_hide_no_change() {
    let folder = fleet("index");
    if !commit(&folder) {
        return;
    }
    for mark in ["--assume-unchanged", "--skip-worktree"] {
        git(&folder, &["update-index", mark, "agents/en.json"]);
        add_line(&folder, "agents/en.json");
        assert_eq!(checked(&folder, &[]), ["agents/en.json"], "{mark}");
    }
}

#[test]
fn a_run_over_what_has_changed_says_what_it_leaves_out() {
    let folder = fleet("summary");
    if !commit(&folder) {
        return;
    }
    let output = run(&folder, &["check", "--changed-since", "main"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "no changed documents · 9 unchanged files\n");
    add_line(&folder, "agents/en.json");
    let output = run(&folder, &["check", "--changed-since", "main"]);
    assert!(stderr(&output).starts_with("1 document, nothing to report"), "{}", stderr(&output));
    assert!(stderr(&output).contains("unchanged files"));
    let output = run(&folder, &["check", "--changed-since", "main", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["documents"], 1);
    assert_eq!(report["skipped"].as_array().unwrap().len(), 0);
    // Without any document, a misspelled path would look like a good run.
    fs::create_dir(folder.join("none")).unwrap();
    assert_eq!(status(&folder, &["check", "none", "--changed-since", "main"]), 2);
    let output = run(&folder, &["plan", "--changed-since", "main"]);
    assert!(
        stdout(&output).contains("agents/en.json") && !stdout(&output).contains("agents/de.json")
    );
}

#[test]
fn a_run_over_what_has_changed_reports_nothing_about_the_others() {
    let folder = fleet("partial");
    let bad = "{ \"version_number\": 3, \"kb_max_chunks\": 99, \"titel\": \"x\" }\n";
    write(&folder, "agents/en.json", bad);
    write(&folder, "agents/de.json", bad);
    let entry = "[[suppressions]]\nfiles = \"agents/*.json\"\nrules = \"out-of-range\"\nreason = \"decided\"\n";
    let other = "[[suppressions]]\nfiles = \"agents/fr.json\"\nrules = \"out-of-range\"\nreason = \"decided\"\n";
    let include = "include = [\"agents/\", \"nowhere/\"]\n";
    write(&folder, "voxlint.toml", &format!("{include}{SETTINGS}{entry}{other}"));
    if !commit(&folder) {
        return;
    }
    assert_eq!(status(&folder, &["baseline", "write"]), 0);
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "baseline"]);
    let whole = run(&folder, &["check"]);
    assert!(stdout(&whole).contains("unused-suppression"), "{}", stdout(&whole));
    assert!(stderr(&whole).contains("nowhere"), "{}", stderr(&whole));
    // The only finding of the whole fleet that is left is in a document that is now without faults.
    write(&folder, "agents/de.json", DOCUMENT);
    let output = run(&folder, &["check", "--changed-since", "main"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert_eq!(stdout(&output), "");
    assert!(!stderr(&output).contains("nowhere"), "{}", stderr(&output));
    // The entries of the document that was checked matched nothing. Nothing is said about those of the others.
    assert!(
        stderr(&output).contains("1 entry of the baseline matched nothing"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn only_changed_documents_are_fixed() {
    let folder = fleet("fixed");
    let bad = "{ \"version_number\": 3, \"titel\": \"x\" }\n";
    write(&folder, "agents/en.json", bad);
    write(&folder, "agents/de.json", bad);
    if !commit(&folder) {
        return;
    }
    add_line(&folder, "agents/en.json");
    run(&folder, &["check", "--fix", "--unsafe-fixes", "--changed-since", "main"]);
    assert!(fs::read_to_string(folder.join("agents/en.json")).unwrap().contains("\"title\""));
    assert_eq!(fs::read_to_string(folder.join("agents/de.json")).unwrap(), bad);
}

#[test]
fn errors_of_git_say_what_to_do() {
    let folder = fleet("errors");
    let flags = [["check", "--changed-since"], ["plan", "--changed-since"], ["plan", "--base"]];
    // Without git, everything that needs no commit works.
    let without_git = |arguments: &[&str]| {
        let mut command = voxlint(&folder, arguments);
        command.env("PATH", folder.join("shared")).output().unwrap()
    };
    assert_eq!(without_git(&["plan"]).status.code(), Some(0));
    let with_folder = without_git(&["plan", "--base", "stored"]);
    assert_eq!(with_folder.status.code(), Some(0));
    // A folder that is laid out in another way has no base of any document.
    assert!(stderr(&with_folder).contains("stored: is the base, but"), "{}", stderr(&with_folder));
    for flag in flags {
        let output = without_git(&[&flag[..], &["main"]].concat());
        assert_eq!(output.status.code(), Some(2), "{flag:?}");
        assert!(stderr(&output).contains("no program `git` on the PATH"), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    // The other folders of tests are in the repository of voxlint.
    let outside = std::env::temp_dir().join(format!("voxlint-plan-{}", std::process::id()));
    write(&outside, "en.json", DOCUMENT);
    for flag in flags {
        let output = run(&outside, &[&flag[..], &["main"]].concat());
        assert_eq!(output.status.code(), Some(2), "{flag:?}");
        assert!(stderr(&output).contains("not in a git repository"), "{}", stderr(&output));
    }
    fs::remove_dir_all(&outside).unwrap();
    if !commit(&folder) {
        return;
    }
    let hostile = [
        "nope",
        "--help",
        "--all",
        "-n1",
        "--output=stolen",
        "--git-dir=/tmp",
        "main..main",
        "^main",
        "main:agents/en.json",
        "$(touch stolen)",
        "main; touch stolen",
        "main\nHEAD",
        "",
        " ",
    ];
    for name in hostile {
        for flag in flags {
            let joined = format!("{}={name}", flag[1]);
            let output = run(&folder, &[flag[0], &joined]);
            assert_eq!(output.status.code(), Some(2), "{flag:?} {name:?}");
            let message = stderr(&output);
            assert!(message.contains("is not a commit of this repository"), "{name:?}: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
            assert!(!folder.join("stolen").exists());
        }
    }
    let names =
        ["main", "HEAD", "main~0", "refs/heads/main", &git(&folder, &["rev-parse", "HEAD"])];
    for name in names {
        for flag in flags {
            let joined = format!("{}={name}", flag[1]);
            assert_eq!(status(&folder, &[flag[0], &joined]), 0, "{flag:?} {name}");
        }
    }
    add_line(&folder, "agents/en.json");
    git(&folder, &["commit", "-q", "-am", "two"]);
    let clone = self::folder("plan/shallow", &[("x", "")]);
    let source = format!("file://{}", folder.display());
    git(&clone, &["clone", "-q", "--depth", "1", &source, "clone"]);
    let output = run(&clone.join("clone"), &["check", "--changed-since", "main~1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("fetch-depth: 0"), "{}", stderr(&output));
}

/// A repository may configure programs that git runs. None of these commands runs one.
#[cfg(unix)]
#[test]
fn nothing_of_the_repository_is_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = fleet("hostile");
    if !commit(&folder) {
        return;
    }
    let evil = folder.join("evil.sh");
    let trace = folder.join("trace");
    write(&folder, "evil.sh", &format!("#!/bin/sh\necho \"$@\" >> '{}'\ncat\n", trace.display()));
    fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).unwrap();
    // Git gives it to a shell.
    let evil = &format!("'{}'", evil.display());
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.gitProxy",
        "core.askPass",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "credential.helper",
        "gpg.program",
        "uploadpack.packObjectsHook",
        "alias.ls-tree",
        "pager.ls-tree",
        "pager.rev-parse",
        "pager.cat-file",
    ] {
        git(&folder, &["config", key, evil]);
    }
    git(&folder, &["config", "filter.evil.required", "true"]);
    // A partial clone asks its remote for what it lacks, and the remote may be a program.
    for (key, value) in [
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "evil"),
        ("remote.evil.promisor", "true"),
        ("remote.evil.url", &format!("ext::{evil}")),
        ("protocol.ext.allow", "always"),
    ] {
        git(&folder, &["config", key, value]);
    }
    git(&folder, &["config", "core.untrackedCache", "true"]);
    git(&folder, &["config", "core.hooksPath", folder.join("hooks").to_str().unwrap()]);
    for hook in [
        "post-index-change",
        "reference-transaction",
        "post-checkout",
        "pre-commit",
        "fsmonitor-watchman",
    ] {
        write(&folder, &format!("hooks/{hook}"), &format!("#!/bin/sh\n{evil} {hook}\n"));
        fs::set_permissions(folder.join("hooks").join(hook), fs::Permissions::from_mode(0o755))
            .unwrap();
    }
    write(&folder, ".gitattributes", "* filter=evil diff=evil text\n");
    add_line(&folder, "agents/en.json");
    write(&folder, "agents/new.json", DOCUMENT);
    let index = fs::read(folder.join(".git/index")).unwrap();
    // That the trap works at all: git itself runs it.
    let mut trap = Command::new("git");
    trap.current_dir(&folder).args(["diff", "--ext-diff", "HEAD"]);
    let _ = trap.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(trace.exists(), "the trap is not sprung by git itself");
    fs::remove_file(&trace).unwrap();
    fs::write(folder.join(".git/index"), &index).unwrap();
    for arguments in [
        &["check", "--changed-since", "main"][..],
        &["plan", "--changed-since", "main", "--base", "main"],
        &["plan", "--base", "main", "--out", "plan"],
        &["plan", "verify", "plan/plan.json", "--base", "main"],
    ] {
        let mut command = voxlint(&folder, arguments);
        command.env("GIT_PAGER", evil).env("GIT_EXTERNAL_DIFF", evil);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        assert!(!trace.exists(), "{arguments:?}: {}", fs::read_to_string(&trace).unwrap());
    }
    assert_eq!(checked(&folder, &[]), ["agents/en.json", "agents/new.json"]);
    assert_eq!(fs::read(folder.join(".git/index")).unwrap(), index, "the index was written");
    let id = git(&folder, &["rev-parse", "HEAD:stored/en.json"]);
    let (first, rest) = id.split_at(2);
    fs::remove_file(folder.join(".git/objects").join(first).join(rest)).unwrap();
    for arguments in [["check", "--changed-since", "main"], ["plan", "--base", "main"]] {
        let output = run(&folder, &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("voxlint fetches nothing"), "{}", stderr(&output));
        assert!(!trace.exists(), "{arguments:?}: {}", fs::read_to_string(&trace).unwrap());
    }
}

#[test]
fn a_hook_of_another_repository_does_not_redirect_git() {
    let folder = fleet("redirected");
    let other = self::folder("plan/other", &[("x.json", "{}")]);
    if !commit(&folder) || !commit(&other) {
        return;
    }
    add_line(&folder, "agents/en.json");
    let mut command = voxlint(&folder, &["check", "--show-files", "--changed-since", "main"]);
    command.env("GIT_DIR", other.join(".git")).env("GIT_WORK_TREE", &other);
    command.env("GIT_INDEX_FILE", other.join(".git/index"));
    let output = command.output().unwrap();
    assert!(stderr(&output).contains("checked agents/en.json"), "{}", stderr(&output));
    assert!(stderr(&output).contains("skipped agents/de.json: unchanged since `main`"));
}

/// The fields with drift of each document that has some.
fn drift(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let output = run(directory, &[&["plan", "--format", "json"], arguments].concat());
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut found = Vec::new();
    for agent in plan["agents"].as_array().unwrap() {
        for drift in agent["drift"].as_array().unwrap() {
            found.push(format!(
                "{} {}",
                agent["name"].as_str().unwrap(),
                drift["field"].as_str().unwrap()
            ));
        }
    }
    found.sort();
    found
}

#[test]
fn changes_made_in_the_service_are_found_with_a_base() {
    let folder = fleet("base");
    if !commit(&folder) {
        return;
    }
    assert_eq!(drift(&folder, &["--base", "main"]), [""; 0]);
    assert_eq!(status(&folder, &["plan", "--base", "main", "--fail-on", "drift"]), 0);
    write(&folder, "stored/en.json", &stored("ag_en", "Night desk"));
    assert_eq!(drift(&folder, &["--base", "main"]), ["agents/en.json /title"]);
    assert_eq!(status(&folder, &["plan", "--base", "main"]), 0);
    assert_eq!(status(&folder, &["plan", "--base", "main", "--fail-on", "drift"]), 1);
    assert_eq!(status(&folder, &["plan", "--fail-on", "drift"]), 0);
    // A folder mirrors the root of the repository, and comes before a commit of the same name.
    write(&folder, "main/stored/en.json", &stored("ag_en", "Night desk"));
    write(&folder, "main/stored/de.json", &stored("ag_de", "Morning desk"));
    assert_eq!(drift(&folder, &["agents", "--base", "main"]), ["agents/de.json /title"]);
    assert_eq!(drift(&folder, &["agents", "--base", "refs/heads/main"]), ["agents/en.json /title"]);
    // Documents in the base are not planned: it may be a copy of the whole repository.
    write(&folder, "main/agents/en.json", DOCUMENT);
    let names = |arguments: &[&str]| stdout(&run(&folder, arguments)).contains("main/agents");
    assert!(!names(&["plan", "--base", "main"]) && names(&["plan", "--no-base"]));
    // The base of another agent is none.
    write(&folder, "main/stored/de.json", &stored("ag_other", "Morning desk"));
    assert_eq!(drift(&folder, &["agents", "--base", "main"]), [""; 0]);
    // So is one that the base does not have.
    fs::remove_dir_all(folder.join("main")).unwrap();
    write(&folder, "agents/new.json", DOCUMENT);
    write(&folder, "stored/new.json", &stored("ag_new", "Desk"));
    assert_eq!(drift(&folder, &["--base", "main"]), ["agents/en.json /title"]);
}

#[test]
fn the_configuration_names_the_base() {
    let folder = fleet("configured-base");
    let with = |base: &str| format!("base = \"{base}\"\n{SETTINGS}");
    write(&folder, "voxlint.toml", &with("main"));
    if !commit(&folder) {
        return;
    }
    write(&folder, "stored/en.json", &stored("ag_en", "Night desk"));
    assert_eq!(drift(&folder, &[]), ["agents/en.json /title"]);
    assert_eq!(drift(&folder, &["--no-base"]), [""; 0]);
    assert_eq!(drift(&folder.join("agents"), &[]), ["en.json /title"]);
    write(&folder, "known/stored/de.json", &stored("ag_de", "Morning desk"));
    write(&folder, "voxlint.toml", &with("known"));
    assert_eq!(drift(&folder, &["agents"]), ["agents/de.json /title"]);
    assert_eq!(drift(&folder, &["agents", "--base", "main"]), ["agents/en.json /title"]);
    let shown = run(&folder, &["config", "show"]);
    assert!(stdout(&shown).contains("base = \"known\""), "{}", stdout(&shown));
    for (base, message) in
        [("", "the base is empty"), ("/srv/base", "absolute paths are not supported")]
    {
        write(&folder, "voxlint.toml", &with(base));
        let output = run(&folder, &["plan"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    write(&folder, "voxlint.toml", &with("--output=stolen"));
    assert_eq!(status(&folder, &["plan"]), 2);
    assert!(!folder.join("stolen").exists());
}

#[test]
fn a_base_that_cannot_be_used_is_named() {
    let folder = fleet("faulty-base");
    write(&folder, "stored/en.json", "{ \"version\": { \"titel\": 1 } }");
    if !commit(&folder) {
        return;
    }
    write(&folder, "stored/en.json", &stored("ag_en", "Desk"));
    let output = run(&folder, &["plan", "--base", "main"]);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(
        message.contains("main:stored/en.json: cannot be used as the stored configuration"),
        "{message}"
    );
    assert!(message.contains("--no-base"), "{message}");
    assert!(stdout(&output).contains("agents/de.json"));
}

/// What `voxlint plan verify` says has changed, without other options.
fn verified(directory: &Path, plan: &str) -> Vec<String> {
    verified_with(directory, &[plan])
}

/// What `voxlint plan verify` says has changed: the bodies, and then the entries of `plan.json`.
fn verified_with(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let output = run(directory, &[&["plan", "verify", "--format", "json"], arguments].concat());
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let list = |name: &str| report[name].as_array().unwrap();
    let (changes, entries) = (list("changes"), list("entries"));
    let is_valid = changes.is_empty() && entries.is_empty();
    assert_eq!(output.status.code(), Some(i32::from(!is_valid)));
    assert_eq!(report["valid"], is_valid);
    let text = |it: &Value, name: &str| it[name].as_str().unwrap().to_owned();
    let changes = changes.iter().map(|it| format!("{} {}", text(it, "change"), text(it, "path")));
    changes.chain(entries.iter().map(|it| text(it, "entry"))).collect()
}

#[cfg(unix)]
#[test]
fn a_saved_plan_follows_no_link() {
    let folder = fleet("linked");
    assert_eq!(status(&folder, &["plan", "--out", "plan"]), 0);
    write(&folder, "precious.txt", "precious");
    for name in ["001-de.json", "plan.json"] {
        let path = folder.join("plan").join(name);
        let former = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("../precious.txt", &path).unwrap();
        assert_eq!(status(&folder, &["plan", "--out", "plan"]), 2, "{name}");
        assert_eq!(fs::read_to_string(folder.join("precious.txt")).unwrap(), "precious");
        if name != "plan.json" {
            assert_eq!(verified(&folder, "plan/plan.json"), [format!("changed {name}")]);
        }
        fs::remove_file(&path).unwrap();
        fs::write(&path, former).unwrap();
    }
}

#[test]
fn a_saved_plan_may_be_moved() {
    let folder = fleet("anywhere");
    assert_eq!(status(&folder, &["plan", "--out", "plan"]), 0);
    let elsewhere = self::folder("plan/anywhere-else", &[("x", "")]);
    copy(&folder.join("plan"), &elsewhere.join("plan"));
    let plan = elsewhere.join("plan");
    let moved = run(&folder, &["plan", "verify", plan.to_str().unwrap()]);
    assert_eq!(moved.status.code(), Some(0), "{}{}", stdout(&moved), stderr(&moved));
    assert_eq!(
        stdout(&moved),
        "nothing has changed since the plan was saved: 3 agents, 3 bodies\n"
    );
    // Elsewhere, nothing is planned, and the options of the plan are shown.
    let lost = run(&elsewhere, &["plan", "verify", "plan"]);
    assert_eq!(lost.status.code(), Some(1));
    assert!(
        stdout(&lost).ends_with(
            "\nit was made with `voxlint plan --out plan`; to verify it, give the same paths and options\n"
        ),
        "{}",
        stdout(&lost)
    );
}

#[test]
fn a_plan_of_what_has_changed_is_verified_with_the_same_commit() {
    let folder = fleet("changed-plan");
    if !commit(&folder) {
        return;
    }
    add_line(&folder, "agents/en.json");
    write(&folder, "stored/en.json", &stored("ag_en", "Night desk"));
    let options = ["--changed-since", "main", "--base", "main"];
    assert_eq!(status(&folder, &[&["plan", "--out", "plan"][..], &options].concat()), 0);
    let verify = [&["plan"][..], &options].concat();
    assert_eq!(verified_with(&folder, &verify), [""; 0]);
    assert_ne!(verified_with(&folder, &["plan", "--base", "main"]), [""; 0]);
    assert_ne!(verified_with(&folder, &["plan", "--changed-since", "main"]), [""; 0]);
    // A document that was left out has changed since: it would be planned now.
    let former = fs::read(folder.join("agents/de.json")).unwrap();
    add_line(&folder, "agents/de.json");
    assert!(verified_with(&folder, &verify).contains(&"/agents".to_owned()));
    fs::write(folder.join("agents/de.json"), former).unwrap();
    git(&folder, &["branch", "--move", "main", "other"]);
    let output = run(&folder, &[&["plan", "verify"], &verify[..]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert_eq!(stdout(&output), "");
}

/// Saved plans come from artifacts and branches.
#[cfg(unix)]
#[test]
fn verifying_a_plan_opens_no_file_that_the_plan_names() {
    let folder = fleet("names");
    let secret = "machine api.example.com password harbor-lantern-42";
    write(&folder, "../names-outside/netrc", secret);
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(status(&folder, &["plan", "--out", "plan"]), 0);
    for target in ["../names-outside/netrc", "/proc/self/environ", "/dev/zero", "pipe", "agents"] {
        for option in
            ["--facts", "--config", "--stored", "--text-files=prompt_text", "--base", "--"]
        {
            let arguments = serde_json::json!(["plan", format!("{option}={target}"), target]);
            assert_eq!(tampered(&folder, &|plan| plan["arguments"] = arguments.clone()), [""; 0]);
        }
        let elsewhere = |plan: &mut Value| {
            plan["root"] = target.into();
            plan["inputs"] =
                serde_json::json!([{ "path": target, "role": "facts", "sha256": "0" }]);
            plan["agents"][0]["name"] = target.into();
            plan["agents"][1]["body"]["file"] = target.into();
            plan["arguments"] = serde_json::json!(["plan", "--facts", target]);
        };
        let path = folder.join("plan/plan.json");
        let former = fs::read(&path).unwrap();
        let mut plan: Value = serde_json::from_slice(&former).unwrap();
        elsewhere(&mut plan);
        fs::write(&path, plan.to_string()).unwrap();
        let mut command = voxlint(&folder, &["plan", "verify", "plan"]);
        let output = command.env("NAMES_MARK", "harbor-lantern-43").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{target}");
        let shown = format!("{}{}", stdout(&output), stderr(&output));
        assert!(!shown.contains("harbor-lantern"), "{shown}");
        assert!(shown.contains(&format!("`voxlint plan --facts {target}`")), "{shown}");
        fs::write(&path, former).unwrap();
    }
    // The arguments are shown in one line, as a shell reads them.
    let arguments = serde_json::json!(["plan", "a b", "it's", "$(reboot)", "\u{1b}[2J\nx", ""]);
    let path = folder.join("plan/plan.json");
    let mut plan: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    (plan["arguments"], plan["order"]) = (arguments, Value::Null);
    fs::write(&path, plan.to_string()).unwrap();
    let output = run(&folder, &["plan", "verify", "plan"]);
    let last = stdout(&output).lines().last().unwrap();
    assert!(last.contains(r"`voxlint plan 'a b' 'it'\''s' '$(reboot)' '"), "{last}");
    assert!(last.ends_with("give the same paths and options"), "{last}");
    assert!(!last.contains('\u{1b}'), "{last}");
}

#[cfg(unix)]
#[test]
fn a_saved_plan_that_cannot_be_used_is_named_and_not_shown() {
    use std::os::unix::fs::symlink;
    let folder = fleet("unusable");
    let secret = "harbor-lantern-42";
    write(&folder, "secret.txt", secret);
    write(&folder, "secret.json", &format!("{{ \"tool\": {{ \"name\": \"{secret}\" }} }}"));
    assert_eq!(status(&folder, &["plan", "--out", "plan"]), 0);
    let plan = fs::read_to_string(folder.join("plan/plan.json")).unwrap();
    let text = |name: &str, text: &str| write(&folder, &format!("bad/{name}"), text);
    text("empty", "");
    text("broken", "{");
    text("foreign", "{}");
    text("list", "[]");
    text("deep", &"[".repeat(1 << 20));
    text("deep-objects", &"{\"a\":".repeat(1 << 18));
    text("bytes", "\u{0}\u{1}");
    for (name, value) in [("agents", "{}"), ("agents", "[1]"), ("arguments", "[1]")] {
        let mut edited: Value = serde_json::from_str(&plan).unwrap();
        edited[name] = serde_json::from_str(value).unwrap();
        edited["title"] = secret.into();
        text(&format!("{name}-{}", value.len()), &edited.to_string());
    }
    fs::File::create(folder.join("bad/huge")).unwrap().set_len(1 << 40).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("bad/pipe")).status().unwrap().success());
    for target in ["secret.txt", "secret.json", "plan/plan.json", "bad/pipe", "none"] {
        let name = target.replace('/', "-");
        symlink(folder.join(target), folder.join("bad").join(format!("link-{name}"))).unwrap();
    }
    symlink("/dev/zero", folder.join("bad/link-zero")).unwrap();
    let found = fs::read_dir(folder.join("bad")).unwrap();
    let names = found.map(|it| format!("bad/{}", it.unwrap().file_name().to_str().unwrap()));
    let names: Vec<String> = names.collect();
    assert_eq!(names.len(), 18);
    let others = ["bad", "none", "/dev/zero", "secret.txt", "secret.json"].map(str::to_owned);
    for name in names.into_iter().chain(others) {
        let output = run(&folder, &["plan", "verify", &name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let message = stderr(&output);
        assert!(message.starts_with(&format!("voxlint: {name}")), "{message}");
        assert!(!message.contains(secret), "{message}");
        assert!(message.len() < 300, "{message}");
        assert_eq!(stdout(&output), "");
    }
    // Nor is such a file read for the bodies of an earlier plan.
    for name in ["link-secret.json", "pipe", "huge"] {
        let _ = fs::remove_file(folder.join("plan/plan.json"));
        fs::rename(folder.join("bad").join(name), folder.join("plan/plan.json")).unwrap();
        assert_eq!(status(&folder, &["plan", "--out", "plan"]), 2, "{name}");
    }
}

/// Changes `plan.json`, and returns what `voxlint plan verify` says then. The former plan is put back.
fn tampered(folder: &Path, change: &dyn Fn(&mut Value)) -> Vec<String> {
    let path = folder.join("plan/plan.json");
    let former = fs::read(&path).unwrap();
    let mut plan: Value = serde_json::from_slice(&former).unwrap();
    change(&mut plan);
    fs::write(&path, plan.to_string()).unwrap();
    let found = verified(folder, "plan/plan.json");
    fs::write(&path, former).unwrap();
    found
}

/// How a plan is edited, and what is found then.
type Edit = (fn(&mut Value), &'static [&'static str]);

#[test]
fn a_plan_that_was_edited_is_not_verified() {
    let folder = fleet("tampered");
    assert_eq!(status(&folder, &["plan", "--out", "plan"]), 0);
    let edits: [Edit; 17] = [
        (|_| (), &[]),
        (|plan| plan["agents"][0]["agent_id"] = "ag_en".into(), &["/agents/0/agent_id"]),
        (|plan| plan["agents"][0]["agent_id"] = Value::Null, &["/agents/0/agent_id"]),
        (|plan| plan["agents"][1]["version_number"] = "4".into(), &["/agents/1/version_number"]),
        (|plan| plan["agents"][1]["outcome"] = "no-change".into(), &["/agents/1/outcome"]),
        (|plan| plan["agents"][1]["name"] = "agents/it.json".into(), &["/agents/1", "/agents"]),
        // Bodies are sent in the order of `order`.
        (|plan| plan["agents"].as_array_mut().unwrap().reverse(), &[]),
        (|plan| plan["agents"][2]["danger"] = true.into(), &["/agents/2/danger"]),
        (
            |plan| plan["agents"][2]["changes"] = Value::Array(Vec::new()),
            &["/agents/2/changes", "/agents/2/changes"],
        ),
        (|plan| plan["order"].as_array_mut().unwrap().reverse(), &["/order/0", "/order/2"]),
        (
            |plan| {
                plan["order"].as_array_mut().unwrap().pop();
            },
            &["/order"],
        ),
        (
            |plan| {
                let first = plan["order"][0].clone();
                plan["order"].as_array_mut().unwrap().push(first);
            },
            &["/order/3"],
        ),
        (
            |plan| {
                let agent = plan["agents"][2].clone();
                plan["agents"].as_array_mut().unwrap().push(agent);
            },
            &["/agents/3"],
        ),
        (
            |plan| {
                plan["agents"].as_array_mut().unwrap().remove(0);
            },
            &["/agents"],
        ),
        (|plan| plan["agents"][0]["body"] = Value::Null, &["/agents/0/body"]),
        (|plan| plan["agents"][0]["body"]["file"] = "../001-de.json".into(), &["/agents/0/body"]),
        (
            |plan| {
                // Each of two agents gets the body of the other one, which have the same text here.
                let [one, other] = [0, 1].map(|at| plan["agents"][at]["body"].clone());
                (plan["agents"][0]["body"], plan["agents"][1]["body"]) = (other, one);
            },
            &["/agents/0/body", "/agents/1/body"],
        ),
    ];
    for (number, (edit, expected)) in edits.into_iter().enumerate() {
        assert_eq!(tampered(&folder, &edit), expected, "edit {number}");
    }
    for file in ["001-de.json", "002-en.json", "003-fr.json"] {
        let path = folder.join("plan").join(file);
        let former = fs::read_to_string(&path).unwrap();
        fs::write(&path, former.replace("Front desk", "Evil desk")).unwrap();
        assert_eq!(verified(&folder, "plan/plan.json"), [format!("changed {file}")]);
        fs::write(&path, former).unwrap();
    }
    let text = fs::read_to_string(folder.join("plan/plan.json")).unwrap();
    let twice = text.replacen("\"agent_id\"", "\"agent_id\": \"ag_evil\", \"agent_id\"", 1);
    write(&folder, "plan/plan.json", &twice);
    let output = run(&folder, &["plan", "verify", "plan"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("an object has a name twice"), "{}", stderr(&output));

    write(
        &folder,
        "plan/plan.json",
        &text.replace("\"agent_id\": \"ag_de\"", "\"agent_id\": \"ag_evil\""),
    );
    assert_eq!(
        stdout(&run(&folder, &["plan", "verify", "plan"])),
        "agents/de.json:\n  \
        - agent id: ag_evil\n  \
        + agent id: ag_de\n\
        the saved plan (-) is not what planning gives now (+): do not send it, and plan again\n\
        it was made with `voxlint plan --out plan`; to verify it, give the same paths and options\n"
    );
}

/// A plan is what is sent and what the service answers. What only leads there may change.
#[test]
fn what_changes_neither_a_body_nor_a_verdict_needs_no_new_plan() {
    let second = "{ \"version_number\": 3, \"title\": \"Reception\" }";
    let folder = twice("same-plan", "", ("b.json", second));
    assert_ne!(status(&folder, &["plan", "--out", "plan", "-q"]), 2);
    let plan = fs::read_to_string(folder.join("plan/plan.json")).unwrap();
    assert!(plan.contains("version-planned-twice"), "{plan}");
    for (path, from, to) in [
        ("b.json", "{", "\n\n{ "),
        ("b.stored.json", "{", "{ \"updated_at\": \"2026-05-05T05:05:05Z\", "),
        ("voxlint.toml", "root", "# by hand\nroot"),
    ] {
        let text = fs::read_to_string(folder.join(path)).unwrap();
        write(&folder, path, &text.replacen(from, to, 1));
        assert_eq!(verified(&folder, "plan"), [""; 0], "{path}");
    }
}

/// Copies a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// A stored configuration of a version that is published, or a draft, with a number.
fn with_number(id: &str, is_published: bool, number: &str) -> String {
    let text = stored(id, "Desk")
        .replace("\"is_published\": false", &format!("\"is_published\": {is_published}"));
    text.replace(
        "\"title\": \"Desk\"",
        &format!("\"title\": \"Desk\", \"inbound_phone_number_id\": \"{number}\""),
    )
}

/// The ids of the rules across documents with findings or undecided, each with the document and the others.
fn across(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let output = run(directory, &[&["plan", "--format", "json"], arguments].concat());
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut found = Vec::new();
    for agent in plan["agents"].as_array().unwrap() {
        let name = agent["name"].as_str().unwrap();
        for finding in agent["findings"].as_array().unwrap() {
            let others = finding["others"].as_array().unwrap();
            let others: Vec<&str> = others.iter().map(|it| it.as_str().unwrap()).collect();
            found.push(format!(
                "{name}: {} {}",
                finding["rule"].as_str().unwrap(),
                others.join(" ")
            ));
        }
        for rule in agent["undecided"].as_array().unwrap() {
            found.push(format!("{name}: undecided {}", rule["rule"].as_str().unwrap()));
        }
    }
    found.sort();
    found
}

/// The beginning of what is found about a number that another agent holds.
const HELD: &str = "agents/en.json: phone-number-held-by-another-agent";

#[test]
fn unchanged_documents_are_compared_with_changed_ones() {
    let folder = fleet("left-out");
    write(&folder, "stored/de.json", &with_number("ag_de", true, "pn_main"));
    write(&folder, "stored/old.json", &with_number("ag_old", true, "pn_old"));
    if !commit(&folder) {
        return;
    }
    let claim = |number: &str| {
        let text = format!(
            "{{ \"version_number\": 3, \"is_published\": true, \"inbound_phone_number_id\": \"{number}\" }}"
        );
        write(&folder, "agents/en.json", &text);
    };
    for (number, other) in [("pn_main", "agents/de.json"), ("pn_old", "stored/old.json")] {
        claim(number);
        let found = across(&folder, &["--changed-since", "main"]);
        assert_eq!(found, [format!("{HELD} {other}")]);
    }
}

/// Two documents for the same version of the same agent, with different titles.
fn twice(name: &str, settings: &str, second: (&str, &str)) -> PathBuf {
    let head = "root = true\n[[documents]]\nfiles = [\"a.json\", \"b.*\"]\nstored = \"{stem}.stored.json\"\n";
    let stored = "{ \"id\": \"ag_desk\", \"agent_type\": \"Single_Prompt_Agent\" }";
    let files = [
        ("voxlint.toml", &*format!("{head}{settings}")),
        ("a.json", "{ \"version_number\": 3, \"title\": \"Front desk\" }"),
        ("a.stored.json", stored),
        ("b.stored.json", stored),
        second,
    ];
    folder(&format!("plan/{name}"), &files)
}

#[test]
fn findings_across_documents_have_their_excerpts() {
    let lines = "{\"version_number\":4}\n{\"version_number\":3,\"title\":\"Reception\"}\n";
    let several = "version_number: 4\n---\nversion_number: 3\ntitle: Reception\n";
    for (file, text, place) in [
        ("b.json", "{ \"version_number\": 3, \"title\": \"Reception\" }", "b.json:1:21"),
        ("b.ndjson", lines, "b.ndjson:2:19"),
        ("b.yaml", several, "b.yaml:3:17"),
    ] {
        let folder = twice(&format!("excerpt-{file}"), "", (file, text));
        // A file with several documents has no stored configuration, so the agent is stated.
        let output = run(&folder, &["plan", "--agent-id", "ag_desk", "--format", "html"]);
        let excerpt = format!("[{place}]");
        assert!(stdout(&output).contains(&excerpt), "{file}: {}", stdout(&output));
    }
}

#[test]
fn the_documents_of_a_commit_are_planned_against_the_service_of_now() {
    let folder = fleet("to");
    if !commit(&folder) {
        return;
    }
    // Since then, one title was changed, one document deleted, one added, a text changed, and a version published.
    let now = DOCUMENT.replace("Front desk", "Back office");
    write(&folder, "agents/en.json", &now.replace('{', "{ \"end_call_on_silence_sec\": 20,"));
    fs::remove_file(folder.join("agents/de.json")).unwrap();
    write(&folder, "agents/it.json", DOCUMENT);
    write(&folder, "agents/fr.hbs", "Be brief.\n");
    let version = |number, is_published| {
        format!("{{ \"version_number\": {number}, \"is_published\": {is_published} }}")
    };
    let versions = format!("[{}, {}]", version(3, true), version(4, false));
    let of_draft = |name: &str| {
        let set = "{ \"version_number\": 4, \"title\": \"Back office\", \"end_call_on_silence_sec\": 20 }";
        format!(
            "{{ \"agent\": {{ \"id\": \"{name}\", \"agent_type\": \"Single_Prompt_Agent\", \"versions\": {versions} }}, \
             \"version\": {set}, \"complete\": true }}"
        )
    };
    write(&folder, "stored/en.json", &of_draft("ag_en"));
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "two"]);

    let output = run(&folder, &["plan", "agents", "--to", "main~1", "--format", "json"]);
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("not in main~1, so their agents stay as they are: agents/it.json"),
        "{}",
        stderr(&output)
    );
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    let agents = plan["agents"].as_array().unwrap();
    let names: Vec<_> = agents.iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["agents/de.json", "agents/en.json", "agents/fr.json"]);
    let sentences = |agent: &Value, list: &str| -> Vec<String> {
        let all = agent[list].as_array().unwrap().iter();
        all.map(|it| it["message"].as_str().or(it.as_str()).unwrap().to_owned()).collect()
    };
    let en = &agents[1];
    assert_eq!(sentences(en, "changes"), ["changes `title` from `Back office` to `Front desk`"]);
    assert_eq!(
        sentences(en, "notes"),
        [
            "version 3 is published by now, so the update is for the draft, version 4",
            "`end_call_on_silence_sec` was not in the document, and keeps its stored value",
        ]
    );
    assert_eq!(en["version_number"], "4");
    // The text file is that of the commit as well.
    let mut changes = agents[2]["changes"].as_array().unwrap().iter();
    let prompt = changes.find(|it| it["field"] == "/prompt_text").unwrap();
    assert_eq!(prompt["texts"]["new"], "Be kind.\n");

    let output = run(&folder, &["plan", "agents/none.json", "--to", "main~1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("agents/none.json: no such file"), "{}", stderr(&output));
}
