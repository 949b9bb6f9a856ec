//! The machine-readable form. Its members are a contract with other tools: they may be added to, never renamed.

use std::io;

use serde::Serialize;
use voxlint::{Diagnostic, Fix, Origin, Related, Undecided};
use voxlint_syntax::Span;

use crate::places::{Place, Places};
use crate::{Checked, Failure, Skipped, Summary};

/// Changes only when a member is renamed or taken away.
pub(crate) const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    tool: Tool,
    files: Vec<&'a File>,
    skipped: Vec<SkippedEntry<'a>>,
    failures: Vec<FailureEntry<'a>>,
    summary: SummaryEntry,
}

#[derive(Serialize)]
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
}

/// This program.
pub(crate) const TOOL: Tool = Tool { name: "voxlint", version: env!("CARGO_PKG_VERSION") };

/// One checked document.
#[derive(Debug, Serialize)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    pub(crate) diagnostics: Vec<DiagnosticEntry>,
    pub(crate) undecided: Vec<UndecidedEntry>,
}

#[derive(Debug, Serialize)]
pub(crate) struct DiagnosticEntry {
    rule: &'static str,
    verdict: &'static str,
    severity: &'static str,
    status: Option<u16>,
    /// Another status that the service may answer instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_status: Option<u16>,
    field: String,
    r#in: &'static str,
    /// The file that the span points into, null where it is not known here.
    path: Option<String>,
    message: String,
    help: Option<String>,
    note: Option<String>,
    span: SpanEntry,
    related: Vec<RelatedEntry>,
    fixes: Vec<FixEntry>,
}

#[derive(Debug, Serialize)]
struct SpanEntry {
    start: u32,
    end: u32,
    /// Null where the text is not known here.
    from: Option<Place>,
    to: Option<Place>,
}

#[derive(Debug, Serialize)]
struct RelatedEntry {
    r#in: &'static str,
    field: String,
    message: String,
    span: SpanEntry,
}

#[derive(Debug, Serialize)]
struct FixEntry {
    title: String,
    safety: &'static str,
    edits: Vec<EditEntry>,
}

#[derive(Debug, Serialize)]
struct EditEntry {
    start: u32,
    end: u32,
    text: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct UndecidedEntry {
    rule: &'static str,
    missing: Vec<String>,
    why: String,
}

#[derive(Serialize)]
struct SkippedEntry<'a> {
    path: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct FailureEntry<'a> {
    path: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct SummaryEntry {
    files: u32,
    documents: u32,
    skipped: u32,
    errors: u32,
    warnings: u32,
    infos: u32,
    undecided: u32,
    suppressed: u32,
}

pub(crate) fn render(checked: &Checked<'_>) -> File {
    let report = checked.report;
    let sheets = Sheets::of(checked);
    File {
        path: checked.path.to_owned(),
        kind: report.kind.name(),
        diagnostics: report
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic_entry(&sheets, diagnostic))
            .collect(),
        undecided: report.undecided.iter().map(undecided_entry).collect(),
    }
}

pub(crate) fn write(
    out: &mut dyn io::Write,
    files: Vec<&File>,
    skipped: &[Skipped],
    failures: &[Failure],
    summary: &Summary,
) -> io::Result<()> {
    let document = Document {
        schema: SCHEMA,
        tool: TOOL,
        files,
        skipped: skipped.iter().map(|Skipped { path, why }| SkippedEntry { path, why }).collect(),
        failures: failures
            .iter()
            .map(|Failure { path, message }| FailureEntry { path, message })
            .collect(),
        summary: SummaryEntry {
            files: summary.files,
            documents: summary.documents,
            skipped: summary.skipped,
            errors: summary.errors,
            warnings: summary.warnings,
            infos: summary.infos,
            undecided: summary.undecided,
            suppressed: summary.suppressed,
        },
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

/// The inputs that findings point into and whose text is known.
struct Sheets<'a>(Vec<(Origin, &'a str, Places<'a>)>);

impl<'a> Sheets<'a> {
    fn of(checked: &Checked<'a>) -> Self {
        let sheets =
            checked.inputs().map(|(origin, input)| (origin, input.path, Places::new(input.text)));
        Self(sheets.collect())
    }

    fn get(&self, origin: Origin) -> Option<(&'a str, &Places<'a>)> {
        let sheet = self.0.iter().find(|(of, ..)| *of == origin);
        sheet.map(|(_, path, places)| (*path, places))
    }
}

fn diagnostic_entry(sheets: &Sheets<'_>, diagnostic: &Diagnostic) -> DiagnosticEntry {
    DiagnosticEntry {
        rule: diagnostic.rule.id,
        verdict: diagnostic.verdict.name(),
        severity: diagnostic.severity.name(),
        status: diagnostic.status,
        other_status: diagnostic.other_status,
        field: diagnostic.field.clone(),
        r#in: diagnostic.origin.name(),
        path: sheets.get(diagnostic.origin).map(|(path, _)| path.to_owned()),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        note: diagnostic.note.clone(),
        span: span_entry(sheets, diagnostic.origin, diagnostic.span),
        related: diagnostic.related.iter().map(|related| related_entry(sheets, related)).collect(),
        fixes: diagnostic.fixes.iter().map(fix_entry).collect(),
    }
}

fn span_entry(sheets: &Sheets<'_>, origin: Origin, span: Span) -> SpanEntry {
    let places = sheets.get(origin).map(|(_, places)| (places, places.range(span)));
    SpanEntry {
        start: span.start,
        end: span.end,
        from: places.as_ref().map(|(places, range)| places.place(range.start)),
        to: places.map(|(places, range)| places.place(range.end)),
    }
}

fn related_entry(sheets: &Sheets<'_>, related: &Related) -> RelatedEntry {
    RelatedEntry {
        r#in: related.origin.name(),
        field: related.field.clone(),
        message: related.message.clone(),
        span: span_entry(sheets, related.origin, related.span),
    }
}

fn fix_entry(fix: &Fix) -> FixEntry {
    let edits = fix.edits.iter().map(|edit| EditEntry {
        start: edit.span.start,
        end: edit.span.end,
        text: edit.text.clone(),
    });
    FixEntry { title: fix.title.clone(), safety: fix.safety.name(), edits: edits.collect() }
}

fn undecided_entry(undecided: &Undecided) -> UndecidedEntry {
    UndecidedEntry {
        rule: undecided.rule.id,
        missing: undecided.missing.clone(),
        why: undecided.why.clone(),
    }
}
