use voxlint_model::text::keywords::{Keywords, is_mistaken_separator, separators};
use voxlint_model::verdict::Measure;

use crate::prelude::*;

rule! {
    /// The boosted keywords are longer in total than the service accepts.
    ///
    /// At most 2000 characters are allowed after normalization. The description defines neither the normalization nor the
    /// total. The lowest possible total counts every different term once, without commas. The highest counts all terms,
    /// joined with a comma and a space. Surplus white space around terms never counts.
    ///
    /// If terms that are too long are the reason, only `boosted-keyword-too-long` is reported.
    ///
    /// ```json,holds
    /// { "version_number": 3, "boosted_keywords": "KYC, EMI, moratorium" }
    /// ```
    "boosted-keywords-too-long": Text {
        group: Correctness,
        basis: Read("It does not say how terms are normalized before they are measured."),
        section: "2.3",
        status: 400,
        unshown: [Error, Warning],
        needs: [Terms],
    }
}

fn check(text: &TextValue<'_>) -> Checked<Verdicts> {
    let limits = text.shape.terms.ok_or(NoFinding::Holds)?;
    let limit = limits.max_total;
    if text.text.len() + separators(text.text, b',') <= limit as usize {
        return Err(NoFinding::Holds);
    }
    let keywords = Keywords::of(text.text);
    let total = keywords.total();
    let verdict = total.over(limit).ok_or(NoFinding::Holds)?;
    if once_terms_fit(&keywords, limits.max_characters).over(limit).is_none() {
        return Err(NoFinding::Holds);
    }
    let name = text.value.name();
    let from = |start: usize| text.place(start..text.text.trim_end().len().max(start));
    let Measure { least, most } = total;
    Ok(if verdict == VerdictKind::Reject {
        Finding::new(
            from(place_over_lowest_total(&keywords, limit)),
            format!("{name} has {least} characters in total, over the limit of {limit}"),
        )
        .label(format!("{} too many", least - limit))
        .help("keep only the most important terms")
        .section(text.value.section())
        .reject()
        .into()
    } else {
        let finding = Finding::new(
            from(place_over_highest_total(&keywords, limit)),
            format!(
                "{name} may be too long in total: {most} of {limit} characters if every term, comma and space counts, or {least} if not"
            ),
        )
        .label(format!("beyond {limit} characters"))
        .help(format!("shorten it to {limit} characters, commas and spaces included, to be safe"))
        .section(text.value.section());
        finding
            .possible(Condition::unknowable(
                "the description does not say how terms are normalized and which characters count",
            ))
            .into()
    })
}

/// The total length if every term that is too long were cut to its limit.
fn once_terms_fit(keywords: &Keywords<'_>, limit: u32) -> Measure<u32> {
    let Measure { mut least, mut most } = keywords.total();
    for term in keywords.terms.iter().filter(|term| !term.text.contains(is_mistaken_separator)) {
        let length = term.length();
        most -= length.most.saturating_sub(limit);
        if term.is_new {
            least = least.saturating_sub(length.least.saturating_sub(limit));
        }
    }
    Measure { least, most }
}

fn place_over_lowest_total(keywords: &Keywords<'_>, limit: u32) -> usize {
    let mut left = limit;
    for term in keywords.terms.iter().filter(|term| term.is_new) {
        if term.collapsed > left {
            return term.after_collapsed(left);
        }
        left -= term.collapsed;
    }
    keywords.terms.last().map_or(0, |term| term.start)
}

fn place_over_highest_total(keywords: &Keywords<'_>, limit: u32) -> usize {
    let mut left = limit;
    for term in &keywords.terms {
        if term.written.utf16_units > left {
            return term.after_written(left);
        }
        left -= term.written.utf16_units;
        if left < 2 {
            // The comma or the space after the term exceeds the limit.
            return term.range().end;
        }
        left -= 2;
    }
    keywords.terms.last().map_or(0, |term| term.start)
}
