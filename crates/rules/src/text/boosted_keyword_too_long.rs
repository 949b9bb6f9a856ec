use voxlint_model::text::characters::Characters;
use voxlint_model::text::keywords::{Keywords, Term, is_mistaken_separator, spacing_changes};

use super::shared::{joined, replacement};
use crate::prelude::*;

rule! {
    /// A boosted keyword is longer than the service accepts.
    ///
    /// Each term has at most 50 characters after normalization, which is not defined. voxlint assumes that terms are
    /// trimmed. Inner runs of white space may become one space, and characters may be counted in several ways. A term that
    /// is too long however it is normalized and counted is rejected. One that is too long only in some ways may be
    /// rejected.
    ///
    /// ```json,reject
    /// { "version_number": 3, "boosted_keywords": "KYC, the bank on the corner of the street behind the station" }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "boosted_keywords": "KYC, the bank on the corner           behind the station" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "boosted_keywords": "KYC, the bank on the corner" }
    /// ```
    "boosted-keyword-too-long": Text {
        group: Correctness,
        basis: Read("It does not say how terms are normalized before they are measured."),
        section: "2.3",
        status: 400,
        fix: Safe("Writes one space in place of several inside the keyword, if it is short enough then. The keyword stays the same."),
        needs: [Terms],
    }
}

fn check(text: &TextValue<'_>) -> Checked<Verdicts> {
    let limits = text.shape.terms.ok_or(NoFinding::Holds)?;
    let limit = limits.max_characters;
    // No way of counting exceeds the number of bytes.
    let mut terms = text.text.as_bytes().split(|byte| *byte == b',');
    if terms.all(|term| term.len() <= limit as usize) {
        return Err(NoFinding::Holds);
    }
    let terms = Keywords::of(text.text).terms;
    // `boosted-keyword-character` reports terms that are separated by semicolons.
    let terms = terms.iter().filter(|term| !term.text.contains(is_mistaken_separator));
    let (mut rejected, mut possible) = (Vec::new(), Vec::new());
    for term in terms {
        match check_term(text, term, limit) {
            Some((VerdictKind::Reject, finding)) => rejected.push((quote(term.text), finding)),
            Some((_, finding)) => possible.push((quote(term.text), finding)),
            None => {}
        }
    }
    let rejected = joined(
        rejected,
        |count| format!("{count} boosted keywords are over the limit of {limit} characters"),
        "shorten each of them",
    );
    let possible = joined(
        possible,
        |count| {
            format!("{count} boosted keywords may be too long for the limit of {limit} characters")
        },
        "shorten each of them until it fits by every count",
    );
    let possible = possible.map(|finding| {
        finding.possible(Condition::unknowable(
            "the description does not say how terms are normalized and how characters are counted",
        ))
    });
    Ok(rejected.map(Finding::reject).into_iter().chain(possible).collect())
}

fn check_term(text: &TextValue<'_>, term: &Term<'_>, limit: u32) -> Option<(VerdictKind, Finding)> {
    let shown = quote(term.text);
    let count = term.collapsed;
    match term.length().over(limit) {
        Some(VerdictKind::Reject) => {
            let finding = Finding::new(
                text.place(term.after_collapsed(limit)..term.range().end),
                format!(
                    "the boosted keyword {shown} has {count} characters, over the limit of {limit}"
                ),
            )
            .label(format!("{} too many", count - limit))
            .help(format!("shorten it to {limit} characters"))
            .section(text.value.section());
            Some((VerdictKind::Reject, finding))
        }
        Some(_) => {
            let finding = Finding::new(
                text.place(term.after_written(limit)..term.range().end),
                format!(
                    "the boosted keyword {shown} may be too long: {}",
                    count_over_limit(term, limit)
                ),
            )
            .label("over the limit")
            .section(text.value.section());
            let finding = match with_single_spaces(text, term, limit) {
                Some(fix) => finding.help("write one space for several").fix(fix),
                None => finding.help("shorten it until it fits by every count"),
            };
            Some((VerdictKind::Possible, finding))
        }
        None => None,
    }
}

/// Writes single spaces inside a term, if it then fits by every count.
fn with_single_spaces(text: &TextValue<'_>, term: &Term<'_>, limit: u32) -> Option<ProposedFix> {
    let words: Vec<&str> = term.text.split_whitespace().collect();
    let fits = Characters::count(&words.join(" ")).readings().most <= limit;
    let changes = fits.then(|| spacing_changes(term.text))?;
    let edits = changes.into_iter().map(|(range, wanted)| {
        replacement(text, term.start + range.start..term.start + range.end, wanted)
    });
    Some(ProposedFix::new("write one space for several", Safety::Safe, edits.collect()))
}

/// A count over the limit, and how it is counted.
fn count_over_limit(term: &Term<'_>, limit: u32) -> String {
    let (most, reading) = if term.written.graphemes > limit {
        (term.written.graphemes, "if repeated spaces count")
    } else {
        term.written.doubtful(limit)
    };
    format!("{most} of {limit} characters {reading}")
}
