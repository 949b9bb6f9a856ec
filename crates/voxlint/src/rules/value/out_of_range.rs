use std::borrow::Cow;

use voxlint_schema::Fractions;
use voxlint_syntax::Decimal;

use crate::quote::excerpt;
use crate::rule::rule;
use crate::value::FieldValue;
use crate::verdict::{Condition, Finding, Verdict, Verdicts};

rule! {
    /// A number is outside the field's range.
    ///
    /// Bounds are inclusive. Numbers are compared as written, digit by digit, without rounding.
    ///
    /// The description contradicts itself for `responsiveness`: its schema says 0 to 5, its text 0 to 1. The service may
    /// reject a value between 1 and 5.
    ///
    /// ```json,reject
    /// { "version_number": 3, "kb_max_chunks": 11 }
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
    }
}

fn check(value: &FieldValue<'_>) -> Verdicts {
    let Some((number, shape)) = value.number() else { return Verdict::Holds.into() };
    if let Some(how) = outside(number, shape.min, shape.max, shape.unit) {
        // The help names the narrower range, because a number outside it would be the next finding.
        let (min, max) =
            shape.disputed.map_or((shape.min, shape.max), |narrower| (narrower.min, narrower.max));
        return finding(value, number, &how).help(help(min, max, shape.unit)).reject().into();
    }
    // If a fraction is rejected anyway, `fractional-number` is more specific than a disputed range.
    let is_fraction = shape.fractions == Fractions::Rejected && !number.is_whole();
    if let Some(narrower) = shape.disputed
        && !is_fraction
        && let Some(how) = outside(number, narrower.min, narrower.max, shape.unit)
    {
        return finding(value, number, &how)
            .help(help(narrower.min, narrower.max, shape.unit))
            .possible(Condition::Reading(Cow::Borrowed(narrower.why)))
            .into();
    }
    Verdict::Holds.into()
}

fn finding(value: &FieldValue<'_>, number: Decimal<'_>, how: &str) -> Finding {
    Finding::new(value.place(), format!("{} is {}, {how}", value.name(), excerpt(number.literal())))
        .section(value.section())
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

fn help(min: Option<i64>, max: Option<i64>, unit: Option<&str>) -> String {
    let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    match (min, max) {
        (Some(min), Some(max)) => format!("use a number from {min} to {max}{unit}"),
        (Some(min), None) => format!("use {min}{unit} or more"),
        (None, Some(max)) => format!("use {max}{unit} or less"),
        (None, None) => String::new(),
    }
}
