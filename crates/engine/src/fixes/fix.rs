//! Fixes a document: applies fixes in rounds, until nothing changes.

use voxlint_model::{Inputs, Origin, Report, Safety};
use voxlint_syntax::TextEdit;

use super::rounds::{AppliedFix, Run, run_fixes};
use super::solved;
use crate::check;

/// Applies the fixes of a document's findings in rounds, until nothing changes.
///
/// `safety` is the most that is allowed: with [`Safety::Safe`] only safe fixes are applied. `filter` is what the caller does to
/// the report of each round, given the inputs of that round: levels, suppressions, a baseline. A finding that it removes or suppresses is not fixed.
///
/// ```
/// use voxlint::fixes::fix;
/// use voxlint::syntax::edit::apply;
/// use voxlint::{Document, Inputs, Safety};
///
/// let text = r#"{ "version_number": 3, "titel": "Front desk" }"#;
/// let fixed = fix(&Inputs::new(Document::parse(text)), Safety::Unsafe, &mut |report, _| report);
/// assert_eq!(fixed.applied[0].title, "rename to `title`");
/// assert!(fixed.report.diagnostics.is_empty());
///
/// let edited = apply(text, &fixed.edits).expect("edits of this text");
/// assert_eq!(edited, fixed.inputs.document().text().as_bytes());
/// ```
pub fn fix(
    inputs: &Inputs,
    safety: Safety,
    filter: &mut dyn FnMut(Report, &Inputs) -> Report,
) -> Fixed {
    fix_if(inputs, safety, filter, &mut |_| true)
}

/// The same, but only as far as `accepts` allows the inputs with the fixes that are proven together: other documents may share
/// a text with this one.
pub fn fix_if(
    inputs: &Inputs,
    safety: Safety,
    filter: &mut dyn FnMut(Report, &Inputs) -> Report,
    accepts: &mut dyn FnMut(&Inputs) -> bool,
) -> Fixed {
    let mut run = run_fixes(inputs, safety, filter, accepts);
    if run.report.diagnostics.iter().filter(|finding| !finding.fixes.is_empty()).nth(1).is_some() {
        run.report = filter(check(&run.inputs), &run.inputs);
    }
    let first = run.first.take().unwrap_or_default();
    let solved = solved(&first, &run.report.diagnostics, |origin, span| run.origin(origin, span));
    let Run { inputs, texts, applied, rounds, is_complete, report, .. } = run;
    let (mut edits, mut text_edits) = (Vec::new(), Vec::new());
    for (origin, (text, length)) in texts {
        match origin {
            Origin::Text(index) => text_edits.push((index, text.into_edits(length))),
            _ => edits = text.into_edits(length),
        }
    }
    Fixed { inputs, edits, text_edits, applied, solved, report, rounds, is_complete }
}

/// A document after its fixes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fixed {
    /// The inputs with the edited document and texts.
    pub inputs: Inputs,
    /// The edits of the document, against the bytes of its file before the first round: sorted by span, none overlapping
    /// another. Spans are bytes of the file, also if it has several documents.
    pub edits: Vec<TextEdit>,
    /// The same for each edited text with a file of its own, by its index in [`Inputs::texts`].
    pub text_edits: Vec<(u16, Vec<TextEdit>)>,
    /// The fixes that were applied, in the order in which they were.
    pub applied: Vec<AppliedFix>,
    /// How many findings the document had before, after the filter, that are not left: those that were fixed, and those that
    /// are gone with them. What a fix has brought to light and a later round has fixed does not count.
    pub solved: u32,
    /// What is left: the check of the edited document, after the filter.
    pub report: Report,
    /// The number of rounds that changed something.
    pub rounds: u32,
    /// Whether the fixes have come to their end. Otherwise there were more rounds than one call does, and another call goes on.
    pub is_complete: bool,
}
