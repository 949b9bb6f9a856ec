//! The schemas of the tools are valid, and what the tools answer follows them.

use std::fmt::Write as _;

use serde_json::{Value, json};
use voxlint_testing::{assert_snapshot, repository};

use crate::client::{Folder, call, request};

fn tools() -> Vec<Value> {
    let folder = Folder::new(&[]);
    let answers = folder.answers(&[request(1, "tools/list", json!({}))]);
    answers[0]["result"]["tools"].as_array().unwrap().clone()
}

fn schema(tool: &str, name: &str) -> Value {
    tools().into_iter().find(|it| it["name"] == tool).unwrap()[name].clone()
}

#[test]
fn every_schema_is_valid_and_strict() {
    for tool in tools() {
        let input = &tool["inputSchema"];
        jsonschema::draft202012::meta::validate(input).unwrap();
        assert_eq!(input["type"], "object");
        assert_eq!(input["additionalProperties"], false);
        for (name, property) in input["properties"].as_object().unwrap() {
            assert!(property["description"].as_str().unwrap().len() > 20, "{name}");
        }
        if let Some(output) = tool.get("outputSchema") {
            jsonschema::draft202012::meta::validate(output).unwrap();
            assert_eq!(output["type"], "object");
        }
        let annotations = &tool["annotations"];
        assert_eq!(annotations["readOnlyHint"], true);
        assert_eq!(annotations["destructiveHint"], false);
        assert_eq!(annotations["openWorldHint"], false);
        assert!(tool["title"].is_string() && tool["description"].as_str().unwrap().len() > 100);
    }
}

#[test]
fn tools_are_described_for_assistants() {
    let mut page = String::new();
    for tool in tools() {
        let of = |name: &str| tool[name].as_str().unwrap().to_owned();
        let _ = write!(page, "# {}: {}\n\n{}\n\n", of("name"), of("title"), of("description"));
        let _ = write!(page, "{:#}\n\n", tool["inputSchema"]);
    }
    assert_snapshot("mcp", "tools", &page);
}

#[test]
fn a_schema_and_the_server_agree_on_arguments() {
    let folder = Folder::new(&[]);
    for (tool, arguments, is_valid) in [
        ("check", json!({ "text": "{ \"version_number\": 3 }" }), true),
        ("check", json!({ "text": 3 }), false),
        ("check", json!({ "text": "{ \"version_number\": 3 }", "format": "json" }), true),
        ("check", json!({ "text": "{}", "format": "xml" }), false),
        ("check", json!({ "text": "{}", "more": 1 }), false),
        ("check", json!({ "path": "" }), false),
        ("explain", json!({}), false),
        ("explain", json!({ "rule": "unknown-field" }), true),
        ("plan", json!({ "paths": [] }), false),
        ("plan", json!({ "paths": [""] }), false),
        ("describe_field", json!({ "field": "title", "kind": "update" }), true),
        ("describe_field", json!({ "field": "title", "kind": "nothing" }), false),
    ] {
        let by_schema = jsonschema::draft202012::is_valid(&schema(tool, "inputSchema"), &arguments);
        let by_server = folder.call(tool, arguments.clone())["isError"] == false;
        assert_eq!((by_schema, by_server), (is_valid, is_valid), "{tool} {arguments}");
    }
}

#[test]
fn answers_follow_their_schemas() {
    let fleet = repository().join("fixtures/fleet");
    let plan = call(&[fleet], "plan", json!({}));
    assert_eq!(plan["isError"], false);
    let validator = jsonschema::draft202012::new(&schema("plan", "outputSchema")).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&plan["structuredContent"])
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}
