//! One mistake, one diagnostic.

use std::cmp::Ordering;
use std::collections::HashMap;

use voxlint_model::rule::Property;
use voxlint_model::{Diagnostic, Family, Origin, Related, VerdictKind};
use voxlint_syntax::Span;

use super::note::spell;

/// The order of the text.
pub(crate) fn text_order(a: &Diagnostic, b: &Diagnostic) -> Ordering {
    (a.origin, a.span, &a.rule.id, &a.field).cmp(&(b.origin, b.span, &b.rule.id, &b.field))
}

/// The maximum number of further places that a merged finding lists.
const MAX_LISTED_PLACES: usize = 3;

/// Merges findings of the same rule with the same key into one: the first in the text, with some of the other places.
pub(crate) fn merge_repeated(mut found: Vec<(String, Diagnostic)>) -> Vec<Diagnostic> {
    found.sort_by(|(_, a), (_, b)| text_order(a, b));
    let mut firsts: Vec<(Diagnostic, usize)> = Vec::new();
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    for (key, diagnostic) in found {
        let rule = diagnostic.rule.id.to_string();
        let at = *known.entry((rule, key)).or_insert(firsts.len());
        let Some((first, further)) = firsts.get_mut(at) else {
            firsts.push((diagnostic, 0));
            continue;
        };
        *further += 1;
        if *further <= MAX_LISTED_PLACES {
            let Diagnostic { origin, field, span, .. } = diagnostic;
            first.related.push(Related::new(origin, field, span, "used again"));
        }
    }
    for (first, further) in &mut firsts {
        let message = match further.saturating_sub(MAX_LISTED_PLACES) {
            0 => continue,
            1 => "used again, and once more".to_owned(),
            more => format!("used again, and {more} more times"),
        };
        if let Some(last) = first.related.last_mut() {
            last.message = message;
        }
    }
    firsts.into_iter().map(|(first, _)| first).collect()
}

/// How strong a finding is, its index and its family.
type Strength = ((VerdictKind, bool), usize, Family);

/// Of several reasons to reject the same characters of a value, keeps those of one family: that of the most severe one, or of
/// equals the one that was found first, which is nearest to the cause. Rules of one family check different things, and
/// advice is about something else, so neither is dropped.
pub(crate) fn drop_weaker(diagnostics: &mut Vec<Diagnostic>) {
    // Several fields may be missing at the bracket of one object, and a fault in the text has no field.
    let may_be_dropped = |finding: &Diagnostic| {
        finding.verdict != VerdictKind::Advice
            && !finding.field.is_empty()
            && !finding.rule.reports_missing_fields()
    };
    let mut strongest: HashMap<(Origin, Span, &str), Strength> = HashMap::new();
    for (index, finding) in
        diagnostics.iter().enumerate().filter(|(_, finding)| may_be_dropped(finding))
    {
        // What is certain by the description alone says more than what a team's readings make certain.
        let is_assumed = finding.verdict == VerdictKind::Reject && !finding.assumes.is_empty();
        let this = ((finding.verdict, is_assumed), index, finding.rule.family());
        let best = strongest.entry((finding.origin, finding.span, &finding.field)).or_insert(this);
        *best = this.min(*best);
    }
    let keep: Vec<bool> = diagnostics
        .iter()
        .map(|finding| {
            let best = strongest.get(&(finding.origin, finding.span, finding.field.as_str()));
            let has_no_value = || {
                let best = best.and_then(|(.., index, _)| diagnostics.get(*index));
                best.is_some_and(|best| {
                    best.rule.reports_wrong_types() || best.rule.has(Property::UnknownValues)
                })
            };
            if finding.rule.has(Property::YieldsToWrongType) && has_no_value() {
                return false;
            }
            let is_best = best.is_none_or(|(.., family)| *family == finding.rule.family());
            !may_be_dropped(finding) || is_best
        })
        .collect();
    let dropped = diagnostics.iter().zip(&keep).filter(|(_, keep)| !**keep);
    let others: Vec<(usize, u16)> = dropped
        .filter_map(|(dropped, _)| {
            let key = (dropped.origin, dropped.span, dropped.field.as_str());
            let (_, best, _) = strongest.get(&key)?;
            let statuses = dropped.status.into_iter().chain(dropped.other_status);
            Some(statuses.map(|status| (*best, status)))
        })
        .flatten()
        .collect();
    for (best, status) in others {
        // Where neither is certain, the service may answer with the status of the weaker one.
        if let Some(best) = diagnostics.get_mut(best)
            && let (Some(own), None) = (best.status.filter(|it| *it != status), best.other_status)
        {
            best.other_status = Some(status);
            let both = format!("{} or {}", spell(own), spell(status));
            best.note = best.note.take().map(|note| note.replacen(&spell(own), &both, 1));
        }
    }
    let mut keep = keep.into_iter();
    diagnostics.retain(|_| keep.next().unwrap_or(true));
}
