use voxlint_schema::agent::agent_type;
use voxlint_schema::settings::pipeline_type;

use crate::engine::effective::Effective;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// A pipeline is set for a conversational flow agent.
    ///
    /// According to the description, only a `Single_Prompt_Agent` has a pipeline. The type of the agent is that of the
    /// stored agent.
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
        reads: [pipeline_type],
        reads_agent: [agent_type],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let Value::Known(_, at) = config.written(&pipeline_type) else {
        return Verdict::Holds.into();
    };
    match config.is_flow_agent() {
        Some(true) => Finding::new(
            at.name(),
            "`pipeline_type` has no effect: a conversational flow agent has no pipeline",
        )
        .about(&pipeline_type)
        .help("remove it")
        .advice(),
        Some(false) => Verdict::Holds,
        None => Verdict::Undecided,
    }
    .into()
}
