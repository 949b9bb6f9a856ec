//! Rules about one value and the row of its field. They run in this order for each value, and only the first finding counts: a
//! value of the wrong type is not also out of range.

mod fractional_number;
mod negative_time;
mod null_not_allowed;
mod number_too_large;
mod out_of_range;
mod shared;
mod text_too_long;
mod unknown_value;
mod wrong_type;

use voxlint_schema::{Fractions, Items, Null, NumberShape, Shape, TextShape};
use voxlint_syntax::{Kind, Node};

use voxlint_model::Rule;

use crate::check;

pub(crate) use out_of_range::range as allowed_numbers;

/// A number is outside its bounds.
pub static OUT_OF_RANGE: &Rule = &out_of_range::RULE;
/// A text is longer than it may be.
pub static TEXT_TOO_LONG: &Rule = &text_too_long::RULE;
use voxlint_model::value::FieldValue;

family! {
    check::Value:
    NULL_NOT_ALLOWED = null_not_allowed,
    WRONG_TYPE = wrong_type,
    UNKNOWN_VALUE = unknown_value,
    OUT_OF_RANGE = out_of_range,
    FRACTIONAL_NUMBER = fractional_number,
    NUMBER_TOO_LARGE = number_too_large,
    TEXT_TOO_LONG = text_too_long,
    NEGATIVE_TIME = negative_time,
}

/// Whether the row plainly allows a value, so that no rule of this family has anything to object to. This is the common case,
/// and cheaper than to ask each rule. It may be false for a value that every rule allows.
pub fn is_plainly_allowed(value: &FieldValue<'_>) -> bool {
    let node = value.node;
    match (&value.row.shape, value.item) {
        _ if node.kind() == Kind::Null => value.null() == Null::Clears,
        (Shape::Text(text), _) | (Shape::List(Items::Texts(text)), Some(_)) => {
            is_allowed_text(node, text)
        }
        (Shape::Number(number), _) => is_allowed_number(node, number),
        (Shape::Flag, _) => node.kind() == Kind::Bool,
        (Shape::List(_), None) => node.kind() == Kind::Array,
        (Shape::TextOrTexts, _) => node.kind() == Kind::String,
        (
            Shape::Map(_)
            | Shape::Entries(_)
            | Shape::EntriesOrFirst(_)
            | Shape::List(Items::Maps(_)),
            _,
        ) => node.kind() == Kind::Object,
    }
}

fn is_allowed_text(node: Node<'_>, shape: &TextShape) -> bool {
    // No way of counting exceeds the number of bytes, and decoding only shortens a text.
    let length = || node.undecoded().map_or(node.span().len() as usize, str::len);
    node.kind() == Kind::String
        && shape.max_characters.is_none_or(|limit| length() <= limit as usize)
        && (shape.choices.is_empty()
            || node.undecoded().is_some_and(|text| shape.choices.contains(&text)))
}

fn is_allowed_number(node: Node<'_>, shape: &NumberShape) -> bool {
    if node.kind() != Kind::Number {
        return false;
    }
    let Some((whole, is_whole)) = small_number(node.source()) else { return false };
    let is_within = |min: Option<i64>, max: Option<i64>| {
        let is_below = |max| if is_whole { whole <= max } else { whole < max };
        min.is_none_or(|min| whole >= min) && max.is_none_or(is_below)
    };
    (is_whole || shape.fractions == Fractions::Allowed)
        && is_within(shape.min, shape.max)
        && shape.disputed.is_none_or(|narrower| is_within(narrower.min, narrower.max))
}

/// A number of a few digits, without a sign or an exponent: the part before the point, and whether that is all of it.
fn small_number(source: &str) -> Option<(i64, bool)> {
    const MAX_DIGITS: usize = 15;
    let (digits, fraction) = match source.split_once('.') {
        Some((digits, fraction)) => (digits, Some(fraction)),
        None => (source, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    // With a zero before it, a number has another base in some formats.
    let is_small = source.len() <= MAX_DIGITS && (digits.len() == 1 || !digits.starts_with('0'));
    if !is_small || !is_digits(digits) || !fraction.is_none_or(is_digits) {
        return None;
    }
    Some((digits.parse().ok()?, fraction.is_none()))
}
