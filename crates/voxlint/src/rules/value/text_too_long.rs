use crate::VerdictKind;
use crate::characters::{Characters, offset_after_graphemes, offset_after_utf16_units};
use crate::rule::rule;
use crate::value::FieldValue;
use crate::verdict::{Finding, Hinge, Verdict, Verdicts};

rule! {
    /// A text is longer than its field allows.
    ///
    /// A title has at most 70 characters and a version title at most 35. The description does not say what it counts: what a
    /// reader calls characters, Unicode code points, or UTF-16 units as JavaScript does. Emoji and the scripts of India
    /// differ a lot. A text that is too long by every count is refused; one that is too long by some may be.
    ///
    /// ```json,reject
    /// { "version_number": 3, "version_title": "The one that we tried on the last Friday of May" }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "version_title": "😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "version_title": "Last Friday of May" }
    /// ```
    "text-too-long": Value {
        section: "2.3",
        status: 400,
    }
}

fn check(value: &FieldValue<'_>) -> Verdicts {
    let Some((text, shape)) = value.text() else { return Verdict::Holds.into() };
    let Some(limit) = shape.max_characters else { return Verdict::Holds.into() };
    if text.len() <= limit as usize {
        // No count exceeds the number of bytes.
        return Verdict::Holds.into();
    }
    let count = Characters::count(&text);
    let name = value.name();
    match count.readings().over(limit) {
        Some(VerdictKind::Reject) => {
            let start = offset_after_graphemes(&text, limit);
            let counts = if count.graphemes == count.utf16_units {
                String::new()
            } else {
                format!(" ({})", spell(count))
            };
            Finding::new(
                value.place().decoded(start..text.len()),
                format!(
                    "{name} has {} characters{counts}, over the limit of {limit}",
                    count.graphemes
                ),
            )
            .label(format!("{} too many", count.graphemes - limit))
            .help(format!("shorten it to {limit} characters"))
            .section(value.section())
            .refused()
            .into()
        }
        Some(_) => {
            let start = offset_after_utf16_units(&text, limit);
            Finding::new(
                value.place().decoded(start..text.len()),
                format!(
                    "{name} is over its limit of {limit} characters by some counts: {}",
                    spell(count)
                ),
            )
            .label(format!("beyond {limit} UTF-16 units"))
            .help(format!("shorten it to {limit} UTF-16 units to be safe"))
            .section(value.section())
            .possible(Hinge::reading("the description does not say what it counts as a character"))
            .into()
        }
        None => Verdict::Holds.into(),
    }
}

fn spell(count: Characters) -> String {
    format!(
        "{} graphemes, {} code points, {} UTF-16 units",
        count.graphemes, count.code_points, count.utf16_units
    )
}
