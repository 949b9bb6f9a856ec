//! Applies the fixes of a document in rounds, until nothing changes.

use std::collections::BTreeMap;

use super::composition::Composition;
use super::proof::{Before, edits_by_origin};
use super::selection::{Candidate, ROUNDS, Risk, Search, apart};
use super::{AppliedFix, Fixed, affordable_proofs, max_rounds, solved};
use crate::{Diagnostic, Inputs, Origin, Report, Safety, check};

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
    let mut inputs = inputs.clone();
    let mut texts: BTreeMap<Origin, (Composition, usize)> = BTreeMap::new();
    let mut applied = Vec::new();
    let mut rounds = 0;
    let mut first = None;
    let report = loop {
        let unfiltered = check(&inputs);
        let report = filter(unfiltered.clone(), &inputs);
        let may_go_on = rounds < max_rounds(inputs.document.text().len());
        let chosen = if may_go_on { choose(&report, safety) } else { Vec::new() };
        let Some((chosen, next)) = apply(&inputs, &unfiltered, &chosen) else { break report };
        first.get_or_insert_with(|| report.diagnostics.clone());
        rounds += 1;
        for (finding, fix) in &chosen {
            let (text, _) = texts.entry(fix.origin).or_insert_with(|| {
                let length = text_length(&inputs, fix.origin);
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
    let gone = first.map_or(0, |first: Vec<Diagnostic>| {
        solved(&first, &report.diagnostics, |origin, span| {
            texts.get(&origin).map_or(span, |(text, _)| text.origin(span))
        })
    });
    let (mut edits, mut text_edits) = (Vec::new(), Vec::new());
    for (origin, (text, length)) in texts {
        match origin {
            Origin::Text(index) => text_edits.push((index, text.into_edits(length))),
            _ => edits = text.into_edits(length),
        }
    }
    Fixed { inputs, edits, text_edits, applied, solved: gone, report, rounds }
}

/// The fixes that may be applied in the next round, in the order of the findings, as far as their edits do not touch each other:
/// safe ones before others. The rest waits for the round after that.
fn choose(report: &Report, safety: Safety) -> Vec<Candidate<'_>> {
    let findings = report.diagnostics.iter();
    let allowed: Vec<Candidate<'_>> =
        findings.filter_map(|finding| Some((finding, finding.fix(safety)?))).collect();
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

/// Applies the fixes that are proven together. Returns them and the new inputs, `None` if none is proven.
///
/// A fix was proven with others, perhaps with one that the caller has left out, so even a single one is proven again.
pub(super) fn apply<'a>(
    inputs: &Inputs,
    unfiltered: &Report,
    chosen: &[Candidate<'a>],
) -> Option<(Vec<Candidate<'a>>, Inputs)> {
    if chosen.is_empty() {
        return None;
    }
    let before = Before::new(inputs, unfiltered);
    let proofs = affordable_proofs(inputs).max(MIN_ROUND_PROOFS);
    let mut proven = Vec::new();
    let all: Vec<usize> = (0..chosen.len()).collect();
    Search::new(&before, chosen, proofs).extend(&mut proven, &all);
    let proven: Vec<Candidate<'a>> =
        proven.into_iter().filter_map(|at| chosen.get(at).copied()).collect();
    let mut edited = inputs.clone();
    for (origin, edits) in edits_by_origin(&proven) {
        edited = edited.edited(origin, &edits, inputs.offers_fixes)?;
    }
    (!proven.is_empty()).then_some((proven, edited))
}

fn text_length(inputs: &Inputs, origin: Origin) -> usize {
    match origin {
        Origin::Text(index) => inputs.texts.get(usize::from(index)).map(|text| &text.document),
        _ => Some(&inputs.document),
    }
    .map_or(0, |document| document.text().len())
}
