//! `voxlint render`: what callers would hear.

use serde_json::{Value, json};
use voxlint_testing::assert_snapshot;

use crate::process::{folder, run, run_with_input, status, stderr, stdout};

const UPDATE: &str = r#"{
  "version_number": 3,
  "welcome_message": "Hello {{name}}, this is {{shop}}. You ordered {{#each items}}{{this}}{{#unless @last}} and {{/unless}}{{/each}}.",
  "default_dynamic_variables": { "name": "there", "items": ["tea", "Fish & Chips"] }
}"#;
const STORED: &str = r#"{
  "version_number": 3,
  "prompt_text": "You sell tea in {{city}}. {{#if vip}}Be quick.{{else}}Take your time.{{/if}}",
  "default_dynamic_variables": { "city": "Leeds", "name": "dear" }
}"#;

#[test]
fn templates_are_filled_in_with_the_variables_of_a_call() {
    let files =
        [("a.json", UPDATE), ("stored.json", STORED), ("call.yaml", "name: Ada\nvip: true\n")];
    let directory = folder("render", &files);
    let alone = run(&directory, &["render", "a.json"]);
    assert_eq!((alone.status.code(), stderr(&alone)), (Some(0), ""));
    assert_snapshot("render", "alone", stdout(&alone));
    let all = ["render", "a.json", "--stored", "stored.json", "--variables", "call.yaml"];
    let output = run(&directory, &all);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    assert_snapshot("render", "all", stdout(&output));
    let json = run(&directory, &[&all[..], &["--format", "json"]].concat());
    let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    assert_snapshot("render", "all.json", &stdout(&json).replace(version, "\"version\": \"…\""));
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let greeting = "Hello Ada, this is . You ordered tea and Fish &amp; Chips.";
    assert_eq!(json["templates"][1]["text"], greeting);
    let span = &json["templates"][1]["missing"][0]["span"];
    let [start, end] = ["start", "end"].map(|at| span[at].as_u64().unwrap() as usize);
    assert_eq!(&UPDATE[start..end], "shop");
    let field = run(&directory, &["render", "a.json", "--field", "voicemail_message"]);
    assert_eq!(
        stdout(&field),
        "voicemail_message: (unknown: neither the document nor a stored configuration has it)\n"
    );
}

#[test]
fn every_gap_is_marked_and_named() {
    let text = r#"{
        "version_number": 3,
        "prompt_text": "Call {{nick}} about {{lookup orders 0}} and {{{note}}}.",
        "welcome_message": "This is {{shop}} & {{shop}}.",
        "voicemail_message": "",
        "default_dynamic_variables": { "nick": null, "orders": [], "note": null, "shop": "Tea & Co" }
    }"#;
    let directory = folder("render-gaps", &[("a.json", text)]);
    let output = run(&directory, &["render", "a.json"]);
    assert_eq!(
        (output.status.code(), stdout(&output)),
        (
            Some(0),
            "prompt_text:\n  Call ⟨nick⟩ about ⟨lookup orders 0⟩ and ⟨note⟩.\n\n\
             welcome_message:\n  This is Tea &amp; Co & Tea &amp; Co.\n\n\
             voicemail_message: (empty)\n\n\
             without a value: ⟨nick⟩, ⟨lookup orders 0⟩, ⟨note⟩\n\n\
             `shop` contains characters that Handlebars escapes for HTML, such as `&amp;` for `&`\n"
        )
    );
}

#[test]
fn a_template_with_an_error_is_shown_with_its_place() {
    let text = r#"{ "version_number": 3, "prompt_text": "Hi {{first name}}", "welcome_message": "Hi {{name}" }"#;
    let directory = folder("render-errors", &[("a.json", text)]);
    let output = run(&directory, &["render", "a.json", "--color", "never"]);
    assert_eq!(output.status.code(), Some(1));
    assert_snapshot("render", "errors", &format!("{}---\n{}", stdout(&output), stderr(&output)));
    let json = run(&directory, &["render", "a.json", "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let rules = json["diagnostics"].as_array().unwrap().iter().map(|found| &found["rule"]);
    assert_eq!(rules.collect::<Vec<_>>(), ["unknown-helper", "template-syntax-error"]);
    assert!(
        json["diagnostics"].as_array().unwrap().iter().all(|found| found["severity"] == "error")
    );
    assert_eq!(json["templates"][0]["text"], Value::Null);
    assert_eq!(status(&directory, &["render", "a.json", "--field", "voicemail_message"]), 0);
}

#[test]
fn what_has_no_templates_is_not_rendered() {
    let files = [
        ("facts.json", r#"{ "agents": ["ag_1"] }"#),
        ("other.json", r#"{ "a": 1 }"#),
        ("a.json", UPDATE),
        ("list.json", "[1]"),
        ("broken.json", "{"),
    ];
    let directory = folder("render-failures", &files);
    for arguments in [
        &["render", "absent.json"][..],
        &["render", "other.json"],
        &["render", "."],
        &["render", "a.json", "--variables", "list.json"],
        &["render", "a.json", "--variables", "broken.json"],
        &["render", "a.json", "--variables", "absent.json"],
        &["render", "-", "--variables", "-"],
        &["render", "a.json", "--field", "title"],
    ] {
        let output = run(&directory, arguments);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{arguments:?}");
        assert!(!stderr(&output).is_empty(), "{arguments:?}");
    }
    let output = run_with_input(&["render", "-", "--field", "welcome_message"], UPDATE);
    assert!(stdout(&output).contains("You ordered tea and Fish &amp; Chips."));
}

#[test]
fn no_secret_is_rendered_and_nothing_steers_the_terminal() {
    let secret = "Zk3vT9qLr2Xw8YbN5mHd7PcS";
    let text = json!({
        "version_number": 3,
        "prompt_text": "Use {{key}} and {{api_key}} or {{other}}. \u{1b}[31m{{first name}}",
        "welcome_message": "{{api_key}}{{token}} \u{1b}[31m\u{202e}",
        "default_dynamic_variables": { "key": format!("sk_live_{secret}"), "api_key": secret },
    });
    let call = json!({ "token": secret.to_lowercase(), "other": format!("Bearer {secret}") });
    let files = [("a.json", text.to_string()), ("call.json", call.to_string())];
    let directory = folder("render-secrets", &files);
    for format in ["full", "json"] {
        let arguments = ["render", "a.json", "--variables", "call.json", "--format", format];
        let output = run(&directory, &arguments);
        let all = format!("{}{}", stdout(&output), stderr(&output));
        for hidden in [secret, &secret.to_lowercase(), "\u{1b}", "\u{202e}"] {
            assert!(!all.contains(hidden), "{format}: {hidden:?} in {all}");
        }
    }
}
