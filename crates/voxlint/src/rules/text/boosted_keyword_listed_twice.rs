use std::collections::HashMap;

use crate::rule::rule;
use crate::text::keywords::segments;
use crate::value::TextValue;
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// A boosted keyword is listed twice.
    ///
    /// The second one adds nothing, and counts towards the limit of 100 terms. Keywords are compared without the spaces around
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
        needs: [Terms],
    }
}

/// The number of terms that are compared without allocating.
const FEW: usize = 32;

fn check(text: &TextValue<'_>) -> Verdicts {
    let Some(limits) = text.shape.terms else { return Verdict::Holds.into() };
    // Rules about the length of the list say whether repeated terms count.
    let count = terms(text.text).count();
    let is_long = count > limits.most as usize || text.text.len() > limits.max_total as usize;
    if is_long || !has_repeated(text.text, count) {
        return Verdict::Holds.into();
    }
    let mut firsts = HashMap::new();
    terms(text.text)
        .filter_map(|(start, term)| {
            let first = *firsts.entry(term).or_insert(start);
            (first != start).then(|| {
                let quoted = text.quote(start..start + term.len());
                Finding::new(
                    text.place(start..start + term.len()),
                    format!("{quoted} is listed twice"),
                )
                .about_value(text.value.place())
                .also(text.place(first..first + term.len()), "first here")
                .help("remove one of the two")
                .advice()
            })
        })
        .collect()
}

/// The terms without the spaces around them, and where they start.
fn terms(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let terms = segments(text, ',').map(|(range, segment)| {
        let trimmed = segment.trim_start();
        (range.end - trimmed.len(), trimmed.trim_end())
    });
    terms.filter(|(_, term)| !term.is_empty())
}

/// Whether a term may be repeated. Most lists are short and have no repeated terms.
fn has_repeated(text: &str, count: usize) -> bool {
    if count > FEW {
        return true;
    }
    let mut few = [""; FEW];
    for (place, (_, term)) in few.iter_mut().zip(terms(text)) {
        *place = term;
    }
    // Most terms differ in their lengths or ends, so few texts are compared.
    let is_same = |one: &str, other: &str| {
        one.len() == other.len() && one.bytes().last() == other.bytes().last() && one == other
    };
    let terms = few.iter().take(count).enumerate();
    terms.skip(1).any(|(at, term)| few.iter().take(at).any(|earlier| is_same(earlier, term)))
}
