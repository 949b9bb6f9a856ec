use std::collections::HashSet;

use voxlint_model::Severity;
use voxlint_model::quote::counted;
use voxlint_schema::settings::agent_function;

use super::shared::text_of;
use crate::prelude::*;

rule! {
    /// An update removes functions that are stored.
    ///
    /// `agent_functions` replaces all functions of the version, so a list with only the new or changed function removes the
    /// others, and an empty list removes all. It is a warning if no stored function remains, and an info otherwise. Functions are
    /// compared by `displayName`.
    ///
    /// ```json,stored
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "look_up", "type": "custom", "description": "Look the booking up.", "config": {}},
    ///     { "displayName": "hang_up", "type": "end_call", "description": "End the call.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "open_ticket", "type": "custom", "description": "Open a ticket.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "look_up", "type": "custom", "description": "Look the booking up.", "config": {}},
    ///     { "displayName": "hang_up", "type": "end_call", "description": "End the call.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "hang_up", "type": "end_call", "description": "End the call.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,undecided
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": []
    /// }
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "look_up", "type": "custom", "description": "Look the booking up.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "look_up", "type": "custom", "description": "Look the booking up.", "config": {}},
    ///     { "displayName": "open_ticket", "type": "custom", "description": "Open a ticket.", "config": {}}
    ///   ]
    /// }
    /// ```
    "functions-dropped": Config {
        group: Suspicious,
        basis: Read("It says that the list replaces all functions. That a removal may be a mistake is inferred."),
        section: "4.1 rule 2",
        reads: [agent_functions],
    }
}

/// The number of functions that a message names.
const MAX_NAMED: usize = 3;

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let (functions, place) = config.written(&agent_functions).or_holds()?;
    if !config.is_update() || functions.is_incomplete() {
        return Err(NoFinding::Holds);
    }
    let (stored, _) = config.stored(&agent_functions).or_undecided()?;
    let name = |function| text_of(function, &agent_function::displayName);
    let kept: HashSet<_> = functions.elements().filter_map(name).collect();
    let dropped: Vec<_> = stored
        .elements()
        .filter_map(|function| Some((function, name(function)?)))
        .filter(|(_, name)| !kept.contains(name))
        .collect();
    if dropped.is_empty() {
        return Err(NoFinding::Holds);
    }
    let mut names: Vec<String> =
        dropped.iter().take(MAX_NAMED).map(|(_, name)| quote(name)).collect();
    let last = match dropped.len().saturating_sub(MAX_NAMED) {
        0 => names.pop().unwrap_or_default(),
        more => format!("{more} more"),
    };
    let and = if names.is_empty() { "" } else { " and " };
    let message = format!(
        "this update removes {}: {}{and}{last}",
        counted(dropped.len() as u64, "stored function"),
        names.join(", ")
    );
    let mut finding = Finding::new(place.name(), message)
        .about(&agent_functions)
        .help("also list the functions to keep, or leave `agent_functions` out");
    if dropped.len() < stored.elements().count() {
        finding = finding.with_severity(Severity::Info);
    }
    for (function, _) in dropped.iter().take(MAX_NAMED) {
        finding = finding.also(Place::of(Origin::Stored, *function).opening(), "removed");
    }
    Ok(finding.advice())
}
