use voxlint_model::value::MAX_EXACT_INTEGER;
use voxlint_schema::Fractions;

use crate::prelude::*;

rule! {
    /// A number is larger than most JSON readers can store.
    ///
    /// Most readers keep numbers as 64-bit floating point. Beyond about 1.8e308 such a number becomes infinite or is
    /// rejected. If the field has a limit, the service rejects it. Whole numbers beyond 2^53 may be rounded, so that a
    /// version number selects another version.
    ///
    /// ```json,reject
    /// { "version_number": 3, "stt_fallback_wait_ms": 1e400 }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "llm_temperature": 1e400 }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 9007199254740993 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 9007199254740992 }
    /// ```
    "number-too-large": Value {
        group: Correctness,
        basis: Inferred("JSON has no limit, but JSON readers round numbers."),
        section: "2.3",
        status: 400,
        readings: [HUGE_NUMBERS],
    }
}

fn check(value: &FieldValue<'_>) -> Checked<Verdict> {
    let (number, shape) = value.number().ok_or(NoFinding::Holds)?;
    if number.to_f64().is_infinite() {
        let finding = finding(value, number, "is too large for a floating point number")
            .help("use a smaller number");
        // Infinity is outside every range. Without a range, the reader decides.
        let verdict = if shape.min.is_some() || shape.max.is_some() {
            finding.reject()
        } else {
            finding.possible(Condition::first(&readings::HUGE_NUMBERS))
        };
        return Ok(verdict);
    }
    let (above, below) = (number > MAX_EXACT_INTEGER, number < -MAX_EXACT_INTEGER);
    if shape.fractions == Fractions::Rejected && (above || below) {
        return Ok(finding(value, number, "is over 2^53, where whole numbers may be rounded")
            .help("use a smaller number")
            .advice());
    }
    Ok(Verdict::Holds)
}

fn finding(value: &FieldValue<'_>, number: Decimal<'_>, how: &str) -> Finding {
    Finding::new(value.place(), format!("{} {how}: {}", value.name(), excerpt(number.literal())))
        .section(value.section())
}
