//! Converts results of the project layer to the types of reports.

use std::io;

use voxlint::{Difference, Origin};
use voxlint_project::{Failure, LintedDocument, PlanRun, RelatedDocument, RunResult};
use voxlint_report::{
    CheckedDocument, FailedFile, PlanReport, PlannedDocument, RelatedFile, SkippedFile,
};

/// Converts a related file for reports.
pub fn related_file((origin, it): &(Origin, RelatedDocument)) -> (Origin, RelatedFile<'_>) {
    (*origin, RelatedFile { path: &it.path, text: it.document.text() })
}

/// Shows a document that was checked.
pub fn with_checked<T>(
    document: &LintedDocument,
    show: impl FnOnce(CheckedDocument<'_>) -> T,
) -> T {
    let related: Vec<_> = document.related.iter().map(related_file).collect();
    let (path, text) = (&document.path, document.document.text());
    let mut checked = CheckedDocument::new(path, text, &document.report).related_files(&related);
    checked.position = document.position;
    checked.lines = document.lines.as_deref();
    show(checked)
}

/// Shows the update of a difference that reports call `name`, if there is one.
pub fn with_update<T>(
    difference: &Difference,
    name: &str,
    related: &[(Origin, RelatedDocument)],
    show: impl FnOnce(Option<&CheckedDocument<'_>>) -> T,
) -> T {
    let related: Vec<_> = related.iter().map(related_file).collect();
    let checked = difference.update.as_deref().zip(difference.report.as_ref());
    let checked = checked
        .map(|(update, report)| CheckedDocument::new(name, update, report).related_files(&related));
    show(checked.as_ref())
}

/// The files that a run has skipped, for reports.
pub fn skipped_files(result: &RunResult) -> Vec<SkippedFile> {
    let skipped = result.statuses.skipped().into_iter();
    skipped.map(|(path, why)| SkippedFile { path, why }).collect()
}

/// Converts a failure for reports.
pub fn failed_file(failure: &Failure) -> FailedFile {
    FailedFile { path: failure.path.clone(), message: failure.message.clone() }
}

/// Shows the plan of a run.
pub fn plan_report<T>(run: &PlanRun, show: impl FnOnce(PlanReport<'_>) -> T) -> T {
    let related: Vec<Vec<_>> = run
        .documents
        .values()
        .map(|document| document.related.iter().map(related_file).collect())
        .collect();
    let documents = run.documents.iter().zip(&related);
    let documents: Vec<PlannedDocument<'_>> = documents
        .map(|((name, document), related_files)| PlannedDocument {
            name,
            path: &document.path,
            text: document.document.text(),
            position: document.position,
            related_files,
        })
        .collect();
    let skipped = skipped_files(&run.result);
    let failed: Vec<FailedFile> = run.result.failures.iter().map(failed_file).collect();
    let mut report = PlanReport::new(&run.plan);
    report.documents = &documents;
    report.skipped = &skipped;
    report.failed = &failed;
    show(report)
}

/// The text that is written to memory, where writing cannot fail.
pub(crate) fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    let _ = write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
