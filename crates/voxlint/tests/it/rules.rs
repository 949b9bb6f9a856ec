//! Every case under `fixtures/rules/<rule>/` is checked. A `bad-` case has a finding of the rule, an `unknown-` case leaves the
//! rule undecided, and an `ok-` case does neither. Then the output is compared with `snapshots/rules/`; that of an `ok-` case is
//! empty.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use crate::support::{format_of, variables, without_other_rules};
use voxlint::docs::levels;
use voxlint::fixes::fix;
use voxlint::schema::{Row, settings};
use voxlint::syntax::Format as TextFormat;
use voxlint::{
    Document, DocumentKind, Facts, Inputs, Origin, Report, Rule, Safety, Severity, Source, Stored,
    TextFile, VerdictKind, Wildcard, check, rules,
};
use voxlint_report::{
    CheckedDocument, OutputFormat, RelatedFile, RenderOptions, RunInfo, RunOutcome, RunSummary,
    render, write_findings,
};
use voxlint_testing::{assert_snapshot, case_files, changed_lines};

#[test]
fn every_case_has_the_verdict_in_its_name() {
    let mut checked = 0;
    let mut levels: BTreeMap<&str, BTreeSet<Severity>> = BTreeMap::new();
    let mut names = BTreeSet::new();
    for case in case_files() {
        // Its snapshot has the same name, whatever the format.
        let is_new = names.insert((case.rule.clone(), case.name.clone()));
        assert!(is_new, "{}: two cases have this name", case.path.display());
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
        let inputs = case_inputs(rule, &source, format_of(&case.path), related, &texts);
        let report = check(&inputs);
        let name = format!("{}/{}", case.rule, case.name);

        assert_verdict(&name, rule, &report);
        let found = report.diagnostics.iter().filter(|found| found.rule.id == rule.id);
        levels.entry(&rule.id).or_default().extend(found.map(|found| found.severity));
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
            let fixed = after_fixes(&name, rule, &inputs);
            assert_snapshot(&format!("rules/{}", case.rule), &case.name, &(shown + &fixed));
        }
        checked += 1;
    }
    assert!(checked > 0);
    assert_levels(&levels);
}

/// The levels on the page of a rule are those of the findings in its cases. Its page may show another one: an unpublished number
/// that does not exist is also reported as having no effect, so no case can be about it alone.
fn assert_levels(found: &BTreeMap<&str, BTreeSet<Severity>>) {
    let wrong: Vec<_> = found
        .iter()
        .filter_map(|(id, found)| {
            let rule = rules::find(id)?;
            let found: Vec<Severity> = found.iter().rev().copied().collect();
            let levels = levels(rule);
            let is_only_on_page = *id == "phone-number-not-found";
            (levels != found && !is_only_on_page)
                .then(|| format!("{id}: page {levels:?}, cases {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "the page needs an example of each level: {wrong:#?}");
}

/// Stored settings alone are complete. Beside an agent, the stored configuration itself says whether they are.
fn case_inputs(
    rule: &Rule,
    source: &Source,
    format: TextFormat,
    (stored, facts, variables): (Option<&Source>, Option<&Source>, Option<&[Wildcard]>),
    texts: &[(&'static Row, &PathBuf, Source)],
) -> Inputs {
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
    inputs.texts(files)
}

/// The lines that the safe fixes change, and those that all fixes change, in the document and in its text files.
fn after_fixes(name: &str, rule: &Rule, inputs: &Inputs) -> String {
    let mut shown = String::new();
    let mut earlier = String::new();
    for (safety, which) in [(Safety::Safe, "safe fixes"), (Safety::Unsafe, "all fixes")] {
        let mut filter = |report, _: &Inputs| without_other_rules(report, rule);
        let fixed = fix(inputs, safety, &mut filter);
        let mut titles: Vec<&str> = Vec::new();
        for applied in &fixed.applied {
            let offered = rule.fix.map_or(&[][..], |fix| fix.safety);
            assert!(offered.contains(&applied.safety), "{name}: {applied:?} is not declared");
            if !titles.contains(&&*applied.title) {
                titles.push(&applied.title);
            }
        }
        let mut changes = changed_lines(inputs.document().text(), fixed.inputs.document().text());
        for (old, new) in inputs.text_files().iter().zip(fixed.inputs.text_files()) {
            changes.push_str(&changed_lines(old.document().text(), new.document().text()));
        }
        if !changes.is_empty() && changes != earlier {
            shown.extend(["\nafter ", which, ": ", &titles.join("; "), "\n", &changes]);
        }
        earlier = changes;
    }
    shown
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
        // The case of a rule that is off by default also runs the others that are.
        .filter(|found| found.rule.is_recommended)
        .filter(|found| !is_undecided_case || found.verdict != VerdictKind::Possible)
        .collect();
    assert!(others.is_empty(), "{name} also breaks {others:#?}");
}

fn show(checked: &CheckedDocument<'_>) -> String {
    let style = RenderOptions { undecided: true, ..RenderOptions::default() };
    let mut summary = RunSummary::default();
    summary.add(checked.report);
    let rendered = render(OutputFormat::Full, &style, checked);
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
