use crate::named;
use crate::{
    Presence, Row, Table, agent, api_keys, configuration, error, facts, settings, stored, template,
};

/// The kinds of document that the service's description defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DocumentKind {
    /// The body of an update (2.3): what is left out keeps its stored value.
    Update,
    /// The whole settings of a version (2.3): what is left out is not set.
    Settings,
    /// An agent, as the service answers it (2.1).
    Agent,
    /// The summary of one version (2.2).
    Version,
    /// A list of API keys (4.2).
    ApiKeys,
    /// The body of a refusal (7).
    Error,
    /// What the service holds of an agent: voxlint's own shape, given beside an update.
    Stored,
    /// What is known of a workspace: voxlint's own shape, given beside an update.
    Facts,
    /// A text that is kept in a file of its own (4.1 rule 6): what the file of a template holds.
    Template,
    /// What a team tells voxlint: its `voxlint.toml`.
    Configuration,
}

named! {
    DocumentKind, "a kind of document":
    Update = "update",
    Settings = "settings",
    Agent = "agent",
    Version = "version",
    ApiKeys = "api-keys",
    Error = "error",
    Stored = "stored",
    Facts = "facts",
    Template = "template",
    Configuration = "configuration",
}

impl DocumentKind {
    /// The kind in words, with its article.
    pub const fn noun_phrase(self) -> &'static str {
        match self {
            Self::Settings => "the settings of a version",
            _ => self.table().noun_phrase,
        }
    }

    /// The fields of a document of this kind.
    pub const fn table(self) -> &'static Table {
        match self {
            Self::Update | Self::Settings => &settings::TABLE,
            Self::Agent => &agent::TABLE,
            Self::Version => &agent::version_summary::TABLE,
            Self::ApiKeys => &api_keys::TABLE,
            Self::Error => &error::TABLE,
            Self::Stored => &stored::TABLE,
            Self::Facts => &facts::TABLE,
            Self::Template => &template::TABLE,
            Self::Configuration => &configuration::TABLE,
        }
    }

    /// Whether what a document of this kind says is sent to the service, which then answers with a status.
    pub const fn is_sent(self) -> bool {
        matches!(self, Self::Update | Self::Settings | Self::Template)
    }

    /// Whether the shape is voxlint's own, so that no description says anything of it.
    pub const fn is_voxlint_format(self) -> bool {
        matches!(self, Self::Stored | Self::Facts | Self::Configuration)
    }

    /// Whether the fields of 2.3 stand at the document's root.
    pub const fn has_settings(self) -> bool {
        matches!(self, Self::Update | Self::Settings)
    }

    /// Whether a document of this kind has to have the field. Settings need no version number, because they are not sent as
    /// they are, and nobody need know all that is stored.
    pub fn presence(self, row: &Row) -> Presence {
        if self == Self::Stored {
            return Presence::Optional;
        }
        if self == Self::Settings && std::ptr::eq(row, settings::version_number.row) {
            Presence::Optional
        } else {
            row.presence
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_that_finds_it() {
        for kind in DocumentKind::ALL {
            assert_eq!(kind.to_string().parse().as_ref(), Ok(&kind));
        }
    }
}
