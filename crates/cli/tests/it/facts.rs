//! Workspace facts as people write them: the skeleton to begin with, and the answer whether a file can be used.

use crate::process::{run, stdout};
use voxlint::docs::example_file;
use voxlint::schema::{DocumentKind, Items, Shape, Table};
use voxlint::syntax::{Format, Kind, Node, parse};
use voxlint::{Document, Facts, Faults as _, Inputs, check};
use voxlint_testing::repository;

/// The skeleton with one comment marker removed from each line.
fn uncommented(skeleton: &str) -> String {
    let bare = |line: &str| line.strip_prefix("# ").unwrap_or(line).to_owned() + "\n";
    skeleton.lines().map(bare).collect()
}

#[test]
fn an_unedited_example_file_has_no_facts() {
    let facts = Facts::new(Document::parse_as(example_file::facts_in_yaml(), Format::Yaml));
    assert!(facts.faults().diagnostics.is_empty());
    for row in DocumentKind::Facts.table().rows {
        assert!(!facts.contains(row), "{}", row.name);
    }

    let update = Document::parse(r#"{ "version_number": 3, "voice_id": "vo_anna" }"#);
    let inputs = Inputs::new(update);
    let without = check(&inputs);
    let with = check(&inputs.facts(facts));
    assert_eq!(with.diagnostics.len(), without.diagnostics.len());
    let undecided = |report: &voxlint::Report| {
        report.undecided.iter().map(|it| it.rule.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(undecided(&with), undecided(&without));
}

#[test]
fn the_uncommented_example_file_has_every_fact() {
    let text = uncommented(&example_file::facts_in_yaml());
    let document = Document::parse_as(text.as_str(), Format::Yaml);
    let faults = Facts::new(document).faults().diagnostics;
    assert!(faults.is_empty(), "{faults:#?}\n{text}");

    let parsed = parse(text, Format::Yaml);
    assert!(parsed.errors.is_empty());
    assert_says_all(parsed.documents[0].root().unwrap(), DocumentKind::Facts.table());
}

/// Asserts that each row of the table has a value, and each row of the tables below.
fn assert_says_all(object: Node<'_>, table: &Table) {
    assert_eq!(object.members().count(), table.rows.len(), "{}", table.noun_phrase);
    for row in table.rows {
        let value = object.get(row.name).unwrap_or_else(|| panic!("{}", row.name));
        match row.shape {
            Shape::Map(Some(table)) => assert_says_all(value, table),
            Shape::Entries(table) => {
                assert_says_all(value.members().next().unwrap().value, table);
            }
            Shape::List(Items::Maps(table)) => {
                assert_says_all(value.elements().next().unwrap(), table);
            }
            Shape::List(Items::Texts(_)) => assert_eq!(value.elements().count(), 2),
            Shape::Text(_) => assert_eq!(value.kind(), Kind::String),
            _ => {}
        }
    }
}

#[test]
fn the_command_prints_the_example_file() {
    let output = run(repository(), &["facts", "--template"]);
    let example = example_file::facts_in_yaml();
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), example.as_str()));
}
