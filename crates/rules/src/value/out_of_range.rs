use voxlint_model::meant_number::meant_number;
use voxlint_schema::{Fractions, NumberShape};

use crate::prelude::*;

rule! {
    /// A number is outside the field's range.
    ///
    /// Bounds are inclusive. Numbers are compared as written, digit by digit, without rounding.
    ///
    /// The description contradicts itself for `responsiveness`: its schema says 0 to 5, its text 0 to 1. The service may
    /// reject a value between 1 and 5.
    ///
    /// A number that is in range as milliseconds, or as a percentage of a scale from 0 to 1, was probably written in that unit.
    ///
    /// ```json,reject
    /// { "version_number": 3, "kb_max_chunks": 11 }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "end_call_on_silence_sec": 30000 }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "responsiveness": 3 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "kb_max_chunks": 10, "responsiveness": 1.0 }
    /// ```
    "out-of-range": Value {
        group: Correctness,
        basis: Stated,
        section: "2.3",
        status: 400,
        fix: Unsafe("Writes milliseconds as seconds, and a percentage as a fraction, if the result is in range."),
        readings: [VERSION_NUMBER_MINIMUM, RESPONSIVENESS_MAXIMUM, STORED_LIMITS],
    }
}

fn check(value: &FieldValue<'_>) -> Checked<Verdict> {
    let (number, shape) = value.number().ok_or(NoFinding::Holds)?;
    if let Some(how) = outside(number, shape.min, shape.max, shape.unit) {
        return Ok(finding(value, number, &how, &shape).reject());
    }
    // If a fraction is rejected anyway, `fractional-number` is more specific than a disputed range.
    let is_fraction = shape.fractions == Fractions::Rejected && !number.is_whole();
    if let Some(narrower) = shape.disputed
        && !is_fraction
        && let Some(how) = outside(number, narrower.min, narrower.max, shape.unit)
    {
        return Ok(
            finding(value, number, &how, &shape).possible(Condition::first(narrower.reading))
        );
    }
    Ok(Verdict::Holds)
}

fn finding(value: &FieldValue<'_>, number: Decimal<'_>, how: &str, shape: &NumberShape) -> Finding {
    let message = format!("{} is {}, {how}", value.name(), excerpt(number.literal()));
    let finding = Finding::new(value.place(), message).section(value.section());
    let range = range(shape);
    let Some(meant) = meant_number(number.literal(), shape).filter(|meant| meant.is_allowed) else {
        return finding.help(range);
    };
    let finding = finding.help(format!("did you mean `{}`? {range}", meant.literal));
    if !meant.is_certain {
        return finding;
    }
    finding.fix(ProposedFix::replace(
        format!("write {}", meant.literal),
        Safety::Unsafe,
        value.place(),
        Replacement::Literal(meant.literal),
    ))
}

/// Which bound a number violates, in words.
fn outside(
    number: Decimal<'_>,
    min: Option<i64>,
    max: Option<i64>,
    unit: Option<&str>,
) -> Option<String> {
    let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    match (min, max) {
        (Some(min), _) if number < min => Some(format!("under the minimum of {min}{unit}")),
        (_, Some(max)) if number > max => Some(format!("over the maximum of {max}{unit}")),
        _ => None,
    }
}

/// The allowed numbers, as an instruction. If the range is disputed, it is the narrower one, because a number outside it would
/// be the next finding.
pub(crate) fn range(shape: &NumberShape) -> String {
    let unit = shape.unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    let (min, max) =
        shape.disputed.map_or((shape.min, shape.max), |narrower| (narrower.min, narrower.max));
    match (min, max) {
        (Some(min), Some(max)) => format!("use a number from {min} to {max}{unit}"),
        (Some(min), None) => format!("use {min}{unit} or more"),
        (None, Some(max)) => format!("use {max}{unit} or less"),
        (None, None) => format!(
            "use a number{}",
            shape.unit.map(|unit| format!(" of {unit}")).unwrap_or_default()
        ),
    }
}
