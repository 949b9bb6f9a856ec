//! Sequences of edits, as an editor sends them.

use std::path::Path;

use serde_json::{Value, json};
use voxlint_project::{LintOptions, ReadOptions, Session};
use voxlint_testing::{cases, split_mix};

use crate::agreement::{check_text, rounded, session, shown};
use crate::client::Client;
use crate::positions::position;

/// Documents to begin with, each with the extension of its file.
const DOCUMENTS: [(&str, &str); 7] = [
    (
        "json",
        r#"{ "version_number": 3, "titel": "Front desk 🏙", "kb_max_chunks": 12, "prompt_text": "Hello {{name}.\nBye" }"#,
    ),
    (
        "json",
        "{\r\n  \"version_number\": 3,\r\n  \"is_published\": \"true\",\r\n  \"is_published\": false\r\n}\r\n",
    ),
    (
        "jsonc",
        "{\n  // voxlint-ignore out-of-range: as agreed\n  \"kb_max_chunks\": 12, \"version_number\": 3,\n}\n",
    ),
    (
        "yaml",
        "version_number: 3\nkb_max_chunks: 12 # many\nprompt_text: |\n  Hello {{#if vip}}dear{{/fi}} {{name}}\n",
    ),
    (
        "yaml",
        "version_number: 3\n---\nversion_number: 4\ntitle: [x\n---\nversion_number: 5\nprompt_text: \"{{a b\"\n",
    ),
    ("toml", "version_number = 3\ntitle = 'ü'\n[[agent_functions]]\ntype = \"end_cal\"\n"),
    (
        "ndjson",
        "{ \"version_number\": 3 }\n{ \"version_number\": 4, \"kb_max_chunks\": 13 }\n\n{ \"version_number\": }\n",
    ),
];

/// What is typed or pasted.
const SNIPPETS: [&str; 30] = [
    "",
    "a",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\"",
    "'",
    "{",
    "}",
    "{{",
    "}}",
    "{{name}}",
    "[",
    "]",
    ",",
    ":",
    "3",
    "-",
    "#",
    "/",
    "\\u00e9",
    "é🏙",
    "\u{200b}",
    "\"title\": \"x\",",
    "title: x\n",
    "---\n",
    "{ \"version_number\": 7 }\n",
    "{{#if vip}}",
    "null",
];

/// A change at a random place, and the text after it.
pub(crate) fn edit(text: &str, random: &mut u64) -> (Value, String) {
    let pick = |random: &mut u64, count: usize| {
        usize::try_from(split_mix(random) % count.max(1) as u64).unwrap()
    };
    let boundaries: Vec<usize> = (0..=text.len())
        .filter(|at| text.is_char_boundary(*at) && !text[..*at].ends_with('\r'))
        .collect();
    let from = pick(random, boundaries.len());
    // Most edits are small.
    let most = if pick(random, 8) == 0 { 40 } else { 3 };
    let to = (from + pick(random, most)).min(boundaries.len() - 1);
    let new = SNIPPETS[pick(random, SNIPPETS.len())];
    let (from, to) = (boundaries[from], boundaries[to]);
    let (start, end) = (position(text, from), position(text, to));
    // A client may send the ends in any order, and the same edit as a whole text.
    let range = if pick(random, 10) == 0 {
        json!({ "start": end, "end": start })
    } else {
        json!({ "start": start, "end": end })
    };
    let after = [&text[..from], new, &text[to..]].concat();
    let change = if pick(random, 30) == 0 {
        json!({ "text": after })
    } else {
        json!({ "range": range, "text": new })
    };
    (change, after)
}

fn is_recognized(path: &Path, text: &str) -> bool {
    let documents = ReadOptions::default().input(path).documents(text.as_bytes());
    documents.iter().any(|document| document.recognition().kind().is_some())
}

#[test]
fn after_any_edits_the_findings_are_those_of_a_check_of_the_text() {
    let mut random = 1;
    let mut client = Client::start();
    let mut check = session();
    for case in 0..cases(60, 4_000) {
        let (extension, first) = DOCUMENTS[usize::try_from(case).unwrap() % DOCUMENTS.len()];
        let name = format!("agents/{}.{extension}", case % 50);
        let mut text = first.to_owned();
        let uri = client.open(&name, &text);
        let rounds = 1 + split_mix(&mut random) % 8;
        let mut version = 1;
        for _ in 0..rounds {
            let count = 1 + split_mix(&mut random) % 4;
            let mut changes = Vec::new();
            for _ in 0..count {
                let (change, after) = edit(&text, &mut random);
                changes.push(change);
                text = after;
            }
            version += 1;
            client.change(&uri, version, json!(changes));
        }
        let found = client.pull(&uri);
        let (version_shown, last) = &client.published[&uri];
        assert_eq!((version_shown, last), (&json!(version), &found), "{text:?}");
        let own: Vec<Value> = found.into_iter().filter(|it| !it["code"].is_null()).collect();
        let mut expected = check_text(&mut check, &client.path(&name), &text);
        if expected.is_empty() && !is_recognized(&client.path(&name), &text) {
            // It was a document when it was opened, and stays one.
            let mut check = Session::new(LintOptions::default());
            expected = check_text(&mut check, &client.path(&name), &text);
        }
        assert_eq!(shown(&text, &own), rounded(&text, expected), "case {case}: {text:?}");
        client.close(&uri);
    }
}
