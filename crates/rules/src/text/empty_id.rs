use voxlint_schema::{Catalogue, Null};

use crate::prelude::*;

rule! {
    /// An id is the empty string.
    ///
    /// For a phone number the empty string means none. For the other ids the description does not say: the service may
    /// clear the field, or look for an entry without a name.
    ///
    /// ```json,possible
    /// { "version_number": 3, "voice_id": "" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "transcriber_id": null, "is_published": true, "inbound_phone_number_id": "" }
    /// ```
    "empty-id": Text {
        group: Correctness,
        basis: Read("It says what an empty phone number means, but not what other empty ids mean."),
        section: "2.3",
        status: 400 or 404,
        readings: [EMPTY_IDS],
        needs: [Id],
    }
}

fn check(text: &TextValue<'_>) -> Verdict {
    let Role::Id(catalogue) = text.shape.role else { return Verdict::Holds };
    let value = &text.value;
    if !text.text.is_empty() || catalogue == Catalogue::PhoneNumbers || !value.kind.is_sent() {
        return Verdict::Holds;
    }
    let help = match (value.item, value.null()) {
        (Some(_), _) => "write an id, or remove the item".to_owned(),
        (None, Null::Clears) => "write an id, or null to clear the field".to_owned(),
        (None, _) => format!("write an id, or remove {}", value.name()),
    };
    Finding::new(
        value.place(),
        format!("{} is empty, but must be an id from the {}", value.name(), catalogue.name()),
    )
    .label("not an id")
    .help(help)
    .section(value.section())
    .possible(Condition::first(&readings::EMPTY_IDS))
}
