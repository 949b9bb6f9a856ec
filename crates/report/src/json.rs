//! The machine-readable form. Its members are a contract with other tools: they may be added to, never renamed.

use std::borrow::Cow;
use std::io;

use serde::Serialize;
use voxlint::{Diagnostic, Fix, Origin, Related, Undecided};
use voxlint_syntax::Span;

use crate::places::{Place, Places};
use crate::records::Records;
use crate::{Checked, Failure, Skipped, Summary};

/// Changes only when a member is renamed or taken away.
pub(crate) const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    tool: Tool,
    files: &'a [FileOrRecords],
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

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum FileOrRecords {
    File(File),
    Records(Records),
}

impl FileOrRecords {
    pub(crate) fn new(file: File, record: Option<u64>) -> Self {
        match record {
            Some(record) => Self::Records(Records::new(file, record)),
            None => Self::File(file),
        }
    }
}

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
    /// The number and the kind of the document, for a file that holds several.
    #[serde(skip)]
    pub(crate) of: (u64, &'static str),
    rule: Cow<'static, str>,
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
    start: u64,
    end: u64,
    /// Null where the text is not known here.
    from: Option<Place>,
    to: Option<Place>,
}

#[derive(Debug, Serialize)]
struct RelatedEntry {
    r#in: &'static str,
    /// The file, where it is not that of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
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
    start: u64,
    end: u64,
    text: String,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct UndecidedEntry {
    rule: Cow<'static, str>,
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
            .map(|diagnostic| diagnostic_entry(checked, &sheets, diagnostic))
            .collect(),
        undecided: report.undecided.iter().map(undecided_entry).collect(),
    }
}

pub(crate) fn write(
    out: &mut dyn io::Write,
    files: &[FileOrRecords],
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
        let sheets = checked
            .inputs()
            .map(|(origin, input)| (origin, input.path, checked.places(origin, input.text)));
        Self(sheets.collect())
    }

    fn get(&self, origin: Origin) -> Option<(&'a str, &Places<'a>)> {
        let sheet = self.0.iter().find(|(of, ..)| *of == origin);
        sheet.map(|(_, path, places)| (*path, places))
    }
}

fn diagnostic_entry(
    checked: &Checked<'_>,
    sheets: &Sheets<'_>,
    diagnostic: &Diagnostic,
) -> DiagnosticEntry {
    // Fixes change the document and nothing else.
    let before = checked.record.map_or(0, |record| record.bytes_before);
    DiagnosticEntry {
        of: (checked.record.map_or(0, |record| record.index), checked.report.kind.name()),
        rule: diagnostic.rule.id.clone(),
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
        fixes: diagnostic.fixes.iter().map(|fix| fix_entry(fix, before)).collect(),
    }
}

fn span_entry(sheets: &Sheets<'_>, origin: Origin, span: Span) -> SpanEntry {
    let places = sheets.get(origin).map(|(_, places)| (places, places.range(span)));
    let before = places.as_ref().map_or(0, |(places, _)| places.bytes_before());
    SpanEntry {
        start: before + u64::from(span.start),
        end: before + u64::from(span.end),
        from: places.as_ref().map(|(places, range)| places.place(range.start)),
        to: places.map(|(places, range)| places.place(range.end)),
    }
}

fn related_entry(sheets: &Sheets<'_>, related: &Related) -> RelatedEntry {
    RelatedEntry {
        r#in: related.origin.name(),
        path: sheets
            .get(related.origin)
            .filter(|_| related.origin != Origin::Document)
            .map(|(path, _)| path.to_owned()),
        field: related.field.clone(),
        message: related.message.clone(),
        span: span_entry(sheets, related.origin, related.span),
    }
}

/// `before` is how many bytes of the file stand before the document's text.
fn fix_entry(fix: &Fix, before: u64) -> FixEntry {
    let edits = fix.edits.iter().map(|edit| EditEntry {
        start: before + u64::from(edit.span.start),
        end: before + u64::from(edit.span.end),
        text: edit.text.clone(),
    });
    FixEntry { title: fix.title.clone(), safety: fix.safety.name(), edits: edits.collect() }
}

fn undecided_entry(undecided: &Undecided) -> UndecidedEntry {
    UndecidedEntry {
        rule: undecided.rule.id.clone(),
        missing: undecided.missing.clone(),
        why: undecided.why.clone(),
    }
}
