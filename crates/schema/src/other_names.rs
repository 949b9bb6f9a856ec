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
    names("version_number", "version version_id agent_version draft_version revision", ""),
    names("title", "name agent_name display_name label agent_title", ""),
    names(
        "version_title",
        "version_name version_description version_label revision_name draft_name",
        "",
    ),
    names("description", "summary notes agent_description", ""),
    names("folder_id", "", "folder project_id group_id workspace_folder"),
    names("timezone", "agent_timezone time_zone_id tz tzid", ""),
    names("pipeline_type", "pipeline voice_pipeline architecture pipeline_mode agent_pipeline", ""),
    names(
        "webhook_id",
        "",
        "webhook webhook_url server_url event_webhook server callback_url post_call_webhook_id post_call_webhook",
    ),
    names(
        "language_id",
        "",
        "language language_code locale default_language sprache agent_language",
    ),
    names("node_positions", "", "nodes node_layout layout flow_layout node_coordinates"),
    names("agent_identity", "identity persona role personality agent_role agent_persona", ""),
    names("agent_background", "background context agent_context background_information", ""),
    names("is_published", "published publish is_live publish_version live", ""),
    names("update_deployment", "deploy update_live deployment redeploy update_published", ""),
    names(
        "prompt_text",
        "prompt general_prompt instructions instruction task script agent_prompt main_prompt user_prompt agent_instructions task_prompt pathway_prompt",
        "",
    ),
    names(
        "system_prompt_text",
        "system_prompt system_message global_prompt system_instruction system_instructions static_prompt",
        "",
    ),
    names(
        "welcome_message",
        "first_message begin_message greeting greeting_message first_sentence opening_line welcome greeting_text opening_message initial_message intro intro_message introduction welcome_text welcome_greeting start_message",
        "",
    ),
    names(
        "voicemail_message",
        "voicemail voice_mail_message voicemail_text answering_machine_message machine_detected_message mailbox_message leave_message",
        "voicemail_option voicemail_detection voicemail_action",
    ),
    names(
        "conversation_start_type",
        "first_message_mode who_speaks_first start_speaker speaks_first first_speaker start_type conversation_start",
        "wait_for_greeting user_speaks_first agent_speaks_first",
    ),
    names(
        "allow_interruptions",
        "interruptions_enabled allow_barge_in barge_in interruptions interruptible enable_interruptions barge_in_enabled",
        "disable_interruptions block_interruptions stop_speaking_plan",
    ),
    names(
        "structured_output",
        "structured_outputs json_mode structured_output_enabled use_structured_output",
        "structured_data_plan",
    ),
    names(
        "json_output_instructions",
        "output_schema json_schema output_instructions response_schema json_output",
        "response_format output_format",
    ),
    names(
        "default_dynamic_variables",
        "dynamic_variables variables template_variables dynamic_variable_placeholders request_data default_variables prompt_variables variable_values variable_defaults placeholders variablen dynamische_variablen variaveis variables_dinamicas variables_dynamiques",
        "",
    ),
    names(
        "llm_id",
        "language_model_id",
        "llm model model_id model_name llm_model language_model engine ai_model",
    ),
    names("llm_temperature", "temperature model_temperature llm_temp creativity", ""),
    names(
        "knowledge_base_ids",
        "knowledge_bases knowledge_base_list",
        "knowledge_base knowledge documents files wissensdatenbank base_de_conocimiento base_de_connaissances base_de_conhecimento",
    ),
    names(
        "kb_max_chunks",
        "max_chunks top_k kb_top_k max_documents max_retrieved_chunks max_retrieved_rag_chunks_count number_of_chunks chunk_limit",
        "",
    ),
    names(
        "kb_min_score",
        "min_score score_threshold similarity_threshold filter_score kb_filter_score min_similarity minimum_score",
        "max_vector_distance",
    ),
    names(
        "prompt_caching_enabled",
        "prompt_caching prompt_cache enable_prompt_caching cache_prompt",
        "",
    ),
    names(
        "predictive_preprocessing_enabled",
        "preemptive_generation predictive_preprocessing speculative_generation enable_predictive_preprocessing speculative_turn",
        "",
    ),
    names("voice_id", "", "voice voice_name speaker tts speaker_id tts_voice"),
    names("voice_model_id", "", "voice_model tts_model tts_model_id speech_model"),
    names(
        "transcriber_id",
        "stt_id recognizer_id speech_recognizer_id",
        "transcriber stt stt_model asr asr_model speech_to_text recognizer transcription_model stt_provider",
    ),
    names(
        "fallback_stt_enabled",
        "fallback_transcriber_enabled enable_fallback_stt enable_fallback_transcriber",
        "fallback_transcriber_plan",
    ),
    names(
        "stt_fallback_transcriber_id",
        "fallback_transcriber_id fallback_stt_id backup_transcriber_id secondary_transcriber_id",
        "fallback_transcriber fallback_stt",
    ),
    names(
        "denoising_mode",
        "noise_suppression noise_cancellation denoising denoise noise_reduction noise_cancellation_mode background_denoising",
        "background_denoising_enabled background_speech_denoising_plan",
    ),
    names(
        "speech_normalization",
        "text_normalization apply_text_normalization normalize_for_speech normalize_speech speech_normalisation",
        "text_normalization_type",
    ),
    names(
        "boosted_keywords",
        "keywords keyterms vocabulary boost_keywords keyword_boost key_terms boosted_words asr_keywords custom_vocabulary hotwords schlusselworter schluesselwoerter stichworter palabras_clave mots_cles palavras_chave",
        "vocab_specialization",
    ),
    names(
        "audio_cache_enabled",
        "audio_cache audio_caching cache_audio voice_caching_enabled tts_cache enable_audio_cache",
        "",
    ),
    names(
        "background_sound",
        "ambient_sound background_noise background_audio background_track background_music hintergrundgerausch sonido_de_fondo son_de_fond som_de_fundo",
        "background_sound_url",
    ),
    names(
        "background_sound_volume",
        "ambient_sound_volume background_volume background_audio_volume background_track_volume",
        "volume voice_volume",
    ),
    names("responsiveness", "agent_responsiveness response_speed", "turn_timeout response_delay"),
    names(
        "interruption_sensitivity",
        "interruption_threshold sensitivity interrupt_sensitivity barge_in_sensitivity",
        "num_words_to_interrupt",
    ),
    names(
        "backchanneling",
        "enable_backchannel backchannel enable_backchanneling backchannel_enabled backchanneling_enabled",
        "",
    ),
    names("backchannel_keywords", "backchannel_words backchanneling_words backchannel_phrases", ""),
    names(
        "reminder_message_interval",
        "reminder_interval reminder_trigger idle_timeout reminder_after reminder_delay user_idle_reminder idle_reminder_interval reprompt_interval erinnerungsintervall",
        "",
    ),
    names(
        "reminder_message_frequency",
        "reminder_frequency reminder_count reminder_max_count idle_message_max_spoken_count max_reminders number_of_reminders",
        "",
    ),
    names(
        "end_call_on_silence_sec",
        "silence_timeout end_call_after_silence end_call_on_silence hang_up_on_silence max_silence_duration user_silence_timeout silence silence_end_call_timeout hangup_after_silence max_silence silence_duration inactivity_timeout stille_timeout tiempo_de_silencio delai_de_silence tempo_de_silencio",
        "silence_threshold",
    ),
    names(
        "max_call_duration_sec",
        "max_duration max_call_time max_session_duration max_call_length call_timeout call_duration_limit call_time_limit max_conversation_duration maximum_duration call_duration maximale_anrufdauer max_anrufdauer duracion_maxima duree_maximale duree_max duracao_maxima",
        "",
    ),
    names(
        "llm_fallback_model",
        "",
        "fallback_llm fallback_model fallback_models backup_llm backup_model fallback_llm_id llm_fallback_id",
    ),
    names(
        "inbound_phone_number_id",
        "inbound_number_id incoming_phone_number_id",
        "inbound_number phone_number phone_number_id phone inbound_phone_number incoming_number",
    ),
    names(
        "outbound_phone_number_id",
        "outbound_number_id outgoing_phone_number_id caller_id_number_id",
        "outbound_number from_number caller_id from outbound_phone_number outgoing_number",
    ),
    names(
        "post_call_analysis",
        "post_call_analysis_data analysis extraction data_collection call_analysis post_call_data extractions post_call_variables analysis_schema post_call_fields",
        "analysis_plan analysis_prompt structured_data_schema gesprachsanalyse",
    ),
    names(
        "agent_functions",
        "functions tools general_tools actions agent_tools skills funktionen werkzeuge funciones herramientas fonctions outils funcoes ferramentas",
        "tool_ids model_tools",
    ),
];

const VARIABLES: &[OtherNames] = &[names(
    "agent_transfer_destinations",
    "",
    "transfer_destinations transfer_number transfer_numbers forwarding_phone_number destinations transfer_phone_number transfer_list forwarding_number transfer_destination agent_transfer_destination agent_transfer_number transfer_to weiterleitungsnummer numero_de_transferencia numero_de_transfert",
)];

const ANALYSIS_ITEM: &[OtherNames] = &[
    names("field_name", "name key identifier label variable title id field variable_name", ""),
    names("field_type", "type kind format data_type value_type", ""),
    names(
        "field_description",
        "description prompt instruction instructions question explanation",
        "",
    ),
];

const FUNCTION: &[OtherNames] = &[
    names("displayName", "name function_name tool_name title label", ""),
    names("type", "function_type kind action tool_type action_type", ""),
    names(
        "description",
        "function_description tool_description usage prompt instructions instruction condition when_to_use",
        "",
    ),
    names(
        "config",
        "configuration options",
        "parameters params settings arguments input_schema schema properties destinations args server",
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
