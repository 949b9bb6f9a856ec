//! Rules about one value and the row of its field. They run in this order for each value, and only the first finding counts: a
//! value of the wrong type is not also out of range.

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

/// The name of a type with its article.
fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'o']) { "an" } else { "a" };
    format!("{article} {name}")
}
