use voxlint_model::text::timestamp::{Fault, Timestamp, TimestampFormat, read};
use voxlint_schema::api_keys;

use crate::prelude::*;

rule! {
    /// A timestamp does not have the service's format.
    ///
    /// `created_at` and `updated_at` of an agent are RFC 3339 date-times: year to second, a `T` between date and time, and
    /// an offset. The day must exist. The list of API keys has ISO 8601 timestamps, which may omit more, and `created_at`
    /// of a key has milliseconds: another number of decimals is reported.
    ///
    /// ```json,reject
    /// { "id": "ag_frontdesk", "agent_type": "Single_Prompt_Agent", "created_at": "2025-02-29T09:30:00Z" }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "data": [
    ///     {
    ///       "id": "key_ci",
    ///       "name": "ci",
    ///       "created_at": "2025-01-31T09:30:00Z",
    ///       "last_used_at": "2025-02-01T08:00:00.000Z"
    ///     }
    ///   ],
    ///   "meta": { "page": 1, "limit": 20, "total": 1 }
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "id": "ag_frontdesk", "agent_type": "Single_Prompt_Agent", "created_at": "2024-02-29T09:30:00+05:30" }
    /// ```
    "timestamp-malformed": Text {
        group: Correctness,
        basis: Stated,
        section: "2.1",
        needs: [DateTime],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    if text.shape.format != TextFormat::DateTime {
        return Verdict::Holds.into();
    }
    let is_of_key = text.value.kind == DocumentKind::ApiKeys;
    let form = if is_of_key { TimestampFormat::Iso8601 } else { TimestampFormat::Rfc3339 };
    match read(text.text, form) {
        Err(fault) => malformed(text, &fault, form).reject().into(),
        Ok(written) if std::ptr::eq(text.value.row, api_keys::entry::created_at.row) => {
            decimals(text, &written)
        }
        Ok(_) => Verdict::Holds.into(),
    }
}

fn malformed(text: &TextValue<'_>, fault: &Fault, form: TimestampFormat) -> Finding {
    // A text that does not begin like a date is underlined as a whole.
    let looks_like_one = fault.at.start > 0 && text.text.contains(['-', 'T']);
    let place = if looks_like_one { text.place(fault.at.clone()) } else { text.value.place() };
    let (standard, example) = match form {
        TimestampFormat::Rfc3339 => ("RFC 3339", "2025-01-31T09:30:00Z"),
        TimestampFormat::Iso8601 => ("ISO 8601", "2025-01-31T09:30:00.000Z"),
    };
    let name = text.value.name();
    let message = if text.text.is_empty() {
        format!("{name} is empty, but must be a date and time")
    } else {
        format!("{} is not a valid {standard} date and time for {name}", quote(text.text))
    };
    let finding = Finding::new(place, message)
        .help(format!("write it like `{example}`"))
        .section(text.value.section());
    if looks_like_one { finding.label(fault.what.clone()) } else { finding }
}

/// A timestamp with milliseconds has three decimals.
fn decimals(text: &TextValue<'_>, written: &Timestamp<'_>) -> Verdicts {
    let name = text.value.name();
    let (place, message) = match written.decimals.len() {
        3 => return Verdict::Holds.into(),
        0 => (text.value.place(), format!("{name} has no milliseconds: {}", quote(text.text))),
        count => (
            text.place(written.decimals.clone()),
            format!("{name} has {count} decimals instead of 3 (milliseconds)"),
        ),
    };
    Finding::new(place, message)
        .help("write it with milliseconds, like `2025-01-31T09:30:00.000Z`")
        .section(text.value.section())
        .advice()
        .into()
}
