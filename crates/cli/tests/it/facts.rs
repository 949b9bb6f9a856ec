//! Workspace facts as people write them: the skeleton to begin with, and the answer whether a file can be used.

use crate::process::{run, stdout};
use voxlint::docs::example_file;
use voxlint::schema::{DocumentKind, Items, Shape, Table};
use voxlint::syntax::{Format, Kind, Node, parse};
use voxlint::{Document, Facts, Faults as _, Inputs, check};
use voxlint_testing::repository;

fn example_files() -> [(Format, String); 2] {
    [(Format::Yaml, example_file::facts_in_yaml()), (Format::Toml, example_file::facts_in_toml())]
}

/// The skeleton with one comment marker removed from each line.
fn uncommented(skeleton: &str) -> String {
    let bare = |line: &str| line.strip_prefix("# ").unwrap_or(line).to_owned() + "\n";
    skeleton.lines().map(bare).collect()
}

#[test]
fn an_unedited_example_file_has_no_facts() {
    for (format, skeleton) in example_files() {
        let document = Document::parse_as(skeleton.as_str(), format);
        let facts = Facts::new(document);
        assert!(facts.faults().diagnostics.is_empty(), "{format:?}");
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
}

#[test]
fn the_uncommented_example_file_has_every_fact() {
    for (format, skeleton) in example_files() {
        let text = uncommented(&skeleton);
        let document = Document::parse_as(text.as_str(), format);
        let faults = Facts::new(document).faults().diagnostics;
        assert!(faults.is_empty(), "{format:?}: {faults:#?}\n{text}");

        let parsed = parse(text, format);
        assert!(parsed.errors.is_empty());
        let root = parsed.documents[0].root().unwrap();
        assert_says_all(root, DocumentKind::Facts.table());
    }
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
fn the_command_prints_the_example_files() {
    let [(_, yaml), (_, toml)] = example_files();
    for (arguments, skeleton) in [
        (&["facts", "--template"][..], &yaml),
        (&["facts", "--template", "--format", "yaml"], &yaml),
        (&["facts", "--template", "--format", "toml"], &toml),
    ] {
        let output = run(repository(), arguments);
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), skeleton.as_str()));
    }
}
