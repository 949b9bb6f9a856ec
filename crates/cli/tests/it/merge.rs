//! `voxlint merge`: git merges two branches with it.

use std::fs;
use std::path::Path;
use std::process::Command;

use voxlint_testing::repository;

use crate::process::{folder, stderr, stdout};

const BASE: &str =
    "# the desk\nversion_number: 3\ntitle: Desk # shown\nllm_id: llm_a\ntimezone: UTC\n";

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
