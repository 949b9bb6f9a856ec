use voxlint_schema::Text;
use voxlint_schema::facts::phone_numbers;

use super::shared::{has_id, similar_or};
use crate::prelude::*;

rule! {
    /// A phone number does not belong to the workspace.
    ///
    /// A number that is sent with `is_published: true` must belong to the workspace; the empty string detaches the number.
    /// Without publishing, the number is ignored for live routing, and the description does not say whether it is looked
    /// up. The facts list the phone numbers of the workspace.
    ///
    /// ```json,facts
    /// { "phone_numbers": ["pn_front_desk", "pn_night_desk"] }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "is_published": true, "inbound_phone_number_id": "pn_bar" }
    /// ```
    ///
    /// ```json,facts
    /// { "phone_numbers": ["pn_front_desk", "pn_night_desk"] }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "inbound_phone_number_id": "pn_bar" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "is_published": true, "inbound_phone_number_id": "pn_bar" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "is_published": true, "inbound_phone_number_id": "" }
    /// ```
    "phone-number-not-found": Config {
        group: Correctness,
        basis: Read("It does not say whether a number that is not published is looked up."),
        section: "2.3",
        status: 400 or 404,
        reads: [is_published, inbound_phone_number_id, outbound_phone_number_id],
        reads_facts: [phone_numbers],
        readings: [NUMBERS_WITHOUT_PUBLISHING],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let fields = [&inbound_phone_number_id, &outbound_phone_number_id];
    fields.into_iter().map(|field| check_field(config, field)).collect()
}

fn check_field(config: &Effective<'_>, field: &Field<Text>) -> Verdict {
    let (id, at) = match config.written(field) {
        Value::Known(id, at) if !id.is_empty() => (id, at),
        Value::Known(..) | Value::Absent(_) => return Verdict::Holds,
        Value::Unknown(_) => return Verdict::Undecided,
    };
    let Some((known, _)) = config.fact(&phone_numbers) else { return Verdict::Undecided };
    if has_id(known, &id) {
        return Verdict::Holds;
    }
    let finding = Finding::new(at, format!("the workspace has no phone number {}", quote(&id)))
        .about(field)
        .help(similar_or(
            known,
            &id,
            "use the id of a phone number of the workspace, or \"\" to detach the number",
        ));
    match config.written(&is_published) {
        Value::Known(true, _) if config.is_update() => finding.reject(),
        Value::Known(..) | Value::Absent(_) => {
            finding.possible(Condition::first(&readings::NUMBERS_WITHOUT_PUBLISHING))
        }
        Value::Unknown(UnknownReason::Lost) => Verdict::Undecided,
        Value::Unknown(missing) => finding.possible(Condition::unknown(&is_published, missing)),
    }
}
