//! Findings with their places as people and tools count them, and without the text that they were found in.
//!
//! Every format for other tools reads this form, so that none of them counts in a way of its own. Written by serde, it is the
//! contract of the JSON forms: members may be added to it, never renamed.

use std::cmp::Ordering;
use std::ops::Deref;

use serde::Serialize;
use serde::ser::Serializer;
use voxlint::{
    Diagnostic, Fix, Origin, Related, RuleRef, Safety, Severity, SuppressedBy, Undecided,
};
use voxlint_syntax::Span;

use crate::places::{Place, Places};
use crate::{CheckedDocument, Record, RenderOptions};

/// One checked document.
#[derive(Debug, Serialize)]
pub(crate) struct Document {
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    #[serde(skip)]
    pub(crate) record: Option<Record>,
    pub(crate) diagnostics: Vec<Finding>,
    pub(crate) undecided: Vec<Open>,
    #[serde(skip)]
    pub(crate) hidden: Vec<(Finding, SuppressedBy)>,
    /// Whether formats that name only findings are to name what is undecided, too.
    #[serde(skip)]
    pub(crate) lists_undecided: bool,
    /// Whether SARIF has the hidden findings, too.
    #[serde(skip)]
    pub(crate) lists_hidden: bool,
}

impl Document {
    /// The line of the file that the document begins on.
    pub(crate) fn line(&self) -> u64 {
        self.record.map_or(1, |record| record.line)
    }
}

/// One finding.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    /// The number and the kind of the document, for a file that holds several.
    #[serde(skip)]
    pub(crate) of: (u64, &'static str),
    pub(crate) rule: Named,
    pub(crate) verdict: &'static str,
    #[serde(serialize_with = "name_of")]
    pub(crate) severity: Severity,
    pub(crate) status: Option<u16>,
    /// Another status that the service may answer instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_status: Option<u16>,
    pub(crate) field: String,
    #[serde(rename = "in", serialize_with = "input_of")]
    pub(crate) origin: Origin,
    /// The file that the span points into, null where it is not known here.
    pub(crate) path: Option<String>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) span: Stretch,
    pub(crate) related: Vec<Other>,
    pub(crate) fixes: Vec<Change>,
}

/// Characters of a file.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Stretch {
    /// Bytes of the file.
    start: u64,
    end: u64,
    /// Null where the text is not known here.
    pub(crate) from: Option<Place>,
    pub(crate) to: Option<Place>,
}

impl Stretch {
    /// Where it begins and ends, where the text is known.
    pub(crate) fn places(&self) -> Option<(Place, Place)> {
        self.from.zip(self.to)
    }
}

/// Another place that takes part in a finding.
#[derive(Debug, Serialize)]
pub(crate) struct Other {
    #[serde(rename = "in", serialize_with = "input_of")]
    pub(crate) origin: Origin,
    /// The file, where it is not that of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    pub(crate) field: String,
    pub(crate) message: String,
    pub(crate) span: Stretch,
}

/// A change to the document that would settle a finding.
#[derive(Debug, Serialize)]
pub(crate) struct Change {
    pub(crate) title: String,
    #[serde(serialize_with = "safety_of")]
    pub(crate) safety: Safety,
    pub(crate) edits: Vec<Edit>,
}

/// One replacement.
#[derive(Debug, Serialize)]
pub(crate) struct Edit {
    start: u64,
    end: u64,
    pub(crate) text: String,
    #[serde(skip)]
    pub(crate) places: (Place, Place),
}

/// A rule that could not be decided.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Open {
    pub(crate) rule: Named,
    pub(crate) missing: Vec<String>,
    pub(crate) why: String,
}

/// A rule, known by its id.
#[derive(Clone, Debug)]
pub(crate) struct Named(pub(crate) RuleRef);

impl Deref for Named {
    type Target = RuleRef;

    fn deref(&self) -> &RuleRef {
        &self.0
    }
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Named {}

impl PartialOrd for Named {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Named {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id.cmp(&other.id)
    }
}

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.id)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn name_of<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn input_of<S: Serializer>(origin: &Origin, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(origin.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn safety_of<S: Serializer>(safety: &Safety, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(safety.name())
}

/// Finds the places of everything that was found in a document.
pub(crate) fn document(style: &RenderOptions, checked: &CheckedDocument<'_>) -> Document {
    let report = checked.report;
    let sheets = Sheets::of(checked);
    let found = |diagnostic| finding(checked, &sheets, diagnostic);
    Document {
        path: checked.path.to_owned(),
        kind: report.kind.name(),
        record: checked.record,
        diagnostics: report.diagnostics.iter().map(found).collect(),
        undecided: report.undecided.iter().map(open).collect(),
        hidden: report
            .suppressed
            .iter()
            .map(|hidden| (found(&hidden.diagnostic), hidden.by.clone()))
            .collect(),
        lists_undecided: style.undecided,
        lists_hidden: style.suppressed,
    }
}

/// The inputs that findings point into and whose text is known.
struct Sheets<'a>(Vec<(Origin, &'a str, Places<'a>)>);

impl<'a> Sheets<'a> {
    fn of(checked: &CheckedDocument<'a>) -> Self {
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

fn finding(checked: &CheckedDocument<'_>, sheets: &Sheets<'_>, diagnostic: &Diagnostic) -> Finding {
    Finding {
        of: (checked.record.map_or(0, |record| record.index), checked.report.kind.name()),
        rule: Named(diagnostic.rule.clone()),
        verdict: diagnostic.verdict.name(),
        severity: diagnostic.severity,
        status: diagnostic.status,
        other_status: diagnostic.other_status,
        field: diagnostic.field.clone(),
        origin: diagnostic.origin,
        path: sheets.get(diagnostic.origin).map(|(path, _)| path.to_owned()),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        note: diagnostic.note.clone(),
        span: stretch(sheets, diagnostic.origin, diagnostic.span),
        related: diagnostic.related.iter().map(|related| other(sheets, related)).collect(),
        fixes: diagnostic.fixes.iter().map(|fix| change(checked, sheets, fix)).collect(),
    }
}

fn stretch(sheets: &Sheets<'_>, origin: Origin, span: Span) -> Stretch {
    let places = sheets.get(origin).map(|(_, places)| places);
    let before = places.map_or(0, Places::bytes_before);
    let ends = places.map(|places| ends(places, span));
    Stretch {
        start: before + u64::from(span.start),
        end: before + u64::from(span.end),
        from: ends.map(|(from, _)| from),
        to: ends.map(|(_, to)| to),
    }
}

fn ends(places: &Places<'_>, span: Span) -> (Place, Place) {
    let range = places.range(span);
    (places.place(range.start), places.place(range.end))
}

fn other(sheets: &Sheets<'_>, related: &Related) -> Other {
    Other {
        origin: related.origin,
        path: sheets
            .get(related.origin)
            .filter(|_| related.origin != Origin::Document)
            .map(|(path, _)| path.to_owned()),
        field: related.field.clone(),
        message: related.message.clone(),
        span: stretch(sheets, related.origin, related.span),
    }
}

/// Fixes change the document and nothing else.
fn change(checked: &CheckedDocument<'_>, sheets: &Sheets<'_>, fix: &Fix) -> Change {
    let before = checked.record.map_or(0, |record| record.bytes_before);
    let own;
    let places = if let Some((_, places)) = sheets.get(Origin::Document) {
        places
    } else {
        own = checked.places(Origin::Document, checked.text);
        &own
    };
    let edits = fix.edits.iter().map(|edit| Edit {
        start: before + u64::from(edit.span.start),
        end: before + u64::from(edit.span.end),
        text: edit.text.clone(),
        places: ends(places, edit.span),
    });
    Change { title: fix.title.clone(), safety: fix.safety, edits: edits.collect() }
}

fn open(undecided: &Undecided) -> Open {
    Open {
        rule: Named(undecided.rule.clone()),
        missing: undecided.missing.clone(),
        why: undecided.why.clone(),
    }
}
