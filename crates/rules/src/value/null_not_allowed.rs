use voxlint_schema::{Catalogue, Null, Presence};

use super::shared::with_article;
use crate::prelude::*;

rule! {
    /// A field is null but does not allow null.
    ///
    /// The description marks each field that null clears. In other fields null has the wrong type: omit the field to keep
    /// the stored value. The empty string, not null, detaches a phone number.
    ///
    /// ```json,reject
    /// { "version_number": 3, "title": null }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": null } }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "transcriber_id": null }
    /// ```
    "null-not-allowed": Value {
        group: Correctness,
        basis: Stated,
        section: "2.3",
        status: 400,
        fix: Unsafe("Removes the field if an update may omit it, so that its stored value stays, or the item if it is in a list. If null was \
                     meant to clear the field, write another value instead."),
        readings: [NULL_DESTINATIONS, DEFAULT_VARIABLES],
        properties: [Nulls],
    }
}

fn check(value: &FieldValue<'_>) -> Verdicts {
    if !value.is_null() || value.null() == Null::Clears {
        return Verdict::Holds.into();
    }
    let mut finding = Finding::new(value.place(), format!("{} must not be null", value.name()))
        .section(value.section())
        .help(help(value));
    let is_optional = value.kind.is_sent() && value.row.presence == Presence::Optional;
    if value.item.is_some() || (is_optional && !is_phone_number(value)) {
        let title = format!("remove {}", value.name());
        finding = finding.fix(ProposedFix::remove(title, Safety::Unsafe, value.place()));
    }
    if value.null() == Null::Unspecified {
        finding.possible(Condition::first(&readings::NULL_DESTINATIONS)).into()
    } else {
        finding.reject().into()
    }
}

/// Whether the empty string, not null, detaches what the field holds.
fn is_phone_number(value: &FieldValue<'_>) -> bool {
    matches!(value.row.shape, Shape::Text(text) if text.role == Role::Id(Catalogue::PhoneNumbers))
}

fn help(value: &FieldValue<'_>) -> String {
    if value.item.is_some() {
        return "remove it from the list".to_owned();
    }
    match value.row.shape {
        _ if is_phone_number(value) => {
            format!(
                "use the empty string to detach the number, or remove {} to keep it",
                value.name()
            )
        }
        shape if value.row.presence != Presence::Optional => {
            format!("use {}", with_article(shape.name()))
        }
        shape if !value.kind.is_sent() => {
            format!("use {}, or remove {}", with_article(shape.name()), value.name())
        }
        _ => format!("remove {} to keep the stored value", value.name()),
    }
}
