//! A document of which a part was not read never passes.

use std::fmt::Write as _;

use crate::process::{folder, run, run_with_input, stderr, stdout};

const DEPTH: &str = "nested deeper than 512 levels, so what is inside was not checked";
const BRACKETS: &str =
    "brackets are nested deeper than 128 levels, so what is inside was not checked";

/// A document with arrays nested this deep, and a broken template in the field after them.
fn documents(levels: usize) -> [(&'static str, String, String); 6] {
    let arrays = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let lines = format!("2: {DEPTH}");
    [
        (
            "a.json",
            format!(
                "{{\n\"json_output_instructions\": {{\"a\": {arrays}}},\n\"prompt_text\": \"{{{{x\", \"version_number\": 3}}\n"
            ),
            lines.clone(),
        ),
        (
            "a.jsonc",
            format!(
                "{{ // x\n\"json_output_instructions\": {{\"a\": {arrays}}},\n\"prompt_text\": \"{{{{x\", \"version_number\": 3}}\n"
            ),
            lines.clone(),
        ),
        (
            "a.ndjson",
            format!(
                "{{\"version_number\": 3}}\n{{\"json_output_instructions\": {{\"a\": {arrays}}}, \"prompt_text\": \"{{{{x\", \"version_number\": 3}}\n"
            ),
            lines.clone(),
        ),
        (
            "a.yaml",
            format!(
                "version_number: 3\njson_output_instructions: {{a: {arrays}}}\nprompt_text: '{{{{x'\n"
            ),
            lines.clone(),
        ),
        (
            "stream.yaml",
            format!(
                "json_output_instructions:\n  {}x\nstt_model: 1\n---\nversion_number: 3\nprompt_text: '{{{{x'\n",
                "- ".repeat(levels)
            ),
            lines,
        ),
        (
            "a.toml",
            format!(
                "version_number = 3\njson_output_instructions.a = {arrays}\nprompt_text = '{{{{x'\n"
            ),
            format!("2: {BRACKETS}"),
        ),
    ]
}

#[test]
fn values_nested_too_deep_fail_the_run_and_the_rest_is_checked() {
    for levels in [600, 100_000] {
        for (name, text, place) in documents(levels) {
            let folder = folder(&format!("unread-{levels}-{name}"), &[(name, &text)]);
            let output = run(&folder, &["check", "--format", "concise", name]);
            assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
            let told = format!("{name}: line {place}");
            assert!(stderr(&output).contains(&told), "{name}: {}", stderr(&output));
            let found = stdout(&output);
            assert!(found.contains("nested-too-deep"), "{name}: {found}");
            assert!(found.contains("template-syntax-error"), "{name}: {found}");

            // Whatever hides the findings, the run fails.
            let hidden = ["check", "--exit-zero", "--off", "nested-too-deep", name];
            assert_eq!(run(&folder, &hidden).status.code(), Some(2), "{name}");
        }
    }
}

#[test]
fn brackets_that_are_never_closed_are_an_error_however_many_they_are() {
    let open = "[".repeat(100_000);
    for (name, text) in [
        ("a.json", format!("{{\"version_number\": 3, \"title\": {open}")),
        ("a.yaml", format!("version_number: 3\ntitle: {open}")),
        ("a.toml", format!("version_number = 3\ntitle = {open}")),
    ] {
        let folder = folder(&format!("unclosed-{name}"), &[(name, &text)]);
        let output = run(&folder, &["check", "--format", "concise", name]);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{name}");
        assert!(stdout(&output).contains("error[syntax-error]"), "{name}: {}", stdout(&output));
    }
}

#[test]
fn node_positions_that_are_not_read_fail_the_run() {
    let deep = format!("{}{}", "[".repeat(600), "]".repeat(600));
    let text = format!("{{\n\"version_number\": 3,\n\"node_positions\": \"{deep}\"}}\n");
    let output = run_with_input(&["check", "-"], &text);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(&format!("<stdin>: line 3: {DEPTH}")), "{}", stderr(&output));
    let fine = text.replace(&deep, "[[]]");
    assert_eq!(run_with_input(&["check", "-"], &fine).status.code(), Some(0));
}

#[test]
fn a_yaml_file_with_too_many_faults_to_be_read_on_fails_the_run() {
    let mut text = String::from("version_number: 3\n");
    for index in 0..300 {
        writeln!(text, "x_{index}: \"a\" b").unwrap();
    }
    text.push_str("---\nversion_number: 4\ntitle: '{{x'\n");
    let folder = folder("unread-faults", &[("a.yaml", &text)]);
    let output = run(&folder, &["check", "--format", "concise", "a.yaml"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("so the rest of the file was not checked"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn nothing_is_predicted_or_compared_that_was_not_read() {
    let deep = format!("{}{}", "[".repeat(600), "]".repeat(600));
    let update =
        format!("{{\"version_number\": 3, \"json_output_instructions\": {{\"a\": {deep}}}}}");
    let positions = format!("{{\"version_number\": 3, \"node_positions\": \"{deep}\"}}");
    let old = "{\"version_number\": 3, \"title\": \"Desk\"}";
    let files = [("deep.json", &*update), ("positions.json", &positions), ("old.json", old)];
    let folder = folder("unread-predict", &files);
    for name in ["deep.json", "positions.json"] {
        let predicted = run(&folder, &["predict", name]);
        assert_eq!(predicted.status.code(), Some(2), "{name}: {}", stdout(&predicted));
        assert!(stderr(&predicted).contains(DEPTH), "{name}: {}", stderr(&predicted));
        let compared = run(&folder, &["diff", "old.json", name]);
        assert_eq!(compared.status.code(), Some(2), "{name}: {}", stdout(&compared));
    }
}
