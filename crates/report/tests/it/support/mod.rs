//! Findings to render.

#![allow(dead_code, unreachable_pub, missing_docs)]
#![allow(clippy::unwrap_used)]

use voxlint::{
    Diagnostic, DocumentKind, Origin, Related, Report, Rule, Severity, Undecided, VerdictKind,
};
use voxlint_report::{
    CheckedDocument, OutputFormat, RenderOptions, RenderedDocument, RunInfo, RunOutcome,
    RunSummary, SkippedFile, render, write_findings,
};
use voxlint_syntax::Span;

/// What the findings of these tests are found by. The reports read nothing of a rule but its id.
pub fn rule() -> &'static Rule {
    voxlint::rules::find("fallback-transcriber-same").unwrap()
}

pub fn at(start: usize, end: usize) -> Span {
    Span { start: start.try_into().unwrap(), end: end.try_into().unwrap() }
}

/// The place of `part` in `text`.
pub fn place(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap();
    at(start, start + part.len())
}

/// The last such place.
pub fn last_place(text: &str, part: &str) -> Span {
    let start = text.rfind(part).unwrap();
    at(start, start + part.len())
}

pub fn finding(message: &str, span: Span) -> Diagnostic {
    Diagnostic {
        rule: rule().into(),
        verdict: VerdictKind::Reject,
        severity: Severity::Error,
        status: Some(400),
        other_status: None,
        field: "/prompt_text".to_owned(),
        origin: Origin::Document,
        span,
        label: None,
        message: message.to_owned(),
        help: None,
        depends_on: None,
        note: None,
        is_reading: false,
        related: Vec::new(),
        fixes: Vec::new(),
    }
}

pub fn labelled(message: &str, span: Span, label: &str) -> Diagnostic {
    Diagnostic { label: Some(label.to_owned()), ..finding(message, span) }
}

pub fn with_related(mut finding: Diagnostic, message: &str, span: Span) -> Diagnostic {
    finding.related.push(Related {
        origin: Origin::Document,
        field: "/transcriber_id".to_owned(),
        span,
        message: message.to_owned(),
    });
    finding
}

pub fn report(diagnostics: Vec<Diagnostic>) -> Report {
    Report {
        suppressed: Vec::new(),
        unread: Vec::new(),
        kind: DocumentKind::Update,
        diagnostics,
        undecided: Vec::new(),
        secrets: Vec::new(),
        other_secrets: Vec::new(),
    }
}

pub fn undecided(missing: &[&str], why: &str) -> Undecided {
    Undecided {
        rule: rule().into(),
        missing: missing.iter().map(ToString::to_string).collect(),
        is_touched: true,
        needs_stored: true,
        needs_facts: false,
        may_be_accepted: false,
        why: why.to_owned(),
    }
}

/// What a run over one document writes.
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
    let outcome = RunOutcome { skipped, failed: &[], summary: *summary };
    write_findings(&mut out, format, &RunInfo::default(), files, &outcome).unwrap();
    String::from_utf8(out).unwrap()
}
