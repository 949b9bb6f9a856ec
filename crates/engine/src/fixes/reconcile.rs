//! Keeps the fixes that a run really applies: of two that exclude each other, the one that comes first.

use std::collections::BTreeMap;

use voxlint_model::{Diagnostic, Inputs, Origin, Report, Safety};
use voxlint_syntax::Span;

use super::proof::Before;
use super::rounds::{Rounds, apply_all};
use super::selection::{Candidate, apart};

/// The maximum number of fixes, and of bytes, for which a run is tried out. Longer reports offer what is proven.
const MAX_TRIED: usize = 64;
const MAX_LENGTH: usize = 32 << 10;

/// Drops the fixes that are proven alone, and are not applied with the others, so that what is counted as fixable is fixed.
pub(crate) fn keep_applied(inputs: &Inputs, report: &mut Report) {
    for safety in [Safety::Safe, Safety::Unsafe] {
        let findings = report.diagnostics.iter();
        let all: Vec<Candidate<'_>> =
            findings.filter_map(|finding| Some((finding, finding.fix(safety)?))).collect();
        let is_long = inputs.document.text().len() > MAX_LENGTH;
        if all.len() < 2 || all.len() > MAX_TRIED || is_long {
            continue;
        }
        let are_apart = apart(&all, &[], 0..all.len()).len() == all.len();
        if are_apart && Before::masked(inputs, report).holds(&all) {
            continue;
        }
        let rounds = apply_all(inputs, safety, &mut |report, _| report);
        let mut left = places(&rounds);
        for finding in &mut report.diagnostics {
            if finding.fix(safety).is_none() {
                continue;
            }
            let key = (finding.rule.id.to_string(), finding.origin, finding.span.start);
            if let Some(count) = left.get_mut(&key).filter(|count| **count > 0) {
                *count -= 1;
                finding.fixes.retain(|fix| safety == Safety::Safe && fix.safety != safety);
            }
        }
    }
}

/// How many findings of each rule are left, by their places before the run.
fn places(rounds: &Rounds) -> BTreeMap<(String, Origin, u32), u32> {
    let mut left = BTreeMap::new();
    for Diagnostic { rule, origin, span, .. } in &rounds.report.diagnostics {
        let span: Span = rounds.texts.get(origin).map_or(*span, |(text, _)| text.origin(*span));
        *left.entry((rule.id.to_string(), *origin, span.start)).or_default() += 1;
    }
    left
}
