//! The protocol: versions, methods, cancelled requests and errors.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::{Folder, answers_to, handshake, lines, request, text};

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const UNSUPPORTED_VERSION: i64 = -32022;

fn folders(folder: &Folder) -> Vec<PathBuf> {
    vec![folder.root().to_owned()]
}

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer} is not an error"))
}

/// What every request has in the version without a handshake.
fn stateless(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn the_newest_version_with_a_handshake_is_the_only_one() {
    let folder = Folder::new(&[]);
    let agreed = "2025-11-25";
    for wanted in [agreed, "2025-06-18", "2024-11-05", "3000-01-01", ""] {
        let answers = answers_to(&folders(&folder), lines(&handshake(wanted)));
        assert_eq!(answers.len(), 1, "the notification is not answered");
        let result = &answers[0]["result"];
        assert_eq!(result["protocolVersion"], agreed, "{wanted}");
        assert_eq!(result["capabilities"], json!({ "tools": { "listChanged": false } }));
        assert_eq!(result["serverInfo"]["name"], "voxlint");
        assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        let instructions = result["instructions"].as_str().unwrap();
        assert!(instructions.contains(folder.path("").trim_end_matches('/')));
    }
}

#[test]
fn an_initialize_without_a_version_or_a_second_one_is_an_error() {
    let folder = Folder::new(&[]);
    for params in [json!({}), json!({ "protocolVersion": 3 }), json!({ "protocolVersion": null })] {
        let answers = answers_to(&folders(&folder), lines(&[request(1, "initialize", params)]));
        assert_eq!(code(&answers[0]), INVALID_PARAMS);
    }
    let answers = folder.answers(&handshake("2025-11-25"));
    assert_eq!(code(&answers[0]), INVALID_REQUEST);
}

#[test]
fn before_initialize_only_a_ping_is_answered() {
    let folder = Folder::new(&[]);
    let messages = [
        request(1, "ping", json!({})),
        request(2, "tools/list", json!({})),
        request(3, "tools/call", json!({ "name": "explain", "arguments": {} })),
    ];
    let answers = answers_to(&folders(&folder), lines(&messages));
    assert_eq!(answers[0], json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    assert_eq!([code(&answers[1]), code(&answers[2])], [INVALID_REQUEST; 2]);
}

#[test]
fn tools_are_listed_on_one_page() {
    let folder = Folder::new(&[]);
    let answers = folder.answers(&[
        request(1, "tools/list", json!({})),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        request(3, "tools/list", json!({ "cursor": "next" })),
    ]);
    let tools = answers[0]["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["check", "predict", "diff", "plan", "explain", "describe_field"]);
    assert_eq!(answers[0]["result"].as_object().unwrap().len(), 1);
    assert_eq!(answers[0]["result"], answers[1]["result"]);
    assert_eq!(code(&answers[2]), INVALID_PARAMS);
}

#[test]
fn a_request_that_names_its_version_needs_no_handshake() {
    let folder = Folder::new(&[]);
    let meta = stateless("2026-07-28");
    let arguments = json!({ "rule": "unknown-field" });
    let messages = [
        request(1, "server/discover", json!({ "_meta": meta })),
        request(2, "tools/list", json!({ "_meta": meta })),
        request(
            3,
            "tools/call",
            json!({ "_meta": meta, "name": "explain", "arguments": arguments }),
        ),
        request(4, "tools/list", json!({ "_meta": stateless("2030-01-01") })),
        request(
            5,
            "tools/list",
            json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
        ),
        request(6, "tools/list", json!({ "_meta": stateless("2026-07-28"), "cursor": null })),
        request(7, "resources/list", json!({ "_meta": meta })),
    ];
    let answers = answers_to(&folders(&folder), lines(&messages));
    for answer in &answers[..3] {
        assert_eq!(answer["result"]["resultType"], "complete");
        let server = &answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(server["name"], "voxlint");
    }
    let versions = answers[0]["result"]["supportedVersions"].as_array().unwrap();
    assert_eq!(versions[0], "2026-07-28");
    assert_eq!(versions.len(), 2);
    for answer in &answers[..2] {
        assert!(answer["result"]["ttlMs"].is_u64());
        assert_eq!(answer["result"]["cacheScope"], "private");
    }
    assert!(text(&answers[2]["result"]).starts_with("# unknown-field"));
    assert_eq!(code(&answers[3]), UNSUPPORTED_VERSION);
    assert_eq!(answers[3]["error"]["data"]["requested"], "2030-01-01");
    assert!(answers[3]["error"]["data"]["supported"].is_array());
    assert_eq!(code(&answers[4]), INVALID_PARAMS);
    assert!(answers[5]["result"]["tools"].is_array());
    assert_eq!(code(&answers[6]), METHOD_NOT_FOUND);
}

#[test]
fn what_is_not_a_message_is_an_error_and_the_next_one_is_answered() {
    let folder = Folder::new(&[]);
    let last = request("last", "tools/list", json!({})).to_string();
    for (line, expected, id) in [
        ("{", PARSE_ERROR, json!(null)),
        ("nonsense", PARSE_ERROR, json!(null)),
        ("{} {}", PARSE_ERROR, json!(null)),
        ("3", INVALID_REQUEST, json!(null)),
        ("\"text\"", INVALID_REQUEST, json!(null)),
        ("{}", INVALID_REQUEST, json!(null)),
        (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, INVALID_REQUEST, json!(7)),
        (r#"{"id":7,"method":"ping"}"#, INVALID_REQUEST, json!(7)),
        (r#"{"jsonrpc":"2.0","id":7}"#, INVALID_REQUEST, json!(7)),
        (r#"{"jsonrpc":"2.0","id":7,"method":3}"#, INVALID_REQUEST, json!(7)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, INVALID_REQUEST, json!(null)),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, INVALID_REQUEST, json!(null)),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, INVALID_REQUEST, json!(null)),
        (r#"{"jsonrpc":"2.0","id":"a","method":"nope"}"#, METHOD_NOT_FOUND, json!("a")),
        (r#"{"jsonrpc":"2.0","id":"a","method":"tools/call"}"#, INVALID_PARAMS, json!("a")),
        (
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/list","params":[]}"#,
            INVALID_PARAMS,
            json!("a"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":3}}"#,
            INVALID_PARAMS,
            json!("a"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"chekc"}}"#,
            INVALID_PARAMS,
            json!("a"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"check","arguments":[]}}"#,
            INVALID_PARAMS,
            json!("a"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":"a","method":"logging/setLevel","params":{"level":"info"}}"#,
            METHOD_NOT_FOUND,
            json!("a"),
        ),
    ] {
        let input = format!("{}{line}\n{last}", lines(&handshake("2025-11-25")));
        let answers = answers_to(&folders(&folder), input);
        assert_eq!(answers.len(), 3, "{line}: {answers:?}");
        assert_eq!((code(&answers[1]), &answers[1]["id"]), (expected, &id), "{line}");
        assert_eq!(answers[2]["id"], "last");
    }
    let call = request(1, "tools/call", json!({ "name": "chekc" }));
    let message = folder.answers(&[call])[0]["error"]["message"].clone();
    assert_eq!(message, "there is no tool `chekc`: did you mean `check`?");
}

#[test]
fn notifications_and_responses_are_not_answered() {
    let folder = Folder::new(&[]);
    let answers = folder.answers(&[
        json!({ "jsonrpc": "2.0", "method": "notifications/unknown" }),
        json!({ "jsonrpc": "2.0", "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 5, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 5, "error": { "code": 1, "message": "x" } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 5 } }),
    ]);
    assert!(answers.is_empty(), "{answers:?}");
}

#[test]
fn a_line_is_one_message() {
    let folder = Folder::new(&[]);
    for line in [json!([request(1, "ping", json!({}))]), json!([]), json!(3)] {
        let answers = folder.answers(&[line.clone(), request(9, "tools/list", json!({}))]);
        assert_eq!(code(&answers[0]), INVALID_REQUEST, "{line}");
        assert_eq!(answers[1]["id"], 9, "{line}");
    }
}

#[test]
fn folders_that_cannot_be_read_are_named() {
    let folder = Folder::new(&[("a.json", "{}")]);
    for (name, why) in [("nowhere", "no such file or directory"), ("a.json", "not a directory")] {
        let failure = voxlint_mcp::Server::new(&[folder.root().join(name)]).unwrap_err();
        assert_eq!(failure.message, why);
    }
    assert!(voxlint_mcp::Server::new(&[]).is_err());
}
