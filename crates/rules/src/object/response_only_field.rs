use std::collections::HashSet;

use voxlint_model::value::section;

use super::shared::{mostly_unknown_without_version, response_only};
use crate::prelude::*;

rule! {
    /// An update sends back a field that only the service's answers have.
    ///
    /// An agent that was read from the service contains `id`, `agent_type`, `created_at` and the summaries of its versions.
    /// None of them can be written. The description does not say whether the service rejects or ignores them. In
    /// particular, an `agent_type` in an update does not change the type of the agent.
    ///
    /// ```json,possible
    /// { "version_number": 3, "agent_type": "Conversational_Flow_Agent" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "pipeline_type": "Cascaded" }
    /// ```
    "response-only-field": Object {
        group: Correctness,
        basis: Read("It does not say whether such fields are rejected or ignored."),
        section: "2.1",
        status: 400,
        fix: Unsafe("Removes the field. An update cannot set it."),
        readings: [UNKNOWN_FIELDS],
    }
}

fn check(object: &ObjectValue<'_>) -> Verdicts {
    if !object.fields.has_unknown() || mostly_unknown_without_version(object).is_some() {
        return Verdicts::none();
    }
    let mut seen = HashSet::new();
    object
        .node
        .members()
        .filter_map(|member| {
            // `duplicate-key` reports further fields with the same name.
            let row = response_only(object, member).filter(|row| seen.insert(row.name))?;
            let finding = Finding::new(
                Place::of(object.origin, member.key),
                format!("`{}` is a field of the service's responses, not of {}", row.name, object.noun_phrase()),
            )
            .help("remove it")
            .fix(ProposedFix::remove(
                format!("remove `{}`", row.name),
                Safety::Unsafe,
                Place::of(object.origin, member.value),
            ))
            .section(section(row));
            Some(finding.possible(Condition::first(&readings::UNKNOWN_FIELDS).worded(
                "the description does not say whether fields that an update cannot set are rejected or ignored",
            )))
        })
        .collect()
}
