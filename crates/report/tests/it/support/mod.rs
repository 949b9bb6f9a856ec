//! Findings to render.

#![allow(dead_code, unreachable_pub, missing_docs)]
#![allow(clippy::unwrap_used)]

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use voxlint::{Diagnostic, DocumentKind, Origin, Related, Report, Rule, Undecided, VerdictKind};
use voxlint_report::{
    CheckedDocument, OutputFormat, RenderOptions, RenderedDocument, RunInfo, RunOutcome,
    RunSummary, SkippedFile, render, write_findings,
};
use voxlint_syntax::Span;

/// The rule of these findings. Reports only use its id.
pub fn rule() -> &'static Rule {
    voxlint::rules::find("fallback-transcriber-same").unwrap()
}

pub fn at(start: usize, end: usize) -> Span {
    Span { start: start.try_into().unwrap(), end: end.try_into().unwrap() }
}

/// The first span of `part` in `text`.
pub fn place(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap();
    at(start, start + part.len())
}

/// The last such span.
pub fn last_place(text: &str, part: &str) -> Span {
    let start = text.rfind(part).unwrap();
    at(start, start + part.len())
}

pub fn finding(message: &str, span: Span) -> Diagnostic {
    let found = Diagnostic::new(rule(), VerdictKind::Reject, span, message);
    changed(found, |it| {
        it.status = Some(400);
        "/prompt_text".clone_into(&mut it.field);
    })
}

/// The finding with other members.
pub fn changed(mut finding: Diagnostic, change: impl FnOnce(&mut Diagnostic)) -> Diagnostic {
    change(&mut finding);
    finding
}

pub fn labelled(message: &str, span: Span, label: &str) -> Diagnostic {
    changed(finding(message, span), |it| it.label = Some(label.to_owned()))
}

pub fn with_related(mut finding: Diagnostic, message: &str, span: Span) -> Diagnostic {
    finding.related.push(Related::new(Origin::Document, "/transcriber_id", span, message));
    finding
}

pub fn report(diagnostics: Vec<Diagnostic>) -> Report {
    Report::new(DocumentKind::Update, diagnostics)
}

pub fn undecided(missing: &[&str], why: &str) -> Undecided {
    let undecided = Undecided::new(rule(), why);
    let mut undecided = undecided.with_missing(missing.iter().map(ToString::to_string));
    undecided.needs_stored = true;
    undecided
}

/// The output of a run with one document.
pub fn written(format: OutputFormat, style: &RenderOptions, text: &str, report: &Report) -> String {
    let checked = CheckedDocument::new("agents/support/en.json", text, report);
    let mut summary = RunSummary { files: 1, ..RunSummary::default() };
    summary.add(report);
    output(format, [render(format, style, &checked)], &[], &summary)
}

pub fn output(
    format: OutputFormat,
    files: impl IntoIterator<Item = RenderedDocument>,
    skipped: &[SkippedFile],
    summary: &RunSummary,
) -> String {
    let mut out = Vec::new();
    let outcome = RunOutcome { skipped, failed: &[], summary: *summary, loosened: None };
    write_findings(&mut out, format, &RunInfo::default(), files, &outcome).unwrap();
    String::from_utf8(out).unwrap()
}

/// The seed in the environment, or a fixed one, so that a test always runs the same cases.
pub fn seed() -> RngSeed {
    match ProptestConfig::default().rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed @ RngSeed::Fixed(_) => fixed,
    }
}

/// Whether a character steers a terminal or is invisible. Joiners and selectors are part of the scripts of some languages.
pub fn steers(c: char) -> bool {
    c.is_control()
        || "\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{feff}\u{ad}".contains(c)
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2060}'..='\u{206f}').contains(&c)
        || ('\u{e0000}'..='\u{e007f}').contains(&c)
}
