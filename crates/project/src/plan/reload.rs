//! Reads some documents of a run again: a plan keeps no document, and few have findings across documents.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::file_set::FileSet;
use crate::input::InputFile;
use crate::line_reader::{Batch, LineReader};
use crate::lint_files::{LinesKind, kind_of_other_lines};
use crate::linted::LintedDocument;
use crate::linter::{FileOutcome, Keep, Linter};
use crate::parallel;
use crate::session::Session;

/// Where a document is: the path of its file as users see it, and its number in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DocumentPlace {
    pub(super) path: Arc<str>,
    pub(super) index: u64,
}

impl DocumentPlace {
    pub(super) fn of(document: &LintedDocument) -> Self {
        let index = document.position.map_or(0, |position| position.index);
        Self { path: Arc::clone(&document.path), index }
    }
}

/// The documents at some places. Those that cannot be read are left out.
pub(super) fn reload(
    session: &Session,
    files: &FileSet,
    wanted: &BTreeSet<DocumentPlace>,
) -> BTreeMap<DocumentPlace, LintedDocument> {
    let paths: BTreeSet<&str> = wanted.iter().map(|place| &*place.path).collect();
    let linter = session.linter(files, &Keep);
    let inputs = files.inputs.iter().filter(|input| paths.contains(&*input.shown));
    let inputs: Vec<&InputFile> = inputs.collect();
    let found = parallel::map(&inputs, |buffer, input| -> Vec<(DocumentPlace, LintedDocument)> {
        let documents = if input.has_document_per_line() {
            lines(&linter, input, wanted).unwrap_or_default()
        } else {
            match linter.lint_file(input, buffer) {
                FileOutcome::Checked(checked) => {
                    checked.documents.into_iter().map(|document| document.rendered).collect()
                }
                _ => Vec::new(),
            }
        };
        let places = documents.into_iter().map(|document| (DocumentPlace::of(&document), document));
        places.filter(|(place, _)| wanted.contains(place)).collect()
    });
    found.into_iter().flatten().collect()
}

/// The wanted documents of a file with one document per line.
fn lines(
    linter: &Linter<'_, Keep>,
    input: &InputFile,
    wanted: &BTreeSet<DocumentPlace>,
) -> Option<Vec<LintedDocument>> {
    let context = linter.context(input)?;
    let Ok(LinesKind::Checked { others }) = kind_of_other_lines(linter, &context) else {
        return None;
    };
    let mut reader = LineReader::new(input.open(linter.file_system()).ok()?);
    let mut batch = Batch::default();
    let mut documents = Vec::new();
    while reader.next_batch(&mut batch).ok()? {
        for line in &batch.lines {
            let place = DocumentPlace { path: input.shown.clone(), index: line.index };
            if wanted.contains(&place) {
                let document = linter.lint_line(&context, others, (&batch, line), None);
                documents.extend(document.ok().flatten().map(|document| document.rendered));
            }
        }
    }
    Some(documents)
}
