//! The JSON Schema of each kind is complete, valid and printed. crates/laws compares schemas with checks.

use crate::process::{run, stderr, stdout};
use serde_json::Value;
use voxlint::docs::json_schema;
use voxlint::{Document, DocumentKind, Inputs, check};
use voxlint_testing::repository;

fn kinds_with_schemas() -> impl Iterator<Item = (DocumentKind, String)> {
    DocumentKind::ALL.into_iter().filter_map(|kind| Some((kind, json_schema(kind)?)))
}

#[test]
fn every_kind_but_a_template_has_a_schema() {
    let without = DocumentKind::ALL.into_iter().filter(|kind| json_schema(*kind).is_none());
    assert_eq!(without.collect::<Vec<_>>(), [DocumentKind::Template]);
}

#[test]
fn every_schema_follows_the_schema_of_schemas() {
    for (kind, text) in kinds_with_schemas() {
        let schema: Value = serde_json::from_str(&text).unwrap();
        let valid = jsonschema::draft202012::meta::validate(&schema);
        assert!(valid.is_ok(), "{}: {valid:?}", kind.name());
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["$id"], format!("urn:voxlint:schema:{}", kind.name()));
        // Two tables under one name would be one definition, and the last one at that.
        let report = check(&Inputs::new(Document::parse(text.as_str())).kind(kind));
        assert!(report.diagnostics.iter().all(|found| found.rule.id != "duplicate-key"));
        assert!(text.ends_with("}\n"));
    }
}

#[test]
fn every_row_is_in_the_schema_with_its_meaning() {
    for (kind, text) in kinds_with_schemas() {
        let schema: Value = serde_json::from_str(&text).unwrap();
        let described: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(described.len(), kind.table().rows.len(), "{}", kind.name());
        for row in kind.table().rows {
            let description = schema["properties"][row.name]["description"].as_str().unwrap();
            assert!(description.starts_with(&row.description()), "{}: {}", kind.name(), row.name);
            let markdown = schema["properties"][row.name]["markdownDescription"].as_str().unwrap();
            assert!(markdown.starts_with(&row.description()), "{}: {}", kind.name(), row.name);
            assert_eq!(schema["properties"][row.name]["title"], row.name);
        }
    }
}

#[test]
fn a_schema_that_is_kept_in_the_repository_is_left_alone() {
    for (kind, text) in kinds_with_schemas() {
        assert_eq!(Document::parse(text.as_str()).recognise(), None, "{}", kind.name());
    }
}

#[test]
fn the_command_prints_the_schema_of_a_kind() {
    for (kind, schema) in kinds_with_schemas() {
        let output = run(repository(), &["schema", kind.name()]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), schema.as_str()));
    }
}

#[test]
fn without_a_kind_the_schema_is_that_of_an_update() {
    let output = run(repository(), &["schema"]);
    assert_eq!(Some(stdout(&output)), json_schema(DocumentKind::Update).as_deref());
}

#[test]
fn the_schema_of_a_template_is_asked_for_in_vain() {
    let output = run(repository(), &["schema", "template"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    assert_eq!(stderr(&output), "voxlint: a template is not JSON, so it has no JSON Schema\n");
    let help = run(repository(), &["schema", "--help"]);
    assert!(
        stdout(&help).contains("configuration, adopt, plan, record, report]"),
        "{}",
        stdout(&help)
    );
    assert!(!stdout(&help).contains(", template"), "{}", stdout(&help));
}
