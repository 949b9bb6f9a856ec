//! Rules that compare fields of the effective configuration.

mod analysis_given_twice;
mod boosted_keywords_without_effect;
mod duration_over_pipeline_cap;
mod fallback_transcriber_missing;
mod fallback_transcriber_same;
mod phone_number_without_publish;
mod prompt_caching_unavailable;
mod reminder_interval_too_long;
mod silence_not_after_reminder;

use voxlint_schema::{Field, Number, Shape};
use voxlint_syntax::Decimal;

use crate::Rule;

pub(crate) static RULES: &[&Rule] = &[
    &fallback_transcriber_missing::RULE,
    &fallback_transcriber_same::RULE,
    &silence_not_after_reminder::RULE,
    &reminder_interval_too_long::RULE,
    &duration_over_pipeline_cap::RULE,
    &analysis_given_twice::RULE,
    &phone_number_without_publish::RULE,
    &prompt_caching_unavailable::RULE,
    &boosted_keywords_without_effect::RULE,
];

/// A call has to end more than this many seconds after the reminder.
const MARGIN: i64 = 5;

/// The bounds that the table gives a number.
fn bounds(field: &Field<Number>) -> (Option<i64>, Option<i64>) {
    match field.row.shape {
        Shape::Number(shape) => (shape.min, shape.max),
        _ => (None, None),
    }
}

/// Whether a number is inside the bounds that the table gives it.
fn in_range(number: Decimal<'_>, field: &Field<Number>) -> bool {
    let (min, max) = bounds(field);
    min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
}
