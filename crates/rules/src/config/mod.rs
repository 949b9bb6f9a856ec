//! Rules that compare fields of the effective configuration.

mod agent_not_found;
mod analysis_field_listed_twice;
mod analysis_given_twice;
mod answering_machine_message;
mod backchanneling_without_effect;
mod background_volume_without_effect;
mod boosted_keywords_without_effect;
mod campaign_blocks_publishing;
mod contradictory_instructions;
mod contradictory_stored_state;
mod default_not_spoken;
mod default_of_wrong_type;
mod duration_over_pipeline_cap;
mod fallback_model_missing;
mod fallback_model_same;
mod fallback_model_without_effect;
mod fallback_transcriber_missing;
mod fallback_transcriber_not_listed;
mod fallback_transcriber_same;
mod fallback_transcription_without_effect;
mod flow_agent_field_missing;
mod flow_agent_field_without_effect;
mod function_description_shared;
mod function_listed_twice;
mod function_name_refused;
mod function_without_destination;
mod functions_dropped;
mod greeting_with_gap;
mod html_escaped_default;
mod interruption_sensitivity_without_effect;
mod knowledge_base_limits_without_effect;
mod knowledge_base_listed_twice;
mod knowledge_base_missing;
mod no_end_call_function;
mod node_positions_without_effect;
mod odd_variable_name;
mod outbound_number_in_use;
mod output_instructions_without_effect;
mod phone_number_not_found;
mod phone_number_without_publish;
mod pipeline_without_effect;
mod prompt_caching_unavailable;
mod prompt_differs_from_setting;
mod publish_with_edits;
mod published_version_edited;
mod reminder_interval_too_long;
mod reminders_half_configured;
mod response_eagerness_without_effect;
mod shared;
mod silence_not_after_reminder;
mod spoken_language_differs;
mod spoken_name_differs;
mod temperature_out_of_range;
mod text_given_twice;
mod transcription_without_effect;
mod transfer_without_function;
mod uncached_prompt;
mod unknown_function;
mod unknown_id;
mod unknown_template_variable;
mod unmentioned_function;
mod unspeakable_text;
mod unused_default;
mod variable_named_like_function;
mod variable_spelled_two_ways;
mod version_not_found;
mod voice_model_of_another_provider;
mod voicemail_says_nothing;
mod welcome_message_missing;
mod welcome_message_without_effect;

use crate::check;
use crate::prelude::*;
pub use published_version_edited::has_settings;

family! {
    check::Config:
    CONTRADICTORY_STORED_STATE = contradictory_stored_state,
    AGENT_NOT_FOUND = agent_not_found,
    VERSION_NOT_FOUND = version_not_found,
    PUBLISHED_VERSION_EDITED = published_version_edited,
    FLOW_AGENT_FIELD_MISSING = flow_agent_field_missing,
    FALLBACK_TRANSCRIBER_MISSING = fallback_transcriber_missing,
    FALLBACK_TRANSCRIBER_SAME = fallback_transcriber_same,
    FALLBACK_TRANSCRIBER_NOT_LISTED = fallback_transcriber_not_listed,
    VOICE_MODEL_OF_ANOTHER_PROVIDER = voice_model_of_another_provider,
    SILENCE_NOT_AFTER_REMINDER = silence_not_after_reminder,
    REMINDER_INTERVAL_TOO_LONG = reminder_interval_too_long,
    DURATION_OVER_PIPELINE_CAP = duration_over_pipeline_cap,
    ANALYSIS_GIVEN_TWICE = analysis_given_twice,
    TEXT_GIVEN_TWICE = text_given_twice,
    UNKNOWN_ID = unknown_id,
    PHONE_NUMBER_NOT_FOUND = phone_number_not_found,
    PHONE_NUMBER_WITHOUT_PUBLISH = phone_number_without_publish,
    OUTBOUND_NUMBER_IN_USE = outbound_number_in_use,
    CAMPAIGN_BLOCKS_PUBLISHING = campaign_blocks_publishing,
    PROMPT_CACHING_UNAVAILABLE = prompt_caching_unavailable,
    BOOSTED_KEYWORDS_WITHOUT_EFFECT = boosted_keywords_without_effect,
    RESPONSE_EAGERNESS_WITHOUT_EFFECT = response_eagerness_without_effect,
    NODE_POSITIONS_WITHOUT_EFFECT = node_positions_without_effect,
    PIPELINE_WITHOUT_EFFECT = pipeline_without_effect,
    FALLBACK_MODEL_WITHOUT_EFFECT = fallback_model_without_effect,
    BACKCHANNELING_WITHOUT_EFFECT = backchanneling_without_effect,
    INTERRUPTION_SENSITIVITY_WITHOUT_EFFECT = interruption_sensitivity_without_effect,
    OUTPUT_INSTRUCTIONS_WITHOUT_EFFECT = output_instructions_without_effect,
    BACKGROUND_VOLUME_WITHOUT_EFFECT = background_volume_without_effect,
    KNOWLEDGE_BASE_LIMITS_WITHOUT_EFFECT = knowledge_base_limits_without_effect,
    WELCOME_MESSAGE_WITHOUT_EFFECT = welcome_message_without_effect,
    FLOW_AGENT_FIELD_WITHOUT_EFFECT = flow_agent_field_without_effect,
    FALLBACK_TRANSCRIPTION_WITHOUT_EFFECT = fallback_transcription_without_effect,
    TRANSCRIPTION_WITHOUT_EFFECT = transcription_without_effect,
    REMINDERS_HALF_CONFIGURED = reminders_half_configured,
    WELCOME_MESSAGE_MISSING = welcome_message_missing,
    FALLBACK_MODEL_MISSING = fallback_model_missing,
    FALLBACK_MODEL_SAME = fallback_model_same,
    FUNCTIONS_DROPPED = functions_dropped,
    TRANSFER_WITHOUT_FUNCTION = transfer_without_function,
    FUNCTION_WITHOUT_DESTINATION = function_without_destination,
    KNOWLEDGE_BASE_LISTED_TWICE = knowledge_base_listed_twice,
    FUNCTION_LISTED_TWICE = function_listed_twice,
    ANALYSIS_FIELD_LISTED_TWICE = analysis_field_listed_twice,
    TEMPERATURE_OUT_OF_RANGE = temperature_out_of_range,
    PUBLISH_WITH_EDITS = publish_with_edits,
    NO_END_CALL_FUNCTION = no_end_call_function,
    UNKNOWN_FUNCTION = unknown_function,
    UNMENTIONED_FUNCTION = unmentioned_function,
    FUNCTION_NAME_REFUSED = function_name_refused,
    FUNCTION_DESCRIPTION_SHARED = function_description_shared,
    KNOWLEDGE_BASE_MISSING = knowledge_base_missing,
    UNCACHED_PROMPT = uncached_prompt,
    PROMPT_DIFFERS_FROM_SETTING = prompt_differs_from_setting,
    CONTRADICTORY_INSTRUCTIONS = contradictory_instructions,
    UNKNOWN_TEMPLATE_VARIABLE = unknown_template_variable,
    ODD_VARIABLE_NAME = odd_variable_name,
    VARIABLE_NAMED_LIKE_FUNCTION = variable_named_like_function,
    VARIABLE_SPELLED_TWO_WAYS = variable_spelled_two_ways,
    UNUSED_DEFAULT = unused_default,
    DEFAULT_NOT_SPOKEN = default_not_spoken,
    DEFAULT_OF_WRONG_TYPE = default_of_wrong_type,
    HTML_ESCAPED_DEFAULT = html_escaped_default,
    GREETING_WITH_GAP = greeting_with_gap,
    UNSPEAKABLE_TEXT = unspeakable_text,
    SPOKEN_NAME_DIFFERS = spoken_name_differs,
    VOICEMAIL_SAYS_NOTHING = voicemail_says_nothing,
    ANSWERING_MACHINE_MESSAGE = answering_machine_message,
    SPOKEN_LANGUAGE_DIFFERS = spoken_language_differs,
}

/// The settings that take no effect while another setting has a certain value. Those that depend on the type of the agent,
/// which no update changes, are left out.
pub static WITHOUT_EFFECT: &[&WithoutEffect] = &[
    &backchanneling_without_effect::IDLE,
    &background_volume_without_effect::IDLE,
    &fallback_model_without_effect::IDLE,
    &fallback_transcription_without_effect::IDLE,
    &interruption_sensitivity_without_effect::IDLE,
    &knowledge_base_limits_without_effect::IDLE,
    &output_instructions_without_effect::IDLE,
    &transcription_without_effect::IDLE,
    &welcome_message_without_effect::IDLE,
    &reminders_half_configured::IDLE_INTERVAL,
    &reminders_half_configured::IDLE_FREQUENCY,
];

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use voxlint_model::effective::{Accessed, Effective};
    use voxlint_model::verdict::Verdicts;
    use voxlint_model::{Document, Facts, Inputs, Stored};
    use voxlint_schema::{DocumentKind, Row};
    use voxlint_testing::case_files;

    use super::RULES;
    use crate::of;

    /// Documents with every combination of a few values for a few rows.
    fn documents(rows: &[&'static Row]) -> Vec<String> {
        const VALUES: [&str; 12] = [
            "",
            "null",
            "true",
            "false",
            "\"tr_a\"",
            "\"\"",
            "20",
            "26",
            "4000",
            "\"Speech_To_Speech\"",
            "\"Cascaded\"",
            "[]",
        ];
        let mut documents = vec![String::new()];
        for row in rows {
            let with = |before: &String, value: &&str| match *value {
                "" => before.clone(),
                value => format!("{before}, \"{}\": {value}", row.name),
            };
            documents = documents
                .iter()
                .flat_map(|before| VALUES.iter().map(move |value| with(before, value)))
                .collect();
        }
        documents
            .into_iter()
            .map(|members| format!("{{ \"version_number\": 3{members} }}"))
            .collect()
    }

    /// Every document under `fixtures/rules/`, with its stored configuration and facts.
    fn fixtures() -> Vec<[String; 3]> {
        let read =
            |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        let cases = case_files().into_iter().map(|case| case.path);
        cases
            .map(|path| {
                let [stored, facts] =
                    ["stored.json", "facts.json"].map(|it| path.with_extension(it));
                [read(&path), read(&stored), read(&facts)]
            })
            .collect()
    }

    fn accessed_by(check: fn(&Effective<'_>) -> Verdicts, texts: &[String; 3]) -> Accessed {
        let [document, held, known] = texts.each_ref().map(|it| Document::parse(it.as_str()));
        let stored = (!texts[1].is_empty()).then(|| Stored::new(held));
        let facts = (!texts[2].is_empty()).then(|| Facts::new(known));
        let inputs = Inputs::new(document).stored(stored).facts(facts).variables([]);
        let effective = inputs.effective(DocumentKind::Update);
        let _ = check(&effective);
        effective.take_accessed()
    }

    /// Without other inputs, a rule runs only if the document has a row that it reads.
    #[test]
    fn a_rule_that_is_skipped_has_nothing_to_say() {
        let fixtures = fixtures();
        let mut skipped = 0;
        for &(rule, check) in RULES {
            // Rows of other rules are in the documents as well.
            let few: Vec<&Row> =
                of(RULES).filter_map(|rule| rule.reads.first()).take(3).copied().collect();
            let texts = fixtures.iter().map(|[document, ..]| document.clone());
            for text in texts.chain(documents(&few)) {
                let inputs = Inputs::new(Document::parse(text.as_str())).variables([]);
                let effective = inputs.effective(DocumentKind::Update);
                if effective.concerns(rule) {
                    continue;
                }
                skipped += 1;
                let verdicts = check(&effective);
                let accessed = effective.take_accessed();
                let is_listed = verdicts.is_undecided() && effective.touches(rule, accessed);
                assert!(!is_listed, "{} is undecided about {text}", rule.id);
                let found: Vec<_> = verdicts.into_iter().collect();
                assert!(found.is_empty(), "{} says {found:?} about {text}", rule.id);
            }
        }
        assert!(skipped > 1_000, "{skipped} checks were skipped");
    }

    #[test]
    fn declared_inputs_are_exact() {
        let bits = |rows: &[&Row]| rows.iter().fold(0_u128, |bits, row| bits | (1 << row.index));
        let fixtures = fixtures();
        assert!(fixtures.len() > 100);
        for &(rule, check) in RULES {
            let few = rule.reads.get(..3).unwrap_or(rule.reads);
            let generated =
                documents(few).into_iter().map(|text| [text, String::new(), String::new()]);
            let mut accessed = Accessed::default();
            for texts in fixtures.iter().cloned().chain(generated) {
                let more = accessed_by(check, &texts);
                accessed.settings |= more.settings | more.stored | more.written;
                accessed.agent |= more.agent;
                accessed.facts |= more.facts;
            }
            let declared = Accessed {
                settings: bits(rule.reads),
                agent: bits(rule.reads_agent),
                facts: bits(rule.reads_facts),
                ..Accessed::default()
            };
            assert_eq!(accessed, declared, "{} reads other rows than it declares", rule.id);
        }
    }
}
