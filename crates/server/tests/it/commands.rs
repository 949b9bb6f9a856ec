//! The commands: predict, diff, explain.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Client, usual, with};

const STORED: &str = r#"{"agent": {"id": "ag_1", "agent_type": "Single_Prompt_Agent", "current_version_number": 3,
    "versions": [{"version_number": 3, "is_published": false}]},
    "version": {"version_number": 3, "is_published": false, "title": "Old", "prompt_text": "Be kind."}, "complete": true}"#;

fn project(capabilities: Value) -> Client {
    let client = Client::with(capabilities, json!({}));
    let configuration =
        "root = true\n[[documents]]\nfiles = \"en.json\"\nstored = \"stored.json\"\n";
    client.write("voxlint.toml", configuration);
    client.write("stored.json", STORED);
    client
}

fn execute(client: &mut Client, command: &str, argument: Value) -> Result<Value, (i64, String)> {
    let parameters = json!({ "command": command, "arguments": [argument] });
    client.request("workspace/executeCommand", parameters)
}

#[test]
fn predict_says_what_the_service_would_answer_to_the_unsaved_text() {
    let mut client = project(usual());
    client.write("en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    let uri = client.uri("en.json");
    let saved = execute(&mut client, "voxlint.predict", json!(uri)).unwrap();
    assert!(saved["text"].as_str().unwrap().contains("400"), "{saved}");
    client.open("en.json", r#"{ "version_number": 3, "title": "New" }"#);
    let unsaved = execute(&mut client, "voxlint.predict", json!({ "uri": uri })).unwrap();
    assert!(unsaved["text"].as_str().unwrap().contains("200"), "{unsaved}");
    assert_eq!(unsaved["name"], "prediction-en.txt");
    let none = client.uri("none.json");
    let (code, message) = execute(&mut client, "voxlint.predict", json!(none)).unwrap_err();
    assert_eq!(code, -32803);
    assert!(message.contains("none.json"), "{message}");
}

#[test]
fn a_prediction_shows_no_secrets() {
    let secret = concat!("sk_live_", "51H8xT2eZvKYlo2C0qHk8bXyZ");
    let mut client = project(usual());
    let text = format!(r#"{{ "version_number": 3, "prompt_text": "Use {secret} to log in." }}"#);
    let uri = client.open("en.json", &text);
    let shown = execute(&mut client, "voxlint.predict", json!(uri)).unwrap();
    assert!(!shown["text"].as_str().unwrap().contains(secret), "{shown}");
    for found in client.found(&uri) {
        assert!(!found["message"].as_str().unwrap().contains(secret), "{found}");
    }
}

#[test]
fn diff_is_the_least_update() {
    let mut client = project(usual());
    let text = r#"{ "version_number": 3, "title": "New", "prompt_text": "Be kind." }"#;
    let uri = client.open("en.json", text);
    let update = execute(&mut client, "voxlint.diff", json!(uri)).unwrap();
    let (about, body) = parts(&update);
    assert_eq!(body, json!({ "version_number": 3, "title": "New" }));
    assert!(about.contains("New") && !about.contains("reject"), "{about}");
    client.replace(&uri, 2, r#"{ "version_number": 3, "title": "Old" }"#);
    let nothing = execute(&mut client, "voxlint.diff", json!(uri)).unwrap();
    assert_eq!((&nothing["text"], &nothing["notes"]), (&json!(""), &json!(["nothing to change"])));
    client.replace(&uri, 3, r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    // One that would be rejected is shown with its errors.
    let rejected = execute(&mut client, "voxlint.diff", json!(uri)).unwrap();
    let (about, body) = parts(&rejected);
    assert_eq!(body["kb_max_chunks"], 12);
    assert!(about.contains("would reject") && about.contains("error[out-of-range]"), "{about}");
    let other = client.open("other.json", r#"{ "version_number": 3 }"#);
    let (_, message) = execute(&mut client, "voxlint.diff", json!(other)).unwrap_err();
    assert!(message.contains("stored"), "{message}");
}

/// The comments above an update, and the update.
fn parts(shown: &Value) -> (String, Value) {
    assert_eq!(shown["language"], "jsonc");
    let text = shown["text"].as_str().unwrap();
    let is_comment = |line: &&str| line.starts_with("//");
    let comments: Vec<&str> = text.lines().take_while(is_comment).collect();
    let body: Vec<&str> = text.lines().skip_while(is_comment).collect();
    (comments.join("\n"), serde_json::from_str(&body.join("\n")).unwrap())
}

#[test]
fn paths_are_those_of_the_workspace() {
    let mut client = project(usual());
    let uri = client.open("agents/deep/en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    let shown = execute(&mut client, "voxlint.predict", json!(uri)).unwrap();
    let text = shown["text"].as_str().unwrap();
    assert!(text.starts_with("agents/deep/en.json: rejected with 400"), "{text}");
    assert!(!text.contains("same arguments"), "{text}");
    let (_, message) = execute(&mut client, "voxlint.diff", json!(uri)).unwrap_err();
    assert!(message.starts_with("agents/deep/en.json: "), "{message}");
}

#[test]
fn explain_returns_the_page_of_a_rule() {
    let mut client = Client::start();
    let page = execute(&mut client, "voxlint.explain", json!("out-of-range")).unwrap();
    assert_eq!((&page["language"], &page["name"]), (&json!("markdown"), &json!("out-of-range.md")));
    let (_, message) = execute(&mut client, "voxlint.explain", json!("out-of-rnage")).unwrap_err();
    assert!(message.contains("did you mean `out-of-range`?"), "{message}");
    // A rule of the team.
    client.write(
        "voxlint.toml",
        "root = true\n[[house_rules]]\nid = \"no-monday\"\nfield = \"/title\"\nmust_not_match = \"Monday\"\nmessage = \"no Mondays\"\n",
    );
    let uri = client.open("en.json", r#"{ "version_number": 3, "title": "Monday" }"#);
    let page = execute(&mut client, "voxlint.explain", json!({ "rule": "no-monday", "uri": uri }))
        .unwrap();
    assert!(page["text"].as_str().unwrap().contains("no Mondays"), "{page}");
}

#[test]
fn what_a_command_returns_is_shown_as_a_file_where_that_is_possible() {
    let shows = json!({ "window": { "showDocument": { "support": true } } });
    let mut client = Client::with(with(usual(), shows), json!({}));
    let page = execute(&mut client, "voxlint.explain", json!({ "rule": "out-of-range" })).unwrap();
    let shown: Vec<&Value> = client
        .received
        .iter()
        .filter(|(method, _)| method == "window/showDocument")
        .map(|(_, parameters)| parameters)
        .collect();
    let path = shown[0]["uri"].as_str().unwrap().strip_prefix("file://").unwrap().to_owned();
    assert_eq!(fs::read_to_string(&path).unwrap(), page["text"].as_str().unwrap());
    let count = shown.len();
    execute(&mut client, "voxlint.explain", json!({ "rule": "out-of-range", "show": false }))
        .unwrap();
    let shown = client.received.iter().filter(|(method, _)| method == "window/showDocument");
    assert_eq!(shown.count(), count);
    // It is removed when the client goes, however it does.
    client.leave();
    assert!(!fs::exists(&path).unwrap());
    // Without that, it is a message.
    let mut client = Client::start();
    execute(&mut client, "voxlint.explain", json!("out-of-range")).unwrap();
    assert!(client.received.iter().any(|(method, _)| method == "window/showMessage"));
}

#[test]
fn wrong_commands_are_errors() {
    let mut client = Client::start();
    for (command, argument) in [
        ("voxlint.nothing", json!(null)),
        ("voxlint.predict", json!(null)),
        ("voxlint.predict", json!({ "uri": 7 })),
        ("voxlint.diff", json!("untitled:x")),
        ("voxlint.explain", json!(7)),
        ("voxlint.explain", json!({})),
    ] {
        assert_eq!(execute(&mut client, command, argument).unwrap_err().0, -32602, "{command}");
    }
    assert!(
        client
            .request("workspace/executeCommand", json!({ "command": "voxlint.explain" }))
            .is_err()
    );
}
