//! Why rules are undecided.

use voxlint_schema::{Row, Shape};

use super::input_access::MissingInputs;
use crate::{Rule, RuleRef, Undecided, rules, verdict};

/// A rule that no further input could decide: the answer depends on how the service reads its description, or the stored
/// configuration contradicts itself.
pub(crate) fn undecidable(rule: impl Into<RuleRef>, why: impl Into<String>) -> Undecided {
    Undecided::new(rule, why)
}

/// A rule that the value of one stored setting would decide.
pub(crate) fn without_stored_value(rule: impl Into<RuleRef>, row: &Row) -> Undecided {
    Undecided::without_inputs(rule, MissingInputs::of_stored_value(row))
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
