//! `voxlint why` as its users meet it.

use std::path::Path;

use crate::process::{folder, run, stderr, stdout};

/// What is printed about a document, without its path.
fn why(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, &[&["why"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    let lines = stdout(&output).lines().filter_map(|line| line.strip_prefix("  "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn findings_that_are_counted_and_not_listed_are_counted_here_too() {
    let numbers = vec!["1"; 10_001].join(", ");
    let text = format!("version_number: 3\nknowledge_base_ids: [{numbers}]\n");
    let folder = folder("why-many", &[("many.yaml", &text)]);
    let said = why(&folder, &["wrong-type", "many.yaml"]);
    assert!(said.contains("counted, but not listed: 1 of the findings"), "{said}");
}
