use super::shared::has_function;
use crate::prelude::*;

rule! {
    /// The functions of an agent do not include one that ends the call.
    ///
    /// An update with `agent_functions` replaces all functions, so an agent without an `end_call` function among them cannot
    /// hang up: after its goodbye the line stays open until the caller hangs up or the silence timeout ends the call. Some
    /// agents are meant to work like that, so the rule is off by default. It does not report an empty list.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "transfer", "type": "call_transfer", "description": "Transfer to billing.", "config": {} }
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "hang_up", "type": "end_call", "description": "End the call.", "config": {} }
    ///   ]
    /// }
    /// ```
    "no-end-call-function": Config {
        group: Suspicious,
        default: Off,
        basis: Inferred("Agents that cannot hang up keep lines open."),
        section: "2.3",
        advice: Info,
        reads: [agent_functions],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let (functions, place) = config.written(&agent_functions).or_holds()?;
    let is_empty = functions.elements().next().is_none();
    if is_empty || has_function(functions, "end_call") != Some(false) {
        return Err(NoFinding::Holds);
    }
    Ok(Finding::new(place.name(), "no function of the agent ends the call")
        .about(&agent_functions)
        .help("add a function of the type `end_call`")
        .advice())
}
