use super::shared::{has_id, similar_or};
use crate::prelude::*;

rule! {
    /// The agent that the update is for is not in the workspace.
    ///
    /// A key gives access to one workspace only. The id is the one that the update is sent to, or else that of the stored
    /// configuration. The facts list the agents of the workspace. The body of the update makes no difference, even if it is
    /// unreadable.
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,facts
    /// { "agents": ["ag_night_desk"] }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,facts
    /// { "agents": ["ag_front_desk", "ag_night_desk"] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    "agent-not-found": Config {
        group: Correctness,
        basis: Stated,
        section: "7",
        status: 404,
        reads_agent: [agent::id],
        reads_facts: [facts::agents],
    }
}

fn check(config: &Effective<'_>) -> Verdict {
    if !config.is_update() {
        return Verdict::Holds;
    }
    let (Some(id), Some((agents, _))) = (config.agent_id(), config.fact(&facts::agents)) else {
        // The service has returned the stored configuration, so the agent exists.
        let is_stored = config.of_agent(&agent::id).is_some();
        return if is_stored { Verdict::Holds } else { Verdict::Undecided };
    };
    if has_id(agents, &id) {
        return Verdict::Holds;
    }
    Finding::new(config.start(), format!("the workspace has no agent {}", quote(&id)))
        .of_root()
        .help(similar_or(agents, &id, "send the update to an agent of the workspace"))
        .reject()
}
