use voxlint_model::text::destinations::destinations;
use voxlint_model::text::keywords::without_parts;

use super::shared::removal;
use crate::prelude::*;

rule! {
    /// A transfer destination is empty.
    ///
    /// Two bars in a row, a bar at either end, or an empty text: the service may skip the empty part, or reject it as a
    /// number without digits.
    ///
    /// ```json,possible
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+14155552671|" } }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+14155552671" } }
    /// ```
    "transfer-destination-empty": Text {
        group: Correctness,
        basis: Read("It does not say whether an empty number is ignored."),
        section: "2.3",
        status: 400,
        fix: Unsafe("Removes the bars around empty destinations. If the whole text is empty, nothing is changed."),
        readings: [EMPTY_DESTINATIONS, NO_DESTINATIONS, DEFAULT_VARIABLES],
        needs: [Destinations],
    }
}

/// The number of further empty destinations that are shown. The message counts all of them.
const MAX_SHOWN: usize = 7;

fn check(text: &TextValue<'_>) -> Checked<Verdict> {
    if !matches!(text.shape.format, TextFormat::Destinations { .. }) {
        return Err(NoFinding::Holds);
    }
    let all = destinations(text.text).count();
    let mut empty = destinations(text.text).filter(|it| it.text.is_empty()).map(|it| it.segment);
    let first = empty.next().ok_or(NoFinding::Holds)?;
    let (starts, ends) = (first.start == 0, first.end == text.text.len());
    let others: Vec<_> = empty.collect();
    let name = text.value.name();
    let message = match (all, others.len()) {
        (1, _) => format!("{name} is empty"),
        (_, 0) => format!("1 of {all} transfer destinations is empty"),
        (_, more) => format!("{} of {all} transfer destinations are empty", more + 1),
    };
    let label = match (starts, ends) {
        (true, true) => "no number",
        (true, false) => "nothing before the bar",
        (false, true) => "nothing after the bar",
        (false, false) => "nothing between the bars",
    };
    let (help, condition) = if others.len() + 1 == all {
        (
            format!("remove {name}, or write a number"),
            if all == 1 {
                Condition::first(&readings::NO_DESTINATIONS)
            } else {
                Condition::unknowable(readings::NO_DESTINATIONS.question)
            },
        )
    } else {
        (
            if others.is_empty() { "remove the bar" } else { "remove the bars" }.to_owned(),
            Condition::first(&readings::EMPTY_DESTINATIONS),
        )
    };
    let mut finding = Finding::new(text.place(first), message)
        .label(label)
        .help(help.as_str())
        .section(text.value.section());
    if others.len() + 1 < all {
        let edits = without_parts(text.text, b'|', |_, part| part.trim().is_empty()).into_iter();
        let edits = edits.map(|range| removal(text, range)).collect();
        finding = finding.fix(ProposedFix::new(help, Safety::Unsafe, edits));
    }
    Ok(others
        .into_iter()
        .take(MAX_SHOWN)
        .fold(finding, |finding, at| finding.also(text.place(at), "also empty"))
        .possible(condition))
}
