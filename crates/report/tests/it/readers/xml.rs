//! The XML formats.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

use super::ReadFinding;

fn children<'a>(node: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children()
        .filter(Node::is_element)
        .inspect(move |child| assert_eq!(child.tag_name().name(), name))
}

fn attribute(node: Node<'_, '_>, name: &str) -> String {
    node.attribute(name).unwrap_or_else(|| panic!("no {name}: {node:?}")).to_owned()
}

pub(super) fn checkstyle(output: &str) -> Vec<ReadFinding> {
    let document = Document::parse(output).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "checkstyle");
    assert!(root.has_attribute("version"));
    children(root, "file")
        .flat_map(|file| children(file, "error").map(move |error| (file, error)))
        .map(|(file, error)| ReadFinding {
            path: attribute(file, "name"),
            line: attribute(error, "line").parse().unwrap(),
            column: Some(attribute(error, "column").parse().unwrap()),
            severity: attribute(error, "severity"),
            rule: attribute(error, "source").strip_prefix("voxlint.").unwrap().to_owned(),
            message: attribute(error, "message"),
        })
        .collect()
}

/// The tests for findings. Their position is in the body, because there is no attribute for it.
pub(super) fn junit(output: &str) -> Vec<ReadFinding> {
    let document = Document::parse(output).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let mut found = Vec::new();
    let mut names = BTreeSet::new();
    for suite in children(root, "testsuite") {
        let cases: Vec<_> = children(suite, "testcase").collect();
        let with = |what: &str| {
            let cases = cases.iter();
            cases.filter(|case| case.children().any(|it| it.has_tag_name(what))).count().to_string()
        };
        assert_eq!(attribute(suite, "tests"), cases.len().to_string());
        assert_eq!(attribute(suite, "failures"), with("failure"));
        assert_eq!(attribute(suite, "errors"), with("error"));
        assert_eq!(attribute(suite, "skipped"), with("skipped"));
        assert!(!cases.is_empty());
        let is_file = suite.attribute("file").is_some_and(|file| file == attribute(suite, "name"));
        assert!(is_file || attribute(suite, "name") == "voxlint");
        for case in cases {
            let name = attribute(case, "name");
            assert!(
                names.insert((attribute(case, "classname"), name)),
                "tests of one name are merged"
            );
            let outcome = case.children().find(Node::is_element);
            if let Some(outcome) =
                outcome.filter(|it| !it.has_tag_name("skipped") && !it.has_tag_name("error"))
            {
                found.push(finding(case, outcome));
            }
        }
    }
    found
}

fn finding(case: Node<'_, '_>, outcome: Node<'_, '_>) -> ReadFinding {
    let body = outcome.text().unwrap().to_owned();
    let class = attribute(case, "classname");
    // A finding in a related file is a test of the document.
    let path =
        if body.starts_with(&class) { class } else { body.split(':').next().unwrap().to_owned() };
    let rest = body.strip_prefix(&format!("{path}:")).unwrap_or_else(|| panic!("{path} {body}"));
    let (line, rest) = rest.split_once(':').unwrap();
    let (column, rest) = rest.split_once(": ").unwrap();
    let (severity, rest) = rest.split_once('[').unwrap();
    let (rule, message) = rest.split_once("] ").unwrap();
    // The status is that of the answer.
    let is_status = |it: &str| it.starts_with(['4', '5']) && it.trim_end_matches('?').len() == 3;
    let message = match message.split_once(": ") {
        Some((status, message)) if is_status(status.split(" or ").last().unwrap()) => message,
        _ => message,
    };
    ReadFinding {
        path,
        line: line.parse().unwrap(),
        column: Some(column.parse().unwrap()),
        severity: severity.to_owned(),
        rule: rule.to_owned(),
        message: message.to_owned(),
    }
}
