//! What several rules about texts use.

use std::ops::Range;

use voxlint_model::heard::line_at;
use voxlint_model::text::forbidden::is_forbidden;
use voxlint_model::text::keywords::{Keywords, surplus_terms, without_bytes};
use voxlint_model::text::placeholders::{Placeholder, placeholders};
use voxlint_model::text_traits::Trait;

use crate::prelude::*;

/// Removes a part of a text.
pub(super) fn removal(text: &TextValue<'_>, range: Range<usize>) -> ProposedEdit {
    replacement(text, range, "")
}

/// Replaces a part of a text.
pub(super) fn replacement(text: &TextValue<'_>, range: Range<usize>, new: &str) -> ProposedEdit {
    ProposedEdit::Replace { at: text.place(range), replacement: Replacement::Part(new.to_owned()) }
}

/// The maximum number of names in a message about several marks of one mistake.
pub(super) const MAX_NAMED: usize = 5;

/// The maximum number of further places of one finding.
pub(super) const MAX_MARKS: usize = 100;

/// Joins findings about one mistake in one text, each with the name of what it is about: the first one, with the places of the
/// others. `message` is that about all of them, before their names. Those with a fix come first, so that it leaves another finding.
pub(super) fn joined(
    marks: Vec<(String, Finding)>,
    message: impl FnOnce(usize) -> String,
    help: &'static str,
) -> Option<Finding> {
    let count = marks.len();
    let (fixable, others): (Vec<_>, Vec<_>) =
        marks.into_iter().partition(|(_, finding)| finding.fix.is_some());
    let fixed = fixable.len();
    let mut marks = fixable.into_iter().chain(others);
    let (name, mut first) = marks.next()?;
    if count == 1 {
        return Some(first);
    }
    let mut names = vec![name];
    for (name, Finding { at, label, help: other, fix, mut related, .. }) in marks {
        if first.related.len() < MAX_MARKS {
            first.related.push((at, label.unwrap_or("as here".into())));
            first.related.append(&mut related);
        }
        if !names.contains(&name) {
            names.push(name);
        }
        if first.help != other {
            first.help = Some(help.to_owned());
        }
        first.fix = match (first.fix, fix) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
    }
    if let Some(fix) = first.fix.as_mut().filter(|_| fixed > MAX_NAMED) {
        let all = if fixed == count { "all ".to_owned() } else { format!("{fixed} of ") };
        fix.title = format!("change {all}{count}");
    }
    let more = match names.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.truncate(MAX_NAMED);
    let names = names.join(", ");
    let before = if names.is_empty() { "" } else { ": " };
    first.message = format!("{}{before}{names}{more}", message(count));
    Some(first)
}

/// Removes empty and repeated keywords, if the others then fit.
pub(super) fn without_surplus(
    text: &TextValue<'_>,
    fits: impl Fn(&Keywords<'_>) -> bool,
) -> Option<ProposedFix> {
    let surplus = surplus_terms(text.text);
    let kept = without_bytes(text.text, &surplus);
    let edits = surplus.into_iter().map(|range| removal(text, range)).collect();
    let title = "remove empty and repeated keywords";
    fits(&Keywords::of(&kept)).then(|| ProposedFix::new(title, Safety::Safe, edits))
}

/// The places of the placeholders that are not variables of a template.
pub(super) fn in_brackets(text: &TextValue<'_>) -> Vec<Range<usize>> {
    let is_spoken = text.shape.role == Role::Speech;
    let mut found = placeholders(text.text, text.traits.has(Trait::Marker));
    if !found.is_empty() {
        let shown = text.without_comments();
        found.retain(|it| shown.get(it.range.clone()) == text.text.get(it.range.clone()));
    }
    let found = found.into_iter().filter(|Placeholder { range, is_sure }| {
        (*is_sure || is_spoken)
            && !is_forbidden(text.text, range)
            && !is_in_mustache(text.text, range)
    });
    found.map(|it| with_second_brackets(text.text, it.range)).collect()
}

/// Whether the brackets are those of a variable's name: `{{[NAME]}}`, `{{#if [NAME]}}`.
fn is_in_mustache(text: &str, range: &Range<usize>) -> bool {
    let line = line_at(text, range.start);
    let before = text.get(line.start..range.start).unwrap_or_default();
    let opened = before.rfind("{{");
    opened.is_some_and(|at| !before.get(at..).unwrap_or_default().contains("}}"))
}

/// The whole of `[[NAME]]` and `<<NAME>>`.
fn with_second_brackets(text: &str, inner: Range<usize>) -> Range<usize> {
    let outer = inner.start.saturating_sub(1)..inner.end + 1;
    let is_double = text.get(outer.clone()).is_some_and(|it| {
        it.starts_with("[[") && it.ends_with("]]") || it.starts_with("<<") && it.ends_with(">>")
    });
    if is_double { outer } else { inner }
}
