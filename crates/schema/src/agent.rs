//! The agent that the service answers with (section 2.1), and the summary of one of its versions (section 2.2).

use crate::table::table;
use crate::{Catalogue, Items, List, Map, Number, Spec, Text, TextFormat, UnknownFields};
use crate::{list, map, number, string};

/// The types of agents.
pub const AGENT_TYPES: [&str; 2] = ["Single_Prompt_Agent", "Conversational_Flow_Agent"];

table! {
    /// An agent, as the service answers it.
    pub static TABLE: "an agent", UnknownFields::Warn;

    "2.1" {
        /// The agent's signed identifier.
        id: Text = string().required().id_from(Catalogue::Agents);
        /// The folder that contains the agent.
        folder_id: Text = string().nullable().id_from(Catalogue::Folders);
        /// The number of the version that serves live traffic.
        current_version_number: Number = number().nullable().whole();
        /// The agent's IANA time zone.
        timezone: Text = string().nullable().written_as(TextFormat::TimeZone);
        /// Whether one prompt or a flow of nodes leads the conversation.
        agent_type: Text = string().required().one_of(&AGENT_TYPES);
        /// How speech becomes answers.
        pipeline_type: Text = string().nullable().one_of(&["Cascaded", "Speech_To_Speech"]);
        /// The webhook that is notified of calls.
        webhook_id: Text = string().nullable().id_from(Catalogue::Webhooks);
        /// The version that serves live traffic.
        current_version: Map = map().nullable().with(&version_summary::TABLE);
        /// A summary of each version.
        versions: List = list(Items::Maps(&version_summary::TABLE));
        /// When the agent was created.
        created_at: Text = string().written_as(TextFormat::DateTime);
        /// When the agent was last changed.
        updated_at: Text = string().written_as(TextFormat::DateTime);
    }
}

/// The summary of one version.
pub mod version_summary {
    use super::{Catalogue, Number, Spec, Text, UnknownFields, number, string, table};
    use crate::{Flag, Role, boolean};

    table! {
        /// A version, as the agent lists it.
        pub static TABLE: "a version summary", UnknownFields::Warn;

        "2.2" {
            /// The agent that the version belongs to.
            agent_id: Text = string().id_from(Catalogue::Agents);
            /// The version's number.
            version_number: Number = number().whole();
            /// The version's name.
            version_title: Text = string().nullable().role(Role::Label);
            /// The agent's name.
            title: Text = string().nullable().role(Role::Label);
            /// Whether the version is published.
            is_published: Flag = boolean();
            /// The language that the agent speaks.
            language_id: Text = string().nullable().id_from(Catalogue::Languages);
            /// The voice.
            voice_id: Text = string().nullable().id_from(Catalogue::Voices);
            /// The language model.
            llm_id: Text = string().nullable().id_from(Catalogue::Llms);
            /// The transcriber.
            transcriber_id: Text = string().nullable().id_from(Catalogue::Transcribers);
            /// Whether the fallback transcriber is on.
            fallback_stt_enabled: Flag = boolean();
            /// The fallback transcriber.
            stt_fallback_transcriber_id: Text = string().nullable().id_from(Catalogue::FallbackTranscribers);
            /// The language model that extracts the analysis.
            post_call_analysis_llm_id: Text = string().nullable().id_from(Catalogue::Llms);
        }
    }
}
