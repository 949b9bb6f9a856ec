use voxlint_model::text::placeholders::in_setting;
use voxlint_schema::settings::agent_function;

use super::shared::text_of;
use crate::prelude::*;

rule! {
    /// A function transfers calls, but there is no number to transfer them to.
    ///
    /// A `call_transfer` function transfers calls to `agent_transfer_destinations`, or to a number in its own `config`. The rule
    /// reports such a function if the update sets `default_dynamic_variables` without destinations and the `config` of the function
    /// does not contain a number or a template variable.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": {"clinic": "Northside"},
    ///   "agent_functions": [
    ///     { "displayName": "transfer", "type": "call_transfer", "description": "Transfer to billing.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "transfer", "type": "call_transfer", "description": "Transfer to billing.", "config": {}}
    ///   ]
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
    "function-without-destination": Config {
        group: Suspicious,
        basis: Inferred("The description names the destinations and the type of the function, but does not say that they belong together."),
        section: "2.3",
        advice: Info,
        reads: [default_dynamic_variables, agent_functions],
    }
}

/// A number has at least this many digits.
const MIN_DIGITS: usize = 7;

fn check(config: &Effective<'_>) -> Verdicts {
    let (Value::Known(functions, place), Value::Known(variables, beside)) =
        (config.written(&agent_functions), config.written(&default_dynamic_variables))
    else {
        return Verdict::Holds.into();
    };
    // Faulty destinations have findings of their own. The service may keep stored ones that the update omits.
    let has_destinations = |variables: Node<'_>| {
        variables.field(default_dynamic_variables::agent_transfer_destinations.row).is_some()
    };
    let stored = config.stored(&default_dynamic_variables);
    let is_stored = stored.known().is_some_and(|(stored, _)| has_destinations(*stored));
    if is_stored || variables.is_incomplete() || has_destinations(variables) {
        return Verdict::Holds.into();
    }
    let without = functions.elements().filter(|function| {
        let function_type = text_of(*function, &agent_function::function_type);
        function_type.is_some_and(|name| name == "call_transfer")
            && !function.field(agent_function::config.row).is_some_and(may_name_a_number)
    });
    without
        .map(|function| {
            let place = Place::of(place.origin, function);
            let name = function.field(agent_function::displayName.row);
            let (at, shown) = match name.and_then(|name| Some((name, name.as_str()?))) {
                Some((node, name)) => (Place::of(place.origin, node), quote(&name)),
                None => (place.clone().opening(), "a function".to_owned()),
            };
            Finding::new(at, format!("{shown} transfers calls, but no destination is set"))
                .about_value(place)
                .also(beside.clone().name(), "no `agent_transfer_destinations` here")
                .help("set `agent_transfer_destinations` in `default_dynamic_variables`, or a number in its `config`")
                .advice()
        })
        .collect()
}

/// Whether a value contains a text with a phone number, an address or a template variable.
fn may_name_a_number(config: Node<'_>) -> bool {
    let mut inside = vec![config];
    while let Some(node) = inside.pop() {
        inside.extend(node.elements());
        inside.extend(node.members().map(|member| member.value));
        if node.as_str().is_some_and(|text| {
            text.chars().filter(char::is_ascii_digit).count() >= MIN_DIGITS
                || text.contains("{{")
                || text.contains("sip:")
                // `placeholder-in-function` reports these.
                || in_setting(&text).is_some()
        }) {
            return true;
        }
    }
    false
}
