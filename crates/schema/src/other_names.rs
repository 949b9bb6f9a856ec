//! What other services, and people in their own words and languages, call the fields and values of the tables.
//!
//! Names are compared by their words: letter case, separators, accents and the order of words do not count, and
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
    names(
        "version_number",
        "version version_id agent_version draft_version revision versionsnummer numero_version numero_de_version \
         numero_da_versao numero_de_la_version",
        "",
    ),
    names(
        "title",
        "name agent_name display_name label agent_title titel titulo titre nombre nom nome",
        "",
    ),
    names(
        "version_title",
        "version_name version_label version_description revision_name draft_name",
        "",
    ),
    names("description", "agent_description summary notes beschreibung descripcion descricao", ""),
    names("folder_id", "", "folder group_id project_id workspace_folder"),
    names(
        "timezone",
        "agent_timezone time_zone_id tz tzid zeitzone zona_horaria fuseau_horaire fuso_horario",
        "",
    ),
    names("pipeline_type", "pipeline pipeline_mode agent_pipeline voice_pipeline architecture", ""),
    names(
        "webhook_id",
        "",
        "webhook webhook_url server_url server callback_url event_webhook post_call_webhook_id post_call_webhook",
    ),
    names(
        "language_id",
        "",
        "language language_code locale default_language agent_language sprache idioma langue lingua",
    ),
    names("node_positions", "", "nodes node_layout flow_layout layout node_coordinates"),
    names("agent_identity", "identity persona role agent_role agent_persona personality", ""),
    names("agent_background", "background context agent_context background_information", ""),
    names(
        "is_published",
        "published publish publish_version is_live live veroffentlicht publicado publie",
        "",
    ),
    names("update_deployment", "update_live deploy deployment redeploy update_published", ""),
    names(
        "prompt_text",
        "prompt agent_prompt general_prompt main_prompt user_prompt instructions instruction agent_instructions \
         task task_prompt pathway_prompt script anweisung anweisungen instrucciones instrucoes consignes \
         aufforderung",
        "",
    ),
    names(
        "system_prompt_text",
        "system_prompt system_message system_instruction system_instructions global_prompt static_prompt",
        "",
    ),
    names(
        "welcome_message",
        "first_message begin_message greeting greeting_message greeting_text first_sentence opening_message \
         opening_line initial_message intro intro_message introduction welcome welcome_text welcome_greeting \
         start_message begrussung begruessung begrussungstext saludo bienvenida mensaje_de_bienvenida \
         mensaje_inicial accueil message_accueil message_d_accueil message_de_bienvenue bienvenue saudacao \
         mensagem_de_boas_vindas boas_vindas mensagem_inicial",
        "",
    ),
    names(
        "voicemail_message",
        "voicemail voicemail_text voice_mail_message answering_machine_message machine_detected_message \
         mailbox_message leave_message mailboxnachricht buzon_de_voz messagerie message_repondeur correio_de_voz",
        "voicemail_option voicemail_detection voicemail_action",
    ),
    names(
        "conversation_start_type",
        "first_message_mode first_speaker who_speaks_first start_speaker start_type conversation_start \
         speaks_first",
        "wait_for_greeting user_speaks_first agent_speaks_first",
    ),
    names(
        "allow_interruptions",
        "interruptible interruptions_enabled enable_interruptions allow_barge_in barge_in barge_in_enabled \
         interruptions",
        "disable_interruptions block_interruptions stop_speaking_plan",
    ),
    names(
        "structured_output",
        "structured_outputs structured_output_enabled json_mode use_structured_output",
        "structured_data_plan",
    ),
    names(
        "json_output_instructions",
        "output_schema json_schema output_instructions response_schema json_output",
        "response_format output_format",
    ),
    names(
        "default_dynamic_variables",
        "dynamic_variables variables default_variables template_variables prompt_variables variable_values \
         variable_defaults placeholders dynamic_variable_placeholders request_data variablen dynamische_variablen \
         variaveis variables_dinamicas variables_dynamiques",
        "",
    ),
    names(
        "llm_id",
        "language_model_id",
        "llm model model_id model_name llm_model language_model ai_model engine modell modelo modele",
    ),
    names(
        "llm_temperature",
        "temperature model_temperature llm_temp temperatur temperatura creativity",
        "",
    ),
    names(
        "knowledge_base_ids",
        "knowledge_bases knowledge_base_list",
        "knowledge_base knowledge documents files wissensdatenbank base_de_conocimiento \
         base_de_connaissances base_de_conhecimento",
    ),
    names(
        "kb_max_chunks",
        "max_chunks top_k kb_top_k max_documents max_retrieved_chunks max_retrieved_rag_chunks_count \
         number_of_chunks chunk_limit",
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
        "predictive_preprocessing preemptive_generation speculative_generation enable_predictive_preprocessing \
         speculative_turn",
        "",
    ),
    names("voice_id", "", "voice voice_name speaker speaker_id tts_voice stimme voz voix tts"),
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
        "stt_fallback_wait_ms",
        "stt_fallback_timeout fallback_transcriber_wait stt_fallback_delay fallback_wait",
        "",
    ),
    names(
        "transcription_mode",
        "stt_mode recognition_mode transcriber_mode asr_mode asr_quality transcription_quality",
        "",
    ),
    names(
        "denoising_mode",
        "noise_suppression noise_cancellation denoising denoise noise_reduction noise_cancellation_mode \
         background_denoising",
        "background_denoising_enabled background_speech_denoising_plan",
    ),
    names(
        "speech_normalization",
        "normalize_for_speech normalize_speech text_normalization apply_text_normalization speech_normalisation",
        "text_normalization_type",
    ),
    names(
        "transcript_formatting",
        "format_transcript transcript_format smart_format smart_formatting format_transcripts",
        "",
    ),
    names(
        "boosted_keywords",
        "keywords boost_keywords keyword_boost key_terms keyterms boosted_words asr_keywords vocabulary \
         custom_vocabulary hotwords schlusselworter schluesselwoerter stichworter palabras_clave mots_cles \
         palavras_chave",
        "vocab_specialization",
    ),
    names(
        "audio_cache_enabled",
        "audio_cache audio_caching cache_audio voice_caching_enabled tts_cache enable_audio_cache",
        "",
    ),
    names(
        "background_sound",
        "ambient_sound background_audio background_track background_music background_noise hintergrundgerausch \
         sonido_de_fondo son_de_fond som_de_fundo",
        "background_sound_url",
    ),
    names(
        "background_sound_volume",
        "ambient_sound_volume background_volume background_audio_volume background_track_volume",
        "volume voice_volume",
    ),
    names("ambient_noise", "ambient_noise_enabled enable_ambient_noise", "office_noise"),
    names("responsiveness", "agent_responsiveness response_speed", "response_delay turn_timeout"),
    names(
        "interruption_sensitivity",
        "interrupt_sensitivity interruption_threshold barge_in_sensitivity sensitivity",
        "num_words_to_interrupt",
    ),
    names("response_eagerness", "eagerness turn_eagerness", ""),
    names(
        "backchanneling",
        "enable_backchannel enable_backchanneling backchannel backchannel_enabled backchanneling_enabled",
        "",
    ),
    names("backchannel_frequency", "backchanneling_frequency backchannel_rate", ""),
    names("backchannel_keywords", "backchannel_words backchanneling_words backchannel_phrases", ""),
    names(
        "reminder_message_interval",
        "reminder_interval reminder_trigger reminder_after reminder_delay idle_timeout user_idle_reminder \
         idle_reminder_interval reprompt_interval erinnerungsintervall",
        "",
    ),
    names(
        "reminder_message_frequency",
        "reminder_frequency reminder_count reminder_max_count max_reminders number_of_reminders \
         idle_message_max_spoken_count",
        "",
    ),
    names(
        "end_call_on_silence_sec",
        "silence_timeout end_call_after_silence silence_end_call_timeout end_call_on_silence hang_up_on_silence \
         hangup_after_silence max_silence silence_duration max_silence_duration \
         user_silence_timeout inactivity_timeout silence stille_timeout tiempo_de_silencio delai_de_silence \
         tempo_de_silencio",
        "silence_threshold",
    ),
    names(
        "max_call_duration_sec",
        "max_duration max_call_time max_call_length call_timeout call_duration_limit call_time_limit \
         max_conversation_duration maximum_duration max_session_duration call_duration maximale_anrufdauer \
         max_anrufdauer duracion_maxima duree_maximale duree_max duracao_maxima",
        "",
    ),
    names(
        "fallback_llm_enabled",
        "enable_fallback_llm llm_fallback_enabled backup_llm_enabled",
        "backup_llm_config",
    ),
    names(
        "llm_fallback_delay_ms",
        "llm_fallback_timeout llm_timeout fallback_llm_delay cascade_timeout llm_fallback_wait",
        "",
    ),
    names(
        "llm_fallback_model",
        "",
        "fallback_llm fallback_model backup_llm backup_model fallback_models fallback_llm_id llm_fallback_id",
    ),
    names(
        "inbound_phone_number_id",
        "inbound_number_id incoming_phone_number_id",
        "inbound_phone_number inbound_number phone_number phone_number_id incoming_number phone",
    ),
    names(
        "outbound_phone_number_id",
        "outbound_number_id outgoing_phone_number_id caller_id_number_id",
        "outbound_phone_number outbound_number from_number caller_id outgoing_number from",
    ),
    names(
        "post_call_analysis_llm_id",
        "analysis_llm_id post_call_llm_id",
        "post_call_analysis_model analysis_model analysis_llm post_call_analysis_llm",
    ),
    names(
        "post_call_analysis",
        "post_call_analysis_data call_analysis analysis post_call_data extraction extractions data_collection \
         post_call_variables analysis_schema post_call_fields",
        "analysis_plan analysis_prompt structured_data_schema gesprachsanalyse",
    ),
    names(
        "agent_functions",
        "functions tools general_tools actions agent_tools skills funktionen werkzeuge funciones herramientas \
         fonctions outils funcoes ferramentas",
        "tool_ids model_tools",
    ),
];

const VARIABLES: &[OtherNames] = &[names(
    "agent_transfer_destinations",
    "",
    "transfer_destinations transfer_number transfer_numbers transfer_phone_number transfer_list \
         forwarding_phone_number forwarding_number transfer_destination agent_transfer_destination \
         agent_transfer_number transfer_to destinations weiterleitungsnummer numero_de_transferencia \
         numero_de_transfert",
)];

const ANALYSIS_ITEM: &[OtherNames] = &[
    names(
        "field_name",
        "name key identifier label variable variable_name title id field feldname nombre nom nome",
        "",
    ),
    names("field_type", "type data_type value_type kind format feldtyp typ tipo", ""),
    names(
        "field_description",
        "description prompt instruction instructions explanation question beschreibung descripcion descricao",
        "",
    ),
];

const FUNCTION: &[OtherNames] = &[
    names("displayName", "name function_name tool_name title label titel nombre nom nome", ""),
    names("type", "function_type tool_type kind action action_type typ tipo", ""),
    names(
        "description",
        "function_description tool_description when_to_use usage prompt instructions instruction condition \
         beschreibung descripcion descricao",
        "",
    ),
    names(
        "config",
        "configuration options einstellungen konfiguration configuracion configuracao",
        "parameters params settings arguments args input_schema schema properties server destinations",
    ),
];

/// The other names of values: the allowed value, and what else it is called. No two fields have the same value in another
/// meaning.
pub static VALUES: &[(&str, &str)] = &[
    (
        "Cascaded",
        "cascade cascading pipeline classic standard stt_llm_tts chained turn_based modular voice_pipeline",
    ),
    (
        "Speech_To_Speech",
        "s2s sts realtime speech2speech voice_to_voice multimodal native_audio end_to_end realtime_api \
         audio_to_audio",
    ),
    ("Single_Prompt_Agent", "single_prompt prompt prompt_agent single single_state"),
    (
        "Conversational_Flow_Agent",
        "conversational_flow conversation_flow flow flow_agent pathway workflow",
    ),
    (
        "user",
        "caller customer human user_first user_speaks_first assistant_waits_for_user user_starts wait_for_user \
         anrufer nutzer usuario cliente utilisateur client",
    ),
    (
        "agent_dynamic",
        "dynamic assistant_speaks_first_with_model_generated_message generated model_generated agent_generated \
         ai_generated agent_starts_dynamically dynamisch dinamico dynamique",
    ),
    (
        "agent_defined",
        "defined static fixed assistant_speaks_first agent_first agent_static agent_fixed agent_speaks_first \
         predefined",
    ),
    (
        "optimize_for_speed",
        "speed fast low_latency latency optimize_for_latency fastest realtime schnell rapido rapide",
    ),
    (
        "optimize_for_accuracy",
        "accuracy accurate high_accuracy quality high_quality precise best high genau preciso precis",
    ),
    (
        "remove_noise",
        "noise noise_cancellation noise_suppression noise_reduction denoise noise_only background_noise on \
         enabled",
    ),
    (
        "remove_noise_and_speech",
        "noise_and_background_speech_cancellation noise_and_speech background_speech \
         background_voice_cancellation noise_and_speech_cancellation noise_and_background_speech \
         remove_noise_and_background_speech remove_all",
    ),
    (
        "NUMBER",
        "int integer float double decimal numeric long num zahl ganzzahl numero entero entier nombre inteiro \
         percentage currency rating",
    ),
    (
        "STRING",
        "str text txt char varchar date datetime email phone texto texte cadena chaine zeichenkette free_text",
    ),
    (
        "BOOLEAN",
        "bool flag yes_no true_false binary checkbox wahrheitswert ja_nein booleano booleen si_no sim_nao oui_non \
         logical bit",
    ),
    (
        "ENUM",
        "enumeration select selector choice choices category categorical option options dropdown picklist \
         single_choice system_presets one_of auswahl opcion opciones choix opcao opcoes enumeracion",
    ),
    (
        "end_call",
        "hangup hang_up terminate terminate_call disconnect end finish_call end_conversation close_call goodbye \
         hangup_call stop_call drop_call auflegen anruf_beenden colgar terminar_llamada finalizar_llamada \
         raccrocher terminer_appel desligar encerrar_chamada encerrar_ligacao",
    ),
    (
        "call_transfer",
        "transfer forward forward_call call_forwarding transfer_to_number transfer_to_human human_transfer \
         warm_transfer cold_transfer handoff bridge_transfer redirect_call escalate route_call dial weiterleiten \
         weiterleitung anruf_weiterleiten transferir transferir_llamada transferir_chamada transferer \
         transferer_appel transfert",
    ),
    (
        "custom",
        "function tool webhook api_request api http http_request rest custom_function custom_tool custom_api \
         server_tool client_tool client api_call code benutzerdefiniert personalizado personnalise",
    ),
    (
        "check_calendar_availability",
        "check_availability calendar_availability check_availability_cal check_calendar availability \
         get_availability check_slots get_free_slots calendar_check_availability verfugbarkeit_prufen \
         consultar_disponibilidad verificar_disponibilidade verifier_disponibilite",
    ),
    (
        "book_calendar",
        "book_appointment book_appointment_cal schedule_appointment create_appointment book_meeting \
         create_booking calendar_booking calendar_event_create create_calendar_event real_time_booking schedule \
         booking book appointment termin_buchen agendar_cita reservar_cita agendar reserver prendre_rendez_vous",
    ),
    ("integration", "mcp connector connection app third_party plugin integracion integracao"),
];

/// Words of names that are written in other ways, the usual one last.
pub const ABBREVIATIONS: [(&str, &str); 37] = [
    ("desc", "description"),
    ("descr", "description"),
    ("msg", "message"),
    ("messages", "message"),
    ("num", "number"),
    ("nr", "number"),
    ("lang", "language"),
    ("ver", "version"),
    ("conv", "conversation"),
    ("temp", "temperature"),
    ("vol", "volume"),
    ("freq", "frequency"),
    ("fn", "function"),
    ("func", "function"),
    ("functions", "function"),
    ("cfg", "config"),
    ("conf", "config"),
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
    ("chatbot", "agent"),
    ("instr", "instructions"),
    ("instruction", "instructions"),
    ("interrupt", "interruption"),
    ("interruptions", "interruption"),
    ("tel", "phone"),
    ("telephone", "phone"),
    ("dur", "duration"),
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
