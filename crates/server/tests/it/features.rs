//! Hover, completion, outline, navigation, rename and highlighting, as far as the protocol is concerned.

use serde_json::{Value, json};

use crate::client::{Client, ServerError, usual};
use crate::positions::{apply, edits_of, slice};

const TEXT: &str = r#"{ "version_number": 3, "prompt_text": "Hello {{name}}" }"#;

#[test]
fn texts_without_a_document_have_nothing_to_show() {
    let mut client = Client::start();
    let uri = client.open("package.json", r#"{ "name": "x", "scripts": {} }"#);
    assert!(client.at("textDocument/hover", &uri, 0, 4).is_null());
    assert!(client.at("textDocument/completion", &uri, 0, 4).is_null());
    assert!(client.at("textDocument/documentSymbol", &uri, 0, 0).is_null());
    assert!(client.at("textDocument/definition", &uri, 0, 4).is_null());
}

#[test]
fn a_document_leads_to_its_stored_configuration_and_its_texts() {
    let mut client = Client::start();
    client.write(
        "voxlint.toml",
        "root = true\n[[documents]]\nfiles = \"en.json\"\nstored = \"stored.json\"\ntext_files = { welcome_message = \"{stem}.hbs\" }\n",
    );
    client.write("stored.json", r#"{ "version_number": 3, "title": "x" }"#);
    client.write("en.hbs", "Hello");
    let uri = client.open("en.json", TEXT);
    let places = client.at("textDocument/definition", &uri, 0, 20);
    let places: Vec<&str> =
        places.as_array().unwrap().iter().map(|it| it["uri"].as_str().unwrap()).collect();
    assert_eq!(places, [client.uri("stored.json"), client.uri("en.hbs")]);
    let links = client.at("textDocument/documentLink", &uri, 0, 0);
    assert_eq!(links[0]["target"], client.uri("stored.json"));
    assert_eq!(links[0]["range"]["start"], json!({ "line": 0, "character": 20 }));
}

/// The position of a part of a text on its first line.
fn column(text: &str, part: &str) -> u32 {
    u32::try_from(text.find(part).unwrap()).unwrap()
}

#[test]
fn hover_and_completion_know_fields_and_variables() {
    let mut client = Client::start();
    let uri = client.open("en.json", TEXT);
    let shown = client.at("textDocument/hover", &uri, 0, column(TEXT, "prompt_text"));
    assert!(shown["contents"]["value"].as_str().unwrap().contains("prompt_text"), "{shown}");
    assert_eq!(shown["contents"]["kind"], "markdown");
    let text = "{ \"version_number\": 3, \"kb_";
    client.replace(&uri, 2, text);
    let list = client.at("textDocument/completion", &uri, 0, u32::try_from(text.len()).unwrap());
    let items = list["items"].as_array().unwrap();
    let chunks = items.iter().find(|it| it["label"].as_str().unwrap().contains("kb_max_chunks"));
    let edit = &chunks.unwrap()["textEdit"];
    assert!(apply(text, std::slice::from_ref(edit)).contains("kb_max_chunks"), "{edit}");
}

#[test]
fn hover_and_completion_know_the_configuration() {
    let mut client = Client::start();
    let text = "root = true\n[rules]\nout-of-range = \"off\"\n";
    let uri = client.open("voxlint.toml", text);
    assert!(client.at("textDocument/hover", &uri, 2, 3)["contents"]["value"].is_string());
    let list = client.at("textDocument/completion", &uri, 3, 0);
    assert!(!list["items"].as_array().unwrap().is_empty());
}

#[test]
fn an_outline_is_a_tree_or_a_list() {
    for (capabilities, is_tree) in [(usual(), true), (json!({}), false)] {
        let mut client = Client::with(capabilities, json!({}));
        let uri = client.open("en.json", TEXT);
        let symbols = client.at("textDocument/documentSymbol", &uri, 0, 0);
        let first = &symbols[0];
        assert_eq!(first.get("selectionRange").is_some(), is_tree, "{symbols}");
        assert_eq!(first.get("location").is_some(), !is_tree, "{symbols}");
    }
    // Each document of a file has its own.
    let mut client = Client::start();
    let uri = client.open("all.yaml", "version_number: 3\n---\nversion_number: 4\n");
    let symbols = client.at("textDocument/documentSymbol", &uri, 0, 0);
    assert_eq!(symbols.as_array().map(Vec::len), Some(2), "{symbols}");
}

#[test]
fn a_variable_leads_to_its_default_and_its_uses() {
    let text = r#"{ "version_number": 3, "prompt_text": "Hi {{name}} {{name}}", "default_dynamic_variables": { "name": "Ann" } }"#;
    let mut client = Client::start();
    let uri = client.open("en.json", text);
    let at = column(text, "name}}");
    let defined = client.at("textDocument/definition", &uri, 0, at);
    assert_eq!(slice(text, &defined[0]["range"]).trim_matches('"'), "name");
    assert!(defined[0]["range"]["start"]["character"].as_u64() > Some(60), "{defined}");
    let ask = |declarations: bool| {
        json!({
            "textDocument": { "uri": uri }, "position": { "line": 0, "character": at },
            "context": { "includeDeclaration": declarations },
        })
    };
    for (declarations, count) in [(true, 3), (false, 2)] {
        let used = client.request("textDocument/references", ask(declarations)).unwrap();
        assert_eq!(used.as_array().map(Vec::len), Some(count), "{used}");
    }
    let prepared = client.at("textDocument/prepareRename", &uri, 0, at);
    assert_eq!(prepared["placeholder"], "name");
    assert!(client.at("textDocument/prepareRename", &uri, 0, 3).is_null());
}

fn rename(client: &mut Client, uri: &str, at: u32, to: &str) -> Result<Value, ServerError> {
    let parameters = json!({
        "textDocument": { "uri": uri }, "position": { "line": 0, "character": at }, "newName": to,
    });
    client.request("textDocument/rename", parameters)
}

#[test]
fn a_rename_changes_every_text_that_uses_the_variable() {
    let mut client = Client::start();
    client.write(
        "voxlint.toml",
        "root = true\n[[documents]]\nfiles = \"*.json\"\ntext_files = { welcome_message = \"welcome.hbs\" }\n",
    );
    let document = |name: &str| {
        format!(
            "{{ \"version_number\": 3, \"default_dynamic_variables\": {{ \"{name}\": \"Ann\" }} }}"
        )
    };
    client.write("en.json", &document("name"));
    client.write("fr.json", &document("name"));
    let shared = "Hello {{name}}";
    client.write("welcome.hbs", shared);
    let text = document("name");
    let en = client.open("en.json", &text);
    let edit = rename(&mut client, &en, column(&text, "name\": \"Ann"), "caller").unwrap();
    for (file, before, after) in [
        ("en.json", &*text, document("caller")),
        ("fr.json", &*text, document("caller")),
        ("welcome.hbs", shared, "Hello {{caller}}".to_owned()),
    ] {
        assert_eq!(apply(before, &edits_of(&edit, &client.uri(file))), after, "{file}: {edit:#}");
    }
    // The same from the text, whose document is not open.
    client.close(&en);
    let welcome = client.open("welcome.hbs", shared);
    assert_eq!(
        rename(&mut client, &welcome, 9, "caller").unwrap()["documentChanges"]
            .as_array()
            .map(Vec::len),
        Some(3)
    );
    let (code, message) = rename(&mut client, &welcome, 9, "not a name").unwrap_err();
    assert_eq!(code, -32803, "{message}");
    assert_eq!(rename(&mut client, &welcome, 1, "caller").unwrap_err().0, -32803);
    // A mistake in another file is named with its place.
    client.replace(&welcome, 2, "Hello\n  {{name}");
    let en = client.open("en.json", &text);
    let (_, message) =
        rename(&mut client, &en, column(&text, "name\": \"Ann"), "caller").unwrap_err();
    assert!(message.starts_with("welcome.hbs:2:9: a template has a syntax error"), "{message}");
}

/// A document with functions, whose prompt is in Markdown.
fn with_functions() -> (Client, String, &'static str, String, &'static str) {
    let mut client = Client::start();
    client.write(
        "voxlint.toml",
        "root = true\n[[documents]]\nfiles = \"*.yaml\"\ntext_files = { prompt_text = \"{stem}.md\" }\n",
    );
    let document =
        "version_number: 3\nagent_functions:\n- displayName: book_slot\n  type: custom\n";
    client.write("en.yaml", document);
    let prompt = "# Slots\n\nCall `book_slot`, and book_slot(day) again.\nThe book_slot is late.\n";
    let markdown = client.open("en.md", prompt);
    let uri = client.uri("en.yaml");
    (client, markdown, prompt, uri, document)
}

#[test]
fn a_function_in_markdown_leads_to_its_entry_and_back() {
    let (mut client, markdown, _, uri, document) = with_functions();
    let defined = client.at("textDocument/definition", &markdown, 2, 8);
    assert_eq!(defined[0]["uri"], uri.as_str());
    assert_eq!(slice(document, &defined[0]["range"]), "book_slot");
    assert!(client.at("textDocument/definition", &markdown, 0, 3).is_null());
    client.open("en.yaml", document);
    let parameters = json!({
        "textDocument": { "uri": uri }, "position": { "line": 2, "character": 18 },
        "context": { "includeDeclaration": true },
    });
    let used = client.request("textDocument/references", parameters).unwrap();
    let lines: Vec<&Value> =
        used.as_array().unwrap().iter().map(|it| &it["range"]["start"]["line"]).collect();
    // The last one is a plain word that may mean the function.
    assert_eq!(lines, [2, 2, 2, 3], "{used}");
}

#[test]
fn a_function_is_renamed_with_its_mentions_in_markdown_and_no_plain_word() {
    let (mut client, markdown, prompt, uri, document) = with_functions();
    let prepared = client.at("textDocument/prepareRename", &markdown, 2, 8);
    assert_eq!(prepared["placeholder"], "book_slot");
    let parameters = json!({
        "textDocument": { "uri": markdown }, "position": { "line": 2, "character": 8 },
        "newName": "reserve_slot",
    });
    let edit = client.request("textDocument/rename", parameters).unwrap();
    let changed = apply(document, &edits_of(&edit, &uri));
    assert_eq!(changed, document.replace("book_slot", "reserve_slot"));
    let changed = apply(prompt, &edits_of(&edit, &markdown));
    assert_eq!(changed, prompt.replacen("book_slot", "reserve_slot", 2));
    let (code, message) = rename(&mut client, &markdown, 3, "x").unwrap_err();
    assert_eq!(code, -32803, "{message}");
}

#[test]
fn functions_are_offered_and_explained_in_markdown() {
    let (mut client, markdown, prompt, ..) = with_functions();
    let shown = client.at("textDocument/hover", &markdown, 2, 8);
    let shown = shown["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("- type: `custom`\n- 2 mentions"), "{shown}");
    client.replace(&markdown, 2, &format!("{prompt}Then `bo"));
    let list = client.at("textDocument/completion", &markdown, 4, 8);
    let edit = &list["items"][0]["textEdit"];
    assert_eq!(list["items"][0]["label"], "book_slot", "{list}");
    let changed = apply(&format!("{prompt}Then `bo"), std::slice::from_ref(edit));
    assert_eq!(changed, format!("{prompt}Then `book_slot"));
    assert_eq!(client.at("textDocument/completion", &markdown, 3, 4)["items"], json!([]));
}

#[test]
fn a_function_in_a_text_of_several_documents_is_renamed_in_those_that_have_it() {
    let mut client = Client::start();
    client.write(
        "voxlint.toml",
        "root = true\n[[documents]]\nfiles = \"*.json\"\ntext_files = { prompt_text = \"prompt.md\" }\n",
    );
    let document = |functions: &str| {
        format!("{{ \"version_number\": 3, \"agent_functions\": [{functions}] }}")
    };
    let with = document(r#"{ "displayName": "end_call" }"#);
    client.write("en.json", &with);
    client.write("fr.json", &with);
    client.write("none.json", &document(""));
    let prompt = client.open("prompt.md", "Then call end_call.");
    let edit = rename(&mut client, &prompt, 12, "hang_up").unwrap();
    for name in ["en.json", "fr.json"] {
        let changed = apply(&with, &edits_of(&edit, &client.uri(name)));
        assert_eq!(changed, with.replace("end_call", "hang_up"), "{name}: {edit:#}");
    }
    assert_eq!(edit["documentChanges"].as_array().map(Vec::len), Some(3), "{edit:#}");
    // It is not known whether this one has it.
    client.write("none.json", r#"{ "version_number": 3 }"#);
    let changed = json!({ "changes": [{ "uri": client.uri("none.json"), "type": 2 }] });
    client.notify("workspace/didChangeWatchedFiles", changed);
    let (_, message) = rename(&mut client, &prompt, 12, "hang_up").unwrap_err();
    assert!(message.starts_with("none.json: it is not known which functions"), "{message}");
}

#[test]
fn the_seconds_of_a_greeting_are_behind_its_text() {
    let mut client = Client::start();
    client.write(
        "voxlint.toml",
        "root = true\n[[documents]]\nfiles = \"*.yaml\"\ntext_files = { voicemail_message = \"{stem}.hbs\" }\n",
    );
    let text = "version_number: 3\nwelcome_message: |\n  Hi{{#if x}} there{{/if}}.\n\nprompt_text: Be brief.\n";
    client.write("en.yaml", text);
    let greeting = client.open("en.yaml", text);
    let message = "Please call back later today.\n";
    let voicemail = client.open("en.hbs", message);
    let mut hints = |uri: &str, last: u32| {
        let start = json!({ "line": 0, "character": 0 });
        let range = json!({ "start": start, "end": { "line": last, "character": 0 } });
        let parameters = json!({ "textDocument": { "uri": uri }, "range": range });
        let hints = client.request("textDocument/inlayHint", parameters).unwrap();
        let hint =
            |it: &Value| (it["position"].clone(), it["label"].clone(), it["tooltip"].clone());
        hints.as_array().unwrap().iter().map(hint).collect::<Vec<_>>()
    };
    let at = |line: u32, character: u32| json!({ "line": line, "character": character });
    let about = "1 to 2 words, at 150 words per minute";
    assert_eq!(hints(&greeting, 9), [(at(2, 27), json!("0.4 to 0.8 s"), json!(about))]);
    let about = "5 words, at 150 words per minute";
    assert_eq!(hints(&voicemail, 9), [(at(0, 29), json!("2 s"), json!(about))]);
}

#[test]
fn parts_can_be_highlighted() {
    let text = "{\n  \"version_number\": 3,\n  \"prompt_text\": \"Hi {{name}}\",\n  \"agent_functions\": [\n    {}\n  ]\n}\n";
    let mut client = Client::start();
    let uri = client.open("en.json", text);
    let tokens = client.at("textDocument/semanticTokens/full", &uri, 0, 0);
    assert_eq!(tokens["data"].as_array().unwrap()[..5], [2, 21, 2, 0, 0].map(|it| json!(it)));
    let range =
        json!({ "start": { "line": 3, "character": 0 }, "end": { "line": 6, "character": 0 } });
    let parameters = json!({ "textDocument": { "uri": uri }, "range": range });
    let none = client.request("textDocument/semanticTokens/range", parameters).unwrap();
    assert_eq!(none["data"], json!([]));
}

#[test]
fn each_document_of_a_file_is_outlined_once() {
    let part = "---\n# a\n# b\nversion_number: 3\ntitle: x\n";
    let mut client = Client::start();
    let uri = client.open("all.yaml", &part.repeat(3));
    let outline = client.at("textDocument/documentSymbol", &uri, 0, 0);
    let lines: Vec<&Value> =
        outline.as_array().unwrap().iter().map(|it| &it["range"]["start"]["line"]).collect();
    assert_eq!(lines, [3, 4, 8, 9, 13, 14]);
}
