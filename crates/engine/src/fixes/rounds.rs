//! Applies fixes in rounds, each to the document that the last one has left.

use std::collections::{BTreeMap, BTreeSet};

use voxlint_model::diagnostic::MAX_FIXES;
use voxlint_model::{Diagnostic, Inputs, Origin, Report, RuleRef, Safety};
use voxlint_syntax::Span;

use super::batch::{Batch, Candidate, affordable_proofs};
use super::composition::Composition;
use super::findings::is_in_template;
use super::prove::{Before, edits_by_origin};
use crate::check_once;

/// The rounds of a document.
pub(super) struct Run {
    pub(super) inputs: Inputs,
    /// The texts that were edited, with their lengths before.
    pub(super) texts: BTreeMap<Origin, (Composition, usize)>,
    pub(super) applied: Vec<AppliedFix>,
    pub(super) rounds: u32,
    pub(super) is_complete: bool,
    /// The findings before the first fix, if there was one.
    pub(super) first: Option<Vec<Diagnostic>>,
    pub(super) report: Report,
}

impl Run {
    /// Where a place was before the first round.
    pub(super) fn origin(&self, origin: Origin, span: Span) -> Span {
        self.texts.get(&origin).map_or(span, |(text, _)| text.origin(span))
    }
}

/// Applies fixes in rounds, whichever of them the first report has kept. Even a single fix is proven again: it was proven with
/// others, perhaps with one that the caller has left out.
pub(super) fn run_fixes(
    inputs: &Inputs,
    safety: Safety,
    filter: &mut dyn FnMut(Report, &Inputs) -> Report,
    accepts: &mut dyn FnMut(&Inputs) -> bool,
) -> Run {
    let mut run = Run {
        inputs: inputs.looking_ahead(true),
        texts: BTreeMap::new(),
        applied: Vec::new(),
        rounds: 0,
        is_complete: true,
        first: None,
        report: Report::new(inputs.checked_as(), Vec::new()),
    };
    let mut proofs = max_proofs(inputs.document.text().len());
    loop {
        let unfiltered = check_once(&run.inputs);
        let report = filter(unfiltered.clone(), &run.inputs);
        let allowed = allowed(&unfiltered, &report, safety);
        let before = Before::masked(&run.inputs, &unfiltered);
        let mut holds =
            |fixes: &[Candidate<'_>]| before.after(fixes).is_some_and(|it| accepts(&it));
        let most = if proofs == 0 { 0 } else { affordable_proofs(&run.inputs, MIN_ROUND_PROOFS) };
        let mut batch = Batch::new(&allowed, most, &mut holds);
        let proven = batch.next_set();
        let used = most - batch.proofs_left();
        run.is_complete = proofs > 0 || allowed.is_empty();
        proofs = proofs.saturating_sub(used);
        let proven: Vec<Candidate<'_>> =
            proven.into_iter().filter_map(|at| allowed.get(at).copied()).collect();
        let edits = edits_by_origin(&proven);
        let offers_fixes = run.inputs.offers_fixes;
        let next = edits.iter().try_fold(run.inputs.clone(), |inputs, (origin, edits)| {
            inputs.edited(*origin, edits, offers_fixes)
        });
        // What shows only when something else is corrected is not reported.
        let mut reported = || {
            if !looks_further(&unfiltered) && has_few_fixes(&report) {
                return report.clone();
            }
            let inputs = run.inputs.looking_ahead(false);
            filter(check_once(&inputs), &inputs)
        };
        let Some(next) = next.filter(|_| !proven.is_empty()) else {
            run.report = reported();
            break;
        };
        if run.first.is_none() {
            run.first = Some(reported().diagnostics);
        }
        run.rounds += 1;
        for (finding, fix) in proven {
            let (text, _) = run.texts.entry(fix.origin).or_insert_with(|| {
                let text = inputs.document_of(fix.origin);
                let length = text.map_or(0, |text| text.text().len());
                (Composition::of(length), length)
            });
            run.applied.push(AppliedFix {
                rule: finding.rule.clone(),
                title: fix.title.clone(),
                safety: fix.safety,
                origin: fix.origin,
                span: text.origin(finding.span),
                field: finding.field.clone(),
            });
        }
        for (origin, edits) in edits {
            run.texts.entry(origin).and_modify(|(text, _)| text.add(&edits));
        }
        run.inputs = next;
    }
    run.inputs = run.inputs.looking_ahead(false);
    run
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

/// The fixes that may be applied, in the order of the findings. An error of a template is corrected only with those before it.
fn allowed<'r>(unfiltered: &Report, report: &'r Report, safety: Safety) -> Vec<Candidate<'r>> {
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
    allowed
}

/// The minimum number of proofs in a round: enough to find one fix among a thousand that holds alone.
const MIN_ROUND_PROOFS: usize = 16;

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
const MIN_ROUNDS: usize = 10;

/// The maximum number of bytes that rounds check beyond [`MIN_ROUNDS`].
const MAX_ROUND_BYTES: usize = 8 << 20;

/// The maximum number of proofs in the rounds of a document of this length.
fn max_proofs(length: usize) -> usize {
    (MAX_ROUND_BYTES / length.max(1)).clamp(MIN_ROUNDS, MAX_ROUNDS as usize)
}
