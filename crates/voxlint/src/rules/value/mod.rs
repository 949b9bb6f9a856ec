//! Rules that need one value and the row that describes it. For each value they are run in this order, and the first
//! that objects is the only one: a text of the wrong type is not also too long.

mod fractional_number;
mod negative_time;
mod null_not_allowed;
mod number_too_large;
mod out_of_range;
mod text_too_long;
mod unknown_value;
mod wrong_type;

use crate::Rule;

pub(crate) use out_of_range::RULE as OUT_OF_RANGE;
pub(crate) use text_too_long::RULE as TEXT_TOO_LONG;

pub(crate) static RULES: &[&Rule] = &[
    &null_not_allowed::RULE,
    &wrong_type::RULE,
    &unknown_value::RULE,
    &out_of_range::RULE,
    &fractional_number::RULE,
    &number_too_large::RULE,
    &text_too_long::RULE,
    &negative_time::RULE,
];
