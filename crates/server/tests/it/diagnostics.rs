//! What is shown in the texts, sent and asked for.

use serde_json::{Value, json};

use crate::client::{Client, usual, with};
use crate::positions::slice;

const TEXT: &str = r#"{ "version_number": 3, "titel": "Front desk", "kb_max_chunks": 12 }"#;

#[test]
fn findings_are_sent_with_the_version_of_the_text() {
    let mut client = Client::start();
    let uri = client.open("en.json", TEXT);
    assert_eq!(client.rules(&uri), ["unknown-field", "out-of-range"]);
    assert_eq!(client.published[&uri].0, 1);
    client.replace(&uri, 7, "{ \"version_number\": 3 }");
    assert!(client.found(&uri).is_empty());
    assert_eq!(client.published[&uri].0, 7);
    client.close(&uri);
    client.settle();
    assert_eq!(client.published[&uri], (Value::Null, Vec::new()));
}

#[test]
fn a_finding_has_its_rule_its_page_and_what_to_do() {
    let mut client = Client::start();
    let uri = client.open("en.json", TEXT);
    let found = client.found(&uri);
    let found = &found[1];
    assert_eq!((&found["severity"], &found["source"]), (&json!(1), &json!("voxlint")));
    assert_eq!(slice(TEXT, &found["range"]), "12");
    let page = "https://example.com/voxlint/docs/rules/out-of-range.md";
    assert_eq!(found["codeDescription"]["href"], page);
    let message = found["message"].as_str().unwrap();
    assert!(message.starts_with("400: ") && message.contains("\nhelp: "), "{message}");
    assert!(!message.contains("section"), "{message}");
}

#[test]
fn a_finding_that_depends_on_a_reading_says_how_to_settle_it_until_it_is_set() {
    let text = r#"{ "version_number": 3, "responsiveness": 3 }"#;
    let mut client = Client::start();
    let uri = client.open("en.json", text);
    let message = client.found(&uri)[0]["message"].as_str().unwrap().to_owned();
    assert!(message.ends_with("; `responsiveness-maximum` in [readings] settles it"), "{message}");
    let mut client = Client::start();
    client.write("voxlint.toml", "[readings]\nresponsiveness-maximum = \"1\"\n");
    let uri = client.open("en.json", text);
    let message = client.found(&uri)[0]["message"].as_str().unwrap().to_owned();
    let (_, note) = message.split_once("\nnote: by your readings: ").expect("a note");
    assert!(note.ends_with("voxlint.toml:2") && !note.contains(';'), "{message}");
}

#[test]
fn what_has_no_effect_is_tagged_as_unnecessary() {
    let text = r#"{ "version_number": 3, "background_sound": "none", "background_sound_volume": 0.5,
        "fallback_stt_enabled": false, "stt_fallback_transcriber_id": "tr_b" }"#;
    let mut client = Client::start();
    let uri = client.open("en.json", text);
    let found = client.found(&uri);
    let has_effect = |it: &Value| !it["code"].as_str().unwrap().ends_with("-without-effect");
    assert!(!found.iter().all(has_effect), "{found:#?}");
    assert!(found.iter().all(|it| has_effect(it) != (it["tags"] == json!([1]))), "{found:#?}");
}

#[test]
fn related_places_lead_to_their_files() {
    let mut client = Client::start();
    client.write(
        "voxlint.toml",
        "[[documents]]\nfiles = \"*.json\"\nstored = \"stored/{stem}.json\"\n",
    );
    let text = r#"{ "version_number": 3, "title": "a", "title": "b" }"#;
    let uri = client.open("en.json", text);
    let found = client.found(&uri);
    let related = found[0]["relatedInformation"].as_array().unwrap();
    assert_eq!(related[0]["location"]["uri"], uri);
    let place = slice(text, &related[0]["location"]["range"]);
    assert!(place.contains("title") || place.contains('a'), "{place}");
}

#[test]
fn undecided_checks_are_hints_on_request() {
    let mut client = Client::start();
    let uri = client.open("en.json", "{ \"version_number\": 3, \"title\": \"x\" }");
    assert!(client.found(&uri).is_empty());
    let changed =
        |undecided: bool| json!({ "settings": { "voxlint": { "undecided": undecided } } });
    client.notify("workspace/didChangeConfiguration", changed(true));
    let found = client.found(&uri);
    assert!(!found.is_empty());
    assert!(found.iter().all(|it| it["severity"] == 4), "{found:#?}");
    assert!(found[0]["message"].as_str().unwrap().starts_with("undecided: "));
    client.notify("workspace/didChangeConfiguration", changed(false));
    assert!(client.found(&uri).is_empty());
    let mut client = Client::with(usual(), json!({ "undecided": true }));
    let uri = client.open("en.json", "{ \"version_number\": 3, \"title\": \"x\" }");
    assert!(!client.found(&uri).is_empty());
    // A client whose user has set nothing says so.
    let others = json!({ "editor": { "undecided": false } });
    for nothing in
        [json!({}), json!(null), json!({ "voxlint": {} }), json!({ "voxlint": null }), others]
    {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": nothing }));
        assert!(!client.found(&uri).is_empty(), "{nothing}");
    }
    // Settings of other programs change nothing, and one that is removed is that of the start again.
    client.notify("workspace/didChangeConfiguration", changed(false));
    assert!(client.found(&uri).is_empty());
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "editor": {} } }));
    assert!(client.found(&uri).is_empty());
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "voxlint": {} } }));
    assert!(!client.found(&uri).is_empty());
}

#[test]
fn files_of_other_programs_have_no_findings() {
    let mut client = Client::start();
    let package =
        client.open("package.json", r#"{ "name": "x", "version": "1.0.0", "scripts": {} }"#);
    let broken = client.open("tsconfig.json", "{ // comment\n \"compilerOptions\": {,} }");
    let text = client.open("notes.txt", "Hello {{name}");
    for uri in [package, broken, text] {
        assert!(client.found(&uri).is_empty(), "{uri}");
    }
}

#[test]
fn a_document_with_a_brace_too_many_stays_one_until_it_is_closed() {
    let broken = format!("{{{TEXT}");
    let mut client = Client::start();
    let uri = client.open("en.json", TEXT);
    client.replace(&uri, 2, &broken);
    assert_eq!(client.rules(&uri), ["syntax-error", "syntax-error"]);
    let hover = client.at("textDocument/hover", &uri, 0, 6);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("version_number"), "{hover}");
    client.replace(&uri, 3, TEXT);
    assert_eq!(client.rules(&uri), ["unknown-field", "out-of-range"]);
    // A text that only became a document while it was open.
    let other = client.open("other.json", "{}");
    assert!(client.found(&other).is_empty());
    client.replace(&other, 2, TEXT);
    assert_eq!(client.rules(&other), ["unknown-field", "out-of-range"]);
    client.replace(&other, 3, &broken);
    assert_eq!(client.rules(&other), ["syntax-error", "syntax-error"]);
    // What is opened broken may belong to another program.
    client.close(&other);
    let other = client.open("other.json", &broken);
    assert!(client.found(&other).is_empty());
}

#[test]
fn several_documents_in_a_file_are_all_checked() {
    let mut client = Client::start();
    let yaml = "version_number: 3\nkb_max_chunks: 12\n---\nversion_number: 4\nkb_max_chunks: 13\n";
    let uri = client.open("all.yaml", yaml);
    let places: Vec<String> =
        client.found(&uri).iter().map(|it| slice(yaml, &it["range"]).to_owned()).collect();
    assert_eq!(places, ["12", "13"]);
    let line = |number: u32| {
        format!("{{ \"version_number\": 3, \"title\": \"🏙\", \"kb_max_chunks\": {number} }}\n")
    };
    let lines = [line(12), line(3), String::from("\n"), line(14)].concat();
    let uri = client.open("all.ndjson", &lines);
    let places: Vec<String> =
        client.found(&uri).iter().map(|it| slice(&lines, &it["range"]).to_owned()).collect();
    assert_eq!(places, ["12", "14"]);
}

#[test]
fn clients_that_ask_are_not_sent_anything() {
    let pulls = json!({
        "textDocument": { "diagnostic": { "relatedDocumentSupport": true } },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    let mut client = Client::with(with(usual(), pulls), json!({}));
    let offered = &client.server_info["capabilities"]["diagnosticProvider"];
    assert_eq!(offered["interFileDependencies"], true);
    let uri = client.open("en.json", TEXT);
    let ask = |previous: Value| json!({ "textDocument": { "uri": uri }, "identifier": "voxlint", "previousResultId": previous });
    let report = client.request("textDocument/diagnostic", ask(Value::Null)).unwrap();
    assert_eq!((&report["kind"], report["items"].as_array().unwrap().len()), (&json!("full"), 2));
    assert!(client.published.is_empty());
    let again = client.request("textDocument/diagnostic", ask(report["resultId"].clone())).unwrap();
    assert_eq!((&again["kind"], &again["resultId"]), (&json!("unchanged"), &report["resultId"]));
    // A change of a configuration changes what is found elsewhere.
    let configuration = client.open("voxlint.toml", "[rules]\nout-of-range = \"off\"\n");
    client.settle();
    let refreshed =
        client.received.iter().any(|(method, _)| method == "workspace/diagnostic/refresh");
    assert!(refreshed, "{:?}", client.received);
    let report =
        client.request("textDocument/diagnostic", ask(report["resultId"].clone())).unwrap();
    assert_eq!(report["items"].as_array().unwrap().len(), 1);
    assert!(client.pull(&configuration).is_empty());
    // Closed texts have none.
    client.close(&uri);
    assert!(client.pull(&uri).is_empty());
}

#[test]
fn a_workspace_is_checked_as_a_whole_on_request() {
    let pulls = json!({
        "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    let mut client = Client::with(with(usual(), pulls), json!({ "workspaceDiagnostics": true }));
    let offered = &client.server_info["capabilities"]["diagnosticProvider"];
    assert_eq!(offered["workspaceDiagnostics"], true);
    client.write("a.json", TEXT);
    client.write("b.json", r#"{ "version_number": 3 }"#);
    client.write("package.json", "{}");
    let ask = |previous: Value| json!({ "previousResultIds": previous });
    let report = client.request("workspace/diagnostic", ask(json!([]))).unwrap();
    let count = |report: &Value, name: &str| -> Option<usize> {
        let items = report["items"].as_array().unwrap();
        let own = items.iter().find(|it| it["uri"].as_str().unwrap().ends_with(name))?;
        Some(own["items"].as_array()?.len())
    };
    assert_eq!((count(&report, "/a.json"), count(&report, "/b.json")), (Some(2), Some(0)));
    let known: Vec<Value> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| json!({ "uri": it["uri"], "value": it["resultId"] }))
        .collect();
    client.write("a.json", "{}");
    let report = client.request("workspace/diagnostic", ask(json!(known))).unwrap();
    assert_eq!((count(&report, "/a.json"), count(&report, "/b.json")), (Some(0), None));
}

#[test]
fn suppressed_findings_and_those_of_the_baseline_are_not_shown() {
    let mut client = Client::start();
    let text = "version_number: 3\n# voxlint-ignore out-of-range: as agreed\nkb_max_chunks: 12\ntitel: x\n";
    let uri = client.open("en.yaml", text);
    assert_eq!(client.rules(&uri), ["unknown-field"]);
    client.write(
        "voxlint.toml",
        "[[suppressions]]\nfiles = \"en.yaml\"\nrules = \"unknown-field\"\nreason = \"old name\"\n",
    );
    let changed = json!({ "changes": [{ "uri": client.uri("voxlint.toml"), "type": 1 }] });
    client.notify("workspace/didChangeWatchedFiles", changed);
    assert_eq!(client.rules(&uri), [""; 0]);
}

#[test]
fn a_file_that_is_not_open_is_checked_when_its_findings_are_asked_for() {
    let mut client = Client::start();
    client.write(
        "voxlint.toml",
        "root = true\n[[documents]]\nfiles = \"*.json\"\ntext_files = { prompt_text = \"{stem}.hbs\" }\n",
    );
    client.write("en.json", TEXT);
    client.write("en.hbs", "Hello {{name}.");
    let uri = client.uri("en.json");
    let found = client.pull(&uri);
    assert!(found.iter().any(|it| it["code"] == "out-of-range"), "{found:#?}");
    let (prompt, missing) = (client.uri("en.hbs"), client.uri("de.json"));
    let closed = client.pull(&prompt);
    assert!(closed.iter().any(|it| it["code"] == "template-syntax-error"), "{closed:#?}");
    assert!(client.pull(&missing).is_empty());
    // The same as if it were open.
    client.open("en.json", TEXT);
    assert_eq!(client.pull(&uri), found);
}
