use std::ops::Range;

use voxlint_model::text::keywords::{has_terms_in_one_line, spacing_changes};

use super::shared::replacement;
use crate::prelude::*;

rule! {
    /// A list of keywords is not separated by one comma and one space each.
    ///
    /// Repeated spaces, spaces before commas, empty keywords and a space after only some of the commas make a list hard to read
    /// and to compare. The service normalizes `boosted_keywords`, so it accepts them. A list without a space after any comma is
    /// not reported. The rule is a convention and off by default.
    ///
    /// ```json,advice
    /// { "version_number": 3, "boosted_keywords": "KYC ,EMI,, premium  plan" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "boosted_keywords": "KYC, EMI, premium plan" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "boosted_keywords": "KYC,EMI,premium plan" }
    /// ```
    "keyword-spacing": Text {
        group: Style,
        basis: Inferred("The description says that the terms are normalized, and does not mention spaces."),
        section: "2.3",
        advice: Info,
        fix: Safe("Writes one comma and one space between two keywords, and leaves out empty ones. The keywords stay the same. \
                   There is none if a line breaks inside of a keyword, because it may be two."),
    }
}

const HELP: &str = "write one comma and one space between two keywords";

fn check(text: &TextValue<'_>) -> Verdict {
    if text.shape.role != Role::Keywords {
        return Verdict::Holds;
    }
    let changes = spacing_changes(text.text);
    let Some((first, _)) = changes.first() else { return Verdict::Holds };
    let is_bare = |(range, wanted): &(Range<usize>, &str)| {
        *wanted == ", " && text.text.get(range.clone()) == Some(",")
    };
    // A list that never has a space after a comma is consistent.
    if changes.len() == text.text.matches(',').count() && changes.iter().all(is_bare) {
        return Verdict::Holds;
    }
    // Nothing is underlined where a space is missing, so the comma before it is.
    let shown =
        if first.is_empty() { first.start.saturating_sub(1)..first.end } else { first.clone() };
    let name = text.value.name();
    let finding = Finding::new(
        text.place(shown),
        format!("the keywords of {name} are not separated by one comma and one space"),
    )
    .about_value(text.value.place())
    .label(if changes.len() == 1 { "here" } else { "first here" })
    .help(HELP);
    if !has_terms_in_one_line(text.text) {
        // A line break may separate two keywords.
        return finding.advice();
    }
    if text.text.trim_end().contains(['\n', '\r']) {
        // Edits of single lines would leave a list that is half on one line.
        return finding.fix(on_one_line(text, &changes)).advice();
    }
    let edits =
        changes.into_iter().map(|(range, wanted)| replacement(text, range, wanted)).collect();
    finding.fix(ProposedFix::new(HELP, Safety::Safe, edits)).advice()
}

/// Writes the whole list anew.
fn on_one_line(text: &TextValue<'_>, changes: &[(Range<usize>, &str)]) -> Option<ProposedFix> {
    let (mut list, mut at) = (String::new(), 0);
    for (range, wanted) in changes {
        list.push_str(text.text.get(at..range.start)?);
        list.push_str(wanted);
        at = range.end;
    }
    list.push_str(text.text.get(at..)?);
    let new = Replacement::Text(list);
    Some(ProposedFix::replace(HELP, Safety::Safe, text.value.place(), new))
}
