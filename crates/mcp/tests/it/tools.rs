//! Each tool: what it answers, and what it says about wrong use.

use serde_json::{Value, json};
use voxlint_testing::repository;

use crate::client::{Folder, call, text};

const FAULTY: &str = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
const CLEAN: &str = r#"{ "version_number": 3, "title": "Front desk" }"#;

fn rules(result: &Value) -> Vec<&str> {
    let files = result["structuredContent"]["files"].as_array().unwrap();
    let found = files.iter().flat_map(|file| file["diagnostics"].as_array().unwrap());
    found.map(|found| found["rule"].as_str().unwrap()).collect()
}

#[test]
fn check_finds_the_same_in_a_text_and_in_a_file() {
    let folder = Folder::new(&[("en.json", FAULTY)]);
    let by_text = folder.call("check", json!({ "text": FAULTY }));
    let by_path = folder.call("check", json!({ "path": folder.path("en.json") }));
    let by_both = folder.call("check", json!({ "text": FAULTY, "path": folder.path("new.json") }));
    for result in [&by_text, &by_path, &by_both] {
        assert_eq!(rules(result), ["out-of-range"]);
        assert_eq!(result["isError"], false);
        assert!(text(result).contains("error[out-of-range]"), "{}", text(result));
        assert!(text(result).contains("1 error in 1 document"));
        assert_eq!(result["structuredContent"]["summary"]["errors"], 1);
        assert_eq!(result["structuredContent"]["schema"], 1);
    }
    let clean = folder.call("check", json!({ "text": CLEAN, "path": folder.path("en.json") }));
    assert!(rules(&clean).is_empty(), "the text replaces the file");
    let on_disk = std::fs::read_to_string(folder.root().join("en.json")).unwrap();
    assert_eq!(on_disk, FAULTY, "nothing is written");
}

#[test]
fn check_reads_every_format() {
    let folder = Folder::new(&[]);
    for (format, text) in [
        ("json", FAULTY),
        ("jsonc", "{ \"version_number\": 3, // the draft\n \"kb_max_chunks\": 12 }"),
        ("yaml", "version_number: 3\nkb_max_chunks: 12\n"),
        ("toml", "version_number = 3\nkb_max_chunks = 12\n"),
        ("ndjson", FAULTY),
    ] {
        let result = folder.call("check", json!({ "text": text, "format": format }));
        assert_eq!(rules(&result), ["out-of-range"], "{format}");
    }
    let result = folder.call("check", json!({ "text": "Hello {{name", "format": "hbs" }));
    assert_eq!(rules(&result), ["template-syntax-error"]);
    // The extension tells the format.
    let yaml =
        json!({ "text": "version_number: 3\nkb_max_chunks: 12\n", "path": folder.path("en.yml") });
    assert_eq!(rules(&folder.call("check", yaml)), ["out-of-range"]);
    let comments =
        json!({ "text": "{ /* x */ }", "path": folder.path("en.json"), "format": "jsonc" });
    assert!(rules(&folder.call("check", comments)).iter().all(|rule| *rule != "syntax-error"));
    let both = json!({ "text": "{}", "path": folder.path("en.yaml"), "format": "toml" });
    assert!(folder.wrong_use("check", both).contains("`format` is toml, but"));
}

#[test]
fn check_uses_the_configuration_stored_configuration_and_texts_of_the_name() {
    let settings = "root = true\n[rules]\nout-of-range = 'off'\n[[documents]]\nfiles = 'agents/*.json'\nstored = '../stored/{stem}.json'\ntext_files = { prompt_text = '{stem}.hbs' }\n";
    let folder = Folder::new(&[
        ("voxlint.toml", settings),
        ("stored/en.json", r#"{ "version": { "version_number": 3, "transcriber_id": "tr_a" } }"#),
        ("agents/en.hbs", "Hello {{name"),
    ]);
    let document = r#"{ "version_number": 3, "kb_max_chunks": 12, "fallback_stt_enabled": true, "stt_fallback_transcriber_id": "tr_a" }"#;
    let named = json!({ "text": document, "path": folder.path("agents/en.json") });
    let found = folder.call("check", named);
    assert_eq!(rules(&found), ["fallback-transcriber-same", "template-syntax-error"], "{found:#}");
    // A text without a name has the configuration of the folder, and no related files.
    let unnamed = folder.call("check", json!({ "text": document }));
    assert!(rules(&unnamed).is_empty(), "{unnamed:#}");
}

#[test]
fn check_takes_the_stored_configuration_and_facts_as_text_or_file() {
    let stored = r#"{ "version": { "version_number": 3, "transcriber_id": "tr_a" } }"#;
    let facts = r#"{ "voices": {} }"#;
    let folder = Folder::new(&[("stored.json", stored), ("facts.json", facts)]);
    let document = r#"{ "version_number": 3, "voice_id": "vo_x", "fallback_stt_enabled": true, "stt_fallback_transcriber_id": "tr_a" }"#;
    let by_text = json!({ "text": document, "stored_text": stored, "facts_text": facts });
    let by_path = json!({
        "text": document,
        "stored_path": folder.path("stored.json"),
        "facts_path": folder.path("facts.json"),
    });
    for arguments in [by_text, by_path] {
        let result = folder.call("check", arguments);
        let found = rules(&result);
        assert!(found.contains(&"fallback-transcriber-same"), "{found:?}");
        assert!(found.contains(&"unknown-id"), "{found:?}");
    }
    let both = json!({ "text": document, "stored_text": stored, "stored_path": folder.path("stored.json") });
    assert_eq!(folder.wrong_use("check", both), "give either `stored_text` or `stored_path`");
    let unusable = json!({ "text": document, "stored_text": "{" });
    assert!(
        folder.wrong_use("check", unusable).contains("stored configuration"),
        "the reason is named"
    );
}

#[test]
fn check_of_a_folder_lists_what_was_skipped_and_what_failed() {
    let folder = Folder::new(&[
        ("agents/a.json", FAULTY),
        ("agents/b.yaml", "version_number: 3\nkb_max_chunks: 12\n"),
        ("agents/package.json", "{ \"name\": \"site\" }"),
    ]);
    let result = folder.call("check", json!({ "path": folder.path("agents") }));
    assert_eq!(rules(&result), ["out-of-range", "out-of-range"]);
    assert_eq!(result["structuredContent"]["skipped"].as_array().unwrap().len(), 1);
    let stored =
        json!({ "path": folder.path("agents"), "stored_text": "{ \"version_number\": 3 }" });
    assert!(folder.wrong_use("check", stored).contains("applies to one document, but 2"));
    let nothing = folder.call("check", json!({ "path": folder.path("agents/../voxlint.toml/..") }));
    assert_eq!(nothing["isError"], false);
    folder.write("empty/notes.txt", "x");
    let nothing = folder.wrong_use("check", json!({ "path": folder.path("empty") }));
    assert!(nothing.contains("no agent documents found"), "{nothing}");
    let missing = folder.wrong_use("check", json!({ "path": folder.path("gone.json") }));
    assert!(missing.contains("gone.json: no such file or directory"), "{missing}");
}

#[test]
fn many_findings_are_one_line_each() {
    let folder = Folder::new(&[]);
    let functions = vec![json!({ "type": "nothing" }); 400];
    let document = json!({ "version_number": 3, "agent_functions": functions }).to_string();
    let result = folder.call("check", json!({ "text": document }));
    assert!(rules(&result).len() >= 400);
    let shown = text(&result);
    assert!(shown.contains("more: the rest is in `structuredContent`"), "{shown}");
    assert!(shown.len() < 25_000, "{}", shown.len());
}

#[test]
fn predict_gives_the_answers_with_reasons_and_bodies() {
    let folder = Folder::new(&[]);
    let result = folder.call("predict", json!({ "text": FAULTY }));
    let prediction = &result["structuredContent"];
    assert_eq!(prediction["statuses"], json!([400]));
    assert_eq!(prediction["answers"][0]["reasons"][0]["rule"], "out-of-range");
    assert!(text(&result).contains("rejected with 400"), "{}", text(&result));
    let stored = r#"{ "agent": { "id": "ag_a", "versions": [ { "version_number": 3 } ] }, "version": { "version_number": 3, "is_published": false }, "complete": true }"#;
    let arguments =
        json!({ "text": CLEAN, "stored_text": stored, "facts_text": "{ \"phone_numbers\": [] }" });
    let result = folder.call("predict", arguments);
    assert_eq!(result["structuredContent"]["answers"][0]["status"], 200, "{result:#}");
    assert_eq!(result["structuredContent"]["answers"][0]["body"]["id"], "ag_a");
    let other = folder.wrong_use("predict", json!({ "text": "Hello", "format": "hbs" }));
    assert!(other.contains("`predict` needs an update"), "{other}");
    assert!(
        folder
            .wrong_use("predict", json!({ "path": folder.path("x.json") }))
            .contains("no such file")
    );
}

#[test]
fn diff_gives_the_least_update_and_what_it_does() {
    let folder = Folder::new(&[]);
    let stored = r#"{ "version": { "version_number": 3, "title": "Desk", "kb_max_chunks": 4 }, "complete": true }"#;
    let desired = r#"{ "version_number": 3, "title": "Front desk", "kb_max_chunks": 4, "is_published": true }"#;
    let result = folder.call("diff", json!({ "text": desired, "stored_text": stored }));
    let update = &result["structuredContent"]["update"];
    assert_eq!(update["title"], "Front desk");
    assert!(update.get("kb_max_chunks").is_none(), "{update}");
    assert!(text(&result).starts_with("! publishes version 3"), "{}", text(&result));
    let same = r#"{ "version_number": 3, "title": "Desk", "kb_max_chunks": 4 }"#;
    let same = folder.text("diff", json!({ "text": same, "stored_text": stored }));
    assert_eq!(same, "nothing to change");
    let complete = |complete: bool| {
        let arguments = json!({ "text": CLEAN, "stored_text": stored, "complete": complete });
        folder.call("diff", arguments)["structuredContent"]["cannot_unset"].clone()
    };
    assert_eq!(complete(false), json!([]));
    assert_eq!(complete(true)[0]["field"], "/kb_max_chunks");
    let missing = folder.wrong_use("diff", json!({ "text": CLEAN }));
    assert!(missing.contains("`stored_text` or `stored_path`"), "{missing}");
    let broken = folder.wrong_use("diff", json!({ "text": "{", "stored_text": stored }));
    assert!(broken.contains("cannot be used as the desired settings"), "{broken}");
}

#[test]
fn plan_shows_every_agent_of_the_folders() {
    let fleet = repository().join("fixtures/fleet");
    let result = call(std::slice::from_ref(&fleet), "plan", json!({}));
    assert_eq!(result["isError"], false, "{result:#}");
    let plan = &result["structuredContent"];
    assert!(plan["agents"].as_array().unwrap().len() > 10);
    assert!(plan["summary"]["dangers"].as_u64().unwrap() > 0);
    assert!(plan["agents"].as_array().unwrap().iter().any(|agent| agent["heard"].is_array()));
    assert!(plan["agents"].as_array().unwrap().iter().all(|agent| agent["body"].is_null()));
    let one = fleet.join("agents/spa.toml").to_str().unwrap().to_owned();
    let result = call(&[fleet], "plan", json!({ "paths": [one] }));
    assert_eq!(result["structuredContent"]["agents"].as_array().unwrap().len(), 1);
    let folder = Folder::new(&[("notes.txt", "x")]);
    assert!(folder.wrong_use("plan", json!({})).contains("nothing was planned"));
}

#[test]
fn explain_gives_the_page_of_a_rule() {
    let folder = Folder::new(&[]);
    let page = folder.text("explain", json!({ "rule": "fallback-transcriber-same" }));
    assert!(page.starts_with("# fallback-transcriber-same\n"));
    let wrong = folder.wrong_use("explain", json!({ "rule": "unknown-feild" }));
    assert_eq!(wrong, "there is no rule `unknown-feild`: did you mean `unknown-field`?");
    let house_rule = "root = true\n[[house_rules]]\nid = 'title-without-team'\nfield = '/title'\nmust_match = '^Sales'\nmessage = 'a title begins with the team'\n";
    folder.write("voxlint.toml", house_rule);
    let page = folder.text("explain", json!({ "rule": "title-without-team" }));
    assert!(page.contains("a title begins with the team"), "{page}");
}

#[test]
fn describe_field_answers_from_the_table() {
    let folder = Folder::new(&[]);
    let describe = |field: &str, kind: &str| {
        folder.text("describe_field", json!({ "field": field, "kind": kind }))
    };
    let chunks = describe("kb_max_chunks", "update");
    for part in ["/kb_max_chunks\n", "limits: 1 to 10", "rules: ", "out-of-range"] {
        assert!(chunks.contains(part), "{chunks}");
    }
    let kind = describe("/agent_functions/0/type", "update");
    assert!(kind.contains("end_call"), "{kind}");
    assert!(describe("*", "facts").lines().count() > 10);
    let wrong = folder.wrong_use("describe_field", json!({ "field": "kb_max_chunk" }));
    assert_eq!(wrong, "an update has no field `kb_max_chunk`: did you mean `kb_max_chunks`?");
}

#[test]
fn wrong_arguments_are_answered_with_the_way_out() {
    let folder = Folder::new(&[]);
    for (arguments, said) in [
        (json!({}), "give the document as `text`, or the file that it is in as `path`"),
        (
            json!({ "fromat": "json" }),
            "`fromat` is not an argument of `check`: did you mean `format`?",
        ),
        (
            json!({ "text": { "title": "x" } }),
            "`text` must be a string with the text of the file, not an object: write the JSON as a string",
        ),
        (json!({ "text": 3 }), "`text` must be a string, not a number"),
        (json!({ "path": "" }), "`path` is empty: give a value, or leave it out"),
        (json!({ "path": "a\0b" }), "`path` contains a NUL character"),
        (
            json!({ "text": "{}", "format": "xml" }),
            "`format` must be `json`, `jsonc`, `yaml`, `toml`, `ndjson` or `hbs`",
        ),
    ] {
        assert_eq!(folder.wrong_use("check", arguments), said);
    }
    assert!(folder.wrong_use("check", json!({ "zzzzzzzzzzz": 1 })).contains("the arguments are"));
    let long = folder.wrong_use("check", json!({ "path": "x".repeat(5000) }));
    assert_eq!(long, "`path` is longer than 4096 bytes");
    assert_eq!(
        folder.wrong_use("explain", json!({})),
        "`rule` is missing: The id of the rule, such as `unknown-field`: the `rule` of a finding."
    );
    assert_eq!(
        folder.wrong_use("plan", json!({ "paths": "a" })),
        "`paths` must be an array of strings, not a string"
    );
    assert_eq!(
        folder.wrong_use("plan", json!({ "paths": [3] })),
        "`paths` must contain only strings, not a number"
    );
    assert_eq!(
        folder.wrong_use("plan", json!({ "paths": [] })),
        "`paths` must have 1 to 100 items"
    );
    let flag = json!({ "text": "{}", "stored_text": "{}", "complete": "yes" });
    assert_eq!(folder.wrong_use("diff", flag), "`complete` must be true or false, not a string");
    // What is null is left out.
    let nulls = json!({ "text": CLEAN, "path": null, "format": null, "stored_text": null });
    assert_eq!(folder.call("check", nulls)["isError"], false);
}
