//! `voxlint merge`: git merges two branches with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use voxlint_testing::repository;

use crate::process::{folder, run, status, stderr, stdout};

const BASE: &str =
    "# the desk\nversion_number: 3\ntitle: Desk # shown\nllm_id: llm_a\ntimezone: UTC\n";

/// The three versions of a file, in a folder of their own.
fn versions(name: &str, [base, ours, theirs]: [&str; 3]) -> PathBuf {
    let files = [("base", base), ("ours", ours), ("theirs", theirs)];
    folder(&format!("merge/{name}"), &files)
}

fn merge(root: &Path, path: &str) -> (Option<i32>, String, String) {
    let output = run(root, &["merge", "base", "ours", "theirs", "--path", path]);
    let merged = fs::read(root.join("ours")).unwrap();
    (
        output.status.code(),
        String::from_utf8_lossy(&merged).into_owned(),
        stderr(&output).to_owned(),
    )
}

#[test]
fn changes_of_neighboring_settings_merge_in_each_format_even_on_one_line() {
    for (path, text) in [
        ("a.yaml", BASE),
        ("a.toml", "version_number = 3\ntitle = 'Desk' # shown\nllm_id = 'llm_a'\n"),
        ("a.json", "{ \"version_number\": 3, \"title\": \"Desk\", \"llm_id\": \"llm_a\" }"),
        (
            "a.json",
            "{ \"version_number\": 3, // fixed\r\n \"title\": \"Desk\", \"llm_id\": \"llm_a\", }",
        ),
        (
            "a.ndjson",
            "{\"version_number\":3,\"title\":\"Desk\",\"llm_id\":\"llm_a\"}\n{\"version_number\":4}\n",
        ),
        ("a.md", "Desk\n\nsay llm_a\n"),
        ("a.hbs", "- Desk\n- {{llm_a}}\n"),
    ] {
        let [ours, theirs] = [text.replace("Desk", "Front desk"), text.replace("llm_a", "llm_b")];
        let root = versions("formats", [text, &ours, &theirs]);
        let both = ours.replace("llm_a", "llm_b");
        assert_eq!(merge(&root, path), (Some(0), both, String::new()), "{path}");
    }
}

#[test]
fn markers_are_only_around_what_conflicts_and_a_check_reads_the_rest() {
    let ours = BASE.replace("Desk", "Front desk").replace("llm_a", "llm_b");
    let theirs = BASE.replace("llm_a", "llm_c").replace("UTC", "CET");
    let root = versions("conflict", [BASE, &ours, &theirs]);
    let (code, merged, said) = merge(&root, "agents/a.yaml");
    let conflict = "<<<<<<< ours\nllm_id: llm_b\n=======\nllm_id: llm_c\n>>>>>>> theirs\n";
    let expected = BASE
        .replace("llm_id: llm_a\n", conflict)
        .replace("Desk", "Front desk")
        .replace("UTC", "CET");
    assert_eq!((code, merged), (Some(1), expected));
    assert_eq!(said, "voxlint: agents/a.yaml: 1 conflict left: `llm_id`\n");
    fs::rename(root.join("ours"), root.join("a.yaml")).unwrap();
    let output = run(&root, &["check", "a.yaml"]);
    assert!(stdout(&output).contains("an unresolved merge conflict"), "{}", stdout(&output));
    assert!(stderr(&output).contains("1 error"), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_clean_merge_of_lines_that_says_a_setting_twice_is_a_conflict() {
    let text = "version_number: 3\ntitle: Desk\n";
    let (ours, theirs) = (format!("llm_id: a\n{text}"), format!("{text}llm_id: b\n"));
    let (code, merged, _) = merge(&versions("twice", [text, &ours, &theirs]), "a.yaml");
    assert_eq!((code, merged.matches("<<<<<<<").count()), (Some(1), 1));
    assert_eq!(merged.replace("=======\nllm_id: b", "").matches("llm_id").count(), 1, "{merged}");
}

#[test]
fn a_comment_of_either_side_is_never_lost() {
    let ours = BASE.replace("llm_id: llm_a\n", "# cheap\nllm_id: llm_b\n");
    let theirs = BASE.replace("llm_id: llm_a\n", "# good\n# and fast\nllm_id: llm_b\n");
    let (code, merged, _) = merge(&versions("comments", [BASE, &ours, &theirs]), "a.yaml");
    assert_eq!(code, Some(1));
    assert!(merged.contains("# cheap") && merged.contains("# good\n# and fast"), "{merged}");
}

#[test]
fn what_is_not_an_agent_document_is_merged_by_lines() {
    let broken = "{ \"title\": \"Desk\",\n\n\n \"llm_id\": [\n";
    let latin = "{\"a\": \"é\",\n\n\n\"b\": 1}";
    for (path, text, old) in [("a.json", broken, "Desk"), ("package.json", latin, "\"a\"")] {
        let ours = text.replace(old, "\"x\"");
        let theirs = text.replace("\n\n\n", "\n\n\n\n");
        let root = versions("lines", [text, &ours, &theirs]);
        let both = ours.replace("\n\n\n", "\n\n\n\n");
        assert_eq!(merge(&root, path), (Some(0), both, String::new()), "{path}");
    }
    // Bytes of another encoding stay.
    let root = versions("latin", ["", "", ""]);
    for (name, text) in
        [("base", &b"a\n\n\xe9\n"[..]), ("ours", b"b\n\n\xe9\n"), ("theirs", b"a\n\n\xe8\n")]
    {
        fs::write(root.join(name), text).unwrap();
    }
    assert_eq!(status(&root, &["merge", "base", "ours", "theirs", "--path", "a.json"]), 0);
    assert_eq!(fs::read(root.join("ours")).unwrap(), b"b\n\n\xe8\n");
    fs::write(root.join("theirs"), b"\0").unwrap();
    assert_eq!(status(&root, &["merge", "base", "ours", "theirs", "--path", "a.json"]), 1);
    assert_eq!(fs::read(root.join("ours")).unwrap(), b"b\n\n\xe8\n");
}

/// Other codes would tell git that conflicts are marked in the file.
#[test]
fn a_failure_and_wrong_usage_are_told_apart_from_conflicts() {
    let root = versions("failures", ["", "", ""]);
    assert_eq!(status(&root, &["merge", "base", "ours", "none", "--path", "a.json"]), 129);
    assert_eq!(status(&root, &["merge", "base", "ours"]), 129);
    assert_eq!(status(&root, &["merge", "--help"]), 0);
}

/// With the lines of the page, as a team would write them.
#[test]
fn git_merges_two_branches_with_the_lines_of_the_page() {
    if cfg!(windows) {
        voxlint_testing::skip("the page speaks to a shell");
        return;
    }
    let page = fs::read_to_string(repository().join("docs/merge.md")).unwrap();
    let block = |kind: &str| {
        page.split(&format!("```{kind}\n")).nth(1).and_then(|it| it.split("```").next()).unwrap()
    };
    let root =
        folder("merge/git", &[("agents/a.yaml", BASE), (".gitattributes", block("gitattributes"))]);
    let shell = |script: &str| {
        let program = Path::new(env!("CARGO_BIN_EXE_voxlint")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("sh");
        command.args(["-ec", script]).current_dir(&root).env("PATH", path).env("HOME", &root);
        command.env("GIT_CONFIG_GLOBAL", root.join("global")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.output().unwrap()
    };
    let output = shell(&[
        block("sh"),
        "git config --global user.name a; git config --global user.email a@example.com
         git init -q -b main; git add agents .gitattributes; git commit -q -m base
         git switch -q -c one; sed -i.bak s/Desk/Front/ agents/a.yaml; git commit -q -a -m one
         git switch -q -c two main; sed -i.bak s/llm_a/llm_b/ agents/a.yaml; git commit -q -a -m two
         git switch -q -c three main; sed -i.bak s/llm_a/llm_c/ agents/a.yaml; git commit -q -a -m three
         git switch -q one; git merge -q two",
    ].concat());
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    let merged = BASE.replace("Desk", "Front").replace("llm_a", "llm_b");
    assert_eq!(fs::read_to_string(root.join("agents/a.yaml")).unwrap(), merged);
    assert_eq!(
        stdout(&shell("git merge -q three > log || git diff --name-only --diff-filter=U")),
        "agents/a.yaml\n"
    );
    // Without its arguments, the driver makes git stop, and the file stays.
    let output = shell(
        "git merge --abort; git config merge.voxlint.driver 'voxlint merge %O %A'; git merge three",
    );
    assert!(!output.status.success());
    assert_eq!(stdout(&shell("git status --porcelain -uno")), "");
}
