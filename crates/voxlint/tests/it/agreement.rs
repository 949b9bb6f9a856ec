//! Every document says in every format what it says in JSON: the same rules, at the same pointers, with the same verdicts,
//! over the same characters.

use std::fs;

use crate::support::format_of;
use voxlint::syntax::{Format, Member, Node, parse};
use voxlint::{Diagnostic, Document, Facts, Inputs, Stored, check};
use voxlint_testing::generated_inputs::{GeneratedInputs, Random};
use voxlint_testing::writers::{WRITERS, Writer};
use voxlint_testing::{case_files, cases};

/// The findings with their underlined text, in an order that does not depend on the format.
fn findings(texts: [&str; 3], formats: [Format; 3]) -> Vec<(String, String)> {
    let document = |at: usize| Document::parse_as(texts[at], formats[at]);
    let stored = (!texts[1].is_empty()).then(|| Stored::new(document(1)));
    let facts = (!texts[2].is_empty()).then(|| Facts::new(document(2)));
    let report = check(&Inputs::new(document(0)).stored(stored).facts(facts));
    let mut found: Vec<_> = report
        .diagnostics
        .iter()
        // Below a TOML header, the rule reports more names.
        .filter(|found| found.rule.id != "setting-in-variables")
        .map(|found| {
            let text = texts[match found.origin {
                voxlint::Origin::Stored => 1,
                voxlint::Origin::Facts => 2,
                _ => 0,
            }];
            let span = found.span.start as usize..found.span.end as usize;
            // In JSON, the message is about a JSON object.
            let message = if found.rule.id == "not-an-object" { "" } else { &found.message };
            let Diagnostic { rule, verdict, field, .. } = found;
            let said = format!("{} {verdict:?} {field} {message}", rule.id);
            (said, plain(&text[span]))
        })
        .collect();
    found.extend(
        report.undecided.iter().map(|it| (format!("{} {}", it.rule.id, it.why()), String::new())),
    );
    found.sort();
    found
}

/// The underlined text without quotes. A finding about a missing value underlines a bracket, a name or nothing, depending on
/// the format.
fn plain(characters: &str) -> String {
    let inner = characters.trim_matches(['"', '\'']);
    if ["{", "["].contains(&inner) {
        return String::new();
    }
    // A block scalar has a header before its lines, which are indented, and line breaks where JSON has escapes.
    let inner = inner.strip_prefix("|-\n").unwrap_or(inner);
    let decoded = serde_json::from_str(&format!("\"{}\"", inner.replace('\n', "\\n")));
    let inner: String = decoded.unwrap_or_else(|_| inner.to_owned());
    inner.lines().map(str::trim_start).collect::<Vec<_>>().join("\n")
}

fn same(json: [&str; 3], name: &str, (format, writer): (Format, Writer), case: &str) -> bool {
    let written: Option<Vec<String>> = json
        .iter()
        .map(|text| {
            if text.is_empty() {
                return Some(String::new());
            }
            let parsed = parse(*text, Format::Json);
            parsed.documents[0].root().and_then(writer)
        })
        .collect();
    let Some(written) = written else { return false };
    let here = findings(json, [Format::Json; 3]);
    let there = findings([&written[0], &written[1], &written[2]], [format; 3]);
    assert_eq!(here.len(), there.len(), "{case} as {name}:\n{}\n{here:#?}\n{there:#?}", written[0]);
    for (here, there) in here.iter().zip(&there) {
        assert_eq!(here.0, there.0, "{case} as {name}:\n{}", written[0]);
        assert!(
            here.1.is_empty() || here.1 == there.1,
            "{case} as {name}: {} is under {:?}, and in JSON under {:?}\n{}",
            here.0,
            there.1,
            here.1,
            written[0]
        );
    }
    true
}

#[test]
fn every_case_has_the_same_findings_in_every_format() {
    for (name, format, writer) in WRITERS {
        let mut compared = 0;
        for case in case_files() {
            let Ok(text) = fs::read_to_string(&case.path) else { continue };
            // Readers set limits of their own, of which one rule speaks.
            if format_of(&case.path) != Format::Json || case.rule == "nested-too-deep" {
                continue;
            }
            // What JSON alone can get wrong, no other format says.
            let parsed = parse(&*text, Format::Json);
            if !parsed.errors.is_empty() || has_repeated_names(parsed.documents[0].root()) {
                continue;
            }
            let read =
                |it: &str| fs::read_to_string(case.path.with_extension(it)).unwrap_or_default();
            let (stored, facts) = (read("stored.json"), read("facts.json"));
            let label = case.path.display().to_string();
            compared += u32::from(same([&text, &stored, &facts], name, (format, writer), &label));
        }
        assert!(compared > 10, "{name}: {compared}");
    }
}

#[test]
fn generated_documents_have_the_same_findings_in_every_format() {
    for (name, format, writer) in WRITERS {
        let mut compared = 0;
        for seed in 0..cases(100, 2_000) {
            let [document, stored, facts] = GeneratedInputs::any(&mut Random::new(seed)).texts();
            compared +=
                u32::from(same([&document, &stored, &facts], name, (format, writer), "generated"));
        }
        assert!(compared > 10, "{name}: {compared}");
    }
}

fn has_repeated_names(root: Option<Node<'_>>) -> bool {
    let mut open: Vec<Node<'_>> = root.into_iter().collect();
    while let Some(node) = open.pop() {
        let mut names: Vec<_> = node.members().map(Member::name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        if names.len() < count {
            return true;
        }
        open.extend(node.elements().chain(node.members().map(|member| member.value)));
    }
    false
}
