//! What several rules across documents use.

/// Why a rule about outbound numbers is undecided.
pub(super) const SHARED_OUTBOUND: &str =
    "the description does not say whether two agents may have the same outbound number";

/// Why a rule is undecided about documents whose agents may be one.
pub(super) fn unknown_agent(name: &str) -> String {
    format!(
        "depends on whether {name} is for the same agent, because the id of an agent is unknown"
    )
}
