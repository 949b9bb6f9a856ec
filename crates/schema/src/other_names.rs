//! What other services, and people in their own words, call the fields and values of the tables.
//!
//! Names are compared by their words: letter case, separators and the order of words do not count, and
//! [`ABBREVIATIONS`] are read as their words. So one spelling of a name is enough. A unit at the end of a name, such as `_ms`,
//! is not part of it.

use crate::Table;
use crate::settings::{self, agent_function, default_dynamic_variables, post_call_analysis_item};

/// The other names of one field.
#[derive(Debug)]
#[non_exhaustive]
pub struct OtherNames {
    /// The field.
    pub field: &'static str,
    /// Names of the same field, separated by spaces. Its value has the same type and meaning.
    pub same: &'static str,
    /// Names of fields whose values mean something else here, such as an id of another catalogue.
    pub akin: &'static str,
}

const fn names(field: &'static str, same: &'static str, akin: &'static str) -> OtherNames {
    OtherNames { field, same, akin }
}

/// The other names of the fields of each table.
pub static FIELDS: &[(&Table, &[OtherNames])] = &[
    (&settings::TABLE, SETTINGS),
    (&default_dynamic_variables::TABLE, VARIABLES),
    (&post_call_analysis_item::TABLE, ANALYSIS_ITEM),
    (&agent_function::TABLE, FUNCTION),
];

const SETTINGS: &[OtherNames] = &[
    names("version_number", "version", ""),
    names("title", "name agent_name display_name label", ""),
    names("version_title", "version_name version_description", ""),
    names("description", "summary notes", ""),
    names("folder_id", "", "folder project_id"),
    names("timezone", "agent_timezone", ""),
    names("pipeline_type", "pipeline voice_pipeline architecture", ""),
    names("webhook_id", "", "webhook webhook_url server_url event_webhook"),
    names("language_id", "", "language language_code locale default_language sprache"),
    names("node_positions", "", "nodes node_layout layout"),
    names("agent_identity", "identity persona role personality", ""),
    names("agent_background", "background context", ""),
    names("is_published", "published publish is_live", ""),
    names("update_deployment", "deploy", ""),
    names("prompt_text", "prompt general_prompt instructions instruction task script", ""),
    names("system_prompt_text", "system_prompt system_message global_prompt", ""),
    names(
        "welcome_message",
        "first_message begin_message greeting greeting_message first_sentence opening_line \
         welcome",
        "",
    ),
    names(
        "voicemail_message",
        "voicemail voice_mail_message",
        "voicemail_option voicemail_detection voicemail_action",
    ),
    names(
        "conversation_start_type",
        "first_message_mode who_speaks_first start_speaker speaks_first",
        "wait_for_greeting user_speaks_first",
    ),
    names(
        "allow_interruptions",
        "interruptions_enabled allow_barge_in barge_in interruptions",
        "disable_interruptions block_interruptions stop_speaking_plan",
    ),
    names("structured_output", "structured_outputs json_mode", "structured_data_plan"),
    names("json_output_instructions", "output_schema json_schema", "response_format output_format"),
    names(
        "default_dynamic_variables",
        "dynamic_variables variables template_variables dynamic_variable_placeholders \
         request_data",
        "",
    ),
    names("llm_id", "", "llm model model_id model_name llm_model language_model engine"),
    names("llm_temperature", "temperature model_temperature llm_temp", ""),
    names("knowledge_base_ids", "knowledge_bases", "knowledge_base knowledge documents files"),
    names("kb_max_chunks", "max_chunks top_k kb_top_k max_documents", ""),
    names(
        "kb_min_score",
        "min_score score_threshold similarity_threshold filter_score",
        "max_vector_distance",
    ),
    names("prompt_caching_enabled", "prompt_caching prompt_cache", ""),
    names("predictive_preprocessing_enabled", "preemptive_generation", ""),
    names("voice_id", "", "voice voice_name speaker tts"),
    names("voice_model_id", "", "voice_model"),
    names("transcriber_id", "", "transcriber stt stt_model"),
    names("fallback_stt_enabled", "", "fallback_transcriber_plan"),
    names("stt_fallback_transcriber_id", "", "fallback_transcriber fallback_stt"),
    names(
        "denoising_mode",
        "noise_suppression noise_cancellation denoising denoise",
        "background_denoising_enabled background_speech_denoising_plan",
    ),
    names("speech_normalization", "text_normalization apply_text_normalization", ""),
    names("boosted_keywords", "keywords keyterms vocabulary", "vocab_specialization"),
    names("audio_cache_enabled", "audio_cache", ""),
    names("background_sound", "ambient_sound background_noise", ""),
    names("background_sound_volume", "ambient_sound_volume background_volume", "volume"),
    names("responsiveness", "", "turn_timeout"),
    names(
        "interruption_sensitivity",
        "interruption_threshold sensitivity",
        "num_words_to_interrupt",
    ),
    names("backchanneling", "enable_backchannel backchannel", ""),
    names("backchannel_keywords", "backchannel_words", ""),
    names("reminder_message_interval", "reminder_interval reminder_trigger idle_timeout", ""),
    names(
        "reminder_message_frequency",
        "reminder_frequency reminder_count reminder_max_count idle_message_max_spoken_count",
        "",
    ),
    names(
        "end_call_on_silence_sec",
        "silence_timeout end_call_after_silence end_call_on_silence hang_up_on_silence \
         max_silence_duration user_silence_timeout silence",
        "silence_threshold",
    ),
    names("max_call_duration_sec", "max_duration max_call_time max_session_duration", ""),
    names("llm_fallback_model", "", "fallback_llm fallback_model fallback_models"),
    names("inbound_phone_number_id", "", "inbound_number phone_number phone_number_id phone"),
    names("outbound_phone_number_id", "", "outbound_number from_number caller_id from"),
    names(
        "post_call_analysis",
        "post_call_analysis_data analysis extraction data_collection",
        "analysis_plan",
    ),
    names("agent_functions", "functions tools general_tools", "tool_ids"),
];

const VARIABLES: &[OtherNames] = &[names(
    "agent_transfer_destinations",
    "",
    "transfer_destinations transfer_number transfer_numbers forwarding_phone_number \
         destinations",
)];

const ANALYSIS_ITEM: &[OtherNames] = &[
    names("field_name", "name key identifier label variable title id field", ""),
    names("field_type", "type kind format", ""),
    names("field_description", "description prompt instruction instructions question", ""),
];

const FUNCTION: &[OtherNames] = &[
    names("displayName", "name function_name tool_name title label", ""),
    names("type", "function_type kind action", ""),
    names(
        "description",
        "function_description tool_description usage prompt instructions instruction condition",
        "",
    ),
    names(
        "config",
        "configuration options",
        "parameters params settings arguments input_schema schema properties destinations",
    ),
];

/// The other names of values: the allowed value, and what else it is called. No two fields have the same value in another
/// meaning.
pub static VALUES: &[(&str, &str)] = &[
    ("Cascaded", "cascade pipeline standard voice_pipeline"),
    ("Speech_To_Speech", "s2s sts realtime"),
    ("Single_Prompt_Agent", "single_prompt prompt single_state"),
    (
        "Conversational_Flow_Agent",
        "conversational_flow conversation_flow flow flow_agent pathway workflow",
    ),
    (
        "user",
        "caller customer human user_first user_speaks_first assistant_waits_for_user \
         wait_for_user client",
    ),
    ("agent_dynamic", "dynamic assistant_speaks_first_with_model_generated_message generated"),
    ("agent_defined", "defined static fixed assistant_speaks_first agent_first"),
    ("optimize_for_speed", "speed fast low_latency optimize_for_latency realtime"),
    ("optimize_for_accuracy", "accuracy quality best high"),
    (
        "remove_noise",
        "noise noise_cancellation noise_suppression denoise background_noise on enabled",
    ),
    ("remove_noise_and_speech", "noise_and_background_speech_cancellation"),
    ("NUMBER", "int integer float double decimal numeric long num ganzzahl"),
    ("STRING", "str text txt char date datetime email phone"),
    ("BOOLEAN", "bool flag binary"),
    ("ENUM", "select selector choice choices category option options system_presets one_of"),
    ("end_call", "hangup hang_up terminate disconnect end finish_call goodbye"),
    (
        "call_transfer",
        "transfer transfer_to_number transfer_to_human warm_transfer cold_transfer handoff dial",
    ),
    ("custom", "function tool webhook api_request http client code"),
    (
        "check_calendar_availability",
        "check_availability check_availability_cal availability get_availability check_slots",
    ),
    (
        "book_calendar",
        "book_appointment book_appointment_cal schedule_appointment book_meeting \
         create_booking schedule booking book appointment",
    ),
    ("integration", "mcp app"),
];

/// Words of names that are written in other ways, the usual one last.
pub const ABBREVIATIONS: [(&str, &str); 22] = [
    ("desc", "description"),
    ("msg", "message"),
    ("messages", "message"),
    ("num", "number"),
    ("lang", "language"),
    ("temp", "temperature"),
    ("func", "function"),
    ("functions", "function"),
    ("params", "parameters"),
    ("var", "variable"),
    ("vars", "variable"),
    ("variables", "variable"),
    ("kb", "base_knowledge"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("ids", "id"),
    ("identifier", "id"),
    ("keyword", "keywords"),
    ("assistant", "agent"),
    ("bot", "agent"),
    ("instruction", "instructions"),
    ("interruptions", "interruption"),
];

/// Names at the top level of agents of other services. No document of this service has them, so they tell whose a document is.
/// Unlike the other names of fields they count only as they are spelled.
pub const OF_OTHER_AGENTS: [&str; 30] = [
    "agent_name",
    "agents_config",
    "ambient_sound",
    "assistant",
    "assistant_id",
    "assistantId",
    "avatar",
    "begin_message",
    "begin_message_delay_ms",
    "bot_id",
    "bot_name",
    "conversation_config",
    "enable_backchannel",
    "firstMessage",
    "first_message",
    "general_prompt",
    "intents",
    "llm_websocket_url",
    "max_tokens",
    "messages",
    "model",
    "model_name",
    "model_provider",
    "platform_settings",
    "response_engine",
    "system_message",
    "tools",
    "voice_speed",
    "voice_temperature",
    "webhook_url",
];
