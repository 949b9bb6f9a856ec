//! The example documents.

use std::fmt::Write as _;
use std::fs;

use voxlint::syntax::LineIndex;
use voxlint::{Document, Inputs, check};
use voxlint_testing::{assert_snapshot, files_below, repository};

#[test]
fn only_the_planted_mistakes_are_found() {
    let mut list = String::new();
    for path in files_below("fixtures/agents", "json") {
        let text = fs::read_to_string(&path).unwrap();
        let document = Document::parse(text.as_str());
        let report = check(&Inputs::new(document));
        let shown =
            path.strip_prefix(repository().join("fixtures/agents")).unwrap().display().to_string();
        let lines = LineIndex::new(&text);
        if report.diagnostics.is_empty() {
            let _ = writeln!(list, "{shown}: clean");
        }
        for found in report.diagnostics {
            let at = lines.position(&text, found.span.start);
            let verdict = found.verdict.name();
            let _ = writeln!(
                list,
                "{shown}:{}:{}: {verdict} {} {}",
                at.line, at.column, found.rule.id, found.field
            );
        }
    }
    assert_snapshot("", "examples", &list);
}

#[test]
fn the_examples_are_as_long_as_real_prompts() {
    let files = files_below("fixtures/agents", "json");
    assert!(files.len() >= 8);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let document = Document::parse(text.as_str());
        assert!(document.recognise().is_some(), "{} is not recognised", path.display());
        assert!(text.len() > 4096, "{}", path.display());
    }
}
