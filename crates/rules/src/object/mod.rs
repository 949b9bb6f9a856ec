//! Rules about one object and the table of its fields.

mod api_key_in_wrong_header;
mod api_key_listed_twice;
mod current_version_differs;
mod current_version_not_listed;
mod draft_fallback_unusable;
mod function_description_empty;
mod function_description_repeats_name;
mod insecure_url;
mod missing_field;
mod more_keys_than_limit;
mod placeholder_in_function;
mod private_url;
mod reason_phrase_differs;
mod response_only_field;
mod shared;
mod summary_of_another_agent;
mod unknown_field;
mod unknown_status;
mod updated_before_created;
mod version_listed_twice;

use crate::check;

family! {
    check::Object:
    MISSING_FIELD = missing_field,
    UNKNOWN_FIELD = unknown_field,
    RESPONSE_ONLY_FIELD = response_only_field,
    UPDATED_BEFORE_CREATED = updated_before_created,
    VERSION_LISTED_TWICE = version_listed_twice,
    CURRENT_VERSION_NOT_LISTED = current_version_not_listed,
    CURRENT_VERSION_DIFFERS = current_version_differs,
    SUMMARY_OF_ANOTHER_AGENT = summary_of_another_agent,
    DRAFT_FALLBACK_UNUSABLE = draft_fallback_unusable,
    API_KEY_LISTED_TWICE = api_key_listed_twice,
    MORE_KEYS_THAN_LIMIT = more_keys_than_limit,
    UNKNOWN_STATUS = unknown_status,
    REASON_PHRASE_DIFFERS = reason_phrase_differs,
    INSECURE_URL = insecure_url,
    PRIVATE_URL = private_url,
    PLACEHOLDER_IN_FUNCTION = placeholder_in_function,
    API_KEY_IN_WRONG_HEADER = api_key_in_wrong_header,
    FUNCTION_DESCRIPTION_REPEATS_NAME = function_description_repeats_name,
    FUNCTION_DESCRIPTION_EMPTY = function_description_empty,
}
