//! Diagnostics for clients that ask for them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use lsp_types::{
    Diagnostic, DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportKind,
    DocumentDiagnosticReportResult, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport, Uri, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
    WorkspaceDiagnosticReportResult, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};

use crate::context::Context;
use crate::findings::found_in;
use crate::project::Project;
use crate::uri;

pub(crate) fn of_document(
    context: &Context<'_>,
    project: &mut Project,
    parameters: &DocumentDiagnosticParams,
) -> DocumentDiagnosticReportResult {
    let found = |key: &str| found_in(&context.shared.shown(), key);
    let items = match &context.open {
        Some(open) => found(&open.key),
        // Clients ask for files that they show without having loaded them.
        None => uri::to_path(&parameters.text_document.uri)
            .map(|path| project.check_closed(&path))
            .unwrap_or_default(),
    };
    // Texts that are not open, and that only this report tells about.
    let related =
        context.analysis.as_ref().filter(|_| context.shared.client.takes_related_documents);
    let related: HashMap<Uri, DocumentDiagnosticReportKind> = related
        .into_iter()
        .flat_map(|analysis| analysis.shown.keys())
        .filter(|key| !context.texts.contains_key(*key))
        .filter_map(|key| {
            let items = found(key);
            let report = FullDocumentDiagnosticReport { result_id: None, items };
            Some((uri::of_path(Path::new(key))?, DocumentDiagnosticReportKind::Full(report)))
        })
        .collect();
    let related_documents = (!related.is_empty()).then_some(related);
    let result_id = result_id(&items);
    let report = if parameters.previous_result_id.as_ref() == Some(&result_id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: Some(result_id),
                items,
            },
        })
    };
    DocumentDiagnosticReportResult::Report(report)
}

pub(crate) fn of_workspace(
    context: &Context<'_>,
    project: &mut Project,
    parameters: &WorkspaceDiagnosticParams,
) -> WorkspaceDiagnosticReportResult {
    let mut shown = project.check_folders(&context.shared.folders());
    let mut known: HashMap<String, String> = HashMap::new();
    for previous in &parameters.previous_result_ids {
        if let Some(path) = uri::to_path(&previous.uri) {
            let key = voxlint_project::paths::absolute(&path);
            // A file that is gone has no findings.
            shown.entry(key.clone()).or_default();
            known.insert(key, previous.value.clone());
        }
    }
    let items = shown.into_iter().filter_map(|(key, items)| {
        let open = context.texts.get(&key);
        let uri = open.map(|open| open.uri.clone()).or_else(|| uri::of_path(Path::new(&key)))?;
        let version = open.map(|open| i64::from(open.version));
        let result_id = result_id(&items);
        Some(if known.get(&key) == Some(&result_id) {
            WorkspaceDocumentDiagnosticReport::Unchanged(
                WorkspaceUnchangedDocumentDiagnosticReport {
                    uri,
                    version,
                    unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport {
                        result_id,
                    },
                },
            )
        } else {
            WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                uri,
                version,
                full_document_diagnostic_report: FullDocumentDiagnosticReport {
                    result_id: Some(result_id),
                    items,
                },
            })
        })
    });
    let report = WorkspaceDiagnosticReport { items: items.collect() };
    WorkspaceDiagnosticReportResult::Report(report)
}

/// The same for the same findings.
fn result_id(items: &[Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(items).unwrap_or_default().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
