//! The result of linting one document.

use std::sync::Arc;

use voxlint::syntax::LineIndex;
use voxlint::{
    DiffError, DiffInputs, Difference, Document, DocumentKind, DocumentPosition, Inputs, Origin,
    Prediction, Report, Trace, diff,
};

use crate::related_document::RelatedDocument;
use crate::{Failure, FaultyFile};

/// A document that was checked, with its findings after levels, suppressions and the baseline.
#[derive(Clone, Debug)]
pub struct LintedDocument {
    /// The path of its file as users see it.
    pub path: Arc<str>,
    /// The document. Of a file with one document per line its text is the line, otherwise the whole file.
    pub document: Document,
    /// The kind that it was checked as.
    pub kind: DocumentKind,
    /// The position of the document in a file with several.
    pub position: Option<DocumentPosition>,
    /// The lines of the text, if they are known already.
    pub lines: Option<Arc<LineIndex>>,
    /// The findings.
    pub report: Report,
    /// The related files by the origin that findings in them have.
    pub related: Vec<(Origin, RelatedDocument)>,
    /// Everything that it was checked with.
    pub inputs: Inputs,
    /// What happened to the rule that the [`Renderer`](crate::Renderer) asks about.
    pub trace: Trace,
    /// Whether the document comes from standard input without a file name.
    pub is_unnamed_stdin: bool,
}

impl LintedDocument {
    /// The parts of the document and of its related files that were not read: a run with such a part must not pass.
    pub(crate) fn unread(&self) -> Vec<Failure> {
        let before = self.position.map_or(0, |position| position.lines_before);
        unread_parts(&self.report, (&self.path, self.document.text()), before, &self.related)
    }
}

/// The parts of a checked text and of its related files that were not read. `lines_before` lines of the file come before the
/// text.
pub fn unread_parts(
    report: &Report,
    (path, text): (&str, &str),
    lines_before: u64,
    related: &[(Origin, RelatedDocument)],
) -> Vec<Failure> {
    let parts = report.unread.iter().map(|part| {
        let related = related.iter().find(|(origin, _)| *origin == part.origin);
        let (path, text, before) = match related {
            Some((_, related)) => (&*related.path, related.document.text(), 0),
            None => (path, text, lines_before),
        };
        let line = before + u64::from(LineIndex::new(text).line_of(part.span.start));
        Failure::new(path, format!("line {line}: {}", part.message))
    });
    parts.collect()
}

/// Whether all of a text and of its related files was read.
///
/// # Errors
///
/// The parts that were not: a result without them would be another one.
pub fn all_read(
    report: &Report,
    text: (&str, &str),
    related: &[(Origin, RelatedDocument)],
) -> Result<(), Vec<Failure>> {
    let unread = unread_parts(report, text, 0, related);
    if unread.is_empty() { Ok(()) } else { Err(unread) }
}

/// Predicts the service's answers to the update at a path.
///
/// # Errors
///
/// If it is something else, or a part of it was not read: a prediction from the others would be another one.
pub fn predict(
    path: &str,
    inputs: &Inputs,
    related: &[(Origin, RelatedDocument)],
) -> Result<Prediction, Vec<Failure>> {
    let fail = |message: String| vec![Failure::new(path, message)];
    let Some(prediction) = voxlint::predict(inputs) else {
        let what = inputs.checked_as().noun_phrase();
        let wanted = DocumentKind::Update.noun_phrase();
        return Err(fail(format!("looks like {what}, but `predict` needs {wanted}")));
    };
    let mut found = prediction.report.diagnostics.iter();
    if let Some(twice) = found.find(|it| it.rule.reports_texts_given_twice()) {
        return Err(fail(twice.message.clone()));
    }
    all_read(&prediction.report, (path, inputs.document().text()), related)?;
    Ok(prediction)
}

/// The least update from the stored configuration in `inputs` to the settings at a path, and what reports call it. `complete`: a
/// setting that they omit is to be unset. `None` without a stored configuration.
///
/// # Errors
///
/// If the settings cannot be used, or a part of the update was not read.
pub fn difference(
    path: &str,
    inputs: &Inputs,
    complete: bool,
    related: &[(Origin, RelatedDocument)],
) -> Result<Option<(Difference, String)>, Vec<Failure>> {
    let stored = related.iter().find(|(origin, _)| *origin == Origin::Stored);
    let Some(((_, old), mut states)) = stored.zip(DiffInputs::of(inputs)) else { return Ok(None) };
    if complete {
        states = states.complete();
    }
    let difference = diff(&states).map_err(|error| {
        vec![match error {
            DiffError::NewUnusable(report) => {
                let (path, text) = (path.to_owned(), inputs.document().text().into());
                let file = FaultyFile { path, text, report: *report, related: related.to_vec() };
                Failure::unusable(file, "the desired settings")
            }
            error => Failure::new(path, error.to_string()),
        }]
    })?;
    let name = format!("the update from {} to {path}", old.path);
    if let Some((update, report)) = difference.update.as_deref().zip(difference.report.as_ref()) {
        all_read(report, (&name, update), related)?;
    }
    Ok(Some((difference, name)))
}
