//! What can be done about findings.

use serde_json::{Value, json};

use crate::client::{Client, ServerError, usual, with};
use crate::positions::{apply, edits_of, position};

const TEXT: &str = r#"{
  "version_number": 3,
  "titel": "Front desk",
  "speech_normalization": "false",
  "kb_max_chunks": 12
}
"#;

/// The actions at the first occurrence of a part of a text.
fn actions_at(client: &mut Client, uri: &str, text: &str, part: &str, only: Value) -> Vec<Value> {
    let at = text.find(part).unwrap();
    let range = json!({ "start": position(text, at), "end": position(text, at + part.len()) });
    let diagnostics = client.found(uri);
    let parameters = json!({
        "textDocument": { "uri": uri }, "range": range,
        "context": { "diagnostics": diagnostics, "only": only },
    });
    let actions = client.request("textDocument/codeAction", parameters).unwrap();
    actions.as_array().unwrap().clone()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|it| it["title"].as_str().unwrap()).collect()
}

fn titled<'a>(actions: &'a [Value], title: &str) -> &'a Value {
    actions.iter().find(|it| it["title"] == title).unwrap_or_else(|| panic!("{actions:#?}"))
}

#[test]
fn a_fix_is_offered_where_its_finding_is() {
    let mut client = Client::start();
    let uri = client.open("en.json", TEXT);
    let actions = actions_at(&mut client, &uri, TEXT, "titel", Value::Null);
    let rename = titled(&actions, "rename to `title`");
    assert_eq!((&rename["kind"], &rename["isPreferred"]), (&json!("quickfix"), &json!(false)));
    assert_eq!(rename["diagnostics"][0]["code"], "unknown-field");
    assert_eq!(rename["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
    let fixed = apply(TEXT, &edits_of(&rename["edit"], &uri));
    assert_eq!(fixed, TEXT.replace("titel", "title"));
    let elsewhere = actions_at(&mut client, &uri, TEXT, "version_number", Value::Null);
    assert!(!titles(&elsewhere).contains(&"rename to `title`"));
}

/// Thousands of actions help no one, and each suppression takes another check.
#[test]
fn actions_are_offered_for_the_first_findings_of_a_large_range() {
    let mut client = Client::start();
    let uses: Vec<String> = (0..200).map(|at| format!("{{{{guest_nam{at}}}}}")).collect();
    let uses = uses.concat();
    let names: Vec<String> = (0..200).map(|at| format!("\"guest_name{at}\": \"x\"")).collect();
    let text = format!(
        "{{ \"version_number\": 3, \"prompt_text\": \"{uses}\", \"default_dynamic_variables\": {{ {} }} }}",
        names.join(", ")
    );
    let uri = client.open("en.json", &text);
    let actions = actions_at(&mut client, &uri, &text, &text, json!(["quickfix"]));
    let shown = actions.iter().map(|it| it["diagnostics"][0]["range"].to_string());
    let shown: std::collections::BTreeSet<String> = shown.filter(|it| it != "null").collect();
    assert_eq!(shown.len(), 50, "{}", actions.len());
    let last = actions_at(&mut client, &uri, &text, "guest_nam199", json!(["quickfix"]));
    assert!(!last.is_empty());
}

#[test]
fn a_safe_fix_is_preferred() {
    let mut client = Client::start();
    let uri = client.open("en.json", TEXT);
    let actions = actions_at(&mut client, &uri, TEXT, "\"false\"", Value::Null);
    let preferred: Vec<&Value> = actions.iter().filter(|it| it["isPreferred"] == true).collect();
    assert_eq!(preferred.len(), 1, "{actions:#?}");
    let fixed = apply(TEXT, &edits_of(&preferred[0]["edit"], &uri));
    assert_eq!(fixed, TEXT.replace("\"false\"", "false"));
}

#[test]
fn all_safe_fixes_are_one_action() {
    let text = TEXT.replace("12", "\"5\"");
    let mut client = Client::start();
    let uri = client.open("en.json", &text);
    for only in [json!(["source.fixAll"]), json!(["source.fixAll.voxlint"]), json!(["source"])] {
        let actions = actions_at(&mut client, &uri, &text, "{", only);
        assert_eq!(titles(&actions), ["apply all safe fixes"]);
        let fixed = apply(&text, &edits_of(&actions[0]["edit"], &uri));
        assert_eq!(fixed, text.replace("\"false\"", "false").replace("\"5\"", "5"));
    }
    let none = actions_at(&mut client, &uri, &text, "{", json!(["refactor"]));
    assert!(none.is_empty());
    // The text has no such fix any more.
    client.replace(&uri, 2, "{ \"version_number\": 3 }");
    let none = actions_at(&mut client, &uri, "{ \"version_number\": 3 }", "{", json!(["source"]));
    assert!(none.is_empty());
}

#[test]
fn the_edit_of_an_action_may_come_later() {
    let resolves = json!({ "textDocument": { "codeAction": {
        "dataSupport": true, "resolveSupport": { "properties": ["edit"] },
    }}});
    let mut client = Client::with(with(usual(), resolves), json!({}));
    let uri = client.open("en.json", TEXT);
    let actions = actions_at(&mut client, &uri, TEXT, "{", json!(["source"]));
    assert!(actions[0].get("edit").is_none());
    let resolved = client.request("codeAction/resolve", actions[0].clone()).unwrap();
    let fixed = apply(TEXT, &edits_of(&resolved["edit"], &uri));
    assert_eq!(fixed, TEXT.replace("\"false\"", "false"));
    client.replace(&uri, 2, "{}");
    let outdated: ServerError =
        client.request("codeAction/resolve", actions[0].clone()).unwrap_err();
    assert_eq!(outdated.0, -32801);
}

#[test]
fn edits_have_no_version_for_clients_without_versions() {
    let changes = json!({ "workspace": { "workspaceEdit": { "documentChanges": false } } });
    let mut client = Client::with(with(usual(), changes), json!({}));
    let uri = client.open("en.json", TEXT);
    let actions = actions_at(&mut client, &uri, TEXT, "titel", Value::Null);
    let rename = titled(&actions, "rename to `title`");
    assert_eq!(rename["edit"]["changes"][&uri].as_array().unwrap().len(), 1);
}

#[test]
fn a_fix_of_a_text_file_changes_the_text_file() {
    let mut client = Client::start();
    client.write(
        "voxlint.toml",
        "root = true\n[[documents]]\nfiles = \"*.json\"\ntext_files = { prompt_text = \"{stem}.hbs\" }\n",
    );
    client.write("en.json", r#"{ "version_number": 3 }"#);
    let text = "Hello {{name}.\n";
    let uri = client.open("en.hbs", text);
    let actions = actions_at(&mut client, &uri, text, "{{name}", Value::Null);
    let fix = actions.iter().find(|it| it.get("edit").is_some()).unwrap();
    assert_eq!(apply(text, &edits_of(&fix["edit"], &uri)), "Hello {{name}}.\n");
}

#[test]
fn a_line_of_several_documents_is_fixed_in_its_place() {
    let text = "{ \"version_number\": 3 }\n{ \"version_number\": 4, \"titel\": \"🏙\" }\n";
    let mut client = Client::start();
    let uri = client.open("all.ndjson", text);
    let actions = actions_at(&mut client, &uri, text, "titel", Value::Null);
    let rename = titled(&actions, "rename to `title`");
    assert_eq!(apply(text, &edits_of(&rename["edit"], &uri)), text.replace("titel", "title"));
    let text = text.replace("\"titel\": \"🏙\"", "\"speech_normalization\": \"true\"");
    client.replace(&uri, 2, &text);
    let actions = actions_at(&mut client, &uri, &text, "4", json!(["source.fixAll"]));
    let fixed = apply(&text, &edits_of(&actions[0]["edit"], &uri));
    assert_eq!(fixed, text.replace("\"true\"", "true"));
}

#[test]
fn every_finding_can_be_explained() {
    let mut client = Client::start();
    let uri = client.open("en.json", TEXT);
    let actions = actions_at(&mut client, &uri, TEXT, "12", Value::Null);
    let explain = titled(&actions, "explain `out-of-range`");
    let command = explain["command"].clone();
    let parameters = json!({ "command": command["command"], "arguments": command["arguments"] });
    let page = client.request("workspace/executeCommand", parameters).unwrap();
    assert!(page["text"].as_str().unwrap().starts_with("# out-of-range\n"));
}

#[test]
fn a_finding_can_be_suppressed_with_a_reason_where_there_are_comments() {
    let text = "version_number: 3\nkb_max_chunks: 12\n";
    let resolves = json!({ "textDocument": { "codeAction": {
        "dataSupport": true, "resolveSupport": { "properties": ["edit"] },
    }}});
    for more in [json!({}), resolves] {
        let mut client = Client::with(with(usual(), more), json!({}));
        let uri = client.open("en.yaml", text);
        let actions = actions_at(&mut client, &uri, text, "12", Value::Null);
        let mut action = titled(&actions, "suppress `out-of-range` here").clone();
        if action.get("edit").is_none() {
            action = client.request("codeAction/resolve", action).unwrap();
        }
        let suppressed = apply(text, &edits_of(&action["edit"], &uri));
        assert!(suppressed.contains("# voxlint-ignore out-of-range: say why"), "{suppressed}");
        client.replace(&uri, 2, &suppressed);
        assert!(client.found(&uri).is_empty());
    }
    let mut client = Client::start();
    let uri = client.open("en.json", TEXT);
    let actions = actions_at(&mut client, &uri, TEXT, "12", Value::Null);
    assert!(!titles(&actions).iter().any(|title| title.starts_with("suppress")));
}

#[test]
fn an_unknown_variable_can_be_added_to_the_configuration() {
    let configuration = "root = true\nvariables = [\"crm_id\"]\n";
    let text = r#"{ "version_number": 3, "prompt_text": "Hello {{customer}}." }"#;
    let mut client = Client::start();
    client.write("voxlint.toml", configuration);
    let uri = client.open("en.json", text);
    let actions = actions_at(&mut client, &uri, text, "customer", Value::Null);
    let add = titled(&actions, "add `customer` to the variables of voxlint.toml");
    let file = client.uri("voxlint.toml");
    let added = apply(configuration, &edits_of(&add["edit"], &file));
    assert_eq!(added, "root = true\nvariables = [\"crm_id\", \"customer\"]\n");
    // Also if it is open, with another text.
    client.open("voxlint.toml", "variables = []\n");
    let actions = actions_at(&mut client, &uri, text, "customer", Value::Null);
    let add = titled(&actions, "add `customer` to the variables of voxlint.toml");
    let added = apply("variables = []\n", &edits_of(&add["edit"], &file));
    assert_eq!(added, "variables = [\"customer\"]\n");
    assert_eq!(add["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
}

#[test]
fn fixes_come_before_suppressions_and_explanations_where_findings_overlap() {
    let text = "version_number: 3\nprompt_text: \"{{a}\"\nkb_max_chunks: \"12\"\ntitel: x\nspeech_normalization: \"false\"\n";
    let mut client = Client::start();
    let uri = client.open("en.yaml", text);
    let actions = actions_at(&mut client, &uri, text, text, Value::Null);
    let rank = |action: &Value| match action["title"].as_str().unwrap() {
        title if title.starts_with("explain") => 4,
        title if title.starts_with("suppress") => 3,
        "apply all safe fixes" => 2,
        _ => i32::from(action["isPreferred"] != true),
    };
    let ranks: Vec<i32> = actions.iter().map(rank).collect();
    assert!(ranks.is_sorted(), "{:?}", titles(&actions));
    assert_eq!(ranks.iter().collect::<std::collections::BTreeSet<_>>().len(), 5, "{ranks:?}");
}

#[test]
fn findings_that_one_comment_cannot_tell_apart_are_suppressed_together() {
    let text = "{ // en\n  \"version_number\": 3, \"kb_max_chunks\": 12, \"background_sound_volume\": 9\n}\n";
    let resolves = json!({ "textDocument": { "codeAction": {
        "dataSupport": true, "resolveSupport": { "properties": ["edit"] },
    }}});
    for more in [json!({}), resolves] {
        let mut client = Client::with(with(usual(), more), json!({}));
        let uri = client.open("en.jsonc", text);
        let actions = actions_at(&mut client, &uri, text, text, Value::Null);
        let is_it = |title: &&&str| title.starts_with("suppress");
        let all = titles(&actions);
        let found: Vec<&&str> = all.iter().filter(is_it).collect();
        assert_eq!(found, [&"suppress `out-of-range` here (2 findings)"]);
        let suppressed = apply(text, &edits_of(&titled(&actions, found[0])["edit"], &uri));
        client.replace(&uri, 2, &suppressed);
        assert!(client.found(&uri).is_empty(), "{suppressed}");
    }
}

#[test]
fn a_finding_in_json_is_suppressed_in_the_configuration() {
    let configuration = "root = true\n[rules]\nunknown-field = \"error\"\n";
    let text = TEXT.replace("\"false\"", "false");
    for name in ["en.json", "agents/[de]/*.json"] {
        let mut client = Client::start();
        client.write("voxlint.toml", configuration);
        let name = if cfg!(windows) { "en.json" } else { name };
        client.write(name, &text);
        let uri = client.uri(name).replace('[', "%5B").replace(']', "%5D");
        client.open_at(&uri, "json", &text);
        let before = client.rules(&uri);
        assert_eq!(before, ["unknown-field", "out-of-range"]);
        let actions = actions_at(&mut client, &uri, &text, "12", Value::Null);
        let action = titled(&actions, "suppress `out-of-range` in voxlint.toml");
        let file = client.uri("voxlint.toml");
        let edited = apply(configuration, &edits_of(&action["edit"], &file));
        assert!(edited.starts_with(configuration), "{edited}");
        assert!(edited.contains("reason = \"say why\"") && edited.contains("/kb_max_chunks"));
        client.open("voxlint.toml", &edited);
        assert_eq!(client.rules(&uri), ["unknown-field"], "{edited}");
    }
    // Without a configuration, or with suppressions in another form, there is none.
    for configuration in [None, Some("root = true\nsuppressions = []\n")] {
        let mut client = Client::start();
        if let Some(text) = configuration {
            client.write("voxlint.toml", text);
        }
        let uri = client.open("en.json", &text);
        let actions = actions_at(&mut client, &uri, &text, "12", Value::Null);
        assert!(!titles(&actions).iter().any(|title| title.starts_with("suppress")));
    }
}

#[test]
fn an_entry_that_would_suppress_more_is_not_offered() {
    let text = "{ \"version_number\": 3, \"kb_max_chunks\": 12 }\n{ \"version_number\": 4, \"kb_max_chunks\": 13 }\n";
    let mut client = Client::start();
    client.write("voxlint.toml", "root = true\n");
    let uri = client.open("all.ndjson", text);
    let actions = actions_at(&mut client, &uri, text, "12", Value::Null);
    assert!(!titles(&actions).iter().any(|title| title.starts_with("suppress")));
}
