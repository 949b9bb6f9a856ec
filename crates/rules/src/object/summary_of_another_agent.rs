use voxlint_schema::agent::version_summary::{TABLE as SUMMARY, agent_id};
use voxlint_schema::agent::{TABLE, current_version, id, versions};

use crate::prelude::*;

rule! {
    /// An agent has the summary of a version of another agent.
    ///
    /// Each version summary repeats the id of its agent as `agent_id`. A summary with another id was copied by mistake, and
    /// comparing it with this agent gives wrong results.
    ///
    /// ```json,advice
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "versions": [{ "agent_id": "ag_frontdesk" }, { "agent_id": "ag_nightdesk" }]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "id": "ag_frontdesk",
    ///   "agent_type": "Single_Prompt_Agent",
    ///   "versions": [{ "agent_id": "ag_frontdesk" }]
    /// }
    /// ```
    "summary-of-another-agent": Object {
        group: Suspicious,
        basis: Stated,
        section: "2.2",
        table: TABLE,
    }
}

fn check(object: &ObjectValue<'_>) -> Checked<Verdicts> {
    let (agent, here) = object.get(&id).ok_or(NoFinding::Holds)?;
    let listed = object.get(&versions).into_iter().flat_map(|(list, _)| list.elements());
    let current = object.get(&current_version).map(|(summary, _)| summary);
    Ok(current
        .into_iter()
        .chain(listed)
        .filter_map(|summary| object.inner(summary, &SUMMARY).get(&agent_id))
        .filter(|(other, _)| *other != agent)
        .map(|(other, place)| {
            let message =
                format!("`agent_id` is {}, which is not the id of this agent", quote(&other));
            Finding::new(place, message)
                .label("another agent")
                .also(here.clone(), "this agent")
                .help("remove the summary, or correct the id")
                .advice()
        })
        .collect())
}
