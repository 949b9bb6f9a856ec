//! Applies the fixes of a document in rounds, until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use voxlint_model::diagnostic::MAX_FIXES;
use voxlint_model::{Diagnostic, Inputs, Origin, Report, RuleRef, Safety};
use voxlint_syntax::Span;

use super::composition::Composition;
use super::findings::is_in_template;
use super::keep::affordable_proofs;
use super::proof::{Before, edits_by_origin};
use super::search::Search;
use super::selection::{Candidate, ROUNDS, Risk, apart};
use crate::check_once;

/// The rounds of a run.
pub(super) struct Rounds {
    pub(super) inputs: Inputs,
    /// The texts that were edited, with their lengths before.
    pub(super) texts: BTreeMap<Origin, (Composition, usize)>,
    pub(super) applied: Vec<AppliedFix>,
    pub(super) count: u32,
    pub(super) is_complete: bool,
    /// The findings before the first fix, if there was one.
    pub(super) first: Option<Vec<Diagnostic>>,
    pub(super) report: Report,
}

/// Applies fixes in rounds, whichever of them the first report has kept.
pub(super) fn apply_all(
    inputs: &Inputs,
    safety: Safety,
    filter: &mut dyn FnMut(Report, &Inputs) -> Report,
) -> Rounds {
    let mut inputs = inputs.looking_ahead(true);
    let mut texts: BTreeMap<Origin, (Composition, usize)> = BTreeMap::new();
    let mut applied = Vec::new();
    let (mut rounds, mut proofs, mut is_complete) = (0, 0, true);
    let mut first = None;
    let report = loop {
        let unfiltered = check_once(&inputs);
        let report = filter(unfiltered.clone(), &inputs);
        let mut chosen = choose(&unfiltered, &report, safety);
        if proofs >= max_rounds(inputs.document.text().len()) {
            is_complete = chosen.is_empty();
            chosen.clear();
        }
        // What shows only when something else is corrected is not reported.
        let as_reported = |filter: &mut dyn FnMut(Report, &Inputs) -> Report| {
            if !looks_further(&unfiltered) && has_few_fixes(&report) {
                return report.clone();
            }
            let inputs = inputs.looking_ahead(false);
            filter(check_once(&inputs), &inputs)
        };
        let Some((chosen, next)) = apply(&inputs, &unfiltered, &chosen, &mut proofs) else {
            break as_reported(filter);
        };
        first.get_or_insert_with(|| as_reported(filter).diagnostics);
        rounds += 1;
        for (finding, fix) in &chosen {
            let (text, _) = texts.entry(fix.origin).or_insert_with(|| {
                let text = inputs.document_of(fix.origin);
                let length = text.map_or(0, |text| text.text().len());
                (Composition::of(length), length)
            });
            applied.push(AppliedFix {
                rule: finding.rule.clone(),
                title: fix.title.clone(),
                safety: fix.safety,
                origin: fix.origin,
                span: text.origin(finding.span),
                field: finding.field.clone(),
            });
        }
        for (origin, edits) in edits_by_origin(&chosen) {
            if let Some((text, _)) = texts.get_mut(&origin) {
                text.add(&edits);
            }
        }
        inputs = next;
    };
    let inputs = inputs.looking_ahead(false);
    Rounds { inputs, texts, applied, count: rounds, is_complete, first, report }
}

/// Whether a report has no more fixes than one that is shown.
fn has_few_fixes(report: &Report) -> bool {
    report.diagnostics.iter().flat_map(|it| &it.fixes).nth(MAX_FIXES).is_none()
}

/// Whether a report has more than the first error of a template.
fn looks_further(report: &Report) -> bool {
    let mut templates = BTreeSet::new();
    let mut errors = report.diagnostics.iter().filter(|it| is_in_template(it));
    errors.any(|it| !templates.insert((it.origin, &it.field)))
}

/// The fixes that may be applied in the next round, in the order of the findings, as far as their edits do not touch each other:
/// safe ones before others. The rest waits for the round after that.
///
/// An error of a template is corrected only with those before it.
fn choose<'r>(unfiltered: &Report, report: &'r Report, safety: Safety) -> Vec<Candidate<'r>> {
    let findings = report.diagnostics.iter();
    let mut allowed: Vec<Candidate<'_>> =
        findings.filter_map(|finding| Some((finding, finding.fix(safety)?))).collect();
    let place = |it: &Diagnostic| (it.origin, it.span.start, it.field.clone());
    let in_templates = allowed.iter().map(|(finding, _)| *finding).filter(|it| is_in_template(it));
    let corrected: BTreeSet<_> = in_templates.map(place).collect();
    let mut left: BTreeMap<(Origin, &str), u32> = BTreeMap::new();
    for error in unfiltered.diagnostics.iter().filter(|it| is_in_template(it)) {
        if !corrected.contains(&place(error)) {
            let first = left.entry((error.origin, &error.field)).or_insert(u32::MAX);
            *first = (*first).min(error.span.start);
        }
    }
    allowed.retain(|(finding, _)| {
        let stays = left.get(&(finding.origin, finding.field.as_str()));
        !is_in_template(finding) || stays.is_none_or(|stays| finding.span.start < *stays)
    });
    for risks in ROUNDS {
        let mut chosen = Vec::new();
        for risk in risks {
            let of_risk = allowed.iter().enumerate().filter(|(_, it)| Risk::of(it) == *risk);
            chosen.extend(apart(&allowed, &chosen, of_risk.map(|(at, _)| at)));
        }
        if !chosen.is_empty() {
            chosen.sort_unstable();
            return chosen.into_iter().filter_map(|at| allowed.get(at).copied()).collect();
        }
    }
    Vec::new()
}

/// The minimum number of proofs in a round: enough to find one fix among a thousand that holds alone.
const MIN_ROUND_PROOFS: usize = 16;

/// Applies the fixes that are proven together. Returns them and the new inputs, `None` if none is proven. `used` is raised by the
/// number of proofs.
///
/// A fix was proven with others, perhaps with one that the caller has left out, so even a single one is proven again.
pub(super) fn apply<'a>(
    inputs: &Inputs,
    unfiltered: &Report,
    chosen: &[Candidate<'a>],
    used: &mut u32,
) -> Option<(Vec<Candidate<'a>>, Inputs)> {
    if chosen.is_empty() {
        return None;
    }
    let before = Before::masked(inputs, unfiltered);
    let proofs = affordable_proofs(inputs).max(MIN_ROUND_PROOFS);
    let mut proven = Vec::new();
    let all: Vec<usize> = (0..chosen.len()).collect();
    *used += 1;
    if before.holds(chosen) {
        proven = all;
    } else {
        // A safe fix does not wait for one that needs a review.
        let is_safe = |at: &usize| chosen.get(*at).is_some_and(|it| it.1.safety == Safety::Safe);
        let (safe, others): (Vec<usize>, Vec<usize>) = all.into_iter().partition(is_safe);
        let mut search = Search::new(&before, chosen, proofs);
        search.extend(&mut proven, &safe);
        search.extend(&mut proven, &others);
        *used += search.used();
        proven.sort_unstable();
    }
    let proven: Vec<Candidate<'a>> =
        proven.into_iter().filter_map(|at| chosen.get(at).copied()).collect();
    let mut edited = inputs.clone();
    for (origin, edits) in edits_by_origin(&proven) {
        edited = edited.edited(origin, &edits, inputs.offers_fixes)?;
    }
    (!proven.is_empty()).then_some((proven, edited))
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AppliedFix {
    /// The rule whose finding it fixed.
    pub rule: RuleRef,
    /// What it did.
    pub title: String,
    /// Whether it needed a review.
    pub safety: Safety,
    /// The input that it changed.
    pub origin: Origin,
    /// The finding, as bytes of the file before the first round.
    pub span: Span,
    /// A JSON Pointer to the value of the finding, when it was fixed.
    pub field: String,
}

/// The maximum number of rounds in which [`fix`](super::fix) applies fixes to a short document. A rule may report one mistake of
/// a text at a time, as the first error of a template, so that each takes a round.
pub const MAX_ROUNDS: u32 = 1_000;

/// The number of rounds for a document of any length.
const MIN_ROUNDS: u32 = 10;

/// The maximum number of bytes that rounds check beyond [`MIN_ROUNDS`].
const MAX_ROUND_BYTES: usize = 8 << 20;

/// The maximum number of rounds for a document of this length.
fn max_rounds(length: usize) -> u32 {
    let rounds = u32::try_from(MAX_ROUND_BYTES / length.max(1)).unwrap_or(MAX_ROUNDS);
    rounds.clamp(MIN_ROUNDS, MAX_ROUNDS)
}
