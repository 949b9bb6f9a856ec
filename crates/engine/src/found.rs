//! The findings of a check before they are resolved.
//!
//! A document of a few megabytes can have millions of findings, each of which takes more memory than the characters that it is
//! about. Of each rule only so many are kept; the others are counted.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use voxlint_model::verdict::{Subject, Verdict};
use voxlint_model::{Family, Origin, RuleRef, Severity, VerdictKind};
use voxlint_syntax::NodeId;

/// The maximum number of findings of one rule that a report lists.
pub(crate) const MAX_LISTED: usize = 10_000;

/// The findings of a check, in the order in which they were found.
pub(crate) struct Found {
    limit: usize,
    listed: Vec<(RuleRef, Verdict)>,
    /// The findings of each rule, counted from the first time that there are enough for one rule to have too many.
    counts: HashMap<Cow<'static, str>, RuleCount>,
    /// How many have been found, including those that are not listed.
    total: usize,
}

#[derive(Default)]
struct RuleCount {
    listed: usize,
    unlisted: Option<Unlisted>,
}

/// The findings of a rule that are not listed.
pub(crate) struct Unlisted {
    pub(crate) rule: RuleRef,
    pub(crate) count: u32,
    /// The most severe of them, the first of several.
    pub(crate) worst: Verdict,
}

impl Default for Found {
    fn default() -> Self {
        Self { limit: MAX_LISTED, listed: Vec::new(), counts: HashMap::new(), total: 0 }
    }
}

impl Found {
    /// Lists all findings.
    pub(crate) fn without_limit() -> Self {
        Self { limit: usize::MAX, ..Self::default() }
    }

    pub(crate) fn push(&mut self, (rule, verdict): (RuleRef, Verdict)) {
        self.total += 1;
        if self.listed.len() < self.limit {
            self.listed.push((rule, verdict));
            return;
        }
        if self.counts.is_empty() {
            for (rule, _) in &self.listed {
                self.counts.entry(rule.id.clone()).or_default().listed += 1;
            }
        }
        let count = self.counts.entry(rule.id.clone()).or_default();
        // Those with a key will be merged into one.
        let is_merged = verdict.finding().is_none_or(|finding| finding.merge_key.is_some());
        if count.listed < self.limit || is_merged {
            count.listed += 1;
            self.listed.push((rule, verdict));
            return;
        }
        match &mut count.unlisted {
            None => count.unlisted = Some(Unlisted { rule, count: 1, worst: verdict }),
            Some(unlisted) => {
                unlisted.count = unlisted.count.saturating_add(1);
                if weight(&rule, &verdict) > weight(&rule, &unlisted.worst) {
                    unlisted.worst = verdict;
                }
            }
        }
    }

    pub(crate) fn extend(&mut self, found: impl Iterator<Item = (RuleRef, Verdict)>) {
        found.for_each(|found| self.push(found));
    }

    /// How many have been found, including those that are not listed.
    pub(crate) const fn len(&self) -> usize {
        self.total
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Removes the findings from an index on, which must be without a limit.
    pub(crate) fn split_off(&mut self, at: usize) -> Vec<(RuleRef, Verdict)> {
        self.total = at;
        self.listed.split_off(at)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut (RuleRef, Verdict)> {
        self.listed.iter_mut()
    }

    /// The values that the service rejects, each by itself.
    pub(crate) fn rejected_values(&self) -> Vec<(Origin, NodeId)> {
        let is_of_value = |rule: &RuleRef| {
            matches!(rule.family(), Family::Value | Family::Text | Family::Template)
        };
        let rejected = self.listed.iter().filter_map(|(rule, verdict)| match verdict {
            Verdict::Reject(finding) if is_of_value(rule) => match &finding.field {
                Subject::Value(place) => Some(place),
                _ => Some(&finding.at),
            },
            _ => None,
        });
        let mut values: Vec<_> =
            rejected.filter_map(|place| Some((place.origin, place.node?))).collect();
        values.dedup();
        values
    }

    /// The findings that are listed, and those that are not, by their rules.
    pub(crate) fn into_parts(self) -> (Vec<(RuleRef, Verdict)>, Vec<Unlisted>) {
        let unlisted = self.counts.into_values().filter_map(|count| count.unlisted);
        (self.listed, unlisted.collect())
    }
}

/// How severe a finding is, in the order of severity.
fn weight(rule: &RuleRef, verdict: &Verdict) -> Option<(Severity, Reverse<VerdictKind>)> {
    let (kind, finding) = (verdict.kind()?, verdict.finding()?);
    Some((finding.severity.unwrap_or_else(|| rule.severity(kind)), Reverse(kind)))
}
