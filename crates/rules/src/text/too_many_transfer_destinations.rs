use std::collections::BTreeSet;

use voxlint_model::text::destinations::{destinations, with_ascii_digits};
use voxlint_model::text::keywords::separators;
use voxlint_model::verdict::Measure;

use crate::prelude::*;

rule! {
    /// There are more transfer destinations than the service accepts.
    ///
    /// At most 7 numbers are allowed. The description does not say whether a repeated number counts twice. Empty places
    /// between bars are not counted here: `transfer-destination-empty` finds them.
    ///
    /// ```json,reject
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": {
    ///     "agent_transfer_destinations": "+14155552600|+14155552601|+14155552602|+14155552603|+14155552604|+14155552605|+14155552606|+14155552607"
    ///   }
    /// }
    /// ```
    ///
    /// ```json,possible
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": {
    ///     "agent_transfer_destinations": "+14155552600|+14155552601|+14155552602|+14155552603|+14155552604|+14155552605|+14155552606|+14155552600"
    ///   }
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+14155552671|+919845011210" } }
    /// ```
    "too-many-transfer-destinations": Text {
        group: Correctness,
        basis: Stated,
        section: "2.3",
        status: 400,
        readings: [REPEATED_DESTINATIONS, DEFAULT_VARIABLES],
        needs: [Destinations],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    let TextFormat::Destinations { most: limit } = text.shape.format else {
        return Verdict::Holds.into();
    };
    if separators(text.text, b'|') < limit as usize {
        return Verdict::Holds.into();
    }
    let mut distinct = BTreeSet::new();
    let mut readings = Measure { least: 0, most: 0 };
    // The first number over the limit, in both ways of counting.
    let (mut least_over, mut most_over, mut end) = (0, 0, 0);
    for destination in destinations(text.text).filter(|it| !it.text.is_empty()) {
        readings.most += 1;
        if readings.most == limit + 1 {
            most_over = destination.start;
        }
        if distinct.insert(with_ascii_digits(destination.text)) {
            readings.least += 1;
            if readings.least == limit + 1 {
                least_over = destination.start;
            }
        }
        end = destination.range().end;
    }
    let Measure { least, most } = readings;
    let repeated = most - least;
    let times = if repeated == 1 { "is repeated" } else { "are repeated" };
    match readings.over(limit) {
        Some(VerdictKind::Reject) => {
            let counts =
                if repeated == 0 { String::new() } else { format!(" ({most} with repeated ones)") };
            Finding::new(
                text.place(least_over..end),
                format!("{least} transfer destinations{counts}, over the limit of {limit}"),
            )
            .label(format!("{} too many", least - limit))
            .help(format!("keep at most {limit} numbers"))
            .section(text.value.section())
            .reject()
            .into()
        }
        Some(_) => Finding::new(
            text.place(most_over..end),
            format!(
                "{most} transfer destinations, over the limit of {limit}, but {repeated} of them {times}"
            ),
        )
        .label(format!("beyond {limit} numbers"))
        .help("write each number once")
        .section(text.value.section())
        .possible(Condition::first(&readings::REPEATED_DESTINATIONS))
        .into(),
        None => Verdict::Holds.into(),
    }
}
