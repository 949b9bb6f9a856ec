use voxlint_schema::settings::{agent_functions, default_dynamic_variables};
use voxlint_syntax::Node;

use super::has_function;
use crate::engine::effective::Effective;
use crate::fields::GetField as _;
use crate::place::Place;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// Transfer destinations are given to an agent that cannot transfer calls.
    ///
    /// `agent_transfer_destinations` are the numbers that calls may be transferred to. Without a function of the type
    /// `call_transfer` the agent never uses them.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": {"agent_transfer_destinations": "+14155550100"},
    ///   "agent_functions": [
    ///     { "displayName": "hang_up", "type": "end_call", "description": "End the call.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,undecided
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": {"agent_transfer_destinations": "+14155550100"}
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": {"agent_transfer_destinations": "+14155550100"},
    ///   "agent_functions": [
    ///     { "displayName": "transfer", "type": "call_transfer", "description": "Transfer to billing.", "config": {}}
    ///   ]
    /// }
    /// ```
    "transfer-without-function": Config {
        group: Suspicious,
        basis: Inferred("The description names the destinations and the type of the function, but does not say that they belong together."),
        section: "2.3",
        advice: Info,
        reads: [default_dynamic_variables, agent_functions],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let Value::Known(variables, place) = config.written(&default_dynamic_variables) else {
        return Verdict::Holds.into();
    };
    let Some(destinations) = destinations_in(variables) else { return Verdict::Holds.into() };
    let beside = match config.get(&agent_functions) {
        Value::Known(functions, beside)
            if has_function(functions, "call_transfer") == Some(false) =>
        {
            beside
        }
        Value::Known(..) | Value::Absent(_) => return Verdict::Holds.into(),
        Value::Unknown(_) => return Verdict::Undecided.into(),
    };
    let message =
        "the agent cannot use these numbers: it has no function of the type `call_transfer`";
    let place = Place::of(place.origin, destinations);
    Finding::new(place.clone().name(), message)
        .about_value(place)
        .also(beside.name(), "no `call_transfer` here")
        .help("add a `call_transfer` function, or remove the numbers")
        .advice()
        .into()
}

/// The transfer destinations in an object of default variables.
fn destinations_in(variables: Node<'_>) -> Option<Node<'_>> {
    let node = variables.field(default_dynamic_variables::agent_transfer_destinations.row)?;
    node.as_str().is_some_and(|text| !text.trim().is_empty()).then_some(node)
}
