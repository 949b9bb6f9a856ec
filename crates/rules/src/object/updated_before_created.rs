use voxlint_model::text::timestamp::{TimestampFormat, read};
use voxlint_schema::agent::{TABLE, created_at, updated_at};

use crate::prelude::*;

rule! {
    /// An agent was updated before it was created.
    ///
    /// The two times are compared with their offsets and all decimals.
    ///
    /// ```json,advice
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "created_at": "2025-01-31T09:30:00Z",
    ///   "updated_at": "2025-01-31T09:30:00+05:30"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "created_at": "2025-01-31T09:30:00Z",
    ///   "updated_at": "2025-01-31T09:30:00Z"
    /// }
    /// ```
    "updated-before-created": Object {
        group: Suspicious,
        basis: Inferred("It follows from the meaning of the two times."),
        section: "2.1",
        table: TABLE,
    }
}

fn check(object: &ObjectValue<'_>) -> Verdicts {
    let (Some((created, made)), Some((updated, changed))) =
        (object.get(&created_at), object.get(&updated_at))
    else {
        return Verdict::Holds.into();
    };
    let instant =
        |text| read(text, TimestampFormat::Rfc3339).ok().and_then(|written| written.instant);
    match (instant(&created), instant(&updated)) {
        (Some(created), Some(updated)) if updated < created => {
            Finding::new(changed, "`updated_at` is earlier than `created_at`")
                .label("updated before it was created")
                .also(made, "created here")
                .help("check both times and their offsets")
                .advice()
                .into()
        }
        _ => Verdict::Holds.into(),
    }
}
