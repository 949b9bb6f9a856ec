use voxlint_schema::settings::agent_function;

use super::shared::{NamedItems, same_names};
use crate::prelude::*;

rule! {
    /// Two functions have the same name.
    ///
    /// The language model chooses a function by its name, so it cannot tell the two apart. Names that differ only in case and
    /// separators, such as `End Call` and `end_call`, are reported too: the model is likely to confuse them.
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
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "hang_up", "type": "end_call", "description": "End the call.", "config": {}},
    ///     { "displayName": "hang_up", "type": "end_call", "description": "End the call.", "config": {}}
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
        fix: Unsafe("Removes the second function if it is the same as the first in every field. Otherwise one of them needs another name."),
        reads: [agent_functions],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    const ITEMS: NamedItems =
        NamedItems { plural: "functions", help: "give each function a name of its own" };
    let mut verdicts = Verdicts::none();
    for field in [&agent_functions] {
        let Value::Known(list, place) = config.written(field) else { continue };
        let names = |function| Node::field(function, agent_function::displayName.row);
        verdicts.extend(same_names((list, &place), names, &ITEMS).into_iter());
    }
    verdicts
}
