use voxlint_schema::agent::agent_type;

use crate::prelude::*;

rule! {
    /// A pipeline is set for a conversational flow agent.
    ///
    /// According to the description, only a `Single_Prompt_Agent` has a pipeline. The type of the agent is that of the
    /// stored configuration.
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Conversational_Flow_Agent" }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "pipeline_type": "Cascaded",
    ///   "agent_identity": "You are the front desk.",
    ///   "agent_background": "The hotel has forty rooms."
    /// }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "pipeline_type": "Cascaded" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "pipeline_type": "Cascaded" }
    /// ```
    "pipeline-without-effect": Config {
        group: Ineffective,
        basis: Read("It gives pipelines to agents with one prompt only, but does not say that other agents ignore them."),
        section: "1",
        fix: Unsafe("Removes the pipeline."),
        reads: [pipeline_type],
        reads_agent: [agent_type],
    }
}

static IDLE: WithoutEffect = WithoutEffect {
    when: When::FlowAgent(true),
    why: "a conversational flow agent has no pipeline",
    help: "remove it",
    removable: true,
    settings: &[pipeline_type.row],
};

fn check(config: &Effective<'_>) -> Verdicts {
    IDLE.check(config)
}
