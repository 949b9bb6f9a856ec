//! Converts results of the project layer to the types of reports.

use std::io;

use voxlint::Origin;
use voxlint_project::{Failure, PlanRun, RelatedDocument};
use voxlint_report::{FailedFile, PlanReport, PlannedDocument, RelatedFile, SkippedFile};

/// Converts a related file for reports.
pub fn related_file((origin, it): &(Origin, RelatedDocument)) -> (Origin, RelatedFile<'_>) {
    (*origin, RelatedFile { path: &it.path, text: it.document.text() })
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
    let skipped = run.result.statuses.skipped().into_iter();
    let skipped: Vec<_> = skipped.map(|(path, why)| SkippedFile { path, why }).collect();
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
