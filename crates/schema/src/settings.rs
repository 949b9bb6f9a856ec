//! The fields of an agent version that an update may write (section 2.3), and the objects inside them.

use crate::table::table;
use crate::{
    Catalogue, Flag, Items, List, Map, Number, Role, Spec, TermLimits, Text, TextFormat,
    UnknownFields, readings,
};
use crate::{boolean, list, map, number, string};

const PIPELINE_TYPES: &[&str] = &["Cascaded", "Speech_To_Speech"];

table! {
    /// The settings of an agent version: what an update may change.
    pub static TABLE: "an update", UnknownFields::Unspecified;

    "2.3 Identity and structure" {
        /// The version that the update changes.
        version_number: Number = number().whole().required()
            .disputed(Some(1), None, &readings::VERSION_NUMBER_MINIMUM);
        /// The agent's name.
        title: Text = string().max_characters(70).role(Role::Label);
        /// The version's name. The service generates one if omitted.
        version_title: Text = string().nullable().max_characters(35).role(Role::Label);
        /// The agent's purpose, for the team.
        description: Text = string().role(Role::Label);
        /// The folder that contains the agent.
        folder_id: Text = string().id_from(Catalogue::Folders);
        /// The IANA time zone in which the agent tells dates and times.
        timezone: Text = string().written_as(TextFormat::TimeZone);
        /// How speech becomes answers: recognition, language model and synthesis in turn, or one speech model.
        pipeline_type: Text = string().one_of(PIPELINE_TYPES);
        /// The webhook that is notified of calls.
        webhook_id: Text = string().id_from(Catalogue::Webhooks);
        /// The language that the agent speaks.
        language_id: Text = string().id_from(Catalogue::Languages);
        /// Positions of the nodes of a conversational flow: JSON, written as a string.
        node_positions: Text = string().written_as(TextFormat::Json);
        /// Who the agent is. Required on update for a conversational flow agent.
        agent_identity: Text = string().role(Role::Instruction);
        /// What the agent knows beforehand. Required on update for a conversational flow agent.
        agent_background: Text = string().role(Role::Instruction);
        /// Whether the update publishes the draft.
        is_published: Flag = boolean();
        /// Related to updates of published versions; its effect is not described.
        update_deployment: Flag = boolean();
    }

    "2.3 Prompts and conversation" {
        /// The prompt, a Handlebars template.
        prompt_text: Text = string().role(Role::Prompt).revalidated();
        /// Instructions that never change. Dynamic variables belong in `prompt_text`.
        system_prompt_text: Text = string().role(Role::Instruction);
        /// The first thing that the caller hears, a Handlebars template.
        welcome_message: Text = string().role(Role::Speech).revalidated();
        /// The voicemail message, a Handlebars template.
        voicemail_message: Text = string().role(Role::Speech).revalidated();
        /// Who speaks first, and whether those words are fixed.
        conversation_start_type: Text = string().one_of(&["user", "agent_dynamic", "agent_defined"]);
        /// Whether the caller may interrupt the agent.
        allow_interruptions: Flag = boolean();
        /// Whether answers must follow a structure.
        structured_output: Flag = boolean();
        /// The structure that answers follow: a free-form object.
        json_output_instructions: Map = map();
        /// The values of template variables that a call does not set.
        default_dynamic_variables: Map = map().with(&default_dynamic_variables::TABLE).revalidated();
        /// The language model.
        llm_id: Text = string().id_from(Catalogue::Llms);
        /// The randomness of the language model's answers. The service starts from 0.1.
        llm_temperature: Number = number();
        /// The knowledge bases that this version may consult.
        knowledge_base_ids: List = list(Items::ids(Catalogue::KnowledgeBases));
        /// The maximum number of passages taken from the knowledge bases.
        kb_max_chunks: Number = number().between(1, 10).count();
        /// The minimum score of these passages.
        kb_min_score: Number = number().between(0, 1);
        /// Whether prompts are cached. The workspace must have the feature.
        prompt_caching_enabled: Flag = boolean();
        /// Whether likely replies are prepared between turns.
        predictive_preprocessing_enabled: Flag = boolean();
    }

    "2.3 Voice, speech recognition and audio" {
        /// The voice.
        voice_id: Text = string().id_from(Catalogue::Voices);
        /// The model of the voice, of the same provider. Leave it out when changing the voice.
        voice_model_id: Text = string().id_from(Catalogue::VoiceModels);
        /// The transcriber: the service's speech recogniser for this version.
        transcriber_id: Text = string().nullable().id_from(Catalogue::Transcribers);
        /// Turns on a second transcriber that runs beside the first.
        fallback_stt_enabled: Flag = boolean();
        /// The fallback transcriber. Required if fallback is on; must differ from the transcriber.
        stt_fallback_transcriber_id: Text = string().nullable().id_from(Catalogue::FallbackTranscribers);
        /// How long to wait for the transcriber after the fallback is done.
        stt_fallback_wait_ms: Number = number().at_least(0).unit("milliseconds");
        /// Whether recognition favors speed or accuracy.
        transcription_mode: Text = string().one_of(&["optimize_for_speed", "optimize_for_accuracy"]);
        /// What is filtered out of the caller's audio.
        denoising_mode: Text = string().nullable().one_of(&["remove_noise", "remove_noise_and_speech"]);
        /// Whether text is rewritten for speaking.
        speech_normalization: Flag = boolean();
        /// Whether transcripts are formatted.
        transcript_formatting: Flag = boolean();
        /// Words that recognition should expect, separated by commas.
        boosted_keywords: Text = string().role(Role::Keywords)
            .terms(TermLimits { most: 100, max_characters: 50, max_total: 2000 }).revalidated();
        /// Whether synthesized audio is cached.
        audio_cache_enabled: Flag = boolean();
        /// The background sound of the conversation: a file or an identifier.
        background_sound: Text = string();
        /// The volume of `background_sound`.
        background_sound_volume: Number = number().between(0, 2);
        /// Whether ambient noise is mixed in.
        ambient_noise: Flag = boolean();
        /// How quickly the agent answers.
        responsiveness: Number = number().between(0, 5)
            .disputed(Some(0), Some(1), &readings::RESPONSIVENESS_MAXIMUM);
        /// How readily the agent falls silent when the caller speaks.
        interruption_sensitivity: Number = number().between(0, 1);
        /// How eagerly the agent takes its turn. Only one recognition provider supports it.
        response_eagerness: Number = number().between(0, 1);
        /// Whether the agent backchannels (short words such as "mhm") while listening.
        backchanneling: Flag = boolean();
        /// How often the agent backchannels.
        backchannel_frequency: Number = number().between(0, 1);
        /// The backchannel words, separated by commas.
        backchannel_keywords: Text = string().role(Role::Keywords);
        /// How long the caller may be silent before the agent reminds them.
        reminder_message_interval: Number = number().unit("seconds");
        /// How often the agent reminds a silent caller.
        reminder_message_frequency: Number = number();
        /// How long the caller may be silent before the call ends.
        end_call_on_silence_sec: Number = number().between(15, 30).unit("seconds").revalidated();
        /// The maximum duration of a call. Speech to speech has a lower limit.
        max_call_duration_sec: Number = number().between(60, 5400).unit("seconds").revalidated();
    }

    "2.3 Fallback LLM" {
        /// Turns on a second language model that steps in for a slow first one.
        fallback_llm_enabled: Flag = boolean();
        /// How long to wait for the first language model.
        llm_fallback_delay_ms: Number = number().nullable().unit("milliseconds");
        /// The language model that steps in.
        llm_fallback_model: Text = string().nullable().id_from(Catalogue::Llms);
    }

    "2.3 Phone numbers" {
        /// The number that callers dial; the empty string detaches it. Works only with `is_published: true`.
        inbound_phone_number_id: Text = string().id_from(Catalogue::PhoneNumbers);
        /// The number that the agent calls from; the empty string detaches it. Works only with `is_published: true`.
        outbound_phone_number_id: Text = string().id_from(Catalogue::PhoneNumbers);
    }

    "2.3 Analysis and functions" {
        /// The language model that extracts the analysis; null resets it to the workspace's default.
        post_call_analysis_llm_id: Text = string().nullable().id_from(Catalogue::Llms);
        /// What is extracted from a call once it is over.
        post_call_analysis: List = list(Items::Maps(&post_call_analysis_item::TABLE));
        /// Another name of `post_call_analysis`.
        postcall_analysis: List = list(Items::Maps(&post_call_analysis_item::TABLE));
        /// What the agent can do during a call. The list replaces the stored one as a whole.
        agent_functions: List = list(Items::Maps(&agent_function::TABLE));
    }
}

/// The fields of `default_dynamic_variables` that the service itself reads.
pub mod default_dynamic_variables {
    use super::{Spec, Text, TextFormat, UnknownFields, string, table};

    table! {
        /// Default values of template variables: one name has a meaning of its own, the others are free.
        pub static TABLE: "the default variables", UnknownFields::Allow;

        "2.3 Prompts and conversation" {
            /// The numbers a call may be transferred to: up to 7, separated by `|`, each `+1` or `+91` and ten digits.
            agent_transfer_destinations: Text = string().nullability_unspecified().written_as(TextFormat::Destinations { most: 7 })
                .revalidated();
        }
    }
}

/// One item of `post_call_analysis`.
pub mod post_call_analysis_item {
    use super::{Role, Spec, Text, UnknownFields, string, table};

    table! {
        /// One thing to extract from a call.
        pub static TABLE: "an analysis item", UnknownFields::Warn;

        "2.3 Analysis and functions" {
            /// The name under which the result is kept.
            field_name: Text = string().required().role(Role::Label);
            /// The type of the result.
            field_type: Text = string().required().one_of(&["NUMBER", "STRING", "BOOLEAN", "ENUM"]);
            /// What the language model should look for.
            field_description: Text = string().required().role(Role::Instruction);
        }
    }
}

/// One item of `agent_functions`.
pub mod agent_function {
    use super::{Map, Role, Spec, Text, UnknownFields, map, string, table};

    const FUNCTION_TYPES: &[&str] = &[
        "end_call",
        "call_transfer",
        "custom",
        "check_calendar_availability",
        "book_calendar",
        "integration",
    ];

    table! {
        /// One thing that the agent can do during a call.
        pub static TABLE: "a function", UnknownFields::Warn;

        "2.3 Analysis and functions" {
            /// The function's name.
            displayName: Text = string().presence_unspecified().role(Role::Label);
            /// What kind of function it is.
            function_type as "type": Text = string().presence_unspecified().one_of(FUNCTION_TYPES);
            /// When the language model should use it.
            description: Text = string().presence_unspecified().role(Role::Instruction);
            /// An object with the function's settings.
            config: Map = map().presence_unspecified();
        }
    }
}
