//! Hostile input: the server answers it or ignores it, and goes on.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::client::{Folder, answers_to, handshake, lines, request};

/// The answers to bytes between a handshake and a request, which is answered whatever the bytes are.
fn answers_around(folder: &Folder, bytes: &[u8]) -> Vec<Value> {
    let mut input = lines(&handshake("2025-11-25")).into_bytes();
    input.extend_from_slice(bytes);
    input.push(b'\n');
    // The last message has no line break.
    input.extend_from_slice(request("last", "tools/list", json!({})).to_string().as_bytes());
    let answers = answers_to(&[folder.root().to_owned()], input);
    assert_eq!(answers.last().unwrap()["id"], "last", "{answers:?}");
    answers[1..answers.len() - 1].to_vec()
}

fn code(answers: &[Value]) -> i64 {
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers[0]["error"]["code"].as_i64().unwrap()
}

#[test]
fn bytes_that_are_not_a_message_are_errors() {
    let folder = Folder::new(&[]);
    assert_eq!(code(&answers_around(&folder, b"\xff\xfe{}")), -32700);
    assert_eq!(code(&answers_around(&folder, b"\0\0\0")), -32700);
    assert_eq!(code(&answers_around(&folder, b"\xef\xbb\xbf{}")), -32700);
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    assert_eq!(code(&answers_around(&folder, &deep)), -32700);
    let long = vec![b' '; 17 << 20];
    assert_eq!(code(&answers_around(&folder, &[&long[..], b"{}"].concat())), -32600);
    assert!(answers_around(&folder, b"\n\r\n  \n").is_empty());
    let message = request(1, "tools/list", json!({})).to_string() + "\r";
    assert!(answers_around(&folder, message.as_bytes())[0]["result"]["tools"].is_array());
}

#[test]
fn hostile_documents_are_checked_like_others() {
    let folder = Folder::new(&[]);
    let deep = "[".repeat(100_000);
    let keys: Vec<String> = (0..20_000).map(|at| format!("\"k{at}\": {at}")).collect();
    let wide = format!("{{ {} }}", keys.join(","));
    for (text, format) in [
        ("\0".repeat(1000), "json"),
        (deep.clone(), "json"),
        (deep.clone(), "yaml"),
        (deep, "toml"),
        (wide, "json"),
        ("{{#if a}}".repeat(5_000), "hbs"),
        ("\u{202e}\u{feff}\u{1b}[31m".repeat(100), "yaml"),
        (String::new(), "json"),
    ] {
        for tool in ["check", "predict", "diff"] {
            let mut arguments = json!({ "text": text, "format": format });
            if tool == "diff" {
                arguments["stored_text"] = text.clone().into();
            }
            let answers = folder.answers(&[
                request(1, "tools/call", json!({ "name": tool, "arguments": arguments })),
                request(2, "tools/list", json!({})),
            ]);
            let result = &answers[0]["result"];
            assert!(result["isError"].is_boolean(), "{tool} {format}: {}", answers[0]);
            assert!(!result.to_string().contains("\\u001b"), "{tool} {format}");
            assert_eq!(answers[1]["id"], 2);
        }
    }
}

proptest! {
    #![proptest_config(voxlint_testing::property(60, 3000))]

    #[test]
    fn any_bytes_leave_the_server_alive(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let folder = Folder::new(&[]);
        answers_around(&folder, &bytes);
    }

    #[test]
    fn any_arguments_leave_the_server_alive(
        tool in prop::sample::select(vec!["check", "predict", "diff", "plan", "explain", "describe_field"]),
        name in prop::sample::select(vec![
            "text", "path", "format", "stored_text", "stored_path", "facts_text", "agent_id", "complete", "paths",
            "rule", "field", "kind", "other",
        ]),
        text in any::<String>(),
        number in any::<f64>(),
        shape in 0..5,
    ) {
        let folder = Folder::new(&[]);
        let value = match shape {
            0 => json!(text),
            1 => json!(number),
            2 => json!([text]),
            3 => json!({ text: number }),
            _ => json!(["a", number, null]),
        };
        let arguments = json!({ "text": "{ \"version_number\": 3 }", "rule": "x", "field": "y", name: value });
        let call = request(1, "tools/call", json!({ "name": tool, "arguments": arguments }));
        let answers = folder.answers(&[call, request(2, "tools/list", json!({}))]);
        prop_assert_eq!(answers.len(), 2);
        prop_assert!(answers[0].get("error").is_none(), "{}", answers[0]);
    }
}
