//! The pages of the documentation: their examples have the stated verdicts, and the generated files are current.

use std::fs;
use std::path::Path;

use crate::generated;
use crate::statements as coverage;
use crate::support::{check_with_variables, faults_of, variables};
use voxlint::syntax::Format;
use voxlint::{Document, Family, Inputs, VerdictKind, check, rules};
use voxlint_testing::{examples, examples_in, repository};

#[test]
fn page_examples_have_their_verdict() {
    // The examples of suppressions are configurations. `examples_of_suppression_rules_have_their_verdict` checks them.
    // Those of rules across documents are plans. `examples_of_rules_across_documents_have_their_verdict` checks them.
    let families = [Family::Suppression, Family::Fleet];
    for rule in rules::all().filter(|rule| !families.contains(&rule.family())) {
        let page = rule.page();
        let mut verdicts = Vec::new();
        let (mut stored, mut facts, mut listed) = ("", "", None);
        for (verdict, example) in examples(&page) {
            // The stored configuration and the facts come before their document.
            match verdict {
                "stored" => {
                    stored = example;
                    continue;
                }
                "facts" => {
                    facts = example;
                    continue;
                }
                "variables" => {
                    listed = Some(variables(example));
                    continue;
                }
                _ => {}
            }
            assert!(faults_of(stored, facts).is_empty(), "{}: {stored} {facts}", rule.id);
            let report = check_with_variables(
                example,
                std::mem::take(&mut stored),
                std::mem::take(&mut facts),
                listed.take().as_deref(),
            );
            let found: Vec<_> = report
                .diagnostics
                .iter()
                .filter(|found| found.rule.id == rule.id)
                .map(|found| found.verdict)
                .collect();
            let undecided = report.undecided.iter().any(|entry| entry.rule.id == rule.id);
            let as_told = match verdict {
                "reject" => found.contains(&VerdictKind::Reject),
                "possible" => found.contains(&VerdictKind::Possible),
                "advice" => found.contains(&VerdictKind::Advice),
                "undecided" => found.is_empty() && undecided,
                "holds" => found.is_empty() && !undecided,
                _ => panic!("{}: {verdict} is not a verdict", rule.id),
            };
            assert!(as_told, "{}: not {verdict}: {example}\n{:#?}", rule.id, report.diagnostics);
            verdicts.push(verdict);
        }
        assert!(verdicts.contains(&"holds"), "{}: the page has no valid example", rule.id);
    }
}

#[test]
fn page_examples_in_yaml_and_toml_have_their_verdict() {
    let mut checked = 0;
    for rule in rules::all().filter(|rule| rule.family() != Family::Suppression) {
        let page = rule.page();
        let of = |format: Format| {
            examples_in(&page, format.name()).into_iter().map(move |it| (format, it))
        };
        for (format, (verdict, example)) in of(Format::Yaml).chain(of(Format::Toml)) {
            let document = Document::parse_as(example, format);
            let report = check(&Inputs::new(document).optional_rules(true));
            let found = report.diagnostics.iter().filter(|found| found.rule.id == rule.id);
            let verdicts: Vec<&str> = found.map(|found| found.verdict.name()).collect();
            let is_as_told = match verdict {
                "holds" => verdicts.is_empty(),
                verdict => verdicts.contains(&verdict),
            };
            assert!(is_as_told, "{}: not {verdict}: {example}\n{verdicts:?}", rule.id);
            checked += 1;
        }
    }
    assert!(checked > 0);
}

#[test]
fn summaries_are_sentences() {
    for rule in rules::all() {
        let summary = rule.summary();
        assert!(
            summary.starts_with(char::is_uppercase) && summary.ends_with('.'),
            "{}: {summary}",
            rule.id
        );
    }
}

/// The table of contents of the book, with a line for each rule below the list of rules.
fn with_rules(contents: &str) -> String {
    let lines = contents.lines().filter(|line| !line.contains("](rules/"));
    lines.fold(String::new(), |mut text, line| {
        text.extend([line, "\n"]);
        if line.ends_with("](rules.md)") {
            text.extend(rules::all().map(|it| format!("  - [{0}](rules/{0}.md)\n", it.id)));
        }
        text
    })
}

#[test]
fn generated_pages_are_current() {
    let docs = repository().join("docs");
    let mut stale = Vec::new();
    let mut ensure = |file: &Path, text: String| {
        if fs::read_to_string(file).is_ok_and(|current| current == text) {
            return;
        }
        if std::env::var_os("UPDATE_PAGES").is_some() {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        } else {
            stale.push(file.strip_prefix(repository()).unwrap().display().to_string());
        }
    };
    ensure(&docs.join("fields.md"), generated::fields_file());
    ensure(&docs.join("rules.md"), generated::rules_file());
    ensure(&docs.join("readings.md"), generated::readings_file());
    ensure(&docs.join("coverage.md"), coverage::page());
    let contents = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    ensure(&docs.join("SUMMARY.md"), with_rules(&contents));
    for rule in rules::all() {
        ensure(&docs.join("rules").join(format!("{}.md", rule.id)), generated::rule_file(rule));
    }
    assert!(
        stale.is_empty(),
        "stale: {stale:#?}\nrun `UPDATE_PAGES=1 cargo test -p voxlint --test it` and read what changed"
    );
}
