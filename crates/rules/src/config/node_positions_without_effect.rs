use voxlint_schema::agent::agent_type;

use crate::prelude::*;

rule! {
    /// Node positions are given to an agent without nodes.
    ///
    /// `node_positions` are for a `Conversational_Flow_Agent`; a `Single_Prompt_Agent` has a prompt instead. The type of the
    /// agent is that of the stored configuration.
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "node_positions": "{}" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "node_positions": "{}" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "You are the front desk." }
    /// ```
    "node-positions-without-effect": Config {
        group: Ineffective,
        basis: Read("It says what the positions are for, but not that other agents ignore them."),
        section: "2.3",
        fix: Unsafe("Removes the positions."),
        reads: [node_positions],
        reads_agent: [agent_type],
    }
}

static IDLE: WithoutEffect = WithoutEffect {
    when: When::FlowAgent(false),
    why: "a `Single_Prompt_Agent` has no nodes",
    help: "remove it",
    removable: true,
    settings: &[node_positions.row],
};

fn check(config: &Effective<'_>) -> Verdicts {
    IDLE.check(config)
}
