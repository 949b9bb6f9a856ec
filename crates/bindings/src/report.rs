//! The result of a check, which is written as JSON on request.

use std::sync::Arc;

use voxlint::syntax::SharedText;
use voxlint::{Document, DocumentPosition, Origin};
use voxlint_project::{Failure, RelatedDocument};
use voxlint_report::{
    CheckedDocument, FailedFile, FindingsWriter, OutputFormat, RenderOptions, RunInfo, RunOutcome,
    RunSummary, SkippedFile, render,
};

use crate::error::INTERNAL_ERROR;
use crate::run::{failed_file, related_file, written};
use crate::texts::{Texts, Unit};

/// The findings in a text or in the files of a project, and what could not be checked.
#[derive(Debug)]
pub struct Report {
    findings: Findings,
    texts: Texts,
    skipped: Vec<SkippedFile>,
    failed: Vec<FailedFile>,
    summary: RunSummary,
}

/// The findings in each document.
#[derive(Debug)]
enum Findings {
    /// The documents of one text, rendered on request.
    Text { path: Arc<str>, documents: Vec<CheckedText>, related: Vec<(Origin, RelatedDocument)> },
    /// The whole report, as JSON.
    Rendered(String),
}

/// A document that was checked.
#[derive(Debug)]
pub(crate) struct CheckedText {
    /// Only kept for findings, whose spans and fixes are shown with its text.
    pub(crate) document: Option<Document>,
    pub(crate) position: Option<DocumentPosition>,
    pub(crate) report: voxlint::Report,
}

impl Report {
    /// The findings in the documents of one text.
    pub(crate) fn of_text(
        path: Arc<str>,
        text: SharedText,
        documents: Vec<CheckedText>,
        failures: &[Failure],
    ) -> Self {
        let mut summary = RunSummary::default();
        for document in &documents {
            summary.add(&document.report);
        }
        summary.files = u32::from(!documents.is_empty());
        summary.failed = u32::from(!failures.is_empty());
        let mut failed: Vec<FailedFile> = Vec::new();
        // Several documents may need the same unreadable file.
        for failure in failures.iter().map(failed_file) {
            if !failed.contains(&failure) {
                failed.push(failure);
            }
        }
        let mut texts = Texts::default();
        if documents.iter().any(|it| it.document.is_some()) {
            texts.add(Arc::clone(&path), text);
        }
        let findings = Findings::Text { path, documents, related: Vec::new() };
        Self { findings, texts, skipped: Vec::new(), failed, summary }
    }

    /// The report of a text whose check has failed because of a bug.
    pub(crate) fn of_internal_error(path: &Arc<str>) -> Self {
        let failure = Failure::new(&**path, INTERNAL_ERROR);
        Self::of_text(Arc::clone(path), SharedText::default(), Vec::new(), &[failure])
    }

    /// Sets the inputs that the text was checked with.
    pub(crate) fn related(mut self, others: Vec<(Origin, RelatedDocument)>) -> Self {
        if let Findings::Text { documents, related, .. } = &mut self.findings
            && documents.iter().any(|it| it.document.is_some())
        {
            for (_, it) in &others {
                self.texts.add(Arc::clone(&it.path), it.document.tree().shared_text());
            }
            *related = others;
        }
        self
    }

    /// A report that is already rendered.
    pub(crate) fn rendered(
        json: String,
        texts: Texts,
        skipped: Vec<SkippedFile>,
        failed: Vec<FailedFile>,
        summary: RunSummary,
    ) -> Self {
        Self { findings: Findings::Rendered(json), texts, skipped, failed, summary }
    }

    /// The counts, without rendering anything.
    pub const fn summary(&self) -> &RunSummary {
        &self.summary
    }

    /// The kind of the first document of a text, without rendering anything. `None` if there is no document, or if files were
    /// checked.
    pub fn kind(&self) -> Option<&'static str> {
        match &self.findings {
            Findings::Text { documents, .. } => documents.first().map(|it| it.report.kind.name()),
            Findings::Rendered(_) => None,
        }
    }

    /// What could not be read, used or checked. If there are failures, the input must not count as checked.
    pub fn failures(&self) -> &[FailedFile] {
        &self.failed
    }

    /// The files that were skipped.
    pub fn skipped(&self) -> &[SkippedFile] {
        &self.skipped
    }

    /// Whether a run of the command line would exit with 0: no finding has the severity error, and there are no failures.
    pub const fn is_ok(&self) -> bool {
        self.summary.errors == 0 && self.failed.is_empty()
    }

    /// Whether there are neither findings nor failures.
    pub const fn is_clean(&self) -> bool {
        self.is_ok() && self.summary.warnings == 0 && self.summary.infos == 0
    }

    /// The document that `voxlint check --format json` writes.
    pub fn to_json(&self) -> String {
        let (path, documents, related) = match &self.findings {
            Findings::Rendered(json) => return json.clone(),
            Findings::Text { path, documents, related } => (path, documents, related),
        };
        let related: Vec<_> = related.iter().map(related_file).collect();
        let pages = documents.iter().map(|document| {
            let text = document.document.as_ref().map_or("", Document::text);
            let mut checked =
                CheckedDocument::new(path, text, &document.report).related_files(&related);
            checked.position = document.position;
            render(OutputFormat::Json, &RenderOptions::default(), &checked)
        });
        let outcome = RunOutcome {
            skipped: &self.skipped,
            failed: &self.failed,
            loosened: None,
            summary: self.summary,
        };
        written(|out| {
            let mut writer = FindingsWriter::new(out, OutputFormat::Json, RunInfo::default());
            for (index, page) in pages.enumerate() {
                if index == 0 { writer.add(page)? } else { writer.add_record(page)? }
            }
            writer.finish(&outcome)
        })
    }

    /// The texts that spans point into. A report about a text without findings keeps none.
    pub const fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Offsets in bytes of the file at a path as offsets in another unit; see [`Texts::offsets`].
    pub fn offsets(&self, path: &str, bytes: &[u64], unit: Unit) -> Option<Vec<u64>> {
        self.texts.offsets(path, bytes, unit)
    }
}
