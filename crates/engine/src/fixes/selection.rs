//! Chooses fixes whose edits do not touch each other, in the order of what they may change.

use std::collections::BTreeMap;

use voxlint_model::{Diagnostic, Family, Fix, Origin, Safety};

use voxlint_syntax::TextEdit;

/// A fix, with its finding.
pub(super) type Candidate<'a> = (&'a Diagnostic, &'a Fix);

/// What a fix may change, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Risk {
    /// The spelling of the document.
    Spelling,
    /// The values that the fix states.
    Values,
    /// Any value: the correction of a syntax error after which the text is read in another way.
    Reading,
}

impl Risk {
    pub(super) fn of((finding, fix): &Candidate<'_>) -> Self {
        match fix.safety {
            Safety::Safe => Self::Spelling,
            Safety::Unsafe if corrects_syntax(finding, fix) => Self::Reading,
            Safety::Unsafe => Self::Values,
        }
    }
}

/// Whether a fix corrects the text of the document, and not one of its values.
pub(super) fn corrects_syntax(finding: &Diagnostic, fix: &Fix) -> bool {
    fix.changes.is_empty() && finding.rule.family() == Family::Document
}

/// The risks of fixes that are applied in one round: safe ones hold without those that need a review. What is read in another
/// way is compared with nothing, so such corrections have a round of their own.
pub(super) const ROUNDS: [&[Risk]; 2] = [&[Risk::Spelling, Risk::Values], &[Risk::Reading]];

/// The fixes among `some` whose edits touch no edit of `chosen`, nor of an earlier one among them. All are indexes of `all`.
pub(super) fn apart(
    all: &[Candidate<'_>],
    chosen: &[usize],
    some: impl Iterator<Item = usize>,
) -> Vec<usize> {
    // The edits so far, by their last byte: none touches another one, so they are in the same order by their first.
    let mut taken: BTreeMap<(Origin, u32), u32> = BTreeMap::new();
    let places = |fix: &Fix| -> Vec<((Origin, u32), u32)> {
        let edits = fix.edits.iter();
        edits.map(|edit| ((fix.origin, edit.span.end), edit.span.start)).collect()
    };
    taken.extend(chosen.iter().filter_map(|at| all.get(*at)).flat_map(|(_, fix)| places(fix)));
    let mut are_apart = Vec::new();
    for at in some {
        let Some((_, fix)) = all.get(at) else { continue };
        let is_free = |edit: &TextEdit| {
            let after = taken.range((fix.origin, edit.span.start)..=(fix.origin, u32::MAX)).next();
            after.is_none_or(|(_, start)| *start > edit.span.end)
        };
        if fix.edits.iter().all(is_free) {
            are_apart.push(at);
            taken.extend(places(fix));
        }
    }
    are_apart
}
