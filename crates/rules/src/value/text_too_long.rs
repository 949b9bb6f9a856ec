use voxlint_model::text::characters::{
    Characters, offset_after_graphemes, offset_after_utf16_units,
};

use crate::prelude::*;

rule! {
    /// A text is longer than its field allows.
    ///
    /// A title has at most 70 characters and a version title at most 35. The description does not say how they are counted:
    /// as visible characters, Unicode code points or UTF-16 units (as in JavaScript). The counts differ for emoji and
    /// Indian scripts. A text that is too long by every count is rejected. One that is too long only by some may be
    /// rejected.
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
        group: Correctness,
        basis: Read("It does not say what counts as a character."),
        section: "2.3",
        status: 400,
        readings: [TEXT_LENGTH_UNIT, STORED_LIMITS],
    }
}

fn check(value: &FieldValue<'_>) -> Checked<Verdicts> {
    let (text, shape) = value.text().ok_or(NoFinding::Holds)?;
    let limit = shape.max_characters.ok_or(NoFinding::Holds)?;
    if text.len() <= limit as usize {
        // No way of counting exceeds the number of bytes.
        return Err(NoFinding::Holds);
    }
    let count = Characters::count(&text);
    let name = value.name();
    Ok(match count.readings().over(limit) {
        Some(VerdictKind::Reject) => {
            let start = offset_after_graphemes(&text, limit);
            Finding::new(
                value.place().decoded(start..text.len()),
                format!("{name} has {} characters, over the limit of {limit}", count.graphemes),
            )
            .label(format!("{} too many", count.graphemes - limit))
            .help(format!("shorten it to {limit} characters"))
            .section(value.section())
            .reject()
            .into()
        }
        Some(_) => {
            let start = offset_after_utf16_units(&text, limit);
            let (most, reading) = count.doubtful(limit);
            Finding::new(
                value.place().decoded(start..text.len()),
                format!("{name} may be too long: {most} of {limit} characters {reading}"),
            )
            .label("over the limit")
            .help("shorten it until it fits by every count")
            .section(value.section())
            .possible(Condition::under(count.over(limit)))
            .into()
        }
        None => Verdict::Holds.into(),
    })
}
