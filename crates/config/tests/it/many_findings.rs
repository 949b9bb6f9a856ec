//! Documents with more findings of one rule than a report lists.

use voxlint::syntax::Format;
use voxlint::{Diagnostic, Document, Inputs, Report, Severity, Trace};
use voxlint_config::{Baseline, CheckSettings, DocumentScope, FileBaseline, check_document};
use voxlint_report::RunSummary;

use crate::support::{TODAY, day, sound};

/// How many findings of one rule a report lists.
const LISTED: usize = 10_000;

/// How many items without fields a document has here, and how many fields each of them lacks.
const ITEMS: usize = 2_600;
const FIELDS: usize = 4;

fn document(before: &str, items: usize, after: &str) -> String {
    format!("{before}version_number: 3\nagent_functions:\n{}{after}", "- {}\n".repeat(items))
}

fn filtered(configuration: &str, text: &str, baseline: Option<&mut FileBaseline<'_>>) -> Report {
    let configuration = sound(configuration);
    let settings = CheckSettings::new(configuration.for_file("en.yaml"), day(TODAY));
    let inputs = Inputs::new(Document::parse_as(text, Format::Yaml));
    check_document(
        inputs,
        &settings,
        DocumentScope { baseline, ..DocumentScope::default() },
        &mut Trace::off(),
    )
    .report
}

/// The finding that stands for the others.
fn others(report: &Report) -> Option<&Diagnostic> {
    let mut others = report.diagnostics.iter().filter(|found| found.count > 1);
    let first = others.next();
    assert!(others.next().is_none());
    first
}

#[test]
fn findings_that_are_not_listed_are_counted() {
    let report = filtered("", &document("", ITEMS, ""), None);
    let others = others(&report).unwrap();
    let message = "400 more findings of `missing-field` are not listed: a report lists at most 10000 of one rule";
    assert_eq!(others.message, message);
    assert_eq!((others.count, others.severity), (400, Severity::Warning));
    assert_eq!(report.diagnostics.len(), LISTED + 1);
    let mut summary = RunSummary::default();
    summary.add(&report);
    assert_eq!(summary.warnings as usize, ITEMS * FIELDS);
}

#[test]
fn a_finding_that_is_not_listed_fails_a_run_as_if_it_were() {
    // Some of the errors are not listed, nor are the warnings after them. Another rule has an error.
    let errors = format!("post_call_analysis:\n{}", "- {}\n".repeat(LISTED / 3 + 1));
    let report = filtered("", &document(&errors, 1, "kb_max_chunks: 99\n"), None);
    assert_eq!(others(&report).unwrap().severity, Severity::Error);
    assert!(report.diagnostics.iter().any(|found| found.rule.id == "out-of-range"));
}

#[test]
fn what_suppresses_the_listed_findings_does_not_suppress_the_others() {
    let suppression = "[[suppressions]]\nfiles = '**'\nrules = 'missing-field'\nreason = 'x'\n";
    let some = format!("{suppression}pointer = '/agent_functions/**'\n");
    let comment = "# voxlint-ignore missing-field: x\n";
    let file_comment = "# voxlint-ignore-file missing-field: x\n";
    for (configuration, before, is_shown) in [
        (&*some, "", true),
        (suppression, "", false),
        ("", comment, true),
        ("", file_comment, false),
        ("rules.missing-field = 'off'", "", false),
    ] {
        let report = filtered(configuration, &document(before, ITEMS, ""), None);
        assert_eq!(others(&report).is_some(), is_shown, "{configuration}{before}");
    }
}

#[test]
fn a_baseline_does_not_hide_one_more() {
    let empty = Baseline::default();
    let mut file = empty.for_file("en.yaml");
    filtered("", &document("", ITEMS, ""), Some(&mut file));
    let baseline: Baseline = file.into_entries().into_iter().collect();
    let left = |items| {
        let mut file = baseline.for_file("en.yaml");
        filtered("", &document("", items, ""), Some(&mut file)).diagnostics.len()
    };
    assert_eq!(left(ITEMS), 0);
    assert_eq!(left(ITEMS + 1), 1);
}
