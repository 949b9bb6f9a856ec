use std::collections::{HashMap, HashSet};

use voxlint_model::text::keywords::{segments, without_parts};

use super::shared::{joined, removal};
use crate::prelude::*;

rule! {
    /// A boosted keyword is listed twice.
    ///
    /// The repetition adds nothing, but counts towards the limit of 100 terms. Keywords are compared without the spaces around
    /// them.
    ///
    /// ```json,advice
    /// { "version_number": 3, "boosted_keywords": "KYC, premium plan, KYC" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "boosted_keywords": "KYC, premium plan" }
    /// ```
    "boosted-keyword-listed-twice": Text {
        group: Suspicious,
        basis: Inferred("A keyword that is repeated adds nothing."),
        section: "2.3",
        advice: Info,
        fix: Safe("Removes every keyword that repeats an earlier one exactly, and one comma with it. Each keyword still has its effect."),
        needs: [Terms],
    }
}

fn check(text: &TextValue<'_>) -> Checked<Verdicts> {
    let limits = text.shape.terms.ok_or(NoFinding::Holds)?;
    // Rules about the length of the list say whether repeated terms count.
    let count = terms(text.text).count();
    let is_long = count > limits.most as usize || text.text.len() > limits.max_total as usize;
    if is_long {
        return Err(NoFinding::Holds);
    }
    let mut firsts = HashMap::new();
    let marks: Vec<_> = terms(text.text)
        .filter_map(|(start, term)| {
            let first = *firsts.entry(term).or_insert(start);
            (first != start).then(|| {
                let quoted = text.quote(start..start + term.len());
                let finding = Finding::new(
                    text.place(start..start + term.len()),
                    format!("{quoted} is listed twice"),
                )
                .about_value(text.value.place())
                .label("listed before")
                .also(text.place(first..first + term.len()), "first here")
                .help("remove one of the two");
                (quoted, finding)
            })
        })
        .collect();
    let message = |count| format!("{count} boosted keywords repeat earlier ones");
    Ok(joined(marks, message, "remove the repeated ones")
        .map(|finding| finding.fix(without_repeated(text)).advice())
        .into_iter()
        .collect())
}

/// The list with every term once.
fn without_repeated(text: &TextValue<'_>) -> ProposedFix {
    let mut seen = HashSet::new();
    let repeated: Vec<bool> = segments(text.text, b',')
        .map(|(_, segment)| segment.trim())
        .map(|term| !term.is_empty() && !seen.insert(term))
        .collect();
    let is_repeated = |index: usize, _: &str| repeated.get(index).copied().unwrap_or_default();
    let count = repeated.iter().filter(|is_repeated| **is_repeated).count();
    let title = if count == 1 { "remove the second one" } else { "remove the repeated keywords" };
    let edits = without_parts(text.text, b',', is_repeated).into_iter();
    ProposedFix::new(title, Safety::Safe, edits.map(|range| removal(text, range)).collect())
}

/// The terms without the spaces around them, and where they start.
fn terms(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let terms = segments(text, b',').map(|(range, segment)| {
        let trimmed = segment.trim_start();
        (range.end - trimmed.len(), trimmed.trim_end())
    });
    terms.filter(|(_, term)| !term.is_empty())
}
