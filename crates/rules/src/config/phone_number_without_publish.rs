use voxlint_schema::Text;

use crate::prelude::*;

rule! {
    /// A phone number is set or detached without publishing.
    ///
    /// Phone numbers take effect only in the request that publishes the version: without `is_published: true` beside them
    /// they are ignored for live routing. The same applies to the empty string, which detaches a number.
    ///
    /// ```json,advice
    /// { "version_number": 3, "inbound_phone_number_id": "pn_front_desk" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "is_published": true, "inbound_phone_number_id": "pn_front_desk" }
    /// ```
    "phone-number-without-publish": Config {
        group: Ineffective,
        basis: Stated,
        section: "3 rule 2",
        reads: [is_published, inbound_phone_number_id, outbound_phone_number_id],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let publishing = config.written(&is_published);
    let numbers = [&inbound_phone_number_id, &outbound_phone_number_id]
        .map(|field| check_field(config, field, &publishing));
    if config.is_update() { numbers.into_iter().collect() } else { Verdicts::none() }
}

fn check_field(config: &Effective<'_>, field: &Field<Text>, publishing: &Value<bool>) -> Verdict {
    let Value::Known(number, place) = config.written(field) else { return Verdict::Holds };
    let switch = match publishing {
        Value::Known(false, switch) => Some(switch),
        Value::Absent(_) => None,
        Value::Known(true, _) | Value::Unknown(_) => return Verdict::Holds,
    };
    let done = if number.is_empty() { "detached" } else { "connected" };
    let finding = Finding::new(
        place,
        format!(
            "`{}` has no effect: a number is {done} only by the update that publishes",
            field.row.name
        ),
    )
    .about(field)
    .help("set `is_published` to true in the same update, or remove the number");
    finding.also(switch.cloned(), "not publishing").advice()
}
