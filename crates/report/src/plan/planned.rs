//! What the forms of a plan show.

use voxlint::{DocumentPosition, Origin, Outcome, Plan, PlanCounts};

use crate::document::RelatedFile;
use crate::run::{FailedFile, SkippedFile};

/// A plan and what its forms show with it.
#[derive(Clone, Copy, Debug)]
pub struct PlanReport<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The documents with findings of the rules across documents. A finding of any other document is shown without an excerpt.
    pub documents: &'a [PlannedDocument<'a>],
    /// The files that were skipped.
    pub skipped: &'a [SkippedFile],
    /// The files that could not be read or used.
    pub failed: &'a [FailedFile],
    /// The address of the documentation, as for [`RunInfo::documentation`](crate::RunInfo::documentation).
    pub documentation: Option<&'a str>,
}

impl<'a> PlanReport<'a> {
    /// A plan with nothing else.
    pub const fn new(plan: &'a Plan) -> Self {
        Self { plan, documents: &[], skipped: &[], failed: &[], documentation: None }
    }
}

/// The text of a document of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlannedDocument<'a> {
    /// The name of its plan.
    pub name: &'a str,
    /// The file's path for display, with forward slashes.
    pub path: &'a str,
    /// The text of the document or of its whole file, as in [`CheckedDocument`](crate::CheckedDocument::text).
    pub text: &'a str,
    /// The position of the document in a file with several documents.
    pub position: Option<DocumentPosition>,
    /// The other inputs that findings may point into.
    pub related_files: &'a [(Origin, RelatedFile<'a>)],
}

/// The outcomes with their counts, in the order of summaries.
pub(super) const fn counted_outcomes(counts: &PlanCounts) -> [(Outcome, usize); 6] {
    [
        (Outcome::Update, counts.update),
        (Outcome::Publish, counts.publish),
        (Outcome::Refused, counts.refused),
        (Outcome::Depends, counts.depends),
        (Outcome::NoStoredState, counts.no_stored_state),
        (Outcome::NoChange, counts.no_change),
    ]
}

/// The words after a count.
pub(super) const fn counted_as(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Update => "to update",
        Outcome::Publish => "to publish",
        Outcome::Refused => "rejected",
        Outcome::Depends => "may be rejected",
        Outcome::NoStoredState => "without a stored configuration",
        Outcome::NoChange => "unchanged",
        _ => outcome.name(),
    }
}
