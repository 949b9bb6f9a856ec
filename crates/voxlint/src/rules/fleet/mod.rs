//! Rules across documents: what no document shows alone. Only a plan runs them.

mod draft_edited_while_another_is_published;
mod id_removed_by_another_plan;
mod phone_number_claimed_twice;
mod phone_number_held_by_another_agent;
mod version_planned_twice;

use crate::Rule;

pub(crate) static RULES: &[&Rule] = &[
    &version_planned_twice::RULE,
    &draft_edited_while_another_is_published::RULE,
    &id_removed_by_another_plan::RULE,
    &phone_number_claimed_twice::RULE,
    &phone_number_held_by_another_agent::RULE,
];

/// Why a rule about outbound numbers is undecided.
const SHARED_OUTBOUND: &str =
    "the description does not say whether two agents may have the same outbound number";

/// Why a rule is undecided about documents whose agents may be one.
fn unknown_agent(name: &str) -> String {
    format!(
        "depends on whether {name} is for the same agent, because the id of an agent is unknown"
    )
}
