//! Findings with lines and columns, independent of the text they were found in.
//!
//! Every format reads this form, so that all of them count in the same way. Serialized by serde, it is the contract of the
//! JSON formats: fields may be added, never renamed.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;

use serde::Serialize;
use serde::ser::Serializer;
use voxlint::fixes::NotApplied;
use voxlint::readings::ReadingEntry;
use voxlint::{
    Diagnostic, DocumentPosition, Fix, Origin, Related, RuleRef, Safety, Severity, SuppressedBy,
    Undecided,
};
use voxlint_syntax::Span;

use crate::document::{CheckedDocument, UnappliedFixes};
use crate::options::RenderOptions;
use crate::snippet::{MAX_SNIPPETS_PER_RULE, Snippet, SnippetRenderer};
use crate::source_map::{FilePosition, SourceMap, SourceText};

/// One checked document.
#[derive(Debug, Serialize)]
pub(crate) struct LocatedDocument {
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    #[serde(skip)]
    pub(crate) position: Option<DocumentPosition>,
    pub(crate) diagnostics: Vec<LocatedFinding>,
    /// The undecided rules, if the format lists them.
    pub(crate) undecided: Vec<UndecidedRule>,
    /// The suppressed and baselined findings, if the format lists them.
    #[serde(skip)]
    pub(crate) suppressed: Vec<(LocatedFinding, SuppressedBy)>,
    #[serde(skip)]
    pub(crate) options: RenderOptions,
}

impl LocatedDocument {
    /// The position in the file at which the document begins.
    pub(crate) fn start(&self) -> FilePosition {
        let line = self.position.map_or(1, |position| position.line);
        FilePosition { line, column: 1, byte_column: 1 }
    }

    /// The document's number in its file.
    pub(crate) fn index(&self) -> Option<u64> {
        self.position.map(|position| position.index)
    }

    /// Removes the positions of findings in a document whose text is not known.
    pub(crate) fn forget_positions(&mut self) {
        for finding in &mut self.diagnostics {
            (finding.path, finding.span.from, finding.span.to) = (None, None, None);
            for related in &mut finding.related {
                (related.span.from, related.span.to) = (None, None);
            }
            if let Some(snippet) = &mut finding.snippet {
                snippet.text.clear();
                snippet.fix = None;
            }
        }
    }
}

/// One finding.
#[derive(Debug, Serialize)]
pub(crate) struct LocatedFinding {
    #[serde(serialize_with = "rule_id")]
    pub(crate) rule: RuleRef,
    pub(crate) verdict: &'static str,
    #[serde(serialize_with = "severity_name")]
    pub(crate) severity: Severity,
    pub(crate) status: Option<u16>,
    /// Another status that the service may answer instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_status: Option<u16>,
    pub(crate) field: String,
    #[serde(rename = "in", serialize_with = "origin_name")]
    pub(crate) origin: Origin,
    /// The file of the span; null if it is not known.
    pub(crate) path: Option<String>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) note: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) readings: Vec<ReadingEntry>,
    /// The status in a headline.
    #[serde(skip)]
    pub(crate) answer: Option<String>,
    /// The note below a headline that states the status, and whether it is the same for each finding of the rule.
    #[serde(skip)]
    pub(crate) short_note: Option<String>,
    #[serde(skip)]
    pub(crate) is_reading: bool,
    pub(crate) span: LocatedSpan,
    pub(crate) related: Vec<LocatedRelated>,
    pub(crate) fixes: Vec<LocatedFix>,
    /// The safety of the fix that would be applied first.
    #[serde(skip)]
    pub(crate) fixable: Option<Safety>,
    /// Why a run that was to apply it has not.
    #[serde(skip)]
    pub(crate) not_applied: Option<NotApplied>,
    /// How many findings this is, if it stands for those that are not listed.
    #[serde(skip_serializing_if = "is_one")]
    pub(crate) count: u32,
    /// The lines of the finding, if the format shows them.
    #[serde(skip)]
    pub(crate) snippet: Option<Snippet>,
}

/// Characters of a file.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct LocatedSpan {
    /// Bytes of the file.
    start: u64,
    end: u64,
    /// Null if the text is not known.
    pub(crate) from: Option<FilePosition>,
    pub(crate) to: Option<FilePosition>,
}

impl LocatedSpan {
    /// The positions of both ends, if the text is known.
    pub(crate) fn ends(&self) -> Option<(FilePosition, FilePosition)> {
        self.from.zip(self.to)
    }
}

/// Another place that a finding refers to.
#[derive(Debug, Serialize)]
pub(crate) struct LocatedRelated {
    #[serde(rename = "in", serialize_with = "origin_name")]
    pub(crate) origin: Origin,
    /// The file, if it is not the document's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    pub(crate) field: String,
    pub(crate) message: String,
    pub(crate) span: LocatedSpan,
}

/// A change to a file that would resolve a finding.
#[derive(Debug, Serialize)]
pub(crate) struct LocatedFix {
    pub(crate) title: String,
    #[serde(serialize_with = "safety_name")]
    pub(crate) safety: Safety,
    /// The input that it changes.
    #[serde(rename = "in", serialize_with = "origin_name")]
    pub(crate) origin: Origin,
    /// The file, if it is not the document's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    pub(crate) edits: Vec<LocatedEdit>,
    /// Why a run that was to apply fixes has left it out.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "reason_name")]
    pub(crate) not_applied: Option<NotApplied>,
}

/// One replacement of a fix.
#[derive(Debug, Serialize)]
pub(crate) struct LocatedEdit {
    start: u64,
    end: u64,
    pub(crate) text: String,
    #[serde(skip)]
    pub(crate) ends: (FilePosition, FilePosition),
}

/// A rule that could not be decided.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct UndecidedRule {
    #[serde(serialize_with = "rule_id")]
    pub(crate) rule: RuleRef,
    pub(crate) missing: Vec<String>,
    pub(crate) why: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) readings: Vec<ReadingEntry>,
}

impl UndecidedRule {
    fn key(&self) -> (&str, &[String], &str) {
        (&self.rule.id, &self.missing, &self.why)
    }
}

impl PartialEq for UndecidedRule {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for UndecidedRule {}

impl PartialOrd for UndecidedRule {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UndecidedRule {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_one(count: &u32) -> bool {
    *count == 1
}

fn rule_id<S: Serializer>(rule: &RuleRef, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&rule.id)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn severity_name<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(crate) fn origin_name<S: Serializer>(
    origin: &Origin,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(origin.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn safety_name<S: Serializer>(safety: &Safety, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(safety.name())
}

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes references"
)]
fn reason_name<S: Serializer>(
    reason: &Option<NotApplied>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    reason.map(NotApplied::name).serialize(serializer)
}

/// The parts of a report that a format lists besides its findings.
#[derive(Clone, Copy)]
pub(crate) struct ReportSections {
    /// The lines of each finding.
    pub(crate) snippets: bool,
    /// The undecided rules.
    pub(crate) undecided: bool,
    /// The suppressed and baselined findings.
    pub(crate) suppressed: bool,
}

impl ReportSections {
    /// The sections of the JSON formats.
    pub(crate) const JSON: Self = Self { snippets: false, undecided: true, suppressed: false };
}

/// Finds the positions of everything that a report refers to.
pub(crate) fn locate(
    checked: &CheckedDocument<'_>,
    options: &RenderOptions,
    sections: ReportSections,
) -> LocatedDocument {
    let report = checked.report;
    let sources = SourceMap::new(checked);
    let locate = |diagnostic| located_finding(&sources, diagnostic, checked.unapplied);
    let mut diagnostics: Vec<_> = report.diagnostics.iter().map(locate).collect();
    if sections.snippets {
        let renderer = SnippetRenderer::new(&sources, checked, options);
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (finding, diagnostic) in diagnostics.iter_mut().zip(&report.diagnostics) {
            let count = counts.entry(&diagnostic.rule.id).or_default();
            *count += 1;
            let is_shown = *count <= MAX_SNIPPETS_PER_RULE;
            finding.snippet = is_shown.then(|| renderer.render(diagnostic));
        }
    }
    let undecided = report.undecided.iter().filter(|_| sections.undecided);
    let suppressed = report.suppressed.iter().filter(|_| sections.suppressed);
    LocatedDocument {
        path: checked.path.into(),
        kind: report.kind.name(),
        position: checked.position,
        diagnostics,
        undecided: undecided.map(undecided_rule).collect(),
        suppressed: suppressed
            .map(|suppressed| (locate(&suppressed.diagnostic), suppressed.by.clone()))
            .collect(),
        options: *options,
    }
}

fn located_finding(
    sources: &SourceMap<'_>,
    diagnostic: &Diagnostic,
    unapplied: Option<UnappliedFixes<'_>>,
) -> LocatedFinding {
    let not_applied = unapplied.and_then(|unapplied| unapplied.reason_of(diagnostic));
    let located = |fix| located_fix(sources, fix, unapplied);
    LocatedFinding {
        rule: diagnostic.rule.clone(),
        verdict: diagnostic.verdict.name(),
        severity: diagnostic.severity,
        status: diagnostic.status,
        other_status: diagnostic.other_status,
        field: diagnostic.field.clone(),
        origin: diagnostic.origin,
        path: sources.get(diagnostic.origin).map(|file| file.path.into()),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        note: diagnostic.note.clone(),
        readings: diagnostic.readings(),
        answer: diagnostic.answer(),
        short_note: diagnostic.short_note().map(Cow::into_owned),
        is_reading: diagnostic.is_reading,
        span: located_span(sources, diagnostic.origin, diagnostic.span),
        related: diagnostic.related.iter().map(|it| located_related(sources, it)).collect(),
        fixes: diagnostic.fixes.iter().filter_map(located).collect(),
        fixable: fixable(diagnostic)
            .filter(|_| not_applied.is_none_or(|why| why == NotApplied::NeedsReview)),
        not_applied,
        count: diagnostic.count,
        snippet: None,
    }
}

/// The best safety of the fixes of a finding; `None` if it has none.
pub(crate) fn fixable(diagnostic: &Diagnostic) -> Option<Safety> {
    let is_safe = |fix: &Fix| fix.safety == Safety::Safe;
    let best = diagnostic.fixes.iter().find(|fix| is_safe(fix)).or(diagnostic.fixes.first());
    best.map(|fix| fix.safety)
}

pub(crate) fn located_span(sources: &SourceMap<'_>, origin: Origin, span: Span) -> LocatedSpan {
    let text = sources.get(origin).map(|file| &file.text);
    let offset = |offset| text.map_or(u64::from(offset), |text| text.file_offset(offset));
    let ends = text.map(|text| text.ends(span));
    LocatedSpan {
        start: offset(span.start),
        end: offset(span.end),
        from: ends.map(|(from, _)| from),
        to: ends.map(|(_, to)| to),
    }
}

fn located_related(sources: &SourceMap<'_>, related: &Related) -> LocatedRelated {
    let file = sources.get(related.origin).filter(|_| related.origin != Origin::Document);
    LocatedRelated {
        origin: related.origin,
        path: file.map(|file| file.path.into()),
        field: related.field.clone(),
        message: related.message.clone(),
        span: located_span(sources, related.origin, related.span),
    }
}

/// A fix of a file whose text is known: the document, or a text in a file of its own.
fn located_fix(
    sources: &SourceMap<'_>,
    fix: &Fix,
    unapplied: Option<UnappliedFixes<'_>>,
) -> Option<LocatedFix> {
    let file = sources.get(fix.origin)?;
    let text: &SourceText<'_> = &file.text;
    let edits = fix.edits.iter().map(|edit| LocatedEdit {
        start: text.file_offset(edit.span.start),
        end: text.file_offset(edit.span.end),
        text: edit.text.clone(),
        ends: text.ends(edit.span),
    });
    Some(LocatedFix {
        title: fix.title.clone(),
        safety: fix.safety,
        origin: fix.origin,
        path: (fix.origin != Origin::Document).then(|| file.path.into()),
        edits: edits.collect(),
        not_applied: unapplied.map(|unapplied| unapplied.reason(fix)),
    })
}

fn undecided_rule(undecided: &Undecided) -> UndecidedRule {
    UndecidedRule {
        rule: undecided.rule.clone(),
        missing: undecided.missing().into_owned(),
        why: undecided.why().into_owned(),
        readings: undecided.readings(),
    }
}
