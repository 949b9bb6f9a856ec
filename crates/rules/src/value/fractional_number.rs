use voxlint_schema::Fractions;

use crate::prelude::*;

rule! {
    /// A number that must be whole has a fraction.
    ///
    /// Numbers are compared by value: `15.0` and `1.5e1` are 15. There is no version with a fractional number. For
    /// `kb_max_chunks`, a count of passages, the description does not say whether fractions are allowed.
    ///
    /// ```json,reject
    /// { "version_number": 1.5 }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "kb_max_chunks": 2.5 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 15.0, "end_call_on_silence_sec": 22.5 }
    /// ```
    "fractional-number": Value {
        group: Correctness,
        basis: Read("It calls these fields numbers without saying whether fractions are allowed."),
        section: "2.3",
        status: 400,
        readings: [COUNT_FRACTIONS, STORED_LIMITS],
    }
}

fn check(value: &FieldValue<'_>) -> Checked<Verdicts> {
    let (number, shape) = value.number().ok_or(NoFinding::Holds)?;
    if shape.fractions == Fractions::Allowed || number.is_whole() {
        return Err(NoFinding::Holds);
    }
    let finding = Finding::new(
        value.place(),
        format!("{} is {}, which is not a whole number", value.name(), excerpt(number.literal())),
    )
    .help(match super::shared::range(shape.min, shape.max) {
        Some(range) => format!("use a whole number{range}"),
        None => "use a whole number".to_owned(),
    })
    .section(value.section());
    Ok(if shape.fractions == Fractions::Rejected {
        // The service may call the number malformed, or the version not found.
        finding.or_status(404).reject().into()
    } else {
        finding.possible(Condition::first(&readings::COUNT_FRACTIONS)).into()
    })
}
