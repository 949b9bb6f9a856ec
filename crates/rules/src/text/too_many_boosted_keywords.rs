use voxlint_model::text::keywords::{Keywords, Term, separators};
use voxlint_model::verdict::Measure;

use super::shared::without_surplus;
use crate::prelude::*;

rule! {
    /// There are more boosted keywords than the service accepts.
    ///
    /// At most 100 terms are allowed after normalization, which is not defined: it may drop empty terms, and terms that
    /// differ only in case, spaces or composition may become one. More than 100 different terms are rejected. If some of
    /// them are empty or repeated, they may be rejected.
    ///
    /// ```json,possible
    /// {
    ///   "version_number": 3,
    ///   "boosted_keywords": "KYC,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,, EMI"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "boosted_keywords": "KYC, EMI, moratorium" }
    /// ```
    "too-many-boosted-keywords": Text {
        group: Correctness,
        basis: Read("It does not say how terms are normalized before they are counted."),
        section: "2.3",
        status: 400,
        unshown: [Error],
        fix: Safe("Removes empty keywords and exact repetitions if that is enough. The keywords stay the same."),
        needs: [Terms],
    }
}

fn check(text: &TextValue<'_>) -> Checked<Verdicts> {
    let limits = text.shape.terms.ok_or(NoFinding::Holds)?;
    let limit = limits.most;
    if separators(text.text, b',') < limit as usize {
        return Err(NoFinding::Holds);
    }
    let keywords = Keywords::of(text.text);
    let Measure { least, most } = keywords.number();
    let from = |start: usize| text.place(start..text.text.trim_end().len().max(start));
    Ok(match keywords.number().over(limit) {
        Some(VerdictKind::Reject) => {
            let counts = if least == most {
                String::new()
            } else {
                format!(" ({most} with repeated and empty ones)")
            };
            let first = keywords.terms.iter().filter(|term| term.is_new).nth(limit as usize);
            Finding::new(
                from(first.map_or(0, |term| term.start)),
                format!("`boosted_keywords` has {least} terms{counts}, over the limit of {limit}"),
            )
            .label(format!("{} too many", least - limit))
            .help(format!("keep only the {limit} most important"))
            .section(text.value.section())
            .reject()
            .into()
        }
        Some(_) => {
            let empty = keywords.terms.iter().filter(|term| term.text.is_empty()).count() as u32;
            let start = keywords.terms.get(limit as usize).map_or(0, |term| begin(term));
            let finding = Finding::new(
                from(start),
                format!(
                    "`boosted_keywords` may have too many terms: {most} of {limit} if {} count",
                    surplus(empty, most - least - empty)
                ),
            )
            .label(format!("beyond {limit} terms"))
            .help("write each term once, with one comma between two terms")
            .section(text.value.section());
            let fix = without_surplus(text, |kept| kept.number().most <= limit);
            finding
                .fix(fix)
                .possible(Condition::unknowable(
                    "the description does not say how terms are normalized",
                ))
                .into()
        }
        None => Verdict::Holds.into(),
    })
}

/// The start of a term. An empty term starts at the comma before it.
fn begin(term: &Term<'_>) -> usize {
    if term.text.is_empty() { term.segment.start.saturating_sub(1) } else { term.start }
}

fn surplus(empty: u32, repeated: u32) -> String {
    match (empty, repeated) {
        (0, _) => format!("repeated ones ({repeated})"),
        (_, 0) => format!("empty ones ({empty})"),
        (_, _) => format!("empty ones ({empty}) and repeated ones ({repeated})"),
    }
}
