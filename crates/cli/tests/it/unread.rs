//! A document of which a part was not read never passes.

use crate::process::{folder, run, stderr, stdout};

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
