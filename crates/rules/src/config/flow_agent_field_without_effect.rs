use voxlint_schema::agent::agent_type;

use crate::prelude::*;

rule! {
    /// The identity or the background of a flow agent is given to an agent with one prompt.
    ///
    /// `agent_identity` and `agent_background` are required in an update of a `Conversational_Flow_Agent`. A
    /// `Single_Prompt_Agent` has a prompt for that. The type of the agent is that of the stored configuration.
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "agent_identity": "You are the front desk." }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "agent_identity": "You are the front desk." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "You are the front desk." }
    /// ```
    "flow-agent-field-without-effect": Config {
        group: Ineffective,
        basis: Inferred("The description calls the two fields required for flow agents, and does not say what they do for other agents."),
        section: "2.3",
        advice: Info,
        reads: [agent_identity, agent_background],
        reads_agent: [agent_type],
    }
}

static IDLE: WithoutEffect = WithoutEffect {
    when: When::FlowAgent(false),
    why: "a `Single_Prompt_Agent` has a prompt instead",
    help: "move the text to `prompt_text`, or remove it",
    removable: false,
    settings: &[agent_identity.row, agent_background.row],
};

fn check(config: &Effective<'_>) -> Verdicts {
    IDLE.check(config)
}
