//! Sets of fixes that are proven together.

use std::collections::BTreeMap;

use voxlint_model::{Diagnostic, Family, Fix, Inputs, Origin, Safety};
use voxlint_syntax::TextEdit;
use voxlint_syntax::edit::hold_together;

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

/// The maximum number of proofs for one text.
const MAX_PROOFS: usize = 128;

/// The maximum number of bytes that are checked again for one text: 128 times a document of 32 KiB. For a longer one there are
/// fewer proofs.
const MAX_PROVEN_BYTES: usize = 4 << 20;

/// The number of proofs that one check of a document affords, but at least so many.
pub(super) fn affordable_proofs(inputs: &Inputs, least: usize) -> usize {
    let document = &inputs.document;
    // YAML is read again after each error.
    let passes = if document.format().is_yaml() { document.errors().len() + 1 } else { 1 };
    let texts = inputs.texts.iter().map(|text| text.document.text().len());
    let cost = (document.text().len() + texts.sum::<usize>()).saturating_mul(passes);
    (MAX_PROVEN_BYTES / cost.max(1)).min(MAX_PROOFS).max(least)
}

/// Fixes that are to be proven with a limited number of proofs.
pub(super) struct Batch<'a, 'h> {
    all: &'a [Candidate<'a>],
    /// Whether some of them, made together, keep what they promise.
    holds: &'h mut dyn FnMut(&[Candidate<'a>]) -> bool,
    /// The number of proofs that are left.
    proofs: usize,
    /// Those that were not tried yet, by their indexes.
    open: Vec<usize>,
}

impl<'a, 'h> Batch<'a, 'h> {
    pub(super) fn new(
        all: &'a [Candidate<'a>],
        proofs: usize,
        holds: &'h mut dyn FnMut(&[Candidate<'a>]) -> bool,
    ) -> Self {
        Self { all, holds, proofs, open: (0..all.len()).collect() }
    }

    pub(super) const fn proofs_left(&self) -> usize {
        self.proofs
    }

    /// The next fixes that are proven together, by their indexes in order. None is left if there are none.
    ///
    /// Safe ones are tried before those that need a review, so they hold without them. What is read in another way is compared
    /// with nothing, so such corrections are proven by themselves.
    pub(super) fn next_set(&mut self) -> Vec<usize> {
        for risks in [&[Risk::Spelling, Risk::Values][..], &[Risk::Reading]] {
            while self.proofs > 0 && self.has_open(risks) {
                let mut proven = Vec::new();
                for risk in risks {
                    self.extend_by(&mut proven, *risk);
                }
                if !proven.is_empty() {
                    proven.sort_unstable();
                    return proven;
                }
            }
        }
        Vec::new()
    }

    fn has_open(&self, risks: &[Risk]) -> bool {
        let open = self.open.iter().filter_map(|at| self.all.get(*at));
        open.map(Risk::of).any(|risk| risks.contains(&risk))
    }

    /// Adds to a set those of the open fixes of a risk that hold with it, as far as their edits touch no others.
    fn extend_by(&mut self, proven: &mut Vec<usize>, risk: Risk) {
        loop {
            let of_risk = |at: &usize| self.all.get(*at).is_some_and(|it| Risk::of(it) == risk);
            let next = apart(self.all, proven, self.open.iter().copied().filter(of_risk));
            if next.is_empty() {
                break;
            }
            self.open.retain(|at| next.binary_search(at).is_err());
            let Self { all, holds, proofs, .. } = self;
            hold_together(proven, &next, &mut |some| {
                if *proofs == 0 {
                    return false;
                }
                *proofs -= 1;
                let fixes = some.iter().filter_map(|at| all.get(*at).copied());
                holds(&fixes.collect::<Vec<_>>())
            });
        }
    }
}

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
