//! A check with the settings of a reference: what they report is reported, and what the settings of the working tree report besides.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use voxlint::{Diagnostic, Family, Origin, RuleRef};
use voxlint_project::{
    FileReport, FileRole, FileSet, LintOptions, LintedDocument, Reference, Renderer, RunResult,
    Session, loosened,
};

use crate::args::{ColorArgument, InputOptions};
use crate::find::find_files;

/// The file of a document, and its number in the file.
type DocumentKey = (Arc<str>, u64);

/// What the settings of the working tree report.
pub(crate) struct Own {
    reference: Arc<Reference>,
    pub(crate) session: Session,
    pub(crate) files: FileSet,
    pub(crate) result: RunResult,
    documents: Mutex<Documents>,
}

#[derive(Default)]
struct Documents {
    left: BTreeMap<DocumentKey, Left>,
    /// What the working tree loosens.
    loosened: BTreeSet<String>,
}

/// A document that is not reported yet, if it has findings, and whether the reference has others in it; `None` if it has not checked
/// the document.
pub(crate) type Left = (Option<LintedDocument>, Option<bool>);

/// Keeps documents with findings.
struct KeepFaulty;

impl Renderer for KeepFaulty {
    type Output = (DocumentKey, Option<LintedDocument>);

    fn render(&self, document: LintedDocument) -> Self::Output {
        (place(&document), (!document.report.diagnostics.is_empty()).then_some(document))
    }
}

fn place(document: &LintedDocument) -> DocumentKey {
    (Arc::clone(&document.path), document.position.map_or(0, |position| position.index))
}

impl Own {
    /// Checks files with the settings of the working tree, before `judge` checks them with those of a reference.
    ///
    /// # Errors
    ///
    /// If an option does not fit the files, or the reference cannot be opened.
    pub(crate) fn check(
        name: &str,
        lint: LintOptions,
        (input, color): (&InputOptions, ColorArgument),
        judge: &mut Session,
    ) -> Result<Self, String> {
        let first = input.paths().first().cloned().unwrap_or_default();
        let reference = Reference::open(name, &first).map_err(|error| error.to_string())?;
        let reference = Arc::new(reference);
        judge.refer_to(Arc::clone(&reference));
        let mut session = Session::once(lint);
        let mut files = find_files(&mut session, input, color)?;
        if let Some(folder) = reference.folder() {
            files.take_folder(&folder, FileRole::Base);
        }
        let mut documents = Documents::default();
        let result = session.lint_files(&mut files, &KeepFaulty, &mut |(place, document), _| {
            documents.left.insert(place, (document, None));
        });
        Ok(Self { reference, session, files, result, documents: Mutex::new(documents) })
    }

    /// Adds what the settings of the working tree report to the findings of the reference. A finding of both has the higher severity.
    pub(crate) fn join(&self, joined: &mut LintedDocument) {
        // The comments are those of the working tree, which may be about its own rules.
        joined.report.diagnostics.retain(|found| found.rule.family() != Family::Suppression);
        let comments = self.reference.new_comments(joined);
        let place = place(joined);
        let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
        documents.loosened.extend(comments);
        let Some((Some(mut own), _)) = documents.left.remove(&place) else { return };
        let mut known: BTreeMap<_, _> = BTreeMap::new();
        for (index, found) in joined.report.diagnostics.iter().enumerate() {
            known.entry(identity(joined, found)).or_insert(index);
        }
        let mut new = mem::take(&mut own.report.diagnostics);
        new.retain(|found| {
            let index = known.get(&identity(&own, found));
            if let Some(it) = index.and_then(|index| joined.report.diagnostics.get_mut(*index)) {
                it.severity = it.severity.max(found.severity);
            }
            index.is_none()
        });
        if new.is_empty() {
            return;
        }
        if has_same_files(&own, joined) {
            joined.report.diagnostics.extend(new);
            joined.report.diagnostics.sort_by(|a, b| {
                (a.origin, a.span, &a.rule.id).cmp(&(b.origin, b.span, &b.rule.id))
            });
        } else {
            own.report.diagnostics = new;
            (own.report.suppressed, own.report.undecided) = (Vec::new(), Vec::new());
            let is_faulty = !joined.report.diagnostics.is_empty();
            documents.left.insert(place, (Some(own), Some(is_faulty)));
        }
    }

    /// The documents that are left when the reference has checked all its documents.
    pub(crate) fn left(&self) -> impl Iterator<Item = Left> + use<> {
        let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
        mem::take(&mut documents.left).into_values()
    }

    /// Leaves out of a document what is reported for one of its files.
    pub(crate) fn leave_out(&self, document: &mut LintedDocument, reported: &[FileReport]) {
        let configurations = self.session.configurations();
        let mut all = mem::take(&mut document.report.diagnostics);
        all.retain(|found| {
            let is_it = |it: &Diagnostic| it.rule == found.rule && it.span == found.span;
            reported.iter().all(|file| {
                !file.report.diagnostics.iter().any(is_it)
                    || configurations.shown(&file.path) != **path_of(document, found)
            })
        });
        document.report.diagnostics = all;
    }

    /// What the working tree loosens, in sentences.
    pub(crate) fn loosened(
        &self,
        judge: &Session,
        files: &FileSet,
        result: &RunResult,
    ) -> Vec<String> {
        let mut all = loosened((judge, files, result), (&self.session, &self.files));
        let documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(documents.loosened.iter().cloned());
        all.into_iter().collect()
    }

    /// The rules that `rules` lacks.
    pub(crate) fn rules_beside(&self, rules: &[RuleRef]) -> Vec<RuleRef> {
        let mut own = self.session.configurations().rules();
        own.retain(|rule| rules.iter().all(|known| known.id != rule.id));
        own
    }
}

/// What tells a finding from others in a document: its rule, its value and its place.
fn identity(document: &LintedDocument, found: &Diagnostic) -> (String, String, String, u32, u32) {
    let (rule, field) = (found.rule.id.to_string(), found.field.clone());
    (rule, field, path_of(document, found).to_string(), found.span.start, found.span.end)
}

/// The file that a finding is in.
fn path_of<'d>(document: &'d LintedDocument, found: &Diagnostic) -> &'d Arc<str> {
    let related = document.related.iter().find(|(origin, _)| *origin == found.origin);
    related.map_or(&document.path, |(_, related)| &related.path)
}

/// Whether findings in one mean the same places in the other.
fn has_same_files(one: &LintedDocument, other: &LintedDocument) -> bool {
    let files = |it: &LintedDocument| -> Vec<(Origin, Arc<str>, String)> {
        let related = it.related.iter();
        related
            .map(|(origin, it)| (*origin, Arc::clone(&it.path), it.document.text().to_owned()))
            .collect()
    };
    one.kind == other.kind && files(one) == files(other)
}
