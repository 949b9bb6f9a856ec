//! Chooses fixes: those whose edits do not touch each other, and of those the ones that are proven together.

use std::collections::BTreeMap;

use super::proof::Before;
use crate::{Diagnostic, Family, Fix, Origin, Safety, TextEdit};

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

/// A search for the fixes that are proven, with a limited number of proofs.
pub(super) struct Search<'a> {
    before: &'a Before<'a>,
    all: &'a [Candidate<'a>],
    /// The number of proofs that are left.
    proofs: usize,
    /// The number of proofs so far.
    used: u32,
}

impl<'a> Search<'a> {
    pub(super) const fn new(
        before: &'a Before<'a>,
        all: &'a [Candidate<'a>],
        proofs: usize,
    ) -> Self {
        Self { before, all, proofs, used: 0 }
    }

    pub(super) const fn used(&self) -> u32 {
        self.used
    }

    /// The fixes that are proven, by their indexes: in sets, each of which is proven as a whole and applied in one round.
    pub(super) fn proven_in_sets(&mut self) -> Vec<usize> {
        let mut all_proven = Vec::new();
        for risks in ROUNDS {
            let has_risk = |at: &usize| {
                self.all.get(*at).is_some_and(|candidate| risks.contains(&Risk::of(candidate)))
            };
            let mut open: Vec<usize> = (0..self.all.len()).filter(has_risk).collect();
            while self.proofs > 0 && !open.is_empty() {
                all_proven.extend(self.next_set(risks, &mut open));
            }
        }
        all_proven
    }

    /// The next set of fixes that are proven together, in the order of their risks. What was tried is no longer open.
    fn next_set(&mut self, risks: &[Risk], open: &mut Vec<usize>) -> Vec<usize> {
        let mut proven = Vec::new();
        for risk in risks {
            loop {
                let has_risk = |at: &usize| {
                    self.all.get(*at).is_some_and(|candidate| Risk::of(candidate) == *risk)
                };
                let next = apart(self.all, &proven, open.iter().copied().filter(has_risk));
                if next.is_empty() {
                    break;
                }
                open.retain(|at| next.binary_search(at).is_err());
                self.extend(&mut proven, &next);
            }
        }
        proven
    }

    /// Adds to a set that is proven those of other fixes that are proven together with it: all of them, or those of each half.
    /// So the set is proven as a whole, whatever was left out.
    pub(super) fn extend(&mut self, proven: &mut Vec<usize>, some: &[usize]) {
        if some.is_empty() || self.proofs == 0 {
            return;
        }
        self.proofs -= 1;
        self.used += 1;
        let together = proven.iter().chain(some).filter_map(|at| self.all.get(*at).copied());
        if self.before.holds(&together.collect::<Vec<_>>()) {
            proven.extend(some);
        } else if let Some((first, second)) =
            some.split_at_checked(some.len() / 2).filter(|(first, _)| !first.is_empty())
        {
            self.extend(proven, first);
            self.extend(proven, second);
        }
    }
}
