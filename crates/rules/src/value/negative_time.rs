use crate::prelude::*;

rule! {
    /// A time is negative.
    ///
    /// The description gives no minimum for `reminder_message_interval` and `llm_fallback_delay_ms`, so a negative number
    /// is not rejected. A negative wait has no meaning.
    ///
    /// ```json,advice
    /// { "version_number": 3, "reminder_message_interval": -5 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "reminder_message_interval": 0 }
    /// ```
    "negative-time": Value {
        group: Suspicious,
        basis: Inferred("The description gives no minimum, but a time cannot be negative."),
        section: "2.3",
    }
}

fn check(value: &FieldValue<'_>) -> Checked<Verdict> {
    let (number, shape) = value.number().ok_or(NoFinding::Holds)?;
    let (Some(unit), None, true) = (shape.unit, shape.min, number.is_negative()) else {
        return Err(NoFinding::Holds);
    };
    Ok(Finding::new(
        value.place(),
        format!("{} is {} {unit}", value.name(), excerpt(number.literal())),
    )
    .label("must not be negative")
    .help(format!("use 0 {unit} or more"))
    .section(value.section())
    .advice())
}
