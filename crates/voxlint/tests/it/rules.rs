//! Every case under `fixtures/rules/<rule>/` is checked. A `bad-` case has a finding of the rule, an `unknown-` case leaves the
//! rule undecided, and an `ok-` case does neither. Then the output is compared with `snapshots/rules/`; that of an `ok-` case is
//! empty.

use std::fs;
use std::path::PathBuf;

use crate::support::{format_of, variables, without_other_rules};
use voxlint::schema::{Row, settings};
use voxlint::syntax::Format as TextFormat;
use voxlint::{
    Document, DocumentKind, Facts, Inputs, Origin, Report, Rule, Source, Stored, TextFile,
    VerdictKind, Wildcard, check, rules,
};
use voxlint_report::{
    CheckedDocument, OutputFormat, RelatedFile, RenderOptions, RunInfo, RunOutcome, RunSummary,
    render, write_findings,
};
use voxlint_testing::{assert_snapshot, case_files};

#[test]
fn every_case_has_the_verdict_in_its_name() {
    let mut checked = 0;
    for case in case_files() {
        let rule = rules::find(&case.rule)
            .unwrap_or_else(|| panic!("fixtures/rules/{} is not named after a rule", case.rule));
        let bytes = fs::read(&case.path).unwrap();
        let stored = fs::read(case.path.with_extension("stored.json")).ok();
        let facts = fs::read(case.path.with_extension("facts.json")).ok();
        let listed = fs::read_to_string(case.path.with_extension("variables.json")).ok();
        let listed = listed.as_deref().map(variables);
        let source = Source::from_bytes(&bytes);
        let stored = stored.as_deref().map(Source::from_bytes);
        let facts = facts.as_deref().map(Source::from_bytes);
        // A text file has the name of its field in its own name: `bad-example.prompt_text.hbs`.
        let texts: Vec<_> = settings::TABLE
            .rows
            .iter()
            .filter_map(|row| {
                let path = case.path.with_extension(format!("{}.hbs", row.name));
                Some((*row, path.clone(), fs::read(path).ok()?))
            })
            .collect();
        let texts: Vec<_> = texts
            .iter()
            .map(|(row, path, bytes)| (*row, path, Source::from_bytes(bytes)))
            .collect();
        let related = (stored.as_ref(), facts.as_ref(), listed.as_deref());
        let report = check_case(rule, &source, format_of(&case.path), related, &texts);
        let name = format!("{}/{}", case.rule, case.name);

        assert_verdict(&name, rule, &report);
        assert_only_findings_of(&name, rule, &report);
        let report = without_other_rules(report, rule);
        let (stored_path, facts_path) =
            (format!("{name}.stored.json"), format!("{name}.facts.json"));
        let of_stored = stored
            .as_ref()
            .map(|it| (Origin::Stored, RelatedFile { path: &stored_path, text: it.text() }));
        let of_facts = facts
            .as_ref()
            .map(|it| (Origin::Facts, RelatedFile { path: &facts_path, text: it.text() }));
        let names: Vec<_> =
            texts.iter().map(|(row, ..)| format!("{name}.{}.hbs", row.name)).collect();
        let of_texts = texts.iter().zip(&names).zip(0..).map(|(((.., text), path), at)| {
            (Origin::Text(at), RelatedFile { path, text: text.text() })
        });
        let related: Vec<_> = of_stored.into_iter().chain(of_facts).chain(of_texts).collect();
        let extension = case.path.extension().unwrap_or_default().to_string_lossy();
        let path = format!("{name}.{extension}");
        let shown =
            show(&CheckedDocument::new(&path, source.text(), &report).related_files(&related));
        if case.name.starts_with("ok-") {
            assert_eq!(shown, "", "{name}");
        } else {
            assert_snapshot(&format!("rules/{}", case.rule), &case.name, &shown);
        }
        checked += 1;
    }
    assert!(checked > 0);
}

/// Stored settings alone are complete. Beside an agent, the stored configuration itself says whether they are.
fn check_case(
    rule: &Rule,
    source: &Source,
    format: TextFormat,
    (stored, facts, variables): (Option<&Source>, Option<&Source>, Option<&[Wildcard]>),
    texts: &[(&'static Row, &PathBuf, Source)],
) -> Report {
    let parse = |source: &Source| Document::parse(source.clone());
    let stored = stored.map(parse).map(Stored::new).map(|stored| match stored.kind() {
        Some(DocumentKind::Settings) => stored.complete(),
        _ => stored,
    });
    let document = Document::parse_as(source.clone(), format);
    let mut inputs = Inputs::new(document).stored(stored).facts(facts.map(parse).map(Facts::new));
    // A case shows one mistake, so rules that are off by default run only for their own cases.
    inputs = inputs.optional_rules(!rule.is_recommended);
    if let Some(variables) = variables {
        inputs = inputs.variables(variables);
    }
    let text = |text: &Source| Document::parse_as(text.clone(), TextFormat::Text);
    let files: Vec<_> = texts.iter().map(|(row, _, it)| TextFile::new(row, text(it))).collect();
    check(&inputs.texts(files))
}

fn assert_verdict(name: &str, rule: &Rule, report: &Report) {
    let found = report.diagnostics.iter().any(|found| found.rule.id == rule.id);
    let undecided = report.undecided.iter().any(|entry| entry.rule.id == rule.id);
    // Advice may leave open whether the service also rejects the value.
    let is_advice = report
        .diagnostics
        .iter()
        .filter(|found| found.rule.id == rule.id)
        .all(|found| found.verdict == VerdictKind::Advice);
    let case = name.split(['/', '-']).nth(rule.id.split('-').count()).unwrap_or_default();
    let as_named = match case {
        "bad" => found && (!undecided || is_advice),
        "ok" => !found && !undecided,
        "unknown" => !found && undecided,
        _ => panic!("{name}: a case begins with bad-, ok- or unknown-"),
    };
    assert!(
        rule.is_recommended || is_advice,
        "{name}: a rule that is off by default only gives advice"
    );
    assert!(as_named, "{name}: found {found}, undecided {undecided}: {:#?}", report.diagnostics);
}

/// A case shows one mistake only. A case that leaves its rule undecided may have possible findings of other rules: an empty id
/// is such a case.
fn assert_only_findings_of(name: &str, rule: &Rule, report: &Report) {
    let is_undecided_case = name.contains("/unknown-");
    let others: Vec<_> = report
        .diagnostics
        .iter()
        .filter(|found| found.rule.id != rule.id)
        .filter(|found| !is_undecided_case || found.verdict != VerdictKind::Possible)
        .collect();
    assert!(others.is_empty(), "{name} also breaks {others:#?}");
}

fn show(checked: &CheckedDocument<'_>) -> String {
    let style = RenderOptions { undecided: true, ..RenderOptions::default() };
    let mut summary = RunSummary::default();
    summary.add(checked.report);
    let rendered = render(OutputFormat::Full, &RunInfo::default(), &style, checked);
    let mut out = Vec::new();
    write_findings(
        &mut out,
        OutputFormat::Full,
        &RunInfo::default(),
        [rendered],
        &RunOutcome { summary, ..RunOutcome::default() },
    )
    .unwrap();
    String::from_utf8(out).unwrap()
}
