//! Unexpected messages: no request takes the server down, and no position is outside of its text.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use voxlint_testing::{cases, split_mix};

use crate::client::Client;
use crate::edits::edit;
use crate::positions::{edits_of, offset, position};

/// The requests about a place or a text.
const METHODS: [&str; 12] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentSymbol",
    "textDocument/documentLink",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/codeAction",
    "textDocument/diagnostic",
];

fn parameters(uri: &str, at: &Value, to: &Value) -> Value {
    let range = json!({ "start": at, "end": to });
    json!({
        "textDocument": { "uri": uri }, "position": at, "positions": [at, to], "range": range,
        "context": { "includeDeclaration": true, "diagnostics": [], "triggerKind": 1 }, "newName": "caller",
    })
}

#[test]
fn nonsense_is_answered_with_an_error() {
    let mut client = Client::start();
    let uri = client.open("en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    let odd = [
        json!(null),
        json!(7),
        json!([]),
        json!("x"),
        json!({}),
        json!({ "textDocument": null, "position": null }),
        json!({ "textDocument": { "uri": 3 }, "position": { "line": -1, "character": "x" } }),
        json!({ "textDocument": { "uri": "not a uri" }, "position": { "line": 1e300, "character": 0 } }),
    ];
    for method in METHODS.iter().chain(&[
        "workspace/executeCommand",
        "codeAction/resolve",
        "workspace/diagnostic",
    ]) {
        for odd in &odd {
            let (code, _) = client.request(method, odd.clone()).unwrap_err();
            assert_eq!(code, -32602, "{method} {odd}");
        }
    }
    for method in ["textDocument/none", "", "$/unknown", "🏙"] {
        assert_eq!(client.request(method, json!({})).unwrap_err().0, -32601);
    }
    let notifications = [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/didSave",
        "workspace/didChangeWatchedFiles",
        "workspace/didChangeConfiguration",
        "$/cancelRequest",
        "workspace/didChangeWorkspaceFolders",
        "initialized",
        "unknown",
    ];
    for method in notifications {
        for odd in &odd {
            client.notify(method, odd.clone());
        }
    }
    assert_eq!(client.rules(&uri), ["out-of-range"]);
}

#[test]
fn addresses_that_are_not_files_are_left_alone() {
    let mut client = Client::start();
    let text = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
    let addresses = [
        "git:/en.json?ref=HEAD",
        "http://example.com/en.json",
        "file:",
        "file://host/share/en.json",
        "urn:x",
        "vscode-notebook-cell:/a#b",
        "data:text/plain,x",
    ];
    for uri in addresses {
        client.open_at(uri, "json", text);
        assert!(client.pull(uri).is_empty(), "{uri}");
        for method in METHODS {
            let at = json!({ "line": 0, "character": 3 });
            client.request(method, parameters(uri, &at, &at)).map_err(|it| (it, method)).unwrap();
        }
        client.change(uri, 2, json!([{ "text": "{" }]));
        client.close(uri);
    }
    // The same file with another spelling, and one that is not UTF-8.
    for name in ["a%20b/%65n.json", "C%3A/en.json", "%FF.json", "c:/en.json"] {
        let uri = format!("{}/{name}", client.uri("").trim_end_matches('/'));
        client.open_at(&uri, "json", text);
        assert_eq!(client.rules(&uri).len(), 1, "{uri}");
    }
}

#[test]
fn changes_of_texts_that_are_not_open_are_ignored() {
    let mut client = Client::start();
    let uri = client.uri("en.json");
    client.change(&uri, 2, json!([{ "text": "{" }]));
    client.close(&uri);
    client.close(&uri);
    assert!(client.pull(&uri).is_empty());
    client.open("en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    // Opened twice, closed once.
    client.open("en.json", r#"{ "version_number": 3 }"#);
    assert!(client.pull(&uri).is_empty());
    client.close(&uri);
    assert!(client.pull(&uri).is_empty());
}

#[test]
fn places_far_away_are_those_nearby() {
    let mut client = Client::start();
    let uri = client.open("en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    let far = json!({ "line": u32::MAX, "character": u32::MAX });
    let near = json!({ "line": 0, "character": 0 });
    for method in METHODS {
        for (at, to) in [(&far, &near), (&near, &far), (&far, &far)] {
            let answer = client.request(method, parameters(&uri, at, to));
            assert!(
                answer.as_ref().map_or_else(|(code, _)| *code == -32803, |_| true),
                "{method} {answer:?}"
            );
        }
    }
    let range = json!({ "start": far, "end": near });
    client.change(&uri, 2, json!([{ "range": range, "text": "{ \"version_number\": 3 }" }]));
    assert!(client.found(&uri).is_empty());
}

/// Documents with templates, whose parts are asked about.
const DOCUMENTS: [(&str, &str); 6] = [
    (
        "json",
        "{\n  \"version_number\": 3,\n  \"titel\": \"🏙\",\n  \"prompt_text\": \"Hi {{#if vip}}dear{{/if}} {{name}}\\n{{x.y}}\",\n  \"default_dynamic_variables\": { \"name\": \"Ann\" }\n}\n",
    ),
    (
        "yaml",
        "version_number: 3\nprompt_text: |\n  Hello {{name}}, ü {{#each items}}{{this}}{{/each}}\nkb_max_chunks: 12\n",
    ),
    ("toml", "version_number = 3\nwelcome_message = \"Hello {{name}}\"\n"),
    ("hbs", "Hello {{name}}!\n{{! a comment }}\n{{#unless x}}{{/unless}}\n"),
    (
        "ndjson",
        "{ \"version_number\": 3 }\n{ \"version_number\": 4, \"prompt_text\": \"{{a}}\" }\n",
    ),
    ("toml", "root = true\nvariables = [\"name\"]\n[rules]\nout-of-range = \"off\"\n"),
];

/// Checks that everything that looks like a range is in its text, and that its ends are in order.
fn check_ranges(value: &Value, (uri, text): (&str, &str), at: &str) {
    match value {
        // A place in another text.
        Value::Object(fields) if fields.get("uri").is_some_and(|it| it != uri) => {}
        Value::Object(fields) => {
            if fields.get("start").is_some_and(Value::is_object) {
                let [start, end] = ["start", "end"].map(|end| {
                    offset(text, &fields[end])
                        .unwrap_or_else(|| panic!("{at}: {value} in {text:?}"))
                });
                assert!(start <= end, "{at}: {value} in {text:?}");
            }
            fields.values().for_each(|value| check_ranges(value, (uri, text), at));
        }
        Value::Array(items) => items.iter().for_each(|value| check_ranges(value, (uri, text), at)),
        _ => {}
    }
}

fn check_tokens(value: &Value, text: &str) {
    let Some(data) = value["data"].as_array() else { return };
    let numbers: Vec<u64> = data.iter().map(|it| it.as_u64().unwrap()).collect();
    let (mut line, mut column, mut end) = (0, 0, 0);
    for token in numbers.chunks(5) {
        if token[0] > 0 {
            (column, end) = (0, 0);
        }
        line += token[0];
        column += token[1];
        assert!(column >= end && token[2] > 0, "{value} in {text:?}");
        end = column + token[2];
        for character in [column, end] {
            let position = json!({ "line": line, "character": character });
            assert!(offset(text, &position).is_some(), "{position} in {text:?}");
        }
    }
}

#[test]
fn half_written_documents_and_random_places_are_answered() {
    let mut random = 7;
    let pick = |random: &mut u64, count: usize| {
        usize::try_from(split_mix(random) % count.max(1) as u64).unwrap()
    };
    let mut client = Client::start();
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut version = 1;
    for case in 0..cases(600, 20_000) {
        if case % 200 == 0 {
            for uri in texts.keys() {
                client.close(uri);
            }
            texts.clear();
            for (index, (extension, text)) in DOCUMENTS.iter().enumerate() {
                let name = if index == 5 {
                    "voxlint.toml".to_owned()
                } else {
                    format!("a{index}.{extension}")
                };
                let uri = client.open(&name, text);
                texts.insert(uri, (*text).to_owned());
            }
            client.published.clear();
            client.received.clear();
        }
        let uri = texts.keys().nth(pick(&mut random, texts.len())).unwrap().clone();
        let text = texts[&uri].clone();
        if pick(&mut random, 4) == 0 {
            let (change, after) = edit(&text, &mut random);
            version += 1;
            client.change(&uri, version, json!([change]));
            texts.insert(uri, after);
            continue;
        }
        let place = |random: &mut u64| {
            if pick(random, 20) == 0 {
                return json!({ "line": pick(random, 1 << 31), "character": pick(random, 1 << 31) });
            }
            let mut at = pick(random, text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            position(&text, at)
        };
        let (at, to) = (place(&mut random), place(&mut random));
        let method = METHODS[pick(&mut random, METHODS.len())];
        match client.request(method, parameters(&uri, &at, &to)) {
            Ok(answer) if method.contains("semanticTokens") => check_tokens(&answer, &text),
            // An action may change another text.
            Ok(answer) if method == "textDocument/codeAction" => {
                for action in answer.as_array().unwrap() {
                    check_ranges(&json!(edits_of(&action["edit"], &uri)), (&uri, &text), method);
                    check_ranges(&action["diagnostics"], (&uri, &text), method);
                }
            }
            Ok(answer) => check_ranges(&answer, (&uri, &text), method),
            // What cannot be renamed, or is not a variable.
            Err((code, message)) => {
                assert_eq!((code, method), (-32803, "textDocument/rename"), "{message}: {text:?}");
            }
        }
    }
    for (method, parameters) in &client.received {
        assert!(method != "window/logMessage", "{parameters}");
    }
}
