//! The beginning and the end of a connection, and what the two sides agree on.

use serde_json::{Value, json};
use voxlint_server::Ended;

use crate::client::{Client, usual, with};

#[test]
fn a_connection_ends_as_the_client_says() {
    assert_eq!(Client::start().end(), Ended::Regularly);
    assert_eq!(Client::start().exit(), Ended::Early);
    assert_eq!(Client::start().leave(), Ended::Early);
    assert_eq!(Client::connected().exit(), Ended::Early);
    assert_eq!(Client::connected().leave(), Ended::Early);
}

#[test]
fn requests_come_after_initialize_and_before_shutdown() {
    let mut client = Client::connected();
    let (code, _) = client.request("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(code, -32002);
    client.initialize(usual(), json!({}));
    assert_eq!(client.request("initialize", json!({ "capabilities": {} })).unwrap_err().0, -32602);
    assert_eq!(client.request("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(client.request("textDocument/hover", json!({})).unwrap_err().0, -32600);
    assert_eq!(client.exit(), Ended::Regularly);
}

#[test]
fn columns_are_counted_as_agreed() {
    let text = "{ \"version_number\": 3, \"title\": \"🏙\", \"kb_max_chunks\": 12 }";
    for (offered, agreed, column) in [
        (json!(["utf-16"]), "utf-16", text.encode_utf16().count() - 4),
        (json!(["utf-16", "utf-8"]), "utf-8", text.len() - 4),
        (json!(["utf-32"]), "utf-32", text.chars().count() - 4),
        (json!(null), "utf-16", text.encode_utf16().count() - 4),
    ] {
        let more = json!({ "general": { "positionEncodings": offered } });
        let mut client = Client::with(with(usual(), more), json!({}));
        assert_eq!(client.server_info["capabilities"]["positionEncoding"], agreed);
        let uri = client.open("en.json", text);
        let found = client.found(&uri);
        assert_eq!(
            found[0]["range"]["start"],
            json!({ "line": 0, "character": column }),
            "{agreed}"
        );
    }
}

#[test]
fn changes_of_files_are_watched_if_the_client_can() {
    let mut client = Client::start();
    client.settle();
    let registered = |client: &Client| {
        client.received.iter().any(|(method, _)| method == "client/registerCapability")
    };
    assert!(registered(&client));
    let mut client = Client::with(json!({}), json!({}));
    client.settle();
    assert!(!registered(&client));
}

/// A client that can do nothing still gets findings, in the oldest form.
#[test]
fn a_client_without_capabilities_gets_findings() {
    for capabilities in [json!({}), json!(null), json!([1])] {
        let mut client = Client::with(capabilities, json!(null));
        let uri = client.open("en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
        let found = client.found(&uri);
        assert_eq!(found[0]["code"], "out-of-range");
        assert!(found[0].get("tags").is_none() && found[0].get("codeDescription").is_none());
    }
}

#[test]
fn a_request_that_is_cancelled_is_answered_once() {
    let mut client = Client::start();
    let uri = client.open("en.json", r#"{ "version_number": 3 }"#);
    for _ in 0..50 {
        let position = json!({ "line": 0, "character": 0 });
        let id = client.ask(
            "textDocument/hover",
            json!({ "textDocument": { "uri": uri }, "position": position }),
        );
        let number: i32 = id.to_string().parse().unwrap();
        client.notify("$/cancelRequest", json!({ "id": number }));
        // It may have been answered before.
        if let Err((code, _)) = client.answer(&id) {
            assert_eq!(code, -32800);
        }
    }
    // An answer to nothing would fail here.
    client.notify("$/cancelRequest", json!({ "id": 7 }));
    client.notify("$/cancelRequest", json!({ "id": "seven" }));
    client.settle();
}

#[test]
fn an_outdated_request_says_so_or_is_answered_for_its_text() {
    let mut client = Client::start();
    let uri = client.open("en.json", r#"{ "version_number": 3 }"#);
    client.settle();
    for version in 2..60 {
        let id =
            client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
        client.replace(&uri, version, &format!("{{ \"version_number\": {version} }}"));
        match client.answer(&id) {
            Ok(symbols) => assert!(symbols.is_array(), "{symbols}"),
            Err((code, _)) => assert_eq!(code, -32801),
        }
    }
    assert!(client.found(&uri).is_empty());
}
