use voxlint_model::other_names::value_called;
use voxlint_model::quote::list;
use voxlint_schema::Null;

use crate::prelude::*;

rule! {
    /// A value is not one of the field's allowed values.
    ///
    /// Values are compared letter by letter, and upper and lower case differ. The empty string is not allowed. If null is
    /// allowed, it switches the setting off.
    ///
    /// Names that other services, or people in other languages, use for a value are recognised: `hangup`, `bool`.
    ///
    /// ```json,reject
    /// { "version_number": 3, "pipeline_type": "cascaded" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "pipeline_type": "Cascaded" }
    /// ```
    "unknown-value": Value {
        group: Correctness,
        basis: Stated,
        section: "2.3",
        status: 400,
        fix: Unsafe("Writes the one allowed value that is near, usually the same word in capital or small letters, or that has this other name."),
        properties: [UnknownValues],
    }
}

fn check(value: &FieldValue<'_>) -> Checked<Verdict> {
    let (text, shape) = value.text().ok_or(NoFinding::Holds)?;
    if shape.choices.is_empty() || shape.choices.contains(&text.as_ref()) {
        return Err(NoFinding::Holds);
    }
    let choices = list(shape.choices.iter().copied());
    let message = if text.is_empty() {
        format!("{} is empty", value.name())
    } else {
        format!("{} is not a valid {}", quote(&text), value.name())
    };
    let finding = Finding::new(value.place(), message).section(value.section());
    let nullable = value.null() == Null::Clears;
    let similar = suggest::nearest_or_prefix(&text, shape.choices);
    Ok(match value_called(&text, shape.choices).or(similar) {
        Some(near) => {
            let finding = finding.help(format!("did you mean `{near}`? allowed: {choices}"));
            let is_misspelled = similar == Some(near)
                && suggest::is_only_nearest(&text, near, shape.choices.iter().copied());
            // A stored value may have been accepted.
            if is_misspelled || (value.kind == DocumentKind::Update && similar != Some(near)) {
                finding.fix(ProposedFix::replace(
                    format!("replace with `{near}`"),
                    Safety::Unsafe,
                    value.place(),
                    Replacement::Text(near.to_owned()),
                ))
            } else {
                finding
            }
        }
        None if nullable => finding.help(format!("use one of {choices}, or null for none")),
        None => finding.help(format!("use one of {choices}")),
    }
    .reject())
}
