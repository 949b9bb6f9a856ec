//! Rules about the content of a string that has the right type and length. They check different things, so several may report the
//! same string.

mod blank_text;
mod boosted_keyword_character;
mod boosted_keyword_listed_twice;
mod boosted_keyword_too_long;
mod boosted_keywords_too_long;
mod code_in_text;
mod empty_id;
mod foreign_template_markup;
mod hard_coded_date;
mod keyword_spacing;
mod merge_conflict_marker;
mod node_positions_not_json;
mod summary_title_too_long;
mod test_phone_number;
mod text_outer_whitespace;
mod text_pasted_twice;
mod time_zone_without_daylight_saving;
mod timestamp_malformed;
mod too_many_boosted_keywords;
mod too_many_transfer_destinations;
mod transfer_destination_empty;
mod transfer_destination_listed_twice;
mod transfer_destination_malformed;
mod unfilled_placeholder;
mod unknown_time_zone;
mod variable_in_other_field;
mod variable_in_system_prompt;
mod weekday_of_another_date;

use std::ops::Range;

use crate::Safety;
use crate::text::keywords::{Keywords, surplus_terms, without_bytes};
use crate::value::TextValue;
use crate::verdict::{Finding, ProposedEdit, ProposedFix, Replacement};

pub(crate) use boosted_keyword_character::RULE as BOOSTED_KEYWORD_CHARACTER;
pub(crate) use transfer_destination_malformed::RULE as TRANSFER_DESTINATION_MALFORMED;

family! {
    VARIABLE_IN_SYSTEM_PROMPT = variable_in_system_prompt,
    TRANSFER_DESTINATION_MALFORMED = transfer_destination_malformed,
    TRANSFER_DESTINATION_EMPTY = transfer_destination_empty,
    TOO_MANY_TRANSFER_DESTINATIONS = too_many_transfer_destinations,
    BOOSTED_KEYWORD_CHARACTER = boosted_keyword_character,
    BOOSTED_KEYWORD_TOO_LONG = boosted_keyword_too_long,
    TOO_MANY_BOOSTED_KEYWORDS = too_many_boosted_keywords,
    BOOSTED_KEYWORDS_TOO_LONG = boosted_keywords_too_long,
    NODE_POSITIONS_NOT_JSON = node_positions_not_json,
    UNKNOWN_TIME_ZONE = unknown_time_zone,
    EMPTY_ID = empty_id,
    SUMMARY_TITLE_TOO_LONG = summary_title_too_long,
    TIMESTAMP_MALFORMED = timestamp_malformed,
    FOREIGN_TEMPLATE_MARKUP = foreign_template_markup,
    UNFILLED_PLACEHOLDER = unfilled_placeholder,
    VARIABLE_IN_OTHER_FIELD = variable_in_other_field,
    MERGE_CONFLICT_MARKER = merge_conflict_marker,
    TIME_ZONE_WITHOUT_DAYLIGHT_SAVING = time_zone_without_daylight_saving,
    TEST_PHONE_NUMBER = test_phone_number,
    HARD_CODED_DATE = hard_coded_date,
    WEEKDAY_OF_ANOTHER_DATE = weekday_of_another_date,
    CODE_IN_TEXT = code_in_text,
    TEXT_PASTED_TWICE = text_pasted_twice,
    BLANK_TEXT = blank_text,
    BOOSTED_KEYWORD_LISTED_TWICE = boosted_keyword_listed_twice,
    TRANSFER_DESTINATION_LISTED_TWICE = transfer_destination_listed_twice,
    KEYWORD_SPACING = keyword_spacing,
    TEXT_OUTER_WHITESPACE = text_outer_whitespace,
}

/// Removes a part of a text.
fn removal(text: &TextValue<'_>, range: Range<usize>) -> ProposedEdit {
    replacement(text, range, "")
}

/// Replaces a part of a text.
fn replacement(text: &TextValue<'_>, range: Range<usize>, new: &str) -> ProposedEdit {
    ProposedEdit::Replace { at: text.place(range), replacement: Replacement::Part(new.to_owned()) }
}

/// The maximum number of names in a message about several marks of one mistake.
const MAX_NAMED: usize = 5;

/// The maximum number of further places of one finding.
const MAX_MARKS: usize = 100;

/// Joins findings about one mistake in one text, each with the name of what it is about: the first one, with the places of the
/// others. `message` is that about all of them, before their names. Those with a fix come first, so that it leaves another finding.
fn joined(
    marks: Vec<(String, Finding)>,
    message: impl FnOnce(usize) -> String,
    help: &'static str,
) -> Option<Finding> {
    let count = marks.len();
    let (fixable, others): (Vec<_>, Vec<_>) =
        marks.into_iter().partition(|(_, finding)| finding.fix.is_some());
    let fixed = fixable.len();
    let mut marks = fixable.into_iter().chain(others);
    let (name, mut first) = marks.next()?;
    if count == 1 {
        return Some(first);
    }
    let mut names = vec![name];
    for (name, Finding { at, label, help: other, fix, mut related, .. }) in marks {
        if first.related.len() < MAX_MARKS {
            first.related.push((at, label.unwrap_or("as here".into())));
            first.related.append(&mut related);
        }
        if !names.contains(&name) {
            names.push(name);
        }
        if first.help != other {
            first.help = Some(help.to_owned());
        }
        first.fix = match (first.fix, fix) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
    }
    if let Some(fix) = first.fix.as_mut().filter(|_| fixed > MAX_NAMED) {
        let all = if fixed == count { "all ".to_owned() } else { format!("{fixed} of ") };
        fix.title = format!("change {all}{count}");
    }
    let more = match names.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.truncate(MAX_NAMED);
    let names = names.join(", ");
    let before = if names.is_empty() { "" } else { ": " };
    first.message = format!("{}{before}{names}{more}", message(count));
    Some(first)
}

/// Removes empty and repeated keywords, if the others then fit.
fn without_surplus(
    text: &TextValue<'_>,
    fits: impl Fn(&Keywords<'_>) -> bool,
) -> Option<ProposedFix> {
    let surplus = surplus_terms(text.text);
    let kept = without_bytes(text.text, &surplus);
    let edits = surplus.into_iter().map(|range| removal(text, range)).collect();
    let title = "remove empty and repeated keywords";
    fits(&Keywords::of(&kept)).then(|| ProposedFix::new(title, Safety::Safe, edits))
}
