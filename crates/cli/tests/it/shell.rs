//! Completions and manual pages, checked by the programs that read them.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use crate::process::{run, stderr, stdout};
use voxlint_testing::repository;

/// Passes a text to a program; `None` if the program is not installed.
fn read_by(program: &str, arguments: &[&str], text: &str) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        voxlint_testing::skip(&format!("no {program}"));
        return None;
    };
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    Some(child.wait_with_output().unwrap())
}

#[test]
fn manual_pages_are_valid() {
    for command in [None, Some("check"), Some("facts"), Some("completions"), Some("man")] {
        let arguments: Vec<&str> = [Some("man"), command].into_iter().flatten().collect();
        let output = run(repository(), &arguments);
        assert_eq!(output.status.code(), Some(0));
        let page = stdout(&output);
        let groff = ["-man", "-Kutf8", "-Tutf8", "-ww", "-z"];
        if let Some(read) = read_by("groff", &groff, page) {
            assert_eq!((read.status.code(), stderr(&read)), (Some(0), ""), "{command:?}");
        }
        if let Some(read) = read_by("mandoc", &["-Tlint", "-Wwarning"], page) {
            assert_eq!((read.status.code(), stdout(&read)), (Some(0), ""), "{command:?}");
        }
    }
}

#[test]
fn bash_completes_commands_options_and_rules() {
    let script = run(repository(), &["completions", "bash"]);
    let tries = "
        try() {
            COMP_WORDS=(voxlint \"$@\")
            COMP_CWORD=$#
            _voxlint voxlint \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"
            echo \"${COMPREPLY[*]}\"
        }
        try che
        try check --show-
        try explain unknown-f
        try man expl
        try completions fi
    ";
    let text = format!("{}\n{tries}", stdout(&script));
    if let Some(read) = read_by("bash", &["--norc"], &text) {
        assert_eq!(stderr(&read), "");
        let expected = [
            "check",
            "--show-undecided --show-files --show-suppressed",
            "unknown-field unknown-function",
            "explain",
            "fish",
        ];
        assert_eq!(stdout(&read).lines().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn an_unknown_shell_or_command_is_wrong_usage() {
    for arguments in [&["completions", "tcsh"][..], &["completions"], &["man", "chek"]] {
        let output = run(repository(), arguments);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{arguments:?}");
    }
    assert!(stderr(&run(repository(), &["man", "chek"])).contains("'check'"));
}

#[test]
fn a_misspelled_rule_gets_a_suggestion() {
    let output = run(repository(), &["explain", "unknwn-field"]);
    assert_eq!(
        stderr(&output),
        "voxlint: there is no rule `unknwn-field`: did you mean `unknown-field`?\n"
    );
    let help = run(repository(), &["explain", "--help"]);
    assert!(!stdout(&help).contains("duplicate-key"), "the help must not list the rules");
}
