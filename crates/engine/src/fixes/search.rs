//! Searches for the fixes that are proven together.

use super::proof::Before;
use super::selection::{Candidate, ROUNDS, Risk, apart};

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
