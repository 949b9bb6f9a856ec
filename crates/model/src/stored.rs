//! The stored configuration: an agent, the settings of one of its versions, or both.

use std::borrow::Cow;

use voxlint_schema::agent::version_summary;
use voxlint_schema::{DocumentKind, Field, Row, agent, settings, stored};
use voxlint_syntax::{Decimal, Kind, Node};

use crate::Document;
use crate::fields::GetField as _;
use crate::quote::quote;
use crate::secret::mask_text;

/// The stored configuration of the agent that an update changes. It is read but not linted. Omitted fields are unknown.
#[derive(Clone, Debug)]
pub struct Stored {
    /// An agent (2.1), the settings of a version (2.3), or both: `{ "agent": …, "version": …, "complete": true }`.
    document: Document,
    /// Whether a field that the settings omit is unset, not unknown.
    complete: bool,
}

/// The parts of the stored configuration that were given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parts<'a> {
    /// The agent.
    pub agent: Option<Node<'a>>,
    /// The version of its settings.
    pub version: Option<Node<'a>>,
    pub(crate) complete: bool,
}

/// The fields that only an agent has, and the settings of a version do not.
const AGENT_ONLY_ROWS: [&Row; 5] = [
    agent::id.row,
    agent::agent_type.row,
    agent::versions.row,
    agent::current_version.row,
    agent::current_version_number.row,
];

impl Stored {
    /// The stored configuration in a document. A field that its settings omit is unknown, unless the document has
    /// `complete: true`.
    pub const fn new(document: Document) -> Self {
        Self { document, complete: false }
    }

    /// The document with the stored configuration.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// Treats a field that the settings omit as unset, not unknown.
    #[must_use]
    pub fn complete(mut self) -> Self {
        self.complete = true;
        self
    }

    /// The id of the agent, if it is known.
    ///
    /// ```
    /// use voxlint::{Document, Stored};
    ///
    /// let agent = r#"{ "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }"#;
    /// let stored = Stored::new(Document::parse(agent));
    /// assert_eq!(stored.agent_id().as_deref(), Some("ag_front_desk"));
    /// ```
    pub fn agent_id(&self) -> Option<Cow<'_, str>> {
        self.parts().agent?.field(agent::id.row)?.as_str()
    }

    /// The kind of the document: an agent, settings, or [`DocumentKind::Stored`] for both in one. `None` if the service
    /// cannot have stored it, such as an error body.
    ///
    /// ```
    /// use voxlint::{Document, Stored};
    ///
    /// let answer = r#"{ "statusCode": 404, "message": "no such agent", "error": "Not Found" }"#;
    /// assert_eq!(Stored::new(Document::parse(answer)).kind(), None);
    /// ```
    pub fn kind(&self) -> Option<DocumentKind> {
        let root = self.document.tree().root()?;
        let has = |row: &Row| root.field(row).is_some();
        let is_numbered = has(settings::version_number.row);
        if stored::TABLE.rows.iter().any(|row| has(row)) {
            Some(DocumentKind::Stored)
        } else if AGENT_ONLY_ROWS.iter().any(|row| has(row)) && !is_numbered {
            // An agent has versions, and only settings have a number of their own.
            Some(DocumentKind::Agent)
        } else if settings::TABLE.rows.iter().any(|row| has(row)) {
            Some(DocumentKind::Settings)
        } else {
            None
        }
    }

    #[doc(hidden)]
    pub fn parts(&self) -> Parts<'_> {
        let Some(root) = self.document.tree().root() else { return Parts::default() };
        let part = |row: &Row| root.field(row).filter(|part| part.kind() == Kind::Object);
        match self.kind() {
            Some(DocumentKind::Agent) => Parts { agent: Some(root), ..Parts::default() },
            Some(DocumentKind::Settings) => {
                Parts { version: Some(root), complete: self.complete, agent: None }
            }
            None => Parts::default(),
            Some(_) => Parts {
                agent: part(stored::agent.row),
                version: part(stored::version.row),
                complete: self.complete || flag(root, &stored::complete) == Some(true),
            },
        }
    }

    /// A message if the document contains an agent with another id.
    ///
    /// ```
    /// use voxlint::{Document, Stored};
    ///
    /// let agent = r#"{ "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }"#;
    /// let stored = Stored::new(Document::parse(agent));
    /// assert_eq!(stored.agent_mismatch("ag_front_desk"), None);
    /// let message = stored.agent_mismatch("ag_night_desk");
    /// assert_eq!(message.as_deref(), Some("it contains the agent `ag_front_desk`, not `ag_night_desk`"));
    /// ```
    pub fn agent_mismatch(&self, agent_id: &str) -> Option<String> {
        let stored = self.agent_id().filter(|stored| stored != agent_id)?;
        let [stored, wanted] = [&stored, agent_id].map(|id| quote(&mask_text(id)));
        Some(format!("it contains the agent {stored}, not {wanted}"))
    }
}

fn flag(object: Node<'_>, field: &Field<voxlint_schema::Flag>) -> Option<bool> {
    object.field(field.row)?.as_bool()
}

/// The summaries that an agent lists, in the order of the text.
pub fn listed(agent: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    let list = agent.and_then(|agent| agent.field(agent::versions.row));
    list.into_iter().flat_map(Node::elements)
}

/// A summary of a version (2.2), in the agent's list or as its current version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary<'a> {
    pub(crate) node: Node<'a>,
    /// The number that the summary has.
    pub(crate) own_number: Option<Node<'a>>,
    /// The number that the agent has next to its current version.
    pub(crate) number_beside: Option<Node<'a>>,
}

impl<'a> Summary<'a> {
    /// The number of the version, unless it is ambiguous.
    pub(crate) fn number(&self) -> Option<Decimal<'a>> {
        let number = |node: Option<Node<'a>>| node.and_then(Node::decimal);
        match (number(self.own_number), number(self.number_beside)) {
            (Some(own), Some(beside)) => (own == beside).then_some(own),
            // A number that cannot be read may be any.
            (None, _) if self.own_number.is_some_and(|own| own.kind() != Kind::Null) => None,
            (own, beside) => own.or(beside),
        }
    }
}

/// The summaries of all versions that an agent has: those in its list, in the order of the text, then the current version.
pub(crate) fn summaries(agent: Option<Node<'_>>) -> impl Iterator<Item = Summary<'_>> {
    let listed = listed(agent).map(|node| Summary {
        node,
        own_number: node.field(version_summary::version_number.row),
        number_beside: None,
    });
    listed.chain(current(agent))
}

/// The summary of an agent's current version.
pub(crate) fn current(agent: Option<Node<'_>>) -> Option<Summary<'_>> {
    let agent = agent?;
    let node = agent.field(agent::current_version.row);
    let node = node.filter(|current| current.kind() == Kind::Object)?;
    Some(Summary {
        node,
        own_number: node.field(version_summary::version_number.row),
        number_beside: agent.field(agent::current_version_number.row),
    })
}

/// The number of a summary.
pub fn number_of(summary: Node<'_>) -> Option<Decimal<'_>> {
    summary.field(version_summary::version_number.row)?.decimal()
}
