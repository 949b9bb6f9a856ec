//! Reads documents without checking them: neighbors, and again the few documents of a run with findings across documents, because a
//! plan keeps no document.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::buffer::Buffer;
use crate::file_set::FileSet;
use crate::input::InputFile;
use crate::line_reader::LineReader;
use crate::lint_files::{LinesKind, kind_of_other_lines};
use crate::linted::LintedDocument;
use crate::linter::{FileOutcome, Linter, Renderer};
use crate::parallel;
use crate::session::Session;

/// Makes something of each document.
pub(super) struct Each<'f, F> {
    pub(super) work: F,
    /// Whether documents are checked, and not only read.
    pub(super) checks: bool,
    /// Is called after each file.
    pub(super) file_done: &'f (dyn Fn() + Sync),
}

impl<F> Each<'_, F> {
    /// Only reads.
    pub(super) const fn read(work: F) -> Self {
        Self { work, checks: false, file_done: &|| () }
    }
}

impl<T: Send, F: Fn(LintedDocument) -> T + Sync> Renderer for Each<'_, F> {
    type Output = T;

    fn render(&self, document: LintedDocument) -> T {
        (self.work)(document)
    }

    fn wants_fixes(&self) -> bool {
        false
    }

    fn checks(&self) -> bool {
        self.checks
    }

    fn file_done(&self) {
        (self.file_done)();
    }
}

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
    let reader = Each::read(|it: LintedDocument| (DocumentPlace::of(&it), it));
    let linter = session.linter(files, &reader);
    let inputs = files.inputs.iter().filter(|input| paths.contains(&*input.shown));
    let inputs: Vec<&InputFile> = inputs.collect();
    let found = parallel::map(&inputs, |(): &mut (), input| {
        let is_wanted =
            |index| wanted.contains(&DocumentPlace { path: Arc::clone(&input.shown), index });
        documents(&linter, input, &is_wanted).unwrap_or_default()
    });
    found.into_iter().flatten().filter(|(place, _)| wanted.contains(place)).collect()
}

/// What is made of the documents of a file; `None` if it cannot be read. Of a file with one document per line, only those lines are
/// read whose number is wanted.
pub(super) fn documents<R: Renderer>(
    linter: &Linter<'_, R>,
    input: &InputFile,
    is_wanted: &dyn Fn(u64) -> bool,
) -> Option<Vec<R::Output>> {
    let mut found = Vec::new();
    if !input.has_document_per_line() {
        match linter.lint_file(input, &mut Buffer::default()) {
            FileOutcome::Checked(checked) => {
                found.extend(checked.documents.into_iter().map(|document| document.rendered));
            }
            FileOutcome::Skipped(_) => {}
            FileOutcome::Unconfigured | FileOutcome::Failed(_) => return None,
        }
        return Some(found);
    }
    let context = linter.context(input)?;
    let others = match kind_of_other_lines(linter, &context).ok()? {
        LinesKind::Checked { others } => others,
        LinesKind::Skipped(_) => return Some(found),
    };
    let mut reader = LineReader::new(input.open(linter.file_system()).ok()?);
    while let Some(batch) = reader.next_batch().ok()? {
        for line in batch.lines.iter().filter(|line| is_wanted(line.index)) {
            let document = linter.lint_line(&context, others, (&batch, line), None);
            found.extend(document.ok().flatten().map(|document| document.rendered));
        }
    }
    Some(found)
}
