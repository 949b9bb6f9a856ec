use voxlint_schema::settings::{agent_function, agent_functions};

use super::repeated;
use crate::engine::effective::Effective;
use crate::fields::GetField as _;
use crate::place::Place;
use crate::quote::quote;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdicts};

rule! {
    /// Two functions have the same name.
    ///
    /// The language model chooses a function by its name, so it cannot tell the two apart.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "look_up", "type": "custom", "description": "Look the booking up.", "config": {}},
    ///     { "displayName": "look_up", "type": "custom", "description": "Look the price up.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "look_up", "type": "custom", "description": "Look the booking up.", "config": {}},
    ///     { "displayName": "look_up_price", "type": "custom", "description": "Look the price up.", "config": {}}
    ///   ]
    /// }
    /// ```
    "function-listed-twice": Config {
        group: Suspicious,
        basis: Inferred("Language models choose functions by their names."),
        section: "2.3",
        reads: [agent_functions],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    for field in [&agent_functions] {
        let Value::Known(list, place) = config.written(field) else { continue };
        let repeated = repeated(list, |function| function.field(agent_function::displayName.row));
        verdicts.extend(repeated.into_iter().map(|(again, first)| {
            let name = again.as_str().unwrap_or_default();
            Finding::new(
                Place::of(place.origin, again),
                format!("two functions are called {}", quote(&name)),
            )
            .also(Place::of(place.origin, first), "first here")
            .help("give each function a name of its own")
            .advice()
        }));
    }
    verdicts
}
