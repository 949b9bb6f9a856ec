use crate::named;
use crate::{
    Presence, Row, Table, agent, api_keys, configuration, error, facts, settings, stored, template,
};

/// The kinds of document that the service's description defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DocumentKind {
    /// The body of an update (2.3). Omitted fields keep their stored values.
    Update,
    /// All settings of a version (2.3). Omitted fields are not set.
    Settings,
    /// An agent, as the service returns it (2.1).
    Agent,
    /// The summary of one version (2.2).
    Version,
    /// A list of API keys (4.2).
    ApiKeys,
    /// The body of an error response (7).
    Error,
    /// The stored configuration of an agent, as an input for checking an update. A format of voxlint.
    Stored,
    /// Facts about a workspace, as an input for checking an update. A format of voxlint.
    Facts,
    /// A template in a file of its own (update agent, rule 6).
    Template,
    /// The configuration of voxlint, `voxlint.toml`.
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
    /// The kind as a noun that can be counted: `update`, `settings document`.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Settings => "settings document",
            Self::Agent => "agent",
            Self::Version => "version summary",
            Self::ApiKeys => "key list",
            Self::Error => "error body",
            Self::Stored => "stored configuration",
            Self::Facts => "facts file",
            Self::Template => "template",
            Self::Configuration => "configuration",
        }
    }

    /// The kind as a noun with its article: `an update`.
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

    /// Whether the contents of such a document are sent to the service, which answers with a status.
    pub const fn is_sent(self) -> bool {
        matches!(self, Self::Update | Self::Settings | Self::Template)
    }

    /// Whether this is a format of voxlint, which the service's description does not mention.
    pub const fn is_voxlint_format(self) -> bool {
        matches!(self, Self::Stored | Self::Facts | Self::Configuration)
    }

    /// Whether the settings (2.3) are at the document's root.
    pub const fn has_settings(self) -> bool {
        matches!(self, Self::Update | Self::Settings)
    }

    /// Whether a document of this kind has to have the field. Settings need no version number, because they are not sent
    /// unchanged, and a stored configuration may be incomplete.
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
