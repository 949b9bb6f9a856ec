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
mod shared;
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

use voxlint_model::Rule;

use crate::check;

/// A boosted keyword has a character that keywords cannot have.
pub static BOOSTED_KEYWORD_CHARACTER: &Rule = &boosted_keyword_character::RULE;
/// A transfer destination is not a telephone number.
pub static TRANSFER_DESTINATION_MALFORMED: &Rule = &transfer_destination_malformed::RULE;

family! {
    check::Text:
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
