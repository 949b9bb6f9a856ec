//! Texts that decide what is found in others: stored configurations, facts, text files and configurations, saved or not.

use std::collections::BTreeMap;
use std::fs;

use serde_json::json;

use crate::client::{Client, uri_of, usual};
use crate::positions::slice;

const PROJECT: &str = r#"root = true
facts = "workspace.json"
[[documents]]
files = "agents/*.json"
stored = "../stored/{stem}.json"
text_files = { prompt_text = "{stem}.hbs" }
"#;

fn project() -> Client {
    let client = Client::start();
    client.write("voxlint.toml", PROJECT);
    client.write("agents/en.json", r#"{ "version_number": 3, "transcriber_id": "tr_a" }"#);
    client.write("agents/en.hbs", "Hello {{name}}.");
    client.write("workspace.json", r#"{ "transcribers": { "tr_a": {} } }"#);
    client
}

fn read(client: &Client, name: &str) -> String {
    fs::read_to_string(client.path(name)).unwrap()
}

#[test]
fn a_text_file_is_checked_with_its_document() {
    let mut client = project();
    let text = "Hello {{name}.";
    let uri = client.open("agents/en.hbs", text);
    let found = client.found(&uri);
    assert_eq!(found.len(), 1, "{found:#?}");
    // The document is not open: nothing is shown in it.
    let document = client.uri("agents/en.json");
    assert!(!client.published.contains_key(&document));
    client.replace(&uri, 2, "Hello {{name}}.");
    assert!(client.found(&uri).is_empty());
}

#[test]
fn a_named_text_is_the_text_of_its_document_and_never_json() {
    let mut client = Client::start();
    client.write("voxlint.toml", &PROJECT.replace("{stem}.hbs", "{stem}.md"));
    client.write("workspace.json", "{}");
    client.write("agents/en.json", r#"{ "version_number": 3 }"#);
    let prompt = "# Rules\n\n- Greet {{name}.\n";
    for name in ["agents/en.md", "agents/notes.md"] {
        client.write(name, prompt);
    }
    let named = client.open("agents/en.md", prompt);
    assert_eq!(client.rules(&named), ["template-syntax-error"]);
    // No document names this one.
    let notes = client.open("agents/notes.md", prompt);
    assert!(client.rules(&notes).is_empty());
}

#[test]
fn what_is_found_in_a_closed_text_file_is_shown_there() {
    let mut client = project();
    client.write("agents/en.hbs", "Hello {{name}.");
    let document = client.open("agents/en.json", r#"{ "version_number": 3 }"#);
    assert!(client.found(&document).is_empty());
    let text = client.uri("agents/en.hbs");
    assert_eq!(client.published[&text].1.len(), 1);
    assert_eq!(client.published[&text].0, json!(null));
    // It is open with another text.
    client.open("agents/en.hbs", "Hello {{name}}.");
    assert!(client.found(&text).is_empty());
    client.close(&text);
    client.settle();
    assert_eq!(client.published[&text].1.len(), 1);
    client.close(&document);
    client.settle();
    assert!(client.published[&text].1.is_empty());
}

#[test]
fn an_unsaved_text_of_a_related_file_counts_everywhere() {
    let mut client = project();
    let text = read(&client, "agents/en.json");
    let document = client.open("agents/en.json", &text);
    assert!(client.found(&document).is_empty());
    let facts = client.open("workspace.json", r#"{ "transcribers": { "tr_b": {} } }"#);
    let found = client.found(&document);
    assert!(!found.is_empty());
    assert_eq!(slice(&text, &found[0]["range"]), "\"tr_a\"");
    let saved = read(&client, "workspace.json");
    client.replace(&facts, 2, &saved);
    assert!(client.found(&document).is_empty());
    client.replace(&facts, 3, r#"{ "transcribers": { "tr_c": {} } }"#);
    assert!(!client.found(&document).is_empty());
    client.close(&facts);
    assert!(client.found(&document).is_empty());
}

#[test]
fn a_stored_configuration_that_appears_counts() {
    let mut client = project();
    let document = client.open("agents/en.json", r#"{ "version_number": 4 }"#);
    assert!(client.found(&document).is_empty());
    let stored = r#"{"agent": {"id": "ag_1", "agent_type": "Single_Prompt_Agent", "current_version_number": 3,
        "versions": [{"version_number": 3, "is_published": false}]},
        "version": {"version_number": 3, "is_published": false, "title": "x"}, "complete": true}"#;
    client.write("stored/en.json", stored);
    let changed = json!({ "changes": [{ "uri": client.uri("stored/en.json"), "type": 1 }] });
    client.notify("workspace/didChangeWatchedFiles", changed);
    assert!(!client.found(&document).is_empty());
    fs::remove_file(client.path("stored/en.json")).unwrap();
    let changed = json!({ "changes": [{ "uri": client.uri("stored/en.json"), "type": 3 }] });
    client.notify("workspace/didChangeWatchedFiles", changed);
    assert!(client.found(&document).is_empty());
    // The same in an editor, without a file.
    let uri = client.open("stored/en.json", stored);
    assert!(!client.found(&document).is_empty());
    client.close(&uri);
    assert!(client.found(&document).is_empty());
}

#[test]
fn a_faulty_related_file_shows_its_faults_and_fails_the_document() {
    let mut client = project();
    let document = client.open("agents/en.json", r#"{ "version_number": 3 }"#);
    let facts = client.open("workspace.json", r#"{ "transcribers": 7 }"#);
    let found = client.found(&document);
    let failure = found.iter().find(|it| it["code"].is_null()).unwrap();
    // The file from the document, as a path and as a place that can be opened.
    let message = failure["message"].as_str().unwrap();
    assert!(message.starts_with("../workspace.json: cannot be used as "), "{message}");
    let text = r#"{ "version_number": 3 }"#;
    assert_eq!(slice(text, &failure["range"]), text);
    let place = &failure["relatedInformation"][0]["location"];
    assert_eq!(place["uri"], json!(facts));
    assert_eq!(slice(r#"{ "transcribers": 7 }"#, &place["range"]), "7");
    assert!(!client.found(&facts).is_empty());
}

#[test]
fn a_faulty_stored_configuration_shows_each_fault_once() {
    let mut client = project();
    client.open("agents/en.json", r#"{ "version_number": 3 }"#);
    let stored = client.open("stored/en.json", r#"{ "version_number": 9, "title": "x""#);
    let found = client.found(&stored);
    assert_eq!(client.rules(&stored), ["syntax-error"], "{found:#?}");
    // It is never sent, so the service answers nothing to it.
    assert!(!found[0]["message"].as_str().unwrap().contains("the service"), "{found:#?}");
}

#[test]
fn a_file_with_several_documents_says_that_it_uses_no_texts() {
    let (mut client, _) = shared_text();
    let text = "version_number: 5\n---\nversion_number: 6\n";
    let document = client.open("agents/m.yaml", text);
    let found = client.found(&document);
    let remark = found.iter().find(|it| it["code"].is_null()).unwrap();
    assert_eq!(remark["severity"], 3);
    assert_eq!(slice(text, &remark["range"]), "version_number: 5");
    let message = remark["message"].as_str().unwrap();
    assert!(
        message.starts_with("is for several documents, so it cannot use text files"),
        "{message}"
    );
}

#[test]
fn an_unsaved_configuration_counts_for_every_text() {
    let mut client = project();
    let document = client.open("agents/en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    assert_eq!(client.rules(&document), ["out-of-range"]);
    let off = format!("{PROJECT}\n[rules]\nout-of-range = \"off\"\n");
    let configuration = client.open("voxlint.toml", &off);
    assert!(client.found(&document).is_empty());
    assert!(client.found(&configuration).is_empty());
    // A mistake in it is shown there, and the document is checked as before it.
    let wrong = off.replace("out-of-range", "out-of-rnage");
    client.replace(&configuration, 2, &wrong);
    let found = client.found(&configuration);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(slice(&wrong, &found[0]["range"]).contains("out-of-rnage"));
    assert!(client.found(&document).is_empty());
    client.replace(&configuration, 3, "");
    assert_eq!(client.rules(&document), ["out-of-range"]);
    client.close(&configuration);
    assert_eq!(client.rules(&document), ["out-of-range"]);
}

#[test]
fn an_id_leads_to_the_facts_and_a_document_to_its_files() {
    let mut client = project();
    client.write(
        "stored/en.json",
        r#"{ "agent": { "id": "ag_1" }, "version": { "version_number": 3 } }"#,
    );
    let text = r#"{ "version_number": 3, "transcriber_id": "tr_a" }"#;
    let uri = client.open("agents/en.json", text);
    let at = json!({ "line": 0, "character": text.find("tr_a").unwrap() + 1 });
    let parameters = json!({ "textDocument": { "uri": uri }, "position": at });
    let found = client.request("textDocument/definition", parameters).unwrap();
    assert_eq!(found[0]["uri"], client.uri("workspace.json"), "{found:#}");
    assert_eq!(slice(&read(&client, "workspace.json"), &found[0]["range"]), "\"tr_a\"");
    let links = json!({ "textDocument": { "uri": uri } });
    let links = client.request("textDocument/documentLink", links).unwrap();
    let link = |it: &serde_json::Value| {
        (slice(text, &it["range"]).to_owned(), it["target"].as_str().unwrap().to_owned())
    };
    let links: Vec<_> = links.as_array().unwrap().iter().map(link).collect();
    let name = ("\"version_number\"".to_owned(), client.uri("agents/en.hbs"));
    assert_eq!(links, [("3".to_owned(), client.uri("stored/en.json")), name]);
}

#[test]
fn a_half_written_configuration_silences_no_document() {
    let mut client = project();
    let text = r#"{ "version_number": 3, "kb_max_chunks": 12, "titel": "x" }"#;
    let document = client.open("agents/en.json", text);
    let before = client.found(&document);
    assert_eq!(before.len(), 2);
    let half = PROJECT.replace("[[documents]]", "bas\n[[documents]]");
    let configuration = client.open("voxlint.toml", PROJECT);
    client.replace(&configuration, 2, &half);
    assert_eq!(client.found(&document), before);
    assert_eq!(client.found(&configuration).len(), 1);
    // Also after another change of the document, and in a text that is opened only now.
    client.replace(&document, 2, &text.replace("titel", "title"));
    assert_eq!(client.rules(&document), ["out-of-range"]);
    let at = json!({ "line": 0, "character": 25 });
    let hover = json!({ "textDocument": { "uri": document }, "position": at });
    let hover = client.request("textDocument/hover", hover).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("1 to 10"), "{hover}");
    let prompt = client.open("agents/en.hbs", "Hello {{name}.");
    assert!(client.rules(&prompt).contains(&"template-syntax-error".to_owned()));
    // The saved configuration does not count either, as long as this one is open.
    client.replace(&configuration, 3, &PROJECT.replace("facts", "# facts"));
    assert!(client.found(&configuration).is_empty());
    assert_eq!(client.rules(&document), ["out-of-range"]);
}

#[test]
fn a_configuration_that_never_could_be_used_fails_the_document() {
    let mut client = Client::start();
    client.write("voxlint.toml", "root = true\nbas");
    let document = client.open("en.json", r#"{ "version_number": 3 }"#);
    let found = client.found(&document);
    assert!(found[0]["message"].as_str().unwrap().contains("voxlint.toml"), "{found:#?}");
}

#[test]
fn an_unused_suppression_is_shown_in_the_configuration() {
    let mut client = Client::start();
    let text = "root = true\n[[suppressions]]\nrules = \"out-of-range\"\nfiles = \"agents/en.json\"\nreason = \"as agreed\"\n";
    client.write("voxlint.toml", text);
    let document = client.open("agents/en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    assert!(client.found(&document).is_empty());
    let configuration = client.uri("voxlint.toml");
    assert!(client.found(&configuration).is_empty());
    client.replace(&document, 2, r#"{ "version_number": 3, "kb_max_chunks": 2 }"#);
    client.settle();
    let found = client.found(&configuration);
    assert_eq!(found[0]["code"], "unused-suppression", "{found:#?}");
    assert_eq!(found[0]["tags"], json!([1]));
}

#[test]
fn the_editor_may_name_a_configuration() {
    let mut client = Client::with(usual(), json!({ "configuration": "ci/lint.toml" }));
    client.write("ci/lint.toml", "[rules]\nout-of-range = \"off\"\n");
    let document = client.open("en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    assert!(client.found(&document).is_empty());
    let settings = json!({ "settings": { "voxlint": { "configuration": null } } });
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(client.rules(&document), ["out-of-range"]);
}

#[test]
fn each_folder_has_its_own_configuration() {
    let mut client = Client::start();
    client.write("one/voxlint.toml", "root = true\n[rules]\nout-of-range = \"off\"\n");
    client.write("two/voxlint.toml", "root = true\n");
    let text = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
    let one = client.open("one/en.json", text);
    let two = client.open("two/en.json", text);
    assert!(client.found(&one).is_empty());
    assert_eq!(client.rules(&two), ["out-of-range"]);
    let event = json!({ "event": {
        "added": [{ "uri": client.uri("one"), "name": "one" }], "removed": [{ "uri": client.uri(""), "name": "x" }],
    }});
    client.notify("workspace/didChangeWorkspaceFolders", event);
    assert!(client.found(&one).is_empty());
}

#[test]
fn a_text_without_a_file_is_checked_in_the_first_folder() {
    let mut client = Client::start();
    client.write("voxlint.toml", "root = true\n[rules]\nunknown-field = \"off\"\n");
    let text = "version_number: 3\nkb_max_chunks: 12\ntitel: x\n";
    client.open_at("untitled:Untitled-1", "yaml", text);
    assert_eq!(client.rules("untitled:Untitled-1"), ["out-of-range"]);
}

/// As editors do that start the server in the project.
#[test]
fn a_text_file_of_the_working_directory_is_checked_with_its_document() {
    let here = std::env::current_dir().unwrap();
    let folder = tempfile::tempdir_in(&here).unwrap();
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    let mut client = Client::start();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "voxlint.toml",
        &PROJECT.replace("agents/*.json", "en.json").replace("workspace.json", "w.json"),
    );
    write("w.json", "{}");
    write("en.json", r#"{ "version_number": 3 }"#);
    write("en.hbs", "Hello {{name}.");
    for file in ["en.json", "en.hbs"] {
        let path = here.join(name).join(file);
        client.open_at(&uri_of(&path), "json", &fs::read_to_string(&path).unwrap());
    }
    let text = uri_of(&here.join(name).join("en.hbs"));
    assert_eq!(client.found(&text).len(), 1, "{:#?}", client.published);
    assert!(client.found(&uri_of(&here.join(name).join("en.json"))).is_empty());
}

/// A text that documents share, documents that use it, and others that do not, all with a variable of the same name.
fn shared_text() -> (Client, String) {
    let settings = "root = true\n[[documents]]\nfiles = \"agents/\"\ntext_files = { prompt_text = \"../shared.hbs\" }\n";
    let document = |number: u32| {
        format!(
            r#"{{ "version_number": {number}, "welcome_message": "Hi {{{{who}}}}", "default_dynamic_variables": {{ "who": "x" }} }}"#
        )
    };
    let yaml = |number: u32| {
        format!(
            "version_number: {number}\nwelcome_message: \"Hi {{{{who}}}}\"\ndefault_dynamic_variables: {{ who: x }}\n"
        )
    };
    let mut client = Client::start();
    client.write("voxlint.toml", settings);
    client.write("agents/a.json", &document(3));
    client.write("agents/b.json", &document(4));
    // Files with several documents cannot use text files.
    client.write("agents/m.yaml", &format!("{}---\n{}", yaml(5), yaml(6)));
    client.write("agents/n.ndjson", &format!("{}\n{}\n", document(7), document(8)));
    client.write("shared.hbs", "Hello {{who}}, {{who}}");
    let text = client.open("shared.hbs", "Hello {{who}}, {{who}}");
    client.settle();
    (client, text)
}

/// The names of the files of some places or edits, each with how many there are.
fn files<'v>(uris: impl IntoIterator<Item = &'v serde_json::Value>) -> BTreeMap<String, usize> {
    let mut files = BTreeMap::new();
    for uri in uris {
        let name = uri.as_str().unwrap().rsplit('/').next().unwrap();
        *files.entry(name.to_owned()).or_default() += 1;
    }
    files
}

#[test]
fn a_rename_in_a_shared_text_edits_exactly_the_documents_that_use_it() {
    let (mut client, text) = shared_text();
    let parameters = json!({
        "textDocument": { "uri": text }, "position": { "line": 0, "character": 9 }, "newName": "guest",
    });
    let edit = client.request("textDocument/rename", parameters).unwrap();
    let all = edit["documentChanges"].as_array().unwrap();
    let edited = files(all.iter().map(|it| &it["textDocument"]["uri"]));
    let names: Vec<&str> = edited.keys().map(String::as_str).collect();
    assert_eq!(names, ["a.json", "b.json", "shared.hbs"]);
    // A document in a file of several renames what is its own.
    let yaml = read(&client, "agents/m.yaml");
    let uri = client.open("agents/m.yaml", &yaml);
    client.settle();
    let parameters = json!({
        "textDocument": { "uri": uri }, "position": { "line": 5, "character": 25 }, "newName": "guest",
    });
    let edit = client.request("textDocument/rename", parameters).unwrap();
    let all = edit["documentChanges"].as_array().unwrap();
    assert_eq!(files(all.iter().map(|it| &it["textDocument"]["uri"])).len(), 1, "{edit:#}");
    let edits = all[0]["edits"].as_array().unwrap();
    let lines: Vec<u64> =
        edits.iter().map(|it| it["range"]["start"]["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [5, 6]);
}

#[test]
fn a_variable_of_a_shared_text_is_found_in_every_document_that_uses_it() {
    let (mut client, text) = shared_text();
    let place =
        json!({ "textDocument": { "uri": text }, "position": { "line": 0, "character": 9 } });
    let mut references = place.clone();
    references["context"] = json!({ "includeDeclaration": true });
    let found = client.request("textDocument/references", references).unwrap();
    let wanted = |all: &[(&str, usize)]| {
        all.iter().map(|(name, many)| ((*name).to_owned(), *many)).collect::<BTreeMap<_, _>>()
    };
    let found = files(found.as_array().unwrap().iter().map(|it| &it["uri"]));
    assert_eq!(found, wanted(&[("a.json", 2), ("b.json", 2), ("shared.hbs", 2)]));
    let found = client.request("textDocument/definition", place.clone()).unwrap();
    let found = files(found.as_array().unwrap().iter().map(|it| &it["uri"]));
    assert_eq!(found, wanted(&[("a.json", 1), ("b.json", 1)]));
    let hover = client.request("textDocument/hover", place).unwrap();
    let hover = hover["contents"]["value"].as_str().unwrap().to_owned();
    assert!(hover.contains("- 4 uses in the 2 documents that use this text"), "{hover}");
}
