//! The ids of the rules. This file is generated: `UPDATE_PAGES=1 cargo test -p voxlint pages` makes it from the rules.

/// The text breaks the rules of its format.
pub const SYNTAX_ERROR: &str = "syntax-error";

/// The file begins with a byte order mark.
pub const BYTE_ORDER_MARK: &str = "byte-order-mark";

/// An escape is an unpaired surrogate, half of a character.
pub const LONE_SURROGATE: &str = "lone-surrogate";

/// Objects or lists are nested deeper than JSON readers allow.
pub const NESTED_TOO_DEEP: &str = "nested-too-deep";

/// The document is not a JSON object.
pub const NOT_AN_OBJECT: &str = "not-an-object";

/// An object has two fields with the same name.
pub const DUPLICATE_KEY: &str = "duplicate-key";

/// A list of API keys contains a secret.
pub const LEAKED_SECRET: &str = "leaked-secret";

/// A text, a field name or a comment contains what looks like a secret.
pub const SECRET_IN_DOCUMENT: &str = "secret-in-document";

/// A text contains a payment card or national ID number.
pub const CARD_OR_ID_NUMBER: &str = "card-or-id-number";

/// A text contains a character that readers cannot see.
pub const INVISIBLE_CHARACTER: &str = "invisible-character";

/// A text was decoded with the wrong encoding.
pub const MOJIBAKE: &str = "mojibake";

/// A text contains U+FFFD, which stands for a lost character.
pub const REPLACEMENT_CHARACTER: &str = "replacement-character";

/// A value without quotes means one thing in YAML 1.2 and another to older readers, or to people.
pub const YAML_AMBIGUOUS_VALUE: &str = "yaml-ambiguous-value";

/// A TOML file uses syntax of TOML 1.1.
pub const TOML_1_1_SYNTAX: &str = "toml-1-1-syntax";

/// A `#` cuts off the rest of a YAML text.
pub const YAML_COMMENT_CUTS_TEXT: &str = "yaml-comment-cuts-text";

/// YAML joins the headings or list items of a text into one line.
pub const YAML_FOLDED_LINES: &str = "yaml-folded-lines";

/// A setting is inside `default_dynamic_variables`.
pub const SETTING_IN_VARIABLES: &str = "setting-in-variables";

/// A required field is missing.
pub const MISSING_FIELD: &str = "missing-field";

/// A field name is unknown.
pub const UNKNOWN_FIELD: &str = "unknown-field";

/// An update sends back a field that only the service's answers have.
pub const RESPONSE_ONLY_FIELD: &str = "response-only-field";

/// An agent was updated before it was created.
pub const UPDATED_BEFORE_CREATED: &str = "updated-before-created";

/// An agent lists two versions with the same number.
pub const VERSION_LISTED_TWICE: &str = "version-listed-twice";

/// The current version of an agent is not among its versions.
pub const CURRENT_VERSION_NOT_LISTED: &str = "current-version-not-listed";

/// The current version of an agent contradicts the rest of the agent.
pub const CURRENT_VERSION_DIFFERS: &str = "current-version-differs";

/// An agent has the summary of a version of another agent.
pub const SUMMARY_OF_ANOTHER_AGENT: &str = "summary-of-another-agent";

/// A draft has a fallback transcriber with which the next update would be rejected.
pub const DRAFT_FALLBACK_UNUSABLE: &str = "draft-fallback-unusable";

/// A list of API keys has two keys with the same id.
pub const API_KEY_LISTED_TWICE: &str = "api-key-listed-twice";

/// A page of the list of API keys has more keys than its limit.
pub const MORE_KEYS_THAN_LIMIT: &str = "more-keys-than-limit";

/// An error body has a status that the service does not answer with.
pub const UNKNOWN_STATUS: &str = "unknown-status";

/// An error body has a reason phrase that belongs to another status.
pub const REASON_PHRASE_DIFFERS: &str = "reason-phrase-differs";

/// A function sends requests without encryption.
pub const INSECURE_URL: &str = "insecure-url";

/// A function calls an address that only exists in a private network or during a test.
pub const PRIVATE_URL: &str = "private-url";

/// A setting of a function is a placeholder that was never filled in.
pub const PLACEHOLDER_IN_FUNCTION: &str = "placeholder-in-function";

/// A function calls the service with the key in the wrong header.
pub const API_KEY_IN_WRONG_HEADER: &str = "api-key-in-wrong-header";

/// The description of a function only repeats its name.
pub const FUNCTION_DESCRIPTION_REPEATS_NAME: &str = "function-description-repeats-name";

/// The description of a function is empty.
pub const FUNCTION_DESCRIPTION_EMPTY: &str = "function-description-empty";

/// A field is null but does not allow null.
pub const NULL_NOT_ALLOWED: &str = "null-not-allowed";

/// A value has the wrong JSON type.
pub const WRONG_TYPE: &str = "wrong-type";

/// A value is not one of the field's allowed values.
pub const UNKNOWN_VALUE: &str = "unknown-value";

/// A number is outside the field's range.
pub const OUT_OF_RANGE: &str = "out-of-range";

/// A number that must be whole has a fraction.
pub const FRACTIONAL_NUMBER: &str = "fractional-number";

/// A number is larger than most JSON readers can store.
pub const NUMBER_TOO_LARGE: &str = "number-too-large";

/// A text is longer than its field allows.
pub const TEXT_TOO_LONG: &str = "text-too-long";

/// A time is negative.
pub const NEGATIVE_TIME: &str = "negative-time";

/// The system prompt contains a template variable.
pub const VARIABLE_IN_SYSTEM_PROMPT: &str = "variable-in-system-prompt";

/// A transfer destination is not a phone number of the United States or India.
pub const TRANSFER_DESTINATION_MALFORMED: &str = "transfer-destination-malformed";

/// A transfer destination is empty.
pub const TRANSFER_DESTINATION_EMPTY: &str = "transfer-destination-empty";

/// There are more transfer destinations than the service accepts.
pub const TOO_MANY_TRANSFER_DESTINATIONS: &str = "too-many-transfer-destinations";

/// A boosted keyword contains characters other than letters, digits and spaces.
pub const BOOSTED_KEYWORD_CHARACTER: &str = "boosted-keyword-character";

/// A boosted keyword is longer than the service accepts.
pub const BOOSTED_KEYWORD_TOO_LONG: &str = "boosted-keyword-too-long";

/// There are more boosted keywords than the service accepts.
pub const TOO_MANY_BOOSTED_KEYWORDS: &str = "too-many-boosted-keywords";

/// The boosted keywords are longer in total than the service accepts.
pub const BOOSTED_KEYWORDS_TOO_LONG: &str = "boosted-keywords-too-long";

/// The node positions are not JSON.
pub const NODE_POSITIONS_NOT_JSON: &str = "node-positions-not-json";

/// A time zone is not in the IANA database.
pub const UNKNOWN_TIME_ZONE: &str = "unknown-time-zone";

/// An id is the empty string.
pub const EMPTY_ID: &str = "empty-id";

/// A version summary has a title that is longer than an update may set.
pub const SUMMARY_TITLE_TOO_LONG: &str = "summary-title-too-long";

/// A timestamp does not have the service's format.
pub const TIMESTAMP_MALFORMED: &str = "timestamp-malformed";

/// A template uses the variable markup of another tool.
pub const FOREIGN_TEMPLATE_MARKUP: &str = "foreign-template-markup";

/// A prompt or message contains a placeholder that was never filled in.
pub const UNFILLED_PLACEHOLDER: &str = "unfilled-placeholder";

/// A field that is not a template contains a template variable.
pub const VARIABLE_IN_OTHER_FIELD: &str = "variable-in-other-field";

/// A text contains an unresolved merge conflict.
pub const MERGE_CONFLICT_MARKER: &str = "merge-conflict-marker";

/// A time zone is an abbreviation that has no daylight saving time.
pub const TIME_ZONE_WITHOUT_DAYLIGHT_SAVING: &str = "time-zone-without-daylight-saving";

/// A transfer destination is a test or invalid phone number.
pub const TEST_PHONE_NUMBER: &str = "test-phone-number";

/// A text says what the current date is.
pub const HARD_CODED_DATE: &str = "hard-coded-date";

/// A date is written with the name of another weekday.
pub const WEEKDAY_OF_ANOTHER_DATE: &str = "weekday-of-another-date";

/// A prompt or message contains left-over code.
pub const CODE_IN_TEXT: &str = "code-in-text";

/// A prompt contains the same text twice.
pub const TEXT_PASTED_TWICE: &str = "text-pasted-twice";

/// A text consists of white space only.
pub const BLANK_TEXT: &str = "blank-text";

/// A boosted keyword is listed twice.
pub const BOOSTED_KEYWORD_LISTED_TWICE: &str = "boosted-keyword-listed-twice";

/// A transfer destination is listed twice.
pub const TRANSFER_DESTINATION_LISTED_TWICE: &str = "transfer-destination-listed-twice";

/// A list of keywords is not separated by one comma and one space each.
pub const KEYWORD_SPACING: &str = "keyword-spacing";

/// A title, name or id has white space before or after it.
pub const TEXT_OUTER_WHITESPACE: &str = "text-outer-whitespace";

/// A template is not valid Handlebars.
pub const TEMPLATE_SYNTAX_ERROR: &str = "template-syntax-error";

/// A template nests blocks or sub-expressions deeper than the reference implementation can follow.
pub const TEMPLATE_NESTED_TOO_DEEP: &str = "template-nested-too-deep";

/// A template calls a helper or a partial that is not built into Handlebars.
pub const UNKNOWN_HELPER: &str = "unknown-helper";

/// A template is valid Handlebars, but fails when it is filled in.
pub const TEMPLATE_RENDERING_ERROR: &str = "template-rendering-error";

/// A template writes variables both with and without spaces inside the braces.
pub const MUSTACHE_SPACING: &str = "mustache-spacing";

/// The stored configuration contradicts itself about the version that is updated.
pub const CONTRADICTORY_STORED_STATE: &str = "contradictory-stored-state";

/// The agent that the update is for is not in the workspace.
pub const AGENT_NOT_FOUND: &str = "agent-not-found";

/// The agent has no version with this number.
pub const VERSION_NOT_FOUND: &str = "version-not-found";

/// The version is published, and a published version cannot be edited.
pub const PUBLISHED_VERSION_EDITED: &str = "published-version-edited";

/// An update of a conversational flow agent lacks its identity or its background.
pub const FLOW_AGENT_FIELD_MISSING: &str = "flow-agent-field-missing";

/// Fallback transcription is on, but no fallback transcriber is set.
pub const FALLBACK_TRANSCRIBER_MISSING: &str = "fallback-transcriber-missing";

/// The fallback transcriber is the transcriber itself.
pub const FALLBACK_TRANSCRIBER_SAME: &str = "fallback-transcriber-same";

/// The fallback transcriber is not on the list of fallback transcribers.
pub const FALLBACK_TRANSCRIBER_NOT_LISTED: &str = "fallback-transcriber-not-listed";

/// The voice model belongs to another provider than the voice.
pub const VOICE_MODEL_OF_ANOTHER_PROVIDER: &str = "voice-model-of-another-provider";

/// The call would end before a silent caller could answer the reminder.
pub const SILENCE_NOT_AFTER_REMINDER: &str = "silence-not-after-reminder";

/// The reminder comes too late for any allowed silence timeout.
pub const REMINDER_INTERVAL_TOO_LONG: &str = "reminder-interval-too-long";

/// A call may last longer than its pipeline allows.
pub const DURATION_OVER_PIPELINE_CAP: &str = "duration-over-pipeline-cap";

/// An update gives the analysis under both of its names.
pub const ANALYSIS_GIVEN_TWICE: &str = "analysis-given-twice";

/// A text is both in the document and in a text file.
pub const TEXT_GIVEN_TWICE: &str = "text-given-twice";

/// An id does not exist in the workspace.
pub const UNKNOWN_ID: &str = "unknown-id";

/// A phone number does not belong to the workspace.
pub const PHONE_NUMBER_NOT_FOUND: &str = "phone-number-not-found";

/// A phone number is set or detached without publishing.
pub const PHONE_NUMBER_WITHOUT_PUBLISH: &str = "phone-number-without-publish";

/// The outbound number is changed while active workflows call from it.
pub const OUTBOUND_NUMBER_IN_USE: &str = "outbound-number-in-use";

/// A version is published while a batch campaign blocks its agent.
pub const CAMPAIGN_BLOCKS_PUBLISHING: &str = "campaign-blocks-publishing";

/// Prompt caching is on, but the workspace may not have this feature.
pub const PROMPT_CACHING_UNAVAILABLE: &str = "prompt-caching-unavailable";

/// Boosted keywords are given to an agent without a transcriber that supports them.
pub const BOOSTED_KEYWORDS_WITHOUT_EFFECT: &str = "boosted-keywords-without-effect";

/// The response eagerness is set, and the transcriber ignores it.
pub const RESPONSE_EAGERNESS_WITHOUT_EFFECT: &str = "response-eagerness-without-effect";

/// Node positions are given to an agent without nodes.
pub const NODE_POSITIONS_WITHOUT_EFFECT: &str = "node-positions-without-effect";

/// A pipeline is set for a conversational flow agent.
pub const PIPELINE_WITHOUT_EFFECT: &str = "pipeline-without-effect";

/// The fallback language model is set up while it is off.
pub const FALLBACK_MODEL_WITHOUT_EFFECT: &str = "fallback-model-without-effect";

/// Backchanneling is set up while it is off.
pub const BACKCHANNELING_WITHOUT_EFFECT: &str = "backchanneling-without-effect";

/// The interruption sensitivity is set while interruptions are off.
pub const INTERRUPTION_SENSITIVITY_WITHOUT_EFFECT: &str = "interruption-sensitivity-without-effect";

/// Instructions for structured output are given while it is off.
pub const OUTPUT_INSTRUCTIONS_WITHOUT_EFFECT: &str = "output-instructions-without-effect";

/// A volume is set for a background sound that does not exist.
pub const BACKGROUND_VOLUME_WITHOUT_EFFECT: &str = "background-volume-without-effect";

/// Limits are set for knowledge bases, but the agent has none.
pub const KNOWLEDGE_BASE_LIMITS_WITHOUT_EFFECT: &str = "knowledge-base-limits-without-effect";

/// A welcome message is given to an agent that does not begin with it.
pub const WELCOME_MESSAGE_WITHOUT_EFFECT: &str = "welcome-message-without-effect";

/// The identity or the background of a flow agent is given to an agent with one prompt.
pub const FLOW_AGENT_FIELD_WITHOUT_EFFECT: &str = "flow-agent-field-without-effect";

/// Fallback transcription is set up while it is off.
pub const FALLBACK_TRANSCRIPTION_WITHOUT_EFFECT: &str = "fallback-transcription-without-effect";

/// Speech recognition is set up for an agent without it.
pub const TRANSCRIPTION_WITHOUT_EFFECT: &str = "transcription-without-effect";

/// One half of the reminders is set, and the other half is 0.
pub const REMINDERS_HALF_CONFIGURED: &str = "reminders-half-configured";

/// The agent begins calls with a welcome message that is empty.
pub const WELCOME_MESSAGE_MISSING: &str = "welcome-message-missing";

/// The fallback language model is on, but no model is named.
pub const FALLBACK_MODEL_MISSING: &str = "fallback-model-missing";

/// The fallback language model is the language model itself.
pub const FALLBACK_MODEL_SAME: &str = "fallback-model-same";

/// An update removes functions that are stored.
pub const FUNCTIONS_DROPPED: &str = "functions-dropped";

/// An agent that cannot transfer calls has transfer destinations, or a prompt that transfers calls.
pub const TRANSFER_WITHOUT_FUNCTION: &str = "transfer-without-function";

/// A function transfers calls, but there is no number to transfer them to.
pub const FUNCTION_WITHOUT_DESTINATION: &str = "function-without-destination";

/// A knowledge base is listed twice.
pub const KNOWLEDGE_BASE_LISTED_TWICE: &str = "knowledge-base-listed-twice";

/// Two functions have the same name.
pub const FUNCTION_LISTED_TWICE: &str = "function-listed-twice";

/// Two items of the analysis have the same name.
pub const ANALYSIS_FIELD_LISTED_TWICE: &str = "analysis-field-listed-twice";

/// The temperature of the language model is not between 0 and 2.
pub const TEMPERATURE_OUT_OF_RANGE: &str = "temperature-out-of-range";

/// An update publishes the changes that it makes.
pub const PUBLISH_WITH_EDITS: &str = "publish-with-edits";

/// The functions of an agent do not include one that ends the call.
pub const NO_END_CALL_FUNCTION: &str = "no-end-call-function";

/// The prompt calls a function that the agent does not have.
pub const UNKNOWN_FUNCTION: &str = "unknown-function";

/// A function is not mentioned in the prompt, which mentions others.
pub const UNMENTIONED_FUNCTION: &str = "unmentioned-function";

/// The name of a function is one that interfaces of language models reject.
pub const FUNCTION_NAME_REFUSED: &str = "function-name-refused";

/// Two functions have the same description.
pub const FUNCTION_DESCRIPTION_SHARED: &str = "function-description-shared";

/// The prompt sends the model to a knowledge base, and the agent has none.
pub const KNOWLEDGE_BASE_MISSING: &str = "knowledge-base-missing";

/// Prompt caching is on, but a variable near the beginning of a long prompt changes with each call.
pub const UNCACHED_PROMPT: &str = "uncached-prompt";

/// The prompt contradicts a setting.
pub const PROMPT_DIFFERS_FROM_SETTING: &str = "prompt-differs-from-setting";

/// The prompt asks for something that it forbids.
pub const CONTRADICTORY_INSTRUCTIONS: &str = "contradictory-instructions";

/// A template uses a variable that no call provides.
pub const UNKNOWN_TEMPLATE_VARIABLE: &str = "unknown-template-variable";

/// The name of a template variable contains a character that is probably a mistake.
pub const ODD_VARIABLE_NAME: &str = "odd-variable-name";

/// A template variable has the name of a function.
pub const VARIABLE_NAMED_LIKE_FUNCTION: &str = "variable-named-like-function";

/// Two template variables differ only in case or separators.
pub const VARIABLE_SPELLED_TWO_WAYS: &str = "variable-spelled-two-ways";

/// A template variable has a default, but nothing uses it.
pub const UNUSED_DEFAULT: &str = "unused-default";

/// A default should not be spoken to callers.
pub const DEFAULT_NOT_SPOKEN: &str = "default-not-spoken";

/// The default of a template variable does not fit how a template uses it.
pub const DEFAULT_OF_WRONG_TYPE: &str = "default-of-wrong-type";

/// The default of a template variable is HTML-escaped when it is rendered.
pub const HTML_ESCAPED_DEFAULT: &str = "html-escaped-default";

/// A greeting or voicemail has a gap where a call does not provide a variable.
pub const GREETING_WITH_GAP: &str = "greeting-with-gap";

/// A greeting or voicemail contains what a voice reads out wrong.
pub const UNSPEAKABLE_TEXT: &str = "unspeakable-text";

/// A greeting or voicemail introduces another agent or company than the rest of the document.
pub const SPOKEN_NAME_DIFFERS: &str = "spoken-name-differs";

/// A voicemail message does not say who called.
pub const VOICEMAIL_SAYS_NOTHING: &str = "voicemail-says-nothing";

/// A voicemail message is the text of an answering machine.
pub const ANSWERING_MACHINE_MESSAGE: &str = "answering-machine-message";

/// A greeting, a voicemail or the prompt uses another language than `language_id`.
pub const SPOKEN_LANGUAGE_DIFFERS: &str = "spoken-language-differs";

/// Two documents of a plan are for the same version of the same agent.
pub const VERSION_PLANNED_TWICE: &str = "version-planned-twice";

/// A plan edits one version of an agent and publishes another one.
pub const DRAFT_EDITED_WHILE_ANOTHER_IS_PUBLISHED: &str = "draft-edited-while-another-is-published";

/// A document relies on something stored that the plan of another document removes.
pub const ID_REMOVED_BY_ANOTHER_PLAN: &str = "id-removed-by-another-plan";

/// Two documents of a plan claim the same inbound number for different agents.
pub const PHONE_NUMBER_CLAIMED_TWICE: &str = "phone-number-claimed-twice";

/// An update claims an inbound number that another agent has, and keeps.
pub const PHONE_NUMBER_HELD_BY_ANOTHER_AGENT: &str = "phone-number-held-by-another-agent";

/// A suppression suppresses no finding.
pub const UNUSED_SUPPRESSION: &str = "unused-suppression";

/// A suppression has expired.
pub const EXPIRED_SUPPRESSION: &str = "expired-suppression";

/// A comment that should suppress a finding is invalid.
pub const MALFORMED_SUPPRESSION: &str = "malformed-suppression";
