//! Why rules are undecided.

use voxlint_schema::{Row, Shape};

use super::input_access::MissingInputs;
use crate::{Rule, RuleRef, Undecided, quote, rules, verdict};

/// A rule that no further input could decide: the answer depends on how the service reads its description, or the stored
/// state contradicts itself.
pub(crate) fn undecidable(rule: impl Into<RuleRef>, why: impl Into<String>) -> Undecided {
    Undecided::new(rule, why)
}

/// A rule that the value of one stored setting would decide.
pub(crate) fn without_stored_value(rule: impl Into<RuleRef>, row: &Row) -> Undecided {
    Undecided {
        missing: vec![format!("/{}", row.name)],
        needs_stored: true,
        ..undecidable(rule, format!("depends on the stored `{}`", row.name))
    }
}

/// The rule for a stored value that the service revalidates, or may revalidate, and that is not known.
pub(super) fn unknown_stored_value(row: &Row, is_contradictory: bool) -> Undecided {
    let rule: &'static Rule = match row.shape {
        Shape::Number(_) => &rules::OUT_OF_RANGE,
        Shape::Text(text) if text.max_characters.is_some() => &rules::TEXT_TOO_LONG,
        Shape::Map(_) => &rules::TRANSFER_DESTINATION_MALFORMED,
        Shape::Text(text) if text.terms.is_some() => &rules::BOOSTED_KEYWORD_CHARACTER,
        _ => &rules::TEMPLATE_SYNTAX_ERROR,
    };
    if is_contradictory {
        undecidable(rule, verdict::contradictory(&[row.name]))
    } else {
        Undecided { is_touched: false, ..without_stored_value(rule, row) }
    }
}

/// A rule that needs these inputs; `None` if nothing is missing that a user could provide.
pub(super) fn without_inputs(
    rule: &'static Rule,
    missing: &MissingInputs,
    is_touched: bool,
) -> Option<Undecided> {
    let MissingInputs { settings, agent, facts, contradictory, lost, given_facts } = missing;
    let is_complete = settings.is_empty() && agent.is_empty() && facts.is_empty();
    if is_complete && !contradictory.is_empty() {
        let names: Vec<&str> = contradictory.iter().map(|row| row.name).collect();
        return Some(undecidable(rule, verdict::contradictory(&names)));
    }
    if is_complete && !lost.is_empty() {
        let names = quote::list(lost.iter().map(|row| row.name));
        let why = format!("depends on {names}, which cannot be read");
        return Some(Undecided { is_touched, ..undecidable(rule, why) });
    }
    let inputs = [
        (settings, "", "the stored"),
        (agent, "agent:", "the stored agent's"),
        (if is_complete { given_facts } else { facts }, "facts:", "the workspace's"),
    ];
    let named = inputs.into_iter().filter(|(rows, ..)| !rows.is_empty());
    let pointers: Vec<String> = named
        .clone()
        .flat_map(|(rows, prefix, _)| rows.iter().map(move |row| format!("{prefix}/{}", row.name)))
        .collect();
    let owners: Vec<String> = named
        .map(|(rows, _, owner)| format!("{owner} {}", quote::list(rows.iter().map(|row| row.name))))
        .collect();
    let details = if is_complete { "details that are not given of " } else { "" };
    (!pointers.is_empty()).then(|| Undecided {
        missing: pointers,
        is_touched,
        needs_stored: !settings.is_empty() || !agent.is_empty(),
        needs_facts: is_complete || !facts.is_empty(),
        ..undecidable(rule, format!("depends on {details}{}", owners.join(" and ")))
    })
}
