use voxlint_model::text::destinations::destinations;
use voxlint_model::text::keywords::{separators, without_parts};

use super::shared::{joined, removal};
use crate::prelude::*;

rule! {
    /// A transfer destination is listed twice.
    ///
    /// The second one adds nothing, and was probably meant to be another number.
    ///
    /// ```json,advice
    /// { "version_number": 3, "default_dynamic_variables": {"agent_transfer_destinations": "+14157642671|+14157642672|+14157642671"} }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "default_dynamic_variables": {"agent_transfer_destinations": "+14157642671|+14157642672"} }
    /// ```
    "transfer-destination-listed-twice": Text {
        group: Suspicious,
        basis: Inferred("A number that is repeated adds nothing."),
        section: "2.3",
        fix: Unsafe("Removes the second number. It was perhaps meant to be another one."),
        needs: [Destinations],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    let TextFormat::Destinations { most: limit } = text.shape.format else {
        return Verdict::Holds.into();
    };
    // `too-many-transfer-destinations` counts the repeated ones.
    if separators(text.text, b'|') >= limit as usize {
        return Verdict::Holds.into();
    }
    let numbers = || destinations(text.text).filter(|it| !it.text.is_empty());
    let repeated = numbers().enumerate().filter_map(|(index, again)| {
        let first = numbers().take(index).find(|first| first.text == again.text)?;
        Some((again, first))
    });
    let repeated: Vec<_> = repeated.collect();
    let marks = repeated.iter().map(|(again, first)| {
        let finding = Finding::new(text.place(again.range()), "the same number is listed twice")
            .about_value(text.value.place())
            .label("listed before")
            .also(text.place(first.range()), "first here")
            .help("remove one of the two");
        (quote(again.text), finding)
    });
    let message = |count| format!("{count} numbers repeat earlier ones");
    let finding = joined(marks.collect(), message, "remove the repeated ones");
    let is_again = |_: usize, part: &str| {
        repeated.iter().any(|(again, _)| std::ptr::eq(part.trim(), again.text))
    };
    let fix = || {
        let edits = without_parts(text.text, b'|', is_again).into_iter();
        let edits = edits.map(|range| removal(text, range)).collect();
        let title =
            if repeated.len() == 1 { "remove the second one" } else { "remove the repeated ones" };
        ProposedFix::new(title, Safety::Unsafe, edits)
    };
    finding.map(|finding| finding.fix(fix()).advice()).into_iter().collect()
}
