//! Mistakes in related files.

use crate::process::{folder, run, run_with_stdin, stderr, stdout};
use voxlint_testing::without_undecided;

const UPDATE: (&str, &str) = ("update.json", r#"{ "version_number": 3, "title": "Front desk" }"#);
const CHECK: [&str; 4] = ["check", "update.json", "--stored", "stored.json"];

/// A truncated download is not a stored configuration.
#[test]
fn a_file_without_a_stored_configuration_is_rejected() {
    for held in [
        r#"{ "statusCode": 404, "message": "no such agent", "error": "Not Found" }"#,
        r#"{ "data": { "id": "ag_front_desk" } }"#,
        r#"{ "phone_numbers": [] }"#,
        "{}",
    ] {
        let folder = folder("nothing-stored", &[UPDATE, ("stored.json", held)]);
        let output = run(&folder, &CHECK);
        assert_eq!(output.status.code(), Some(2), "{held}");
        assert!(stderr(&output).contains("it contains neither an agent nor"), "{held}");
    }
}

/// An unreadable version number could mean any version.
#[test]
fn settings_of_an_unknown_version_are_rejected() {
    for number in [r#""3""#, "null"] {
        let held = format!(r#"{{ "version_number": {number}, "is_published": true }}"#);
        let folder = folder("unreadable-number", &[UPDATE, ("stored.json", &held)]);
        let output = run(&folder, &CHECK);
        assert_eq!(output.status.code(), Some(2), "{number}");
        assert!(stderr(&output).contains("stored.json:1:21"), "{}", stderr(&output));
    }
}

/// A value of a type that the service never stores would silently disable a check, as in the facts.
#[test]
fn stored_values_of_the_wrong_type_are_rejected() {
    for held in [
        r#"{ "version_number": 3, "voice_id": 7 }"#,
        r#"{ "id": "ag_1", "agent_type": "Single_Prompt_Agent", "versions": [{ "is_published": "no" }] }"#,
        r#"{ "version": { "version_number": 3, "pipeline_type": ["Cascaded"] }, "complete": true }"#,
    ] {
        let folder = folder("stored-wrong-type", &[UPDATE, ("stored.json", held)]);
        let output = run(&folder, &CHECK);
        assert_eq!(output.status.code(), Some(2), "{held}");
        assert!(stderr(&output).contains("error[wrong-type]"), "{}", stderr(&output));
    }
    // The service revalidates this value with every update and rejects it.
    let held = r#"{ "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": 7 } }"#;
    let folder = folder("stored-wrong-type", &[UPDATE, ("stored.json", held)]);
    let output = run(&folder, &CHECK);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("error[wrong-type]"), "{}", stdout(&output));
}

#[test]
fn ambiguous_stored_configurations_are_rejected() {
    let held = r#"{ "version_number": 3, "is_published": true, "is_published": false }"#;
    let folder = folder("read-in-two-ways", &[UPDATE, ("stored.json", held)]);
    let output = run(&folder, &CHECK);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("error[duplicate-key]"), "{}", stderr(&output));
}

#[test]
fn undecided_checks_that_fail_the_run_are_reported() {
    let folder = folder("undecided-fails", &[UPDATE]);
    let output = run(&folder, &["check", "update.json", "--require-decided"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("undecided[version-not-found]"));
    assert!(stderr(&output).contains(" need the stored configuration"));
}

#[test]
fn only_one_file_can_be_standard_input() {
    let folder = folder("stdin-twice", &[UPDATE]);
    for arguments in [
        &["check", "-", "--stored", "-"][..],
        &["check", "update.json", "--stored", "-", "--facts", "-"],
        &["predict", "-", "--facts", "-"],
        &["diff", "-", "-"],
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stderr(&output), "voxlint: only one file can be standard input\n");
    }
}

#[test]
fn related_files_are_not_documents_of_a_walk() {
    let held = r#"{ "version_number": 3, "is_published": false }"#;
    let folder = folder("walked", &[("a/update.json", UPDATE.1), ("a/stored.json", held)]);
    let output = run(&folder, &["check", "a", "--stored", "a/stored.json"]);
    let summary = "1 document, nothing to report\n";
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(without_undecided(stderr(&output)), summary);
}

#[test]
fn a_complaint_neither_steers_the_terminal_nor_shows_a_secret() {
    let secret = "0123456789abcdefABCDEF0123456789";
    let held = format!(
        r#"{{ "id": "ag_one\u001b[31m\u202e:{secret}", "agent_type": "Single_Prompt_Agent" }}"#
    );
    let folder = folder("complaint", &[UPDATE, ("stored.json", &held)]);
    let output = run(&folder, &[&CHECK[..], &["--agent-id", "x"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(!stderr(&output).contains(['\u{1b}', '\u{202e}']), "{}", stderr(&output));
    let hidden = "x\u{1b}]0;title\u{7}.json";
    let output = run(&folder, &["check", hidden]);
    assert!(!stderr(&output).contains(['\u{1b}', '\u{7}']), "{}", stderr(&output));

    let held = format!(r#"{{ "id": "keyid01:{secret}", "agent_type": "Single_Prompt_Agent" }}"#);
    let folder = crate::process::folder("complaint-secret", &[UPDATE, ("stored.json", &held)]);
    let output = run(&folder, &[&CHECK[..], &["--agent-id", "x"]].concat());
    assert!(!stderr(&output).contains(secret), "{}", stderr(&output));
}

/// A prompt with headings, which are comments in no format, and a mistake.
const PROMPT: &str = "# Rules\n\n- Greet {{name}.\n";

#[test]
fn a_text_that_a_document_names_is_its_text_whichever_way_it_comes_in() {
    for name in ["front.prompt.md", "front.txt", "front.prompt", "front.hbs", "front"] {
        let pattern = name.replace("front", "{stem}");
        let settings = format!(
            "[[documents]]\nfiles = \"agents/*.json\"\ntext_files = {{ prompt_text = \"{pattern}\" }}\n"
        );
        let text = format!("agents/{name}");
        let files = [
            ("voxlint.toml", &*settings),
            ("agents/front.json", r#"{ "version_number": 3 }"#),
            (&*text, PROMPT),
        ];
        let folder = folder("named-texts", &files);
        for arguments in [
            &["check", &*text][..],
            &["check", "agents"],
            &["check", "--only-documents", &*text],
            &["check", "agents", &*text],
        ] {
            let output = run(&folder, arguments);
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stderr(&output));
            let shown = stdout(&output);
            assert_eq!(shown.matches("error[").count(), 1, "{arguments:?}: {shown}");
            assert!(shown.contains("error[template-syntax-error]"), "{arguments:?}: {shown}");
        }
        let output = run_with_stdin(&folder, &["check", "-", "--stdin-filename", &text], PROMPT);
        let shown = stdout(&output);
        assert!(
            shown.contains("error[template-syntax-error]"),
            "{name}: {shown}{}",
            stderr(&output)
        );
        assert_eq!(shown.matches("error[").count(), 1, "{name}: {shown}");
        run(&folder, &["check", "--fix", "--unsafe-fixes", &text]);
        let fixed = std::fs::read_to_string(folder.join(&text)).expect("the text");
        assert_eq!(fixed, PROMPT.replace("{{name}", "{{name}}"), "{name}");
    }
}

#[test]
fn a_text_that_no_document_names_is_asked_about_and_left_alone() {
    for name in ["notes.md", "notes.txt", "NOTES.MD"] {
        let folder = folder("unnamed-texts", &[UPDATE, (name, PROMPT)]);
        for arguments in [&["check", name][..], &["check", "--fix", "--unsafe-fixes", name]] {
            let output = run(&folder, arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            assert!(stderr(&output).contains("no document names this text"), "{}", stderr(&output));
            assert!(!stdout(&output).contains("JSON"), "{}", stdout(&output));
        }
        let output = run_with_stdin(&folder, &["check", "-", "--stdin-filename", name], PROMPT);
        assert_eq!(output.status.code(), Some(2));
        let output = run(&folder, &["check", "--only-documents", "update.json", name]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stderr(&output).contains("1 other file skipped"), "{}", stderr(&output));
        let output = run(&folder, &["check", "--kind", "template", name]);
        assert!(stdout(&output).contains("error[template-syntax-error]"), "{}", stdout(&output));
        let text = std::fs::read_to_string(folder.join(name)).expect("the text");
        assert_eq!(text, PROMPT);
    }
}

#[test]
fn a_template_that_no_document_names_gets_the_rules_about_variables() {
    let settings = "[[documents]]\nfiles = \"prompts/*.hbs\"\nkind = \"template\"\nvariables = [\"caller_name\"]\n";
    let text =
        "Hello {{caler_name}}, {{name?}} {{1}} {{first_name}} {{firstName}} {{first_name}}\n";
    let folder =
        folder("variables-of-a-template", &[("voxlint.toml", settings), ("prompts/a.hbs", text)]);
    let output = run(&folder, &["check", "prompts", "--format", "concise"]);
    let shown = stdout(&output);
    for expected in [
        "unknown-template-variable] `caler_name`",
        "odd-variable-name] `?`",
        "odd-variable-name] `1`",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    std::fs::remove_file(folder.join("voxlint.toml")).expect("a configuration");
    let output = run(&folder, &["check", "prompts", "--show-undecided"]);
    assert!(
        stdout(&output).contains("undecided[unknown-template-variable]"),
        "{}",
        stdout(&output)
    );
}
