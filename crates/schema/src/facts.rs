//! The fields of a facts file. Omitted fields are unknown; a given list must be complete.
//!
//! The service has no such document. The names are those of its own lists.

use crate::table::table;
use crate::{Catalogue, Items, List, Map, Spec, Text, UnknownFields};
use crate::{list, map, string};

/// The states of a campaign in which it keeps its agent from being published (section 3 rule 3).
pub const BLOCKING_STATES: [&str; 5] = ["draft", "waiting", "scheduled", "active", "running"];

/// The state of a campaign that has finished (section 6 rule 3): the only one that is named and does not block.
pub const COMPLETED: &str = "completed";

/// The state of a workflow that is in use (section 3 rule 4).
pub const ACTIVE: &str = "active";

/// The state of a paused workflow (section 3 rule 4).
pub const PAUSED: &str = "paused";

table! {
    /// Workspace facts.
    pub static TABLE: "workspace facts", UnknownFields::Reject;

    "facts" {
        /// The ids of the agents.
        agents: List = list(Items::ids(Catalogue::Agents));
        /// The voices, by id.
        voices: Map = map().of(&voice::TABLE);
        /// The transcribers, by id.
        transcribers: Map = map().of(&transcriber::TABLE);
        /// The ids that the fallback-transcribers list answers.
        fallback_transcribers: List = list(Items::ids(Catalogue::FallbackTranscribers));
        /// The ids of the language models.
        llms: List = list(Items::ids(Catalogue::Llms));
        /// The ids of the knowledge bases.
        knowledge_bases: List = list(Items::ids(Catalogue::KnowledgeBases));
        /// The ids of the phone numbers.
        phone_numbers: List = list(Items::ids(Catalogue::PhoneNumbers));
        /// The ids of the webhooks.
        webhooks: List = list(Items::ids(Catalogue::Webhooks));
        /// The ids of the folders.
        folders: List = list(Items::ids(Catalogue::Folders));
        /// The ids of the languages.
        languages: List = list(Items::ids(Catalogue::Languages));
        /// Features of the workspace.
        features: Map = map().with(&features::TABLE);
        /// The recognition providers that support boosted keywords. The description counts two and does not name them.
        boosted_keyword_providers: List = list(Items::texts());
        /// The recognition provider that supports `response_eagerness`. The description does not name it.
        response_eagerness_provider: Text = string();
        /// The batch campaigns.
        campaigns: List = list(Items::Maps(&campaign::TABLE));
        /// The workflows.
        workflows: List = list(Items::Maps(&workflow::TABLE));
    }
}

/// One of the `voices`.
pub mod voice {
    use super::{Catalogue, Items, List, Spec, Text, UnknownFields, list, string, table};

    table! {
        /// A voice.
        pub static TABLE: "a voice", UnknownFields::Reject;

        "facts" {
            /// The provider of the voice.
            provider: Text = string();
            /// The ids of the models that the voice can be spoken with.
            models: List = list(Items::ids(Catalogue::VoiceModels));
        }
    }
}

/// One of the `transcribers`.
pub mod transcriber {
    use super::{Spec, Text, UnknownFields, string, table};

    table! {
        /// A transcriber.
        pub static TABLE: "a transcriber", UnknownFields::Reject;

        "facts" {
            /// The recognition provider.
            provider: Text = string();
        }
    }
}

/// The fields of `features`.
pub mod features {
    use super::{Spec, UnknownFields, table};
    use crate::{Flag, boolean};

    table! {
        /// Features of the workspace.
        pub static TABLE: "the features", UnknownFields::Reject;

        "facts" {
            /// Whether prompts can be cached.
            prompt_caching: Flag = boolean();
        }
    }
}

/// One of the `campaigns`.
pub mod campaign {
    use super::{Catalogue, Spec, Text, UnknownFields, string, table};

    table! {
        /// A campaign.
        pub static TABLE: "a campaign", UnknownFields::Reject;

        "facts" {
            /// The campaign's id.
            id: Text = string();
            /// The agent that it calls with.
            agent_id: Text = string().id_from(Catalogue::Agents);
            /// Its state, as the service names it.
            state: Text = string();
        }
    }
}

/// One of the `workflows`.
pub mod workflow {
    use super::{Catalogue, Items, List, Spec, Text, UnknownFields, list, string, table};

    table! {
        /// A workflow.
        pub static TABLE: "a workflow", UnknownFields::Reject;

        "facts" {
            /// The workflow's id.
            id: Text = string();
            /// Its state, as the service names it.
            state: Text = string();
            /// The numbers that its voice-call nodes call from.
            outbound_phone_number_ids: List = list(Items::ids(Catalogue::PhoneNumbers));
        }
    }
}

impl Catalogue {
    /// The row of the facts that lists the entries of the catalogue.
    ///
    /// ```
    /// use voxlint_schema::Catalogue;
    /// assert_eq!(Catalogue::Llms.fact().map(|row| row.name), Some("llms"));
    /// assert!(Catalogue::VoiceModels.fact().is_none());
    /// ```
    pub fn fact(self) -> Option<&'static crate::Row> {
        Some(match self {
            Self::Agents => agents.row,
            Self::Folders => folders.row,
            Self::Webhooks => webhooks.row,
            Self::Languages => languages.row,
            Self::Llms => llms.row,
            Self::KnowledgeBases => knowledge_bases.row,
            Self::Voices => voices.row,
            Self::Transcribers => transcribers.row,
            Self::FallbackTranscribers => fallback_transcribers.row,
            Self::PhoneNumbers => phone_numbers.row,
            Self::VoiceModels | Self::ApiKeys => return None,
        })
    }
}
