//! Keeps the fixes of a report that a run really applies.

use std::collections::BTreeMap;

use voxlint_model::{Inputs, Report, Safety};

use super::batch::{Candidate, apart};
use super::prove::Before;
use super::rounds::run_fixes;

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
        let run = run_fixes(inputs, safety, &mut |report, _| report, &mut |_| true);
        let mut left = BTreeMap::new();
        for it in &run.report.diagnostics {
            let start = run.origin(it.origin, it.span).start;
            *left.entry((it.rule.id.to_string(), it.origin, start)).or_insert(0) += 1;
        }
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
